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

/// Their vertices in a frame and all that is known there, as columns; none where the run wrote no surfaces.
pub(crate) fn skin_columns(
    run: &RunFolder,
    index: usize,
    skins: &[ShownSkin],
) -> Result<Vec<StoredColumn>, ServeError> {
    let mut found: Vec<StoredColumn> = Vec::new();
    for (rank, skin) in skins.iter().enumerate() {
        let Some(record) = run.skin(index, &skin.span)? else { return Ok(Vec::new()) };
        let points = StoredNumbers::Reals(record.points.as_flattened().to_vec());
        let places = StoredColumn { name: "Points".into(), components: 3, numbers: points };
        let own = [places].into_iter().chain(record.columns);
        for (place, column) in own.enumerate() {
            let StoredNumbers::Reals(numbers) = &column.numbers else { continue };
            let width = column.components;
            let row = |&vertex: &u32| {
                let at = vertex as usize * width;
                (at..at + width).map(|k| numbers.get(k).copied().unwrap_or(0.0))
            };
            let rows = skin.order.iter().flat_map(row);
            // all of them have the same columns
            match (rank, found.get_mut(place).map(|column| &mut column.numbers)) {
                (0, _) => {
                    let numbers = StoredNumbers::Reals(rows.collect());
                    found.push(StoredColumn { name: column.name.clone(), components: width, numbers });
                }
                (_, Some(StoredNumbers::Reals(all))) => all.extend(rows),
                _ => {}
            }
        }
    }
    Ok(found)
}
