//! Whether bodies fit into a periodic cell. What a cell is, the shapes know.

use drystone_detect::{Cell, Misfit};
use drystone_geometry::Contactor;
use drystone_state::{Bodies, BodyId};

/// The first body that a periodic cell cannot hold, and why.
pub fn misfit<const D: usize>(
    cell: &Cell<D>,
    bodies: &Bodies<D>,
    contactors: &[Contactor<D>],
) -> Option<(BodyId, Misfit)> {
    let mut sorted: Vec<&Contactor<D>> = contactors.iter().collect();
    sorted.sort_by_key(|contactor| contactor.body);
    sorted.chunk_by(|a, b| a.body == b.body).find_map(|own| {
        let id = own[0].body as usize;
        let turns = bodies.driven[id][D..].iter().any(|spin| *spin != Some(0.0));
        let placed = (&bodies.pose[id], bodies.radius[id], turns);
        cell.admit(own.iter().copied(), placed).err().map(|misfit| (BodyId(own[0].body), misfit))
    })
}
