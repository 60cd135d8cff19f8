//! Arrays of any length in files, which serde does not know. Holds no shape.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// Writes an array as a list.
pub fn serialize<S: Serializer, T: Serialize, const N: usize>(
    array: &[T; N],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(array)
}

/// Reads a list of the right length.
pub fn deserialize<'de, De: Deserializer<'de>, T: Deserialize<'de>, const N: usize>(
    deserializer: De,
) -> Result<[T; N], De::Error> {
    let items = Vec::<T>::deserialize(deserializer)?;
    let found = items.len();
    items.try_into().map_err(|_| De::Error::custom(format!("{found} items instead of {N}")))
}
