//! What is asked for: the name of a measure, its parameters, and of its columns one where a number is wanted.
//! Knows no measure.

use crate::MeasureError;

/// The parameters of all measures; each takes some of them. Those that are not given have the default that
/// the measure tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// The sample: all bodies of a group; default: all bodies that are free in every component.
    pub group: Option<String>,
    /// Another group.
    pub with: Option<String>,
    /// A body.
    pub body: Option<String>,
    /// Another body.
    pub other: Option<String>,
    /// A box: its lowest corner, then its highest \[m\].
    pub region: Option<Vec<f64>>,
    /// An axis: x, y or z.
    pub axis: Option<String>,
    /// A point \[m\].
    pub point: Option<Vec<f64>>,
    /// A direction, of any length.
    pub normal: Option<Vec<f64>>,
    /// How many slabs, bins or cells.
    pub bins: Option<u32>,
    /// How many contacts at least \[-\].
    pub least: Option<u32>,
    /// A distance \[m\].
    pub reach: Option<f64>,
}

/// The keys, as they are written in scenes and on the command line, with what they mean.
pub const KEYS: [(&str, &str); 11] = [
    ("group", "the sample: all bodies of this group; default: all bodies that are free in every component"),
    ("with", "the other group"),
    ("body", "a body"),
    ("other", "another body"),
    ("box", "lowest corner, then highest corner [m]"),
    ("axis", "x, y or z"),
    ("point", "a point [m]"),
    ("normal", "a direction"),
    ("bins", "how many slabs, bins or cells [-]"),
    ("least", "how many contacts at least [-]"),
    ("reach", "a distance [m]"),
];

impl Parameters {
    /// The keys that were given.
    pub fn given(&self) -> Vec<&'static str> {
        let is_given = [
            self.group.is_some(),
            self.with.is_some(),
            self.body.is_some(),
            self.other.is_some(),
            self.region.is_some(),
            self.axis.is_some(),
            self.point.is_some(),
            self.normal.is_some(),
            self.bins.is_some(),
            self.least.is_some(),
            self.reach.is_some(),
        ];
        KEYS.iter().zip(is_given).filter(|(_, given)| *given).map(|((key, _), _)| *key).collect()
    }

    /// Sets a parameter from text; lists have commas between their numbers. Whether the key exists.
    fn set(&mut self, key: &str, text: &str) -> Result<bool, MeasureError> {
        match key {
            "group" => self.group = Some(text.into()),
            "with" => self.with = Some(text.into()),
            "body" => self.body = Some(text.into()),
            "other" => self.other = Some(text.into()),
            "axis" => self.axis = Some(text.into()),
            "box" => self.region = Some(list("box", text)?),
            "point" => self.point = Some(list("point", text)?),
            "normal" => self.normal = Some(list("normal", text)?),
            "bins" => self.bins = Some(whole("bins", text)?),
            "least" => self.least = Some(whole("least", text)?),
            "reach" => self.reach = Some(number("reach", text)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn number(key: &'static str, text: &str) -> Result<f64, MeasureError> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| MeasureError::Value {
        key,
        value: format!("\"{text}\""),
        allowed: "a finite number".into(),
    })
}

fn whole(key: &'static str, text: &str) -> Result<u32, MeasureError> {
    let wrong =
        || MeasureError::Value { key, value: format!("\"{text}\""), allowed: "a whole number".into() };
    text.trim().parse().map_err(|_| wrong())
}

fn list(key: &'static str, text: &str) -> Result<Vec<f64>, MeasureError> {
    text.split(',').map(|part| number(key, part)).collect()
}

/// A measure with its parameters.
///
/// ```
/// use drystone_measure::Request;
/// let request = Request::parse("stress.yy:group=sand:box=0,0,1,2")?;
/// assert_eq!((request.name.as_str(), request.column.as_deref()), ("stress", Some("yy")));
/// assert_eq!(request.parameters.region, Some(vec![0.0, 0.0, 1.0, 2.0]));
/// # Ok::<(), drystone_measure::MeasureError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Name of the measure.
    pub name: String,
    /// One of its columns, where one number is wanted; default: the first.
    pub column: Option<String>,
    /// Its parameters.
    pub parameters: Parameters,
}

impl Request {
    /// Reads `NAME`, `NAME.COLUMN`, `NAME:KEY=VALUE:KEY=VALUE`. That the measure exists and takes these keys
    /// is checked by [`Request::check`].
    pub fn parse(text: &str) -> Result<Self, MeasureError> {
        let mut parts = text.split(':');
        let head = parts.next().unwrap_or_default().trim();
        let (name, column) = match head.split_once('.') {
            Some((name, column)) => (name, Some(column.to_owned())),
            None => (head, None),
        };
        let mut request = Self { name: name.into(), column, parameters: Parameters::default() };
        for part in parts {
            let (key, value) = part.split_once('=').ok_or_else(|| MeasureError::Value {
                key: "parameter",
                value: format!("\"{part}\""),
                allowed: "KEY=VALUE, as in stress:group=sand".into(),
            })?;
            if !request.parameters.set(key.trim(), value.trim())? {
                let allowed = KEYS.map(|(key, _)| key).join(", ");
                return Err(MeasureError::Key { measure: name.into(), key: key.trim().into(), allowed });
            }
        }
        Ok(request)
    }
}
