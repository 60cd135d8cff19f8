//! Where in a scene something stands: a path of keys and indices, kept on the stack until there is a problem
//! to report. Knows nothing of text; `source` finds the line.

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Into a table.
    Key(String),
    /// Into an array.
    Index(usize),
}

/// A path that borrows from its parent: free of cost while all goes well.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: BorrowedStep<'a>,
}

#[derive(Clone, Copy)]
enum BorrowedStep<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    /// The whole scene.
    pub(crate) const ROOT: Place<'static> = Place { parent: None, step: BorrowedStep::Root };

    /// What this key of the table leads to.
    pub(crate) fn key(&'a self, key: &'a str) -> Place<'a> {
        Place { parent: Some(self), step: BorrowedStep::Key(key) }
    }

    /// This item of the array.
    pub(crate) fn item(&'a self, index: usize) -> Place<'a> {
        Place { parent: Some(self), step: BorrowedStep::Index(index) }
    }

    /// The path from the root.
    pub(crate) fn path(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(place) = here {
            match place.step {
                BorrowedStep::Root => {}
                BorrowedStep::Key(key) => steps.push(Step::Key(key.to_owned())),
                BorrowedStep::Index(index) => steps.push(Step::Index(index)),
            }
            here = place.parent;
        }
        steps.reverse();
        steps
    }
}

/// Something wrong in the scene.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// Where.
    pub(crate) path: Vec<Step>,
    /// Whether the key is wrong rather than its value.
    pub(crate) on_key: bool,
    /// What.
    pub(crate) wording: Wording,
}

/// The sentence to be said of a problem; the place goes where the sentence needs it.
#[derive(Clone, Debug)]
pub(crate) enum Wording {
    /// "PLACE text".
    Of(String),
    /// "text", the place being clear.
    Plain(String),
    /// An unknown key in PLACE.
    UnknownKey {
        /// The key.
        found: String,
        /// The keys there are.
        allowed: Vec<String>,
    },
    /// A key missing in PLACE.
    MissingKey(String),
}

/// Problems found so far.
#[derive(Default)]
pub(crate) struct Problems(pub(crate) Vec<Problem>);

/// More problems than anybody reads; bounds the memory a hopeless file takes.
const ENOUGH: usize = 10_000;

impl Problems {
    fn push(&mut self, place: &Place, on_key: bool, wording: Wording) {
        if self.0.len() < ENOUGH {
            self.0.push(Problem { path: place.path(), on_key, wording });
        }
    }

    /// The value at `place` is wrong: "PLACE text".
    pub(crate) fn of(&mut self, place: &Place, text: impl Into<String>) {
        self.push(place, false, Wording::Of(text.into()));
    }

    /// The key at `place` should not be there: "PLACE text".
    pub(crate) fn of_key(&mut self, place: &Place, text: impl Into<String>) {
        self.push(place, true, Wording::Of(text.into()));
    }

    /// Something is wrong at `place`: "text".
    pub(crate) fn at(&mut self, place: &Place, text: impl Into<String>) {
        self.push(place, false, Wording::Plain(text.into()));
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// `"name"; the closest of the names there are`, or nothing where none is close: " Did you mean ...?".
pub(crate) fn did_you_mean<'a>(found: &str, allowed: impl IntoIterator<Item = &'a str>) -> String {
    // a name of hundreds of letters is no slip of the finger, and comparing it costs its square
    if found.len() > 100 {
        return String::new();
    }
    let lower = found.to_lowercase();
    let mut best: Option<(f64, &str)> = None;
    for name in allowed.into_iter().filter(|name| name.len() <= 100).take(10_000) {
        let alike = strsim::normalized_damerau_levenshtein(&lower, &name.to_lowercase());
        if alike >= 0.5 && best.is_none_or(|(so_far, _)| alike > so_far) {
            best = Some((alike, name));
        }
    }
    best.map_or_else(String::new, |(_, name)| format!(" Did you mean {name:?}?"))
}

/// `a, b, c`, cut short when there are many.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 24;
    let mut names = names.into_iter();
    let mut list = names.by_ref().take(SHOWN).map(|name| shorten(name, 60)).collect::<Vec<_>>().join(", ");
    let rest = names.count();
    if rest > 0 {
        list.push_str(&format!(" and {rest} more"));
    }
    list
}

/// The text, or its beginning where it is longer than `most` characters.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most).collect();
    short.push('…');
    short
}
