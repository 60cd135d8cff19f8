//! An inertia as it is written. Knows nothing of its principal axes.

use schemars::JsonSchema;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A moment of inertia in 2D; in 3D three moments about axes that are principal, or a tensor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Inertia {
    /// The one moment of the plane.
    Moment(f64),
    /// The three principal moments of space.
    Moments(Vec<f64>),
    /// The tensor, row by row: moments on its diagonal, and products of inertia off it, such as `−∫ x y dm`.
    Tensor(Vec<Vec<f64>>),
}

/// An item of an array: a number, or a row of a tensor.
enum Item {
    Number(f64),
    Row(Vec<f64>),
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        struct NumberOrRow;
        impl<'de> Visitor<'de> for NumberOrRow {
            type Value = Item;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number or an array of numbers")
            }
            fn visit_f64<E: Error>(self, number: f64) -> Result<Item, E> {
                Ok(Item::Number(number))
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Item, E> {
                Ok(Item::Number(number as f64))
            }
            fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Item, S::Error> {
                let mut row = Vec::new();
                while let Some(number) = items.next_element()? {
                    row.push(number);
                }
                Ok(Item::Row(row))
            }
        }
        deserializer.deserialize_any(NumberOrRow)
    }
}

/// By hand, because an untagged enum would forget where an error lies.
impl<'de> Deserialize<'de> for Inertia {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        struct Given;
        impl<'de> Visitor<'de> for Given {
            type Value = Inertia;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number, an array of numbers or an array of rows")
            }
            fn visit_f64<E: Error>(self, number: f64) -> Result<Inertia, E> {
                Ok(Inertia::Moment(number))
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Inertia, E> {
                Ok(Inertia::Moment(number as f64))
            }
            fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Inertia, S::Error> {
                let (mut moments, mut rows) = (Vec::new(), Vec::new());
                while let Some(item) = items.next_element()? {
                    match item {
                        Item::Number(number) => moments.push(number),
                        Item::Row(row) => rows.push(row),
                    }
                }
                match (moments.is_empty(), rows.is_empty()) {
                    (false, false) => Err(S::Error::custom(
                        "mixes numbers and rows; give three moments or three rows of three numbers",
                    )),
                    (_, true) => Ok(Inertia::Moments(moments)),
                    (true, false) => Ok(Inertia::Tensor(rows)),
                }
            }
        }
        deserializer.deserialize_any(Given)
    }
}
