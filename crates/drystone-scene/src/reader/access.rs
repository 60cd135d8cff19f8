//! Entries of tables, items of arrays, words: what a reader hands to a type piece by piece. Adds to each
//! failure the place it came from.

use super::failure::found;
use super::{ReadError, Reader};
use crate::place::{Step, Wording};
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The entries of a table in the order of the file, so that the first error is the first in the file.
pub(super) struct TableEntries<'de> {
    entries: std::vec::IntoIter<(&'de Spanned<std::borrow::Cow<'de, str>>, &'de Spanned<DeValue<'de>>)>,
    open: Option<(&'de str, &'de Spanned<DeValue<'de>>)>,
    first: Option<&'de str>,
    span: Range<usize>,
}

impl<'de> TableEntries<'de> {
    pub(super) fn new(table: &'de DeTable<'de>, span: Range<usize>) -> Self {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        Self { entries: entries.into_iter(), open: None, first: None, span }
    }

    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, ReadError> {
        let value = visitor.visit_map(&mut self).map_err(|error| error.at(&self.span))?;
        self.finish()?;
        Ok(value)
    }

    /// A reader that took one entry wanted no more of them.
    pub(super) fn finish(&mut self) -> Result<(), ReadError> {
        let Some((second, _)) = self.entries.next() else {
            return Ok(());
        };
        let first = self.first.unwrap_or_default();
        let text = format!("must have exactly one key, found {first:?} and {:?}", second.get_ref());
        Err(ReadError::new(Wording::Of(text)).at(&second.span()))
    }
}

impl<'de> MapAccess<'de> for &mut TableEntries<'de> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        let Some((key, value)) = self.entries.next() else {
            return Ok(None);
        };
        let name: &'de str = key.get_ref();
        self.first.get_or_insert(name);
        self.open = Some((name, value));
        let reader = de::value::StrDeserializer::new(name);
        seed.deserialize(reader).map(Some).map_err(|error: ReadError| error.at(&key.span()))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, ReadError> {
        let Some((name, value)) = self.open.take() else {
            return Err(ReadError::new(Wording::Of("has a value without a key".into())));
        };
        let read = seed.deserialize(Reader::of(value));
        read.map_err(|error| error.at(&value.span()).under(Step::Key(name.to_owned())))
    }
}

impl<'de> EnumAccess<'de> for &mut TableEntries<'de> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(mut self, seed: V) -> Result<(V::Value, Self), ReadError> {
        match self.next_key_seed(seed)? {
            Some(variant) => Ok((variant, self)),
            None => Err(ReadError::unexpected("an empty table", &"enum").at(&self.span)),
        }
    }
}

impl<'de> VariantAccess<'de> for &mut TableEntries<'de> {
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

/// The items of an array.
pub(super) struct Items<'de, I: Iterator<Item = &'de Spanned<DeValue<'de>>>> {
    pub(super) items: I,
    pub(super) index: usize,
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
        read.map(Some).map_err(|error| error.at(&item.span()).under(Step::Index(index)))
    }
}

/// A string where one of several words is wanted.
pub(super) struct Word<'de>(pub(super) &'de str);

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
