//! A specification as a file for people: without what is default, its tables written as one would by hand,
//! with comments. Knows no scene.

use drystone_scene::SceneSpec;
use drystone_scene::spec::{BodySpec, ShapeSpec};
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

/// Keys come in this order: what is long comes last.
const ORDER: [&str; 18] = [
    "title",
    "dimension",
    "units",
    "gravity",
    "time",
    "solver",
    "detection",
    "cell",
    "output",
    "equilibrium",
    "standing",
    "materials",
    "law",
    "shapes",
    "tie",
    "probe",
    "body",
    "sample",
];

/// Comments begin in this column, or behind the value where it is longer.
const COLUMN: usize = 34;

/// A scene to be written for people.
pub struct Commented {
    /// What it shows, above everything; lines without `#`.
    pub head: String,
    /// The scene.
    pub spec: SceneSpec,
    /// Comments by place: `time.step` behind a value, `law.1` or `shapes.wall` above a table.
    pub notes: Vec<(&'static str, String)>,
}

impl Commented {
    /// The file.
    pub fn text(&self) -> String {
        let mut document = DocumentMut::new();
        let whole = root(&self.spec);
        // no number equals these, so that what has no default stays
        let plain = root(&SceneSpec::new(0, f64::NAN, f64::NAN));
        for key in ORDER {
            let Some(item) = whole.get(key) else { continue };
            let Some(item) = without_defaults(item, plain.get(key)) else { continue };
            document.insert(key, self.table(key, item));
        }
        let head: String = self.head.lines().map(|line| format!("# {line}\n")).collect();
        format!("{head}\n{document}")
    }

    /// A value of the whole scene as tables: `[time]`, `[materials.stone]`, `[[body]]`.
    fn table(&self, key: &str, item: Item) -> Item {
        match item {
            Item::Value(Value::InlineTable(entries)) if matches!(key, "materials" | "shapes") => {
                let mut table = Table::new();
                table.set_implicit(true);
                for (name, value) in entries {
                    let path = format!("{key}.{name}");
                    table.insert(&name, Item::Table(self.entries(&path, inline(value))));
                }
                Item::Table(table)
            }
            Item::Value(Value::InlineTable(entries)) => Item::Table(self.entries(key, entries)),
            Item::Value(Value::Array(items)) if items.iter().all(Value::is_inline_table) => {
                let tables = items.into_iter().enumerate();
                let tables =
                    tables.map(|(index, item)| self.entries(&format!("{key}.{index}"), inline(item)));
                Item::ArrayOfTables(tables.collect::<ArrayOfTables>())
            }
            other => other,
        }
    }

    /// The entries of a table with their comments.
    fn entries(&self, path: &str, entries: InlineTable) -> Table {
        let mut table = Table::new();
        for (key, value) in entries {
            let place = format!("{path}.{key}");
            let mut item = dotted(value);
            if let (Some((name, value)), Some(note)) = (innermost(&key, &mut item), self.note(&place)) {
                let width = format!("{name} = {value}").chars().count();
                let gap = " ".repeat(COLUMN.saturating_sub(width).max(1));
                value.decor_mut().set_suffix(format!("{gap}# {note}"));
            }
            table.insert(&key, item);
        }
        if let Some(note) = self.note(path) {
            table.decor_mut().set_prefix(format!("\n# {note}\n"));
        }
        table
    }

