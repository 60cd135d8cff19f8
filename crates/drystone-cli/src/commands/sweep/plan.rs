//! What a sweep varies: keys of the scene with their values, and the combinations that are run. Runs nothing.

use crate::failure::Failure;
use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value};

/// A key of the scene with what it takes.
#[derive(Clone, Debug)]
pub struct Varied {
    /// Path of the key, its parts separated by dots.
    pub key: String,
    /// What it takes.
    pub values: Values,
}

/// The values of a key.
#[derive(Clone, Debug)]
pub enum Values {
    /// These.
    List(Vec<Value>),
    /// Any number between two.
    Between(f64, f64),
}

impl Varied {
    /// Reads `KEY=V1,V2,…` or `KEY=LOW..HIGH`.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = |reason: &str| {
            Failure::bad_input(format!("--set {text}: {reason}; allowed is KEY=V1,V2,… or KEY=LOW..HIGH"))
        };
        let (key, values) = text.split_once('=').ok_or_else(|| wrong("no value is given"))?;
        let key = key.trim().to_owned();
        if key.is_empty() || key.split('.').any(str::is_empty) {
            return Err(wrong("the key has an empty part"));
        }
        if let Some((low, high)) = values.split_once("..") {
            let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
            return match (number(low), number(high)) {
                (Some(low), Some(high)) if low < high => Ok(Self { key, values: Values::Between(low, high) }),
                _ => Err(wrong("a range goes from a number to a larger one")),
            };
        }
        let values: Vec<Value> = split(values).iter().map(|value| parse_value(value)).collect();
        if values.is_empty() {
            return Err(wrong("no value is given"));
        }
        Ok(Self { key, values: Values::List(values) })
    }
}

/// Parts between commas, those inside of brackets and quotes left alone.
fn split(text: &str) -> Vec<String> {
    let (mut depth, mut quoted, mut parts) = (0i32, false, vec![String::new()]);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// A value of TOML; what is none, a word, is taken as text.
fn parse_value(text: &str) -> Value {
    text.parse::<Value>().unwrap_or_else(|_| Value::from(text))
}

/// All combinations of the values, the last key varied first; of ranges, or where `sample` asks for it, so
/// many drawn from a seed: each range is cut into as many parts, and every part is met once (a Latin
/// hypercube, McKay, Beckman and Conover 1979).
pub fn combinations(varied: &[Varied], sample: Option<usize>, seed: u64) -> Result<Vec<Vec<Value>>, Failure> {
    if let Some(count) = sample {
        return Ok(drawn(varied, count, seed));
    }
    let mut all = vec![Vec::new()];
    for one in varied {
        let Values::List(values) = &one.values else {
            let message = format!("--set {}: a range needs --sample N, how many values are drawn", one.key);
            return Err(Failure::bad_input(message));
        };
        if all.len().saturating_mul(values.len()) > 1_000_000 {
            return Err(Failure::bad_input(
                "more than a million combinations; take fewer values, or --sample N",
            ));
        }
        all = all
            .into_iter()
            .flat_map(|before| {
                values.iter().map(move |value| before.iter().cloned().chain([value.clone()]).collect())
            })
            .collect();
    }
    Ok(all)
}

fn drawn(varied: &[Varied], count: usize, seed: u64) -> Vec<Vec<Value>> {
    let mut state = seed;
    // splitmix64 (Steele, Lea and Flood 2014), from 0 to 1
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) >> 11
    };
    let mut share = || next() as f64 / (1u64 << 53) as f64;
    let mut all = vec![Vec::new(); count];
    for one in varied {
        let mut order: Vec<usize> = (0..count).collect();
        for index in (1..count).rev() {
            order.swap(index, (share() * (index + 1) as f64) as usize);
        }
        for (combination, part) in all.iter_mut().zip(order) {
            let at = (part as f64 + share()) / count as f64;
            combination.push(match &one.values {
                Values::Between(low, high) => Value::from(low + (high - low) * at),
                Values::List(values) => {
                    values[((at * values.len() as f64) as usize).min(values.len() - 1)].clone()
                }
            });
        }
    }
    all
}

/// The scene with values in the place of its own.
pub fn with_values(text: &str, keys: &[&str], values: &[Value]) -> Result<String, Failure> {
    let mut document: DocumentMut = text.parse().map_err(Failure::bad_input)?;
    for (key, value) in keys.iter().zip(values) {
        let parts: Vec<&str> = key.split('.').collect();
        set(document.as_item_mut(), &parts, value, "scene")
            .map_err(|reason| Failure::bad_input(format!("--set {key}: {reason}")))?;
    }
    Ok(document.to_string())
}

