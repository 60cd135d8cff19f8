//! What a measure gives: named columns with units, one row or many. Knows no measure.

/// A column of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Name.
    pub name: String,
    /// Unit; "-" for none.
    pub unit: &'static str,
}

/// Numbers in rows, each with as many labels and values as there are headings.
///
/// A value that does not exist, as the mean force where there is no contact, is NaN.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    /// Names of the labels, such as those of bodies.
    pub labels: Vec<&'static str>,
    /// The columns.
    pub columns: Vec<Heading>,
    /// The rows: labels, then values.
    pub rows: Vec<(Vec<String>, Vec<f64>)>,
}

impl Readings {
    /// One row.
    pub(crate) fn row(columns: impl IntoIterator<Item = (String, &'static str, f64)>) -> Self {
        let mut found = Self::default();
        let mut values = Vec::new();
        for (name, unit, value) in columns {
            found.columns.push(Heading { name, unit });
            values.push(value);
        }
        found.rows.push((Vec::new(), values));
        found
    }

    /// A table without a row.
    pub(crate) fn table<'a>(
        labels: &[&'static str],
        columns: impl IntoIterator<Item = (&'a str, &'static str)>,
    ) -> Self {
        let columns = columns.into_iter().map(|(name, unit)| Heading { name: name.into(), unit });
        Self { labels: labels.to_vec(), columns: columns.collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, labels: Vec<String>, values: Vec<f64>) {
        self.rows.push((labels, values));
    }

    /// Index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The values of a column, row by row.
    pub fn values(&self, name: &str) -> Option<Vec<f64>> {
        self.column(name).map(|index| self.rows.iter().map(|(_, values)| values[index]).collect())
    }

    /// Header of a CSV table: labels, then columns with their units.
    pub fn header(&self) -> Vec<String> {
        let labels = self.labels.iter().map(|label| (*label).to_owned());
        labels.chain(self.columns.iter().map(|column| format!("{} [{}]", column.name, column.unit))).collect()
    }
}

/// Names of the axes.
pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

/// `NAME x`, `NAME y`, … with the components of a vector.
pub(crate) fn axes(
    dimension: usize,
    name: &str,
    unit: &'static str,
    of: impl Fn(usize) -> f64,
) -> Vec<(String, &'static str, f64)> {
    (0..dimension).map(|axis| (joined(name, AXES[axis]), unit, of(axis))).collect()
}

fn joined(name: &str, axis: &str) -> String {
    if name.is_empty() { axis.into() } else { format!("{name}_{axis}") }
}
