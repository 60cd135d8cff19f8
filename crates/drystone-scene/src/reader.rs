//! Reads the tables of a TOML tree into types, and remembers on every failure where it was. Accepts no unknown key,
//! no array in place of a table, and no number that is not finite.

use crate::place::{Step, Wording};
use serde::Deserialize;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use std::fmt::Display;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads a whole document.
pub(crate) fn read<'de, T: Deserialize<'de>>(root: &'de DeValue<'de>) -> Result<T, ReadError> {
    T::deserialize(Reader {
        value: root,
        span: 0..0,
    })
    .map_err(|mut error| {
        error.path.reverse();
        error
    })
}

/// A value that does not fit, with its place.
#[derive(Debug)]
pub(crate) struct ReadError {
    /// Bytes of the text, once known.
    pub(crate) span: Option<Range<usize>>,
    /// Path from the root; innermost step first until `read` turns it.
    pub(crate) path: Vec<Step>,
    /// What is wrong.
    pub(crate) wording: Wording,
}

impl ReadError {
    fn new(wording: Wording) -> Self {
        Self {
            span: None,
            path: Vec::new(),
            wording,
        }
    }

    fn at(mut self, span: &Range<usize>) -> Self {
        self.span.get_or_insert_with(|| span.clone());
        self
    }

    fn under(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    fn unexpected(found: impl Display, expected: &dyn de::Expected) -> Self {
        Self::new(Wording::Of(format!(
            "must be {}, found {found}",
            in_words(&expected.to_string())
        )))
    }
}

/// Serde names Rust types; people write TOML.
fn in_words(expected: &str) -> String {
    match expected {
        "f64" => "a number".into(),
        "u32" => "a whole number from 0 to 4294967295".into(),
        "u64" | "usize" => "a whole number, not negative".into(),
        "bool" | "a boolean" => "true or false".into(),
        "a sequence" => "an array".into(),
        "a map" => "a table".into(),
        "enum" => "a table with exactly one key".into(),
        "a borrowed string" | "a string" => "a string".into(),
        other if other.starts_with("struct ") => "a table".into(),
        other => other.into(),
    }
}

fn found(unexpected: Unexpected) -> String {
    match unexpected {
        Unexpected::Str(text) => format!("the string {:?}", crate::place::shorten(text, 60)),
        Unexpected::Bool(flag) => format!("{flag}"),
        Unexpected::Signed(number) => format!("{number}"),
        Unexpected::Unsigned(number) => format!("{number}"),
        Unexpected::Float(number) => format!("{number}"),
        Unexpected::Seq => "an array".into(),
        Unexpected::Map => "a table".into(),
        other => other.to_string(),
    }
}

impl Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.wording)
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(Wording::Of(format!(": {message}")))
    }
    fn invalid_type(unexpected: Unexpected, expected: &dyn de::Expected) -> Self {
        Self::unexpected(found(unexpected), expected)
    }
    fn invalid_value(unexpected: Unexpected, expected: &dyn de::Expected) -> Self {
        Self::unexpected(found(unexpected), expected)
    }
    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let allowed = expected.iter().map(|&name| name.to_owned()).collect();
        Self::new(Wording::UnknownKey {
            found: variant.to_owned(),
            allowed,
        })
    }
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown_variant(field, expected)
    }
    fn missing_field(field: &'static str) -> Self {
        Self::new(Wording::MissingKey(field.to_owned()))
    }
}

struct Reader<'de> {
    value: &'de DeValue<'de>,
    span: Range<usize>,
}

impl<'de> Reader<'de> {
    fn of(spanned: &'de Spanned<DeValue<'de>>) -> Self {
        Self {
            value: spanned.get_ref(),
            span: spanned.span(),
        }
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
    fn table(self, expected: &dyn de::Expected) -> Result<Table<'de>, ReadError> {
        match self.value {
            DeValue::Table(table) => Ok(Table::new(table, self.span)),
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
                Err(_) => Err(ReadError::unexpected(
                    self.found(),
                    &"a whole number of at most 64 bits",
                )),
            },
            DeValue::Float(_) => match self.number() {
                Some(number) => number.and_then(|number| visitor.visit_f64(number)),
                None => Err(ReadError::unexpected(self.found(), &visitor)),
            },
            DeValue::Datetime(_) => Err(ReadError::unexpected(self.found(), &visitor)),
            DeValue::Array(items) => visitor.visit_seq(Items {
                items: items.iter(),
                index: 0,
            }),
            DeValue::Table(table) => Table::new(table, self.span).visit(visitor),
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
    format!(
        "cannot be {:?}; allowed: {}.{hint}",
        crate::place::shorten(found, 60),
        allowed.join(", ")
    )
}

/// The entries of a table in the order of the file, so that the first error is the first in the file.
struct Table<'de> {
    entries: std::vec::IntoIter<(
        &'de Spanned<std::borrow::Cow<'de, str>>,
        &'de Spanned<DeValue<'de>>,
    )>,
    open: Option<(&'de str, &'de Spanned<DeValue<'de>>)>,
    first: Option<&'de str>,
    span: Range<usize>,
}

impl<'de> Table<'de> {
    fn new(table: &'de DeTable<'de>, span: Range<usize>) -> Self {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        Self {
            entries: entries.into_iter(),
            open: None,
            first: None,
            span,
        }
    }

    fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, ReadError> {
        let value = visitor
            .visit_map(&mut self)
            .map_err(|error| error.at(&self.span))?;
        self.finish()?;
        Ok(value)
    }

    /// A reader that took one entry wanted no more of them.
    fn finish(&mut self) -> Result<(), ReadError> {
        let Some((second, _)) = self.entries.next() else {
            return Ok(());
        };
        let first = self.first.unwrap_or_default();
        let text = format!(
            "must have exactly one key, found {first:?} and {:?}",
            second.get_ref()
        );
        Err(ReadError::new(Wording::Of(text)).at(&second.span()))
    }
}

impl<'de> MapAccess<'de> for &mut Table<'de> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        let Some((key, value)) = self.entries.next() else {
            return Ok(None);
        };
        let name: &'de str = key.get_ref();
        self.first.get_or_insert(name);
        self.open = Some((name, value));
        let reader = de::value::StrDeserializer::new(name);
        seed.deserialize(reader)
            .map(Some)
            .map_err(|error: ReadError| error.at(&key.span()))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, ReadError> {
        let Some((name, value)) = self.open.take() else {
            return Err(ReadError::new(Wording::Of("has a value without a key".into())));
        };
        let read = seed.deserialize(Reader::of(value));
        read.map_err(|error| error.at(&value.span()).under(Step::Key(name.to_owned())))
    }
}

impl<'de> EnumAccess<'de> for &mut Table<'de> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(mut self, seed: V) -> Result<(V::Value, Self), ReadError> {
        match self.next_key_seed(seed)? {
            Some(variant) => Ok((variant, self)),
            None => Err(ReadError::unexpected("an empty table", &"enum").at(&self.span)),
        }
    }
}

impl<'de> VariantAccess<'de> for &mut Table<'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        Err(ReadError::unexpected("a table", &"a string").at(&self.span))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value, ReadError> {
        self.next_value_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, ReadError> {
        Err(ReadError::unexpected("a table", &visitor).at(&self.span))
    }

    fn struct_variant<V: Visitor<'de>>(
        mut self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        struct Fields<V>(V);
        impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Fields<V> {
            type Value = V::Value;
            fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<V::Value, D::Error> {
                reader.deserialize_map(self.0)
            }
        }
        self.next_value_seed(Fields(visitor))
    }
}

struct Items<'de, I: Iterator<Item = &'de Spanned<DeValue<'de>>>> {
    items: I,
    index: usize,
}

impl<'de, I: Iterator<Item = &'de Spanned<DeValue<'de>>>> SeqAccess<'de> for Items<'de, I> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let index = self.index;
        self.index += 1;
        let read = seed.deserialize(Reader::of(item));
        read.map(Some)
            .map_err(|error| error.at(&item.span()).under(Step::Index(index)))
    }
}

/// A string where one of several words is wanted.
struct Word<'de>(&'de str);

impl<'de> EnumAccess<'de> for Word<'de> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), ReadError> {
        let reader: de::value::StrDeserializer<'_, ReadError> = de::value::StrDeserializer::new(self.0);
        Ok((seed.deserialize(reader)?, self))
    }
}

impl<'de> VariantAccess<'de> for Word<'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _seed: T) -> Result<T::Value, ReadError> {
        Err(ReadError::unexpected(found(Unexpected::Str(self.0)), &"a table"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, ReadError> {
        Err(ReadError::unexpected(found(Unexpected::Str(self.0)), &visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, ReadError> {
        Err(ReadError::unexpected(found(Unexpected::Str(self.0)), &"a table"))
    }
}
