//! Formulas in the time `t`, from text: read with the place of every mistake, evaluated with the same bits on
//! every processor. Knows neither what a formula stands for nor any other variable.

mod parser;

use crate::Signal;
use drystone_math::portable;
use parser::Parser;
use thiserror::Error;

/// A formula in `t` \[s\]: numbers, `t`, `pi`, `+ - * / ^`, brackets, and the functions of
/// [`Expression::FUNCTIONS`].
///
/// ```
/// use drystone::Expression;
/// let push = Expression::parse("500 * min(t, 2) + 10*sin(2*pi*t)").unwrap();
/// assert!((push.at(1.0) - 500.0).abs() < 1e-9);
/// assert_eq!(Expression::parse("3 * tt").unwrap_err().at, 4);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    root: Term,
}

/// What is wrong with a formula, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct ExpressionError {
    /// Bytes before the place.
    pub at: usize,
    /// What is wrong and what is allowed.
    pub message: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Number(f64),
    Time,
    Negative(Box<Term>),
    Both(Operator, Box<[Term; 2]>),
    Call(Function, Vec<Term>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Sin,
    Cos,
    Tan,
    Exp,
    Ln,
    Sqrt,
    Abs,
    Floor,
    Rad,
    Min,
    Max,
    Mod,
    Step,
    Pulse,
    Ramp,
    Smooth,
}

/// Name, function, fewest and most arguments.
const KNOWN: [(&str, Function, usize, usize); 16] = [
    ("sin", Function::Sin, 1, 1),
    ("cos", Function::Cos, 1, 1),
    ("tan", Function::Tan, 1, 1),
    ("exp", Function::Exp, 1, 1),
    ("ln", Function::Ln, 1, 1),
    ("sqrt", Function::Sqrt, 1, 1),
    ("abs", Function::Abs, 1, 1),
    ("floor", Function::Floor, 1, 1),
    ("rad", Function::Rad, 1, 1),
    ("min", Function::Min, 2, 16),
    ("max", Function::Max, 2, 16),
    ("mod", Function::Mod, 2, 2),
    ("step", Function::Step, 2, 2),
    ("pulse", Function::Pulse, 3, 3),
    ("ramp", Function::Ramp, 3, 3),
    ("smooth", Function::Smooth, 3, 3),
];

/// Longest formula \[bytes\], and the deepest brackets: what nobody writes by hand must not use up the stack.
const LONGEST: usize = 2000;
const DEEPEST: usize = 60;

impl Expression {
    /// The functions with their arguments. `rad` turns degrees into radians; `step(x, a)` is 0 before `a` and
    /// 1 from there on; `pulse(x, a, b)` is 1 from `a` to `b` and 0 elsewhere; `ramp(x, a, b)` rises from 0
    /// at `a` to 1 at `b` along a straight line and `smooth(x, a, b)` with level ends; both stay at 1.
    pub const FUNCTIONS: &'static str = "sin(x), cos(x), tan(x), exp(x), ln(x), sqrt(x), abs(x), floor(x), rad(x), \
         min(x, y, …), max(x, y, …), mod(x, y), step(x, a), pulse(x, a, b), ramp(x, a, b), smooth(x, a, b)";

    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        if text.len() > LONGEST {
            return Err(ExpressionError {
                at: 0,
                message: format!("the formula is longer than {LONGEST} bytes"),
            });
        }
        let mut parser = Parser { text, at: 0, depth: 0 };
        let root = parser.sum()?;
        parser.skip_blanks();
        match parser.rest().chars().next() {
            None => Ok(Self { root }),
            Some(found) => Err(parser.wrong(format!("expected an operator or the end, found {found:?}"))),
        }
    }

    /// The value at a time \[s\]; not a finite number where the formula has none.
    pub fn at(&self, time: f64) -> f64 {
        self.root.at(time)
    }
}

impl From<Expression> for Signal {
    fn from(expression: Expression) -> Self {
        (move |time: f64| expression.at(time)).into()
    }
}

impl Term {
    fn at(&self, t: f64) -> f64 {
        match self {
            Self::Number(value) => *value,
            Self::Time => t,
            Self::Negative(term) => -term.at(t),
            Self::Both(operator, terms) => {
                let [a, b] = [terms[0].at(t), terms[1].at(t)];
                match operator {
                    Operator::Plus => a + b,
                    Operator::Minus => a - b,
                    Operator::Times => a * b,
                    Operator::Over => a / b,
                    Operator::Power => portable::pow(a, b),
                }
            }
            Self::Call(function, arguments) => {
                let x: Vec<f64> = arguments.iter().map(|argument| argument.at(t)).collect();
                function.of(&x)
            }
        }
    }
}