/// Sets one key. A part of the path is a key of a table, or of a list the number of an entry, from 0, or its
/// `name`.
fn set(here: &mut Item, parts: &[&str], value: &Value, place: &str) -> Result<(), String> {
    let name_of = |name: Option<&str>, part: &str| name == Some(part);
    let (count, named) = match (&*here, parts.first()) {
        (Item::ArrayOfTables(list), Some(part)) => {
            let mut names = list.iter().map(|table| table.get("name").and_then(Item::as_str));
            (list.len(), names.position(|name| name_of(name, part)))
        }
        (Item::Value(Value::Array(list)), Some(part)) => {
            let name = |value: &Value| value.as_inline_table()?.get("name")?.as_str().map(str::to_owned);
            (list.len(), list.iter().position(|value| name_of(name(value).as_deref(), part)))
        }
        _ => {
            let table = here.as_table_like_mut().ok_or_else(|| format!("{place} is no table"))?;
            return set_in(table, parts, value, place);
        }
    };
    let (part, rest) = (parts[0], &parts[1..]);
    let index = named.or_else(|| part.parse().ok()).filter(|&index| index < count).ok_or_else(|| {
        let last = count.saturating_sub(1);
        format!(
            "{place} has no entry \"{part}\"; allowed is the name of an entry, or a number from 0 to {last}"
        )
    })?;
    let inner = format!("{place}.{part}");
    let entry: Option<&mut dyn TableLike> = match here {
        Item::ArrayOfTables(list) => list.get_mut(index).map(|table| table as &mut dyn TableLike),
        Item::Value(Value::Array(list)) => match list.get_mut(index) {
            Some(Value::InlineTable(table)) => Some(table),
            Some(one) if rest.is_empty() => {
                *one = value.clone();
                return Ok(());
            }
            _ => None,
        },
        _ => None,
    };
    set_in(entry.ok_or_else(|| format!("{inner} is no table"))?, rest, value, &inner)
}

fn set_in(table: &mut dyn TableLike, parts: &[&str], value: &Value, place: &str) -> Result<(), String> {
    match parts {
        [] => Err(format!("{place} is a table; name one of its keys")),
        [key] => {
            table.insert(key, Item::Value(value.clone()));
            Ok(())
        }
        [first, rest @ ..] => {
            let empty = || Item::Value(Value::InlineTable(InlineTable::new()));
            set(table.entry(first).or_insert_with(empty), rest, value, &format!("{place}.{first}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "dimension = 2\ntime = { step = 1e-3, duration = 1.0 }\n[[law]]\nbetween = [\"*\", \"*\"]\n\
        inelastic.friction = 0.5\n[[body]]\nname = \"a.b\"\n[[body]]\nname = \"ball\"\nshape.disk.radius = 0.1\n";

    fn varied(text: &str) -> Varied {
        Varied::parse(text).unwrap()
    }

    #[test]
    fn keys_are_found_by_path_name_and_number() {
        let keys = ["law.0.inelastic.friction", "body.ball.shape.disk.radius", "time.step", "gravity"];
        let values = ["0.7", "0.2", "2e-3", "[0, -1]"].map(parse_value);
        let text = with_values(SCENE, &keys, &values).unwrap();
        let found: toml_edit::DocumentMut = text.parse().unwrap();
        assert_eq!(found["law"][0]["inelastic"]["friction"].as_float(), Some(0.7));
        assert_eq!(found["body"][1]["shape"]["disk"]["radius"].as_float(), Some(0.2));
        assert_eq!(found["time"]["step"].as_float(), Some(2e-3));
        assert_eq!(found["gravity"][1].as_integer(), Some(-1));
        let message = |key: &str| with_values(SCENE, &[key], &values[..1]).unwrap_err().message;
        assert!(
            message("law.3.x")
                .contains("no entry \"3\"; allowed is the name of an entry, or a number from 0 to 0")
        );
        assert!(message("body.ball").contains("name one of its keys"));
        assert!(message("dimension.x").contains("is no table"));
        // lists within one line
        let inline = "gravity = [0, -9]\nbody = [{ name = \"a\", mass = 1 }, { name = \"b b\", shape.disk.radius = 2 }]\n";
        let text =
            with_values(inline, &["body.b b.shape.disk.radius", "body.0.mass", "gravity.1"], &values[..3])
                .unwrap();
        let found: toml_edit::DocumentMut = text.parse().unwrap();
        assert_eq!(found["body"][1]["shape"]["disk"]["radius"].as_float(), Some(0.7));
        assert_eq!(found["body"][0]["mass"].as_float(), Some(0.2));
        assert_eq!(found["gravity"][1].as_float(), Some(2e-3));
        assert!(
            with_values(inline, &["body.c.mass"], &values).unwrap_err().message.contains("no entry \"c\"")
        );
    }

    #[test]
    fn lists_give_all_combinations() {
        let all = combinations(&[varied("a=1,2"), varied("b=\"x,y\",[1,2],z")], None, 0).unwrap();
        assert_eq!(all.len(), 6);
        let words: Vec<String> =
            all[2].iter().chain(&all[4]).map(|value| value.to_string().trim().to_owned()).collect();
        assert_eq!(words, ["1", "\"z\"", "2", "[1,2]"]);
        assert!(combinations(&[varied("a=0..1")], None, 0).is_err());
        for wrong in ["a", "=1", "a=", "a=3..1", "a..b=1"] {
            assert!(Varied::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn samples_meet_every_part_of_a_range_once() {
        let all =
            combinations(&[varied("a=0..1"), varied("b=10..20"), varied("c=1,2")], Some(50), 7).unwrap();
        for (place, low, width) in [(0, 0.0, 0.02), (1, 10.0, 0.2)] {
            let mut parts: Vec<usize> =
                all.iter().map(|one| ((one[place].as_float().unwrap() - low) / width) as usize).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..50).collect::<Vec<_>>());
        }
        assert_eq!(all.iter().filter(|one| one[2].as_integer() == Some(1)).count(), 25);
        let again = combinations(&[varied("a=0..1")], Some(50), 7).unwrap();
        assert_eq!(again[0][0].to_string(), all[0][0].to_string());
    }
}