    fn note(&self, place: &str) -> Option<&str> {
        self.notes.iter().find(|(known, _)| *known == place).map(|(_, note)| note.as_str())
    }
}

/// A specification as tables within each other. Writing fails only on a whole number that TOML cannot hold.
fn root(spec: &SceneSpec) -> Table {
    toml_edit::ser::to_document(spec).map(DocumentMut::into_table).unwrap_or_default()
}

/// What of an item is not as in another one; none where nothing is.
fn without_defaults(item: &Item, plain: Option<&Item>) -> Option<Item> {
    match (item.as_inline_table(), plain.and_then(Item::as_inline_table)) {
        (Some(entries), Some(plain)) => {
            let is_other = |(key, value): &(&str, &Value)| {
                plain.get(key).is_none_or(|plain| plain.to_string().trim() != value.to_string().trim())
            };
            let left: InlineTable =
                entries.iter().filter(is_other).map(|(key, value)| (key, value.clone())).collect();
            (!left.is_empty()).then_some(Item::Value(Value::InlineTable(left)))
        }
        _ => {
            let same = plain.is_some_and(|plain| plain.to_string().trim() == item.to_string().trim());
            (!same).then(|| item.clone())
        }
    }
}

fn inline(value: Value) -> InlineTable {
    match value {
        Value::InlineTable(entries) => entries,
        _ => InlineTable::new(),
    }
}

/// A table of one entry is written with a dot, `shape.disk.radius = 0.1`, a list of tables line by line.
fn dotted(value: Value) -> Item {
    match value {
        Value::InlineTable(entries) if entries.len() == 1 => {
            let mut table = Table::new();
            table.set_dotted(true);
            for (key, value) in entries {
                table.insert(&key, dotted(value));
            }
            Item::Table(table)
        }
        Value::Array(mut items) if items.iter().any(Value::is_inline_table) => {
            items.iter_mut().for_each(|item| item.decor_mut().set_prefix("\n    "));
            items.set_trailing("\n");
            items.set_trailing_comma(true);
            Item::Value(Value::Array(items))
        }
        other => Item::Value(other),
    }
}

/// The value behind the dots, and the key with them.
fn innermost<'a>(key: &str, item: &'a mut Item) -> Option<(String, &'a mut Value)> {
    match item {
        Item::Value(value) => Some((key.to_owned(), value)),
        Item::Table(table) => {
            let (inner, item) = table.iter_mut().next()?;
            innermost(&format!("{key}.{}", inner.get()), item)
        }
        _ => None,
    }
}

/// A number to so many decimals, as it is read from a file that has no more.
pub fn rounded(x: f64, decimals: usize) -> f64 {
    format!("{x:.decimals$}").parse().unwrap_or(x)
}

/// A line through a point, turned by so many degrees, that holds still.
pub fn wall(name: &str, group: &str, position: Option<[f64; 2]>, degrees: Option<f64>) -> BodySpec {
    BodySpec {
        group: group.into(),
        position: position.map(|position| position.to_vec()),
        angle_degrees: degrees,
        fixed: true,
        ..BodySpec::new(name, ShapeSpec::Line {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_scene::Scene;
    use drystone_scene::spec::LawSpec;

    #[test]
    fn a_file_for_people_reads_as_the_scene_it_was_made_of() {
        let mut spec = SceneSpec::new(2, 1e-3, 0.5);
        spec.title = "a ball".into();
        spec.solver.tolerance = 1e-4;
        spec.laws = vec![LawSpec::inelastic("*", "*", 0.5), LawSpec::inelastic("balls", "*", 0.25)];
        spec.bodies = vec![wall("floor", "ground", None, Some(-10.0))];
        let mut ball = BodySpec::new("ball", ShapeSpec::Disk { radius: rounded(0.12345, 3) });
        (ball.group, ball.density, ball.position) = ("balls".into(), Some(1000.0), Some(vec![0.0, 1.0]));
        spec.bodies.push(ball);
        let notes = vec![("time.step", "s".to_owned()), ("law.1", "balls are smooth".to_owned())];
        let text = Commented { head: "A ball\nfalls.".into(), spec: spec.clone(), notes }.text();
        let expected = "# A ball\n# falls.\n\ntitle = \"a ball\"\ndimension = 2\n\n[time]\n\
                        step = 0.001                      # s\nduration = 0.5\n\n[solver]\ntolerance = 0.0001\n\n\
                        [[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.5\n\n# balls are smooth\n[[law]]\n\
                        between = [\"balls\", \"*\"]\ninelastic.friction = 0.25\n\n[[body]]\nname = \"floor\"\n\
                        group = \"ground\"\nshape.line = {}\nangle_degrees = -10.0\nfixed = true\n\n[[body]]\n\
                        name = \"ball\"\ngroup = \"balls\"\ndensity = 1000.0\nshape.disk.radius = 0.123\n\
                        position = [0.0, 1.0]\n";
        assert_eq!(text, expected);
        assert_eq!(Scene::parse(&text, "ball.toml").unwrap(), Scene::from_spec(spec).unwrap());
    }
}