impl Function {
    /// The value; the parser has counted the arguments.
    fn of(self, x: &[f64]) -> f64 {
        let part = |k: usize| x.get(k).copied().unwrap_or(f64::NAN);
        let share = || ((part(0) - part(1)) / (part(2) - part(1))).clamp(0.0, 1.0);
        match self {
            Self::Sin => portable::sin(part(0)),
            Self::Cos => portable::cos(part(0)),
            Self::Tan => portable::tan(part(0)),
            Self::Exp => portable::exp(part(0)),
            Self::Ln => portable::ln(part(0)),
            Self::Sqrt => part(0).sqrt(),
            Self::Abs => part(0).abs(),
            Self::Floor => part(0).floor(),
            Self::Rad => part(0).to_radians(),
            // what is no number must show
            Self::Min => {
                x.iter().copied().reduce(|a, b| if b < a || b.is_nan() { b } else { a }).unwrap_or(f64::NAN)
            }
            Self::Max => {
                x.iter().copied().reduce(|a, b| if b > a || b.is_nan() { b } else { a }).unwrap_or(f64::NAN)
            }
            Self::Mod => part(0) - part(1) * (part(0) / part(1)).floor(),
            Self::Step => f64::from(part(0) >= part(1)),
            Self::Pulse => f64::from(part(0) >= part(1) && part(0) < part(2)),
            Self::Ramp => share(),
            Self::Smooth => {
                let s = share();
                s * s * (3.0 - 2.0 * s)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_mean_what_they_say() {
        let cases: [(&str, f64, f64); 18] = [
            ("1 + 2*3", 0.0, 7.0),
            ("-t^2", 3.0, -9.0),
            ("2^3^2", 0.0, 512.0),
            ("(1+2)*3 - 4/2", 0.0, 7.0),
            ("1.5e-1*t", 2.0, 0.3),
            ("sin(2*pi*t)", 0.25, 1.0),
            ("cos(rad(60))", 0.0, 0.5),
            ("min(t, 2, 5)", 3.0, 2.0),
            ("max(t, -2)", -3.0, -2.0),
            ("pulse(t, 1, 2)", 1.5, 1.0),
            ("pulse(t, 1, 2)", 2.0, 0.0),
            ("ramp(t, 1, 3)", 1.5, 0.25),
            ("ramp(t, 1, 3)", 9.0, 1.0),
            ("smooth(t, 0, 1)", 0.5, 0.5),
            ("step(t, 1)", 1.0, 1.0),
            ("mod(t, 2)", 5.0, 1.0),
            ("exp(ln(t)) + sqrt(abs(-4)) - floor(1.7)", 5.0, 6.0),
            ("2 - -+3", 0.0, 5.0),
        ];
        for (text, t, expected) in cases {
            let found = Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).at(t);
            assert!((found - expected).abs() < 1e-14 * expected.abs().max(1.0), "{text} is {found}");
        }
        assert!(Expression::parse("min(1, ln(-t), 2)").unwrap().at(1.0).is_nan());
    }

    #[test]
    fn mistakes_have_a_place() {
        let cases = [
            ("", 0, "found the end"),
            ("2 +", 3, "found the end"),
            ("2 t", 2, "operator or the end"),
            ("sine(t)", 0, "unknown name \"sine\""),
            ("3*(t + 1", 8, "closing bracket"),
            ("min(t)", 0, "2 to 16 arguments"),
            ("sin t", 4, "opening bracket"),
            ("1e999", 0, "no finite number"),
            ("1..2", 0, "no finite number"),
            ("t # 2", 2, "found '#'"),
            ("ä", 0, "found 'ä'"),
        ];
        for (text, at, words) in cases {
            let error = Expression::parse(text).unwrap_err();
            assert!(error.at == at && error.message.contains(words), "{text}: {error:?}");
        }
        for deep in ["(".repeat(500) + "t", "-".repeat(500) + "t", "2^".repeat(500) + "2"] {
            assert!(Expression::parse(&deep).is_err());
        }
    }
}
