//! A scene that goes on from a run: it takes over what the scene of that run says. The state of the run is
//! read elsewhere.

use crate::files::Read;
use crate::place::{Place, Problem, Problems, Step};
use crate::source::Source;
use crate::spec::SceneSpec;
use crate::validate::show;
use crate::{reader, source};
use toml::de::{DeTable, DeValue};

/// A moment of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The run folder, as it was written.
    pub folder: String,
    /// The time \[s\]; none for the end.
    pub time: Option<f64>,
}

impl Origin {
    /// Reads `FOLDER@end` or `FOLDER@TIME`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "must be \"FOLDER@end\" or \"FOLDER@TIME\", a run folder and a time in s".to_owned();
        let (folder, when) = text.rsplit_once('@').ok_or_else(wrong)?;
        if folder.is_empty() {
            return Err(wrong());
        }
        let time = match when {
            "end" => None,
            time => Some(time.parse::<f64>().ok().filter(|t| *t >= 0.0 && t.is_finite()).ok_or_else(wrong)?),
        };
        Ok(Self { folder: folder.to_owned(), time })
    }
}

/// Takes over what the scene of the run says; its folder is sought beside the scene.
pub(crate) fn take_over(spec: &mut SceneSpec, read: Read) -> Problems {
    let mut problems = Problems::default();
    let Some(text) = spec.from.clone() else { return problems };
    let root = Place::ROOT;
    let place = root.key("from");
    let lists = [
        ("body", spec.bodies.is_empty()),
        ("sample", spec.samples.is_empty()),
        ("law", spec.laws.is_empty()),
        ("tie", spec.ties.is_empty()),
        ("load", spec.loads.is_empty()),
        ("drive", spec.drives.is_empty()),
        ("friction", spec.frictions.is_empty()),
        ("cohesion", spec.cohesions.is_empty()),
        ("growth", spec.growths.is_empty()),
        ("gravity_in_time", spec.gravity_in_time.is_none()),
        ("pressure", spec.pressures.is_empty()),
        ("membrane", spec.membranes.is_empty()),
        ("source", spec.sources.is_empty()),
        ("outlet", spec.outlets.is_empty()),
        ("gravity", spec.gravity.is_none()),
        ("cell", spec.cell.is_none()),
    ];
    for (key, _) in lists.iter().filter(|(_, is_empty)| !is_empty) {
        let text = "is that of the run it goes on from; leave it out, or put the change into a [[stage]]";
        problems.of_key(&root.key(key), text);
    }
    let before = Origin::parse(&text).and_then(|origin| {
        let file = format!("{}/scene.toml", origin.folder);
        let bytes = read(&file)?;
        let text = String::from_utf8(bytes).map_err(|_| format!("{file:?} is not UTF-8 text"))?;
        parsed(text, &file)
    });
    let before = match before {
        Ok(before) => before,
        Err(text) => {
            problems.of(&place, format!(": {text}"));
            return problems;
        }
    };
    if spec.time.step != before.time.step {
        let (own, other) = (show(spec.time.step), show(before.time.step));
        problems.of(
            &root.key("time").key("step"),
            format!("is {own} s, that of the run it goes on from {other} s"),
        );
    }
    if spec.dimension != before.dimension {
        problems.of(
            &root.key("dimension"),
            format!("must be {}, as in the run it goes on from", before.dimension),
        );
    }
    if !problems.is_empty() {
        return problems;
    }
    merge(spec, before);
    spec.started_from = Some(text);
    spec.from = None;
    problems
}

fn merge(spec: &mut SceneSpec, before: SceneSpec) {
    spec.gravity = before.gravity;
    spec.cell = before.cell;
    spec.materials.extend(before.materials);
    spec.shapes.extend(before.shapes);
    (spec.bodies, spec.laws, spec.ties) = (before.bodies, before.laws, before.ties);
    (spec.loads, spec.drives, spec.frictions) = (before.loads, before.drives, before.frictions);
    (spec.gravity_in_time, spec.pressures) = (before.gravity_in_time, before.pressures);
    (spec.cohesions, spec.membranes) = (before.cohesions, before.membranes);
    spec.growths = before.growths;
    (spec.sources, spec.outlets) = (before.sources, before.outlets);
    spec.inherited_stages = before.stages.len() as u32;
    let own = std::mem::replace(&mut spec.stages, before.stages);
    spec.stages.extend(own);
}

/// The specification in a run folder.
fn parsed(text: String, file: &str) -> Result<SceneSpec, String> {
    let source = Source { outside: true, file: file.to_owned(), text };
    let root = DeTable::parse(&source.text).map_err(|error| format!("{file:?}: {}", error.message()))?;
    let root = DeValue::Table(root.into_inner());
    reader::read(&root).map_err(|error| {
        let problem = Problem { path: error.path, on_key: false, wording: error.wording };
        format!("{file:?}: {}", source::say(&problem, Some(&root)))
    })
}

/// Brings problems of stages to where they stand in the file, behind so many that it does not have.
pub(crate) fn relocate(problems: &mut [Problem], before: usize) {
    for problem in problems.iter_mut().filter(|_| before > 0) {
        if let [Step::Key(list), Step::Index(index), ..] = problem.path.as_mut_slice()
            && list == "stage"
        {
            *index = index.saturating_sub(before);
        }
    }
}
