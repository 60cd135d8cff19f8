//! What an FCLIB file holds, as it stands there: matrices, vectors, words, guesses, a solution. Checks each
//! number by itself; whether they fit together is for [`super::saved`] to say.

use super::sparse::{Layout, Sparse};
use super::{Place, open};
use crate::IoError;
use crate::files::write_with;
use crate::hdf5::{Source, Store, Values};
use std::path::Path;

/// The words of a problem. Files hold bytes; those that are no UTF-8 are kept, and shown as a replacement
/// sign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// What it is.
    pub title: Vec<u8>,
    /// Where it comes from.
    pub description: Vec<u8>,
    /// What is known of its mathematics.
    pub math: Vec<u8>,
}

impl Info {
    /// A title and a description.
    pub fn new(title: &str, description: &str) -> Self {
        Self { title: title.into(), description: description.into(), math: Vec::new() }
    }

    /// The title, as text.
    pub fn title(&self) -> String {
        String::from_utf8_lossy(&self.title).trim().to_owned()
    }

    /// The description, as text.
    pub fn description(&self) -> String {
        String::from_utf8_lossy(&self.description).trim().to_owned()
    }
}

/// The three kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProblemKind {
    Local,
    Global,
    Rolling,
}

impl ProblemKind {
    const ALL: [Self; 3] = [Self::Local, Self::Global, Self::Rolling];

    /// The group at the root of the file.
    pub fn group(self) -> &'static str {
        match self {
            Self::Local => "fclib_local",
            Self::Global => "fclib_global",
            Self::Rolling => "fclib_global_rolling",
        }
    }

    /// Names of the matrices and whether each must be there.
    fn matrices(self) -> &'static [(&'static str, bool)] {
        match self {
            Self::Local => &[("W", true), ("V", false), ("R", false)],
            Self::Global | Self::Rolling => &[("M", true), ("H", true), ("G", false)],
        }
    }

    /// Names of the vectors and whether each must be there.
    fn vectors(self) -> &'static [(&'static str, bool)] {
        match self {
            Self::Local => &[("q", true), ("mu", true), ("s", false)],
            Self::Global => &[("f", true), ("w", true), ("mu", true), ("b", false)],
            Self::Rolling => &[("f", true), ("w", true), ("mu", true), ("mu_r", true), ("b", false)],
        }
    }

    fn layout(self) -> Layout {
        if self == Self::Local { Layout::CompressedRows } else { Layout::Triplets }
    }
}

/// Vectors with their names.
pub(crate) type Named = Vec<(&'static str, Vec<f64>)>;

/// The vectors of a solution or a guess.
const UNKNOWNS: [&str; 4] = ["v", "u", "r", "l"];

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contents {
    pub kind: ProblemKind,
    pub spacedim: i64,
    pub info: Info,
    pub matrices: Vec<(&'static str, Sparse)>,
    pub vectors: Named,
    pub guesses: Vec<Named>,
    pub solution: Named,
}

impl Contents {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<(Self, Place), IoError> {
        let (source, place) = open(path)?;
        let inside = |kind: &ProblemKind| {
            ["spacedim", "vectors/mu"].iter().any(|at| source.has(&format!("{}/{at}", kind.group())))
        };
        let Some(kind) = ProblemKind::ALL.into_iter().find(inside) else {
            return Err(IoError::NotAProblem {
                path: path.to_owned(),
                reason: "it has none of the groups".into(),
            });
        };
        let group = kind.group();
        let spacedim = place.integer(&source, &format!("{group}/spacedim"))?;
        let mut matrices = Vec::new();
        for &(name, needed) in kind.matrices() {
            let at = format!("{group}/{name}");
            if needed || source.has(&format!("{at}/nz")) {
                matrices.push((name, Sparse::read(&source, &place, &at)?));
            }
        }
        let mut vectors = Vec::new();
        for &(name, needed) in kind.vectors() {
            let at = format!("{group}/vectors/{name}");
            if needed || source.has(&at) {
                vectors.push((name, place.reals(&source, &at)?));
            }
        }
        let words = |name: &str| {
            let at = format!("{group}/info/{name}");
            // words that cannot be read are no reason to refuse the numbers
            if source.has(&at) { source.letters(&at).unwrap_or_default() } else { Vec::new() }
        };
        let info =
            Info { title: words("title"), description: words("description"), math: words("math_info") };
        let guesses = read_guesses(&source, &place)?;
        let solution = read_unknowns(&source, &place, "solution")?;
        Ok((Self { kind, spacedim, info, matrices, vectors, guesses, solution }, place))
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), IoError> {
        write_with(path, |temporary| {
            let store = Store::create(temporary)?;
            let group = self.kind.group();
            store.group(group)?;
            store.fixed(&format!("{group}/spacedim"), &Values::I32(vec![self.spacedim as i32]), 1)?;
            for (name, matrix) in &self.matrices {
                matrix.write(&store, &format!("{group}/{name}"), self.kind.layout())?;
            }
            write_vectors(&store, &format!("{group}/vectors"), &self.vectors)?;
            store.group(&format!("{group}/info"))?;
            let Info { title, description, math } = &self.info;
            for (name, letters) in [("title", title), ("description", description), ("math_info", math)] {
                store.text(&format!("{group}/info/{name}"), letters)?;
            }
            if !self.solution.is_empty() {
                write_vectors(&store, "solution", &self.solution)?;
            }
            if !self.guesses.is_empty() {
                store.group("guesses")?;
                let count = Values::I32(vec![self.guesses.len() as i32]);
                store.fixed("guesses/number_of_guesses", &count, 1)?;
            }
            for (index, guess) in self.guesses.iter().enumerate() {
                write_vectors(&store, &format!("guesses/{}", index + 1), guess)?;
            }
            store.close(false)
        })
    }

    /// The matrix of a name.
    pub fn matrix(&self, name: &str) -> Option<&Sparse> {
        self.matrices.iter().find(|entry| entry.0 == name).map(|entry| &entry.1)
    }

    /// The vector of a name; an optional one that is not there is empty.
    pub fn vector(&self, name: &str) -> &[f64] {
        self.vectors.iter().find(|entry| entry.0 == name).map_or(&[], |entry| &entry.1)
    }
}

fn write_vectors(store: &Store, group: &str, vectors: &Named) -> Result<(), IoError> {
    store.group(group)?;
    vectors.iter().try_for_each(|(name, values)| {
        store.fixed(&format!("{group}/{name}"), &Values::F64(values.clone()), 1)
    })
}

fn read_unknowns(source: &Source, place: &Place, group: &str) -> Result<Named, IoError> {
    let there = UNKNOWNS.into_iter().filter(|name| source.has(&format!("{group}/{name}")));
    there.map(|name| Ok((name, place.reals(source, &format!("{group}/{name}"))?))).collect()
}

fn read_guesses(source: &Source, place: &Place) -> Result<Vec<Named>, IoError> {
    let at = "guesses/number_of_guesses";
    if !source.has(at) {
        return Ok(Vec::new());
    }
    let count = place.integer(source, at)?;
    if !(0..=10_000).contains(&count) {
        return Err(place.wrong(at, count, "a number from 0 to 10000"));
    }
    (1..=count).map(|index| read_unknowns(source, place, &format!("guesses/{index}"))).collect()
}
