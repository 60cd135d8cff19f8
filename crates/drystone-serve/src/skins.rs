//! Bodies that deform: their vertices come with each frame, in the order in which their shapes have them.
//! What is drawn of them is the page's.

use crate::ServeError;
use drystone::{AnySimulation, Simulation};
use drystone_io::{RunFolder, SkinSpan, StoredColumn, StoredNumbers, skin_spans};
use drystone_view::shapes;

/// The boundary of a body that deforms.
#[derive(Clone, Debug)]
pub(crate) struct ShownSkin {
    pub span: SkinSpan,
    /// Its vertices in the order of the shape that is told once.
    pub order: Vec<u32>,
}

/// All of them in a simulation.
pub(crate) fn skins_of(simulation: &AnySimulation) -> Vec<ShownSkin> {
    match simulation {
        AnySimulation::Plane(simulation) => of(simulation),
        AnySimulation::Space(simulation) => of(simulation),
    }
}

fn of<const D: usize>(simulation: &Simulation<D>) -> Vec<ShownSkin> {
    let spans = skin_spans(simulation);
    if spans.is_empty() {
        return Vec::new();
    }
    let attached = shapes(simulation);
    let shown = |span: SkinSpan| {
        let order = attached.get(span.contactor as usize).map(|item| item.loops.concat());
        let order = order.filter(|order| !order.is_empty());
        ShownSkin { order: order.unwrap_or_else(|| (0..span.count() as u32).collect()), span }
    };
    spans.into_iter().map(shown).collect()
}

/// Their vertices in a frame and their stress, as columns; none where the run wrote no surfaces.
pub(crate) fn skin_columns(
    run: &RunFolder,
    index: usize,
    skins: &[ShownSkin],
) -> Result<Vec<StoredColumn>, ServeError> {
    let (mut points, mut stress) = (Vec::new(), Vec::new());
    for skin in skins {
        let Some(record) = run.skin(index, &skin.span)? else { return Ok(Vec::new()) };
        for &vertex in &skin.order {
            let vertex = vertex as usize;
            points.extend(record.points.get(vertex).copied().unwrap_or_default());
            stress.push(record.von_mises.get(vertex).copied().unwrap_or(0.0));
        }
    }
    let column = |name: &str, components, numbers| StoredColumn {
        name: name.into(),
        components,
        numbers: StoredNumbers::Reals(numbers),
    };
    Ok(match skins.is_empty() {
        true => Vec::new(),
        false => vec![column("Points", 3, points), column("von_mises_stress", 1, stress)],
    })
}
