//! From the text of a formula to its terms. Evaluates nothing.

use super::{DEEPEST, ExpressionError, KNOWN, Operator, Term};

/// Reads a formula by recursive descent.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    pub(super) fn wrong(&self, message: impl Into<String>) -> ExpressionError {
        ExpressionError { at: self.at, message: message.into() }
    }

    /// Takes one of these signs, if it comes next.
    fn sign(&mut self, signs: &[char]) -> Option<char> {
        self.skip_blanks();
        let found = self.rest().chars().next().filter(|next| signs.contains(next))?;
        self.at += found.len_utf8();
        Some(found)
    }

    pub(super) fn sum(&mut self) -> Result<Term, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(format!("brackets within brackets, more than {DEEPEST} deep")));
        }
        let mut sum = self.product()?;
        while let Some(sign) = self.sign(&['+', '-']) {
            let operator = if sign == '+' { Operator::Plus } else { Operator::Minus };
            sum = Term::Both(operator, Box::new([sum, self.product()?]));
        }
        self.depth -= 1;
        Ok(sum)
    }

    fn product(&mut self) -> Result<Term, ExpressionError> {
        let mut product = self.signed()?;
        while let Some(sign) = self.sign(&['*', '/']) {
            let operator = if sign == '*' { Operator::Times } else { Operator::Over };
            product = Term::Both(operator, Box::new([product, self.signed()?]));
        }
        Ok(product)
    }

    /// A power with the signs before it: -t^2 is -(t^2).
    fn signed(&mut self) -> Result<Term, ExpressionError> {
        match self.sign(&['-', '+']) {
            Some(sign) => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(self.wrong(format!("more than {DEEPEST} signs in a row")));
                }
                let term = self.signed()?;
                self.depth -= 1;
                Ok(if sign == '-' { Term::Negative(Box::new(term)) } else { term })
            }
            None => self.power(),
        }
    }

    fn power(&mut self) -> Result<Term, ExpressionError> {
        let base = self.atom()?;
        match self.sign(&['^']) {
            Some(_) => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(self.wrong(format!("more than {DEEPEST} powers of powers")));
                }
                let exponent = self.signed()?;
                self.depth -= 1;
                Ok(Term::Both(Operator::Power, Box::new([base, exponent])))
            }
            None => Ok(base),
        }
    }

    fn atom(&mut self) -> Result<Term, ExpressionError> {
        self.skip_blanks();
        match self.rest().chars().next() {
            None => Err(self.wrong("expected a number, t, pi, a function or a bracket, found the end")),
            Some('(') => {
                self.at += 1;
                let inside = self.sum()?;
                self.close()?;
                Ok(inside)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.name(),
            Some(c) => {
                Err(self.wrong(format!("expected a number, t, pi, a function or a bracket, found {c:?}")))
            }
        }
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        match self.sign(&[')']) {
            Some(_) => Ok(()),
            None => Err(self.wrong("expected a closing bracket")),
        }
    }

    fn number(&mut self) -> Result<Term, ExpressionError> {
        let bytes = self.rest().as_bytes();
        let digits =
            |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
        let mut end = digits(0);
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let signed = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + signed);
            if exponent > 0 {
                end += 1 + signed + exponent;
            }
        }
        let text = &self.rest()[..end];
        match text.parse::<f64>().ok().filter(|value| value.is_finite()) {
            Some(value) => {
                self.at += end;
                Ok(Term::Number(value))
            }
            None => Err(self.wrong(format!("{text:?} is no finite number"))),
        }
    }

    fn name(&mut self) -> Result<Term, ExpressionError> {
        let start = self.at;
        let letters = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        let name: String = self.rest().chars().take_while(letters).collect();
        self.at += name.len();
        match name.as_str() {
            "t" => return Ok(Term::Time),
            "pi" => return Ok(Term::Number(std::f64::consts::PI)),
            _ => {}
        }
        let Some(&(_, function, least, most)) = KNOWN.iter().find(|(known, ..)| *known == name) else {
            let message = format!("unknown name {name:?}; allowed: t, pi, {}", Self::names());
            return Err(ExpressionError { at: start, message });
        };
        if self.sign(&['(']).is_none() {
            return Err(self.wrong(format!("expected an opening bracket after {name}")));
        }
        let mut arguments = vec![self.sum()?];
        while self.sign(&[',']).is_some() {
            arguments.push(self.sum()?);
        }
        self.close()?;
        if !(least..=most).contains(&arguments.len()) {
            let takes = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            let message = format!("{name} takes {takes} arguments, found {}", arguments.len());
            return Err(ExpressionError { at: start, message });
        }
        Ok(Term::Call(function, arguments))
    }

    fn names() -> String {
        KNOWN.map(|(name, ..)| name).join(", ")
    }
}
