//! Reads the tables of a TOML tree into types, and remembers on every failure where it was. Accepts no
//! unknown key, no array in place of a table, and no number that is not finite.

mod access;
mod failure;

pub(crate) use failure::ReadError;

use crate::place::Wording;
use access::{Items, TableEntries, Word};
use failure::found;
use serde::Deserialize;
use serde::de::{self, Deserializer, Unexpected, Visitor};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// Reads a whole document.
pub(crate) fn read<'de, T: Deserialize<'de>>(root: &'de DeValue<'de>) -> Result<T, ReadError> {
    T::deserialize(Reader { value: root, span: 0..0 }).map_err(|mut error| {
        error.path.reverse();
        error
    })
}

struct Reader<'de> {
    value: &'de DeValue<'de>,
    span: Range<usize>,
}

impl<'de> Reader<'de> {
    fn of(spanned: &'de Spanned<DeValue<'de>>) -> Self {
        Self { value: spanned.get_ref(), span: spanned.span() }
    }

    /// A word for what stands here.
    fn found(&self) -> String {
        match self.value {
            DeValue::String(text) => found(Unexpected::Str(text)),
            DeValue::Boolean(flag) => format!("{flag}"),
            DeValue::Integer(number) => crate::place::shorten(number.as_str(), 60),
            DeValue::Float(number) => crate::place::shorten(number.as_str(), 60),
            DeValue::Datetime(_) => "a date".into(),
            DeValue::Array(_) => "an array".into(),
            DeValue::Table(_) => "a table".into(),
        }
    }

    /// The number as written, whole or not; `None` if it is no number.
    fn number(&self) -> Option<Result<f64, ReadError>> {
        let number = match self.value {
            DeValue::Float(number) => number.as_str().parse().unwrap_or(f64::NAN),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().unwrap_or(f64::NAN),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => number as f64,
                Err(_) => f64::NAN,
            },
            _ => return None,
        };
        Some(if number.is_finite() {
            Ok(number)
        } else {
            Err(ReadError::unexpected(self.found(), &"a finite number").at(&self.span))
        })
    }

    /// A table, or an error that says what `expected` is.
    fn table(self, expected: &dyn de::Expected) -> Result<TableEntries<'de>, ReadError> {
        match self.value {
            DeValue::Table(table) => Ok(TableEntries::new(table, self.span)),
            _ => Err(ReadError::unexpected(self.found(), expected).at(&self.span)),
        }
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let span = self.span.clone();
        let result = match self.value {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Boolean(flag) => visitor.visit_bool(*flag),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => visitor.visit_i64(number),
                Err(_) => Err(ReadError::unexpected(self.found(), &"a whole number of at most 64 bits")),
            },
            DeValue::Float(_) => match self.number() {
                Some(number) => number.and_then(|number| visitor.visit_f64(number)),
                None => Err(ReadError::unexpected(self.found(), &visitor)),
            },
            DeValue::Datetime(_) => Err(ReadError::unexpected(self.found(), &visitor)),
            DeValue::Array(items) => visitor.visit_seq(Items { items: items.iter(), index: 0 }),
            DeValue::Table(table) => TableEntries::new(table, self.span).visit(visitor),
        };
        result.map_err(|error| error.at(&span))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.number() {
            Some(number) => visitor.visit_f64(number?),
            None => Err(ReadError::unexpected(self.found(), &visitor).at(&self.span)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.table(&"a table")?.visit(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        if let DeValue::String(text) = self.value {
            return visitor.visit_enum(Word(text)).map_err(|error| {
                let wording = match error.wording {
                    Wording::UnknownKey { found, allowed } => Wording::Of(unknown_value(&found, &allowed)),
                    other => other,
                };
                ReadError { wording, ..error }.at(&self.span)
            });
        }
        let expected = format!("one of {}", variants.join(", "));
        let mut table = self.table(&expected.as_str())?;
        let value = visitor.visit_enum(&mut table)?;
        table.finish()?;
        Ok(value)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct identifier ignored_any
    }
}

fn unknown_value(found: &str, allowed: &[String]) -> String {
    let hint = crate::place::did_you_mean(found, allowed.iter().map(String::as_str));
    format!("cannot be {:?}; allowed: {}.{hint}", crate::place::shorten(found, 60), allowed.join(", "))
}
