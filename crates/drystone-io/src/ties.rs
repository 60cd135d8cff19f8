//! The ties of a simulation at an output step, as lines between their two ends with columns of numbers. Opens
//! no file.

use crate::column::Column;
use crate::hdf5::Values;
use crate::records::{chunk, three};
use crate::series::{FrameData, SeriesPlan};
use crate::topology::{Cells, FrameCells, Topology};
use drystone::{Simulation, TieView};

/// Units and axes of the columns of the ties.
const TIE_NOTES: &[(&str, &str)] = &[
    ("Points", "first and second end of every tie, m"),
    ("tie", "index of the tie in the scene, from 0"),
    ("force", "mean over the step on the first body, N, world axes"),
    ("moment", "mean over the step on the first body about the first end, N m, world axes"),
    ("tension", "pull of a rod, wire or spring, N; of a joint the size of its force"),
    ("elongation", "of a rod, wire or spring, m; angle of a torsion spring, rad; how far a joint is off, m"),
    (
        "coordinate",
        "of a joint with one free motion: way along its axis, m, or turn about it, rad, since the start",
    ),
    ("friction", "size of the friction in a joint, N, of turns N m"),
    ("stop", "push of the stops of a joint along its free motion, N, of turns N m"),
    ("stored", "energy, J"),
    ("broken", "0 whole, 1 broken"),
];

/// What the file of the ties holds besides its frames.
pub(crate) fn ties_plan<const D: usize>(simulation: &Simulation<D>) -> SeriesPlan {
    let count = simulation.ties().len();
    let mut lines = Cells::default();
    (0..count).for_each(|tie| lines.push([2 * tie, 2 * tie + 1]));
    SeriesPlan {
        topology: Topology::Fixed {
            points: 2 * count,
            vertices: Cells::default(),
            lines,
            polygons: Cells::default(),
        },
        columns: columns::<D>(&[]),
        fixed_points: vec![Column::new(
            "tie",
            1,
            Values::U32((0..2 * count as u32).map(|end| end / 2).collect()),
        )],
        fixed_cells: Vec::new(),
        names: simulation.ties().flat_map(|view| [view.tie.name.clone(), view.tie.name.clone()]).collect(),
        groups: Vec::new(),
        notes: TIE_NOTES,
        chunk: chunk(2 * count),
        short: false,
    }
}

/// The same where bodies that go may take ties with them: each frame says which ones it has.
pub(crate) fn open_ties_plan<const D: usize>(simulation: &Simulation<D>) -> SeriesPlan {
    let fixed = ties_plan(simulation);
    let mut columns = fixed.columns.clone();
    columns.push(Column::new("tie", 1, Values::U32(Vec::new())));
    let (topology, fixed_points, names) = (Topology::Changing(Vec::new()), Vec::new(), Vec::new());
    SeriesPlan { topology, columns, fixed_points, names, ..fixed }
}

/// The ties as they are now.
pub(crate) fn tie_rows<const D: usize>(simulation: &Simulation<D>) -> FrameData {
    let views: Vec<TieView<D>> = simulation.ties().collect();
    let points = views.iter().flat_map(|view| view.ends).flat_map(|end| three(&end)).collect();
    FrameData { points, columns: columns(&views), cells: FrameCells::default() }
}

/// The ties that are left; `names` are those of all the run began with.
pub(crate) fn open_tie_rows<const D: usize>(simulation: &Simulation<D>, names: &[String]) -> FrameData {
    let mut data = tie_rows(simulation);
    let index = |name: &String| names.iter().position(|known| known == name).unwrap_or(names.len()) as u32;
    let ties = simulation.ties().flat_map(|view| [index(&view.tie.name); 2]).collect();
    data.columns.push(Column::new("tie", 1, Values::U32(ties)));
    let count = simulation.ties().len() as i64;
    data.cells.segments = (0..count).map(|tie| [2 * tie, 2 * tie + 1]).collect();
    data
}

/// The columns, the same numbers at both ends.
fn columns<const D: usize>(views: &[TieView<D>]) -> Vec<Column> {
    let twice = |of: &dyn Fn(&TieView<D>) -> Vec<f64>| {
        Values::F64(views.iter().flat_map(|view| [of(view), of(view)].concat()).collect())
    };
    let broken = views.iter().flat_map(|view| [u8::from(view.broken); 2]).collect();
    vec![
        Column::new("force", 3, twice(&|view| three(&view.force).to_vec())),
        Column::new("moment", 3, twice(&|view| view.moment.to_vec())),
        Column::new("tension", 1, twice(&|view| vec![view.tension])),
        Column::new("elongation", 1, twice(&|view| vec![view.elongation])),
        Column::new("coordinate", 1, twice(&|view| vec![view.coordinate])),
        Column::new("friction", 1, twice(&|view| vec![view.friction])),
        Column::new("stop", 1, twice(&|view| vec![view.stop])),
        Column::new("stored", 1, twice(&|view| vec![view.stored])),
        Column::new("broken", 1, Values::U8(broken)),
    ]
}
