//! Gaps and errors of ties as they stand, as rows of a problem on displacements. Moves nothing, and knows no
//! impulse of the step.

use crate::StepContext;
use crate::assembly::Owner;
use crate::context::image_of;
use crate::matching::partners;
use crate::rows::give_way;
use drystone_bulk::Bulk;
use drystone_detect::ContactPoint;
use drystone_laws::{Approach, Change};
use drystone_math::{Columns, Pose, Vector};
use drystone_problem::{PairRow, Set};
use drystone_state::{BodyId, LAW_MEMORY};

/// One contact or part of a tie at the level of positions: `(error + H δq + C λ, λ)` must lie in `set`.
#[derive(Clone, Debug)]
pub struct Position<const D: usize> {
    /// Rows of H where the bodies stand.
    pub pair: PairRow<D>,
    /// Of a contact, the distance less that at which the law lets bodies touch \[m\], negative where they
    /// overlap, and nothing along the tangents. Of a tie what it is off by \[m\], \[rad\].
    pub error: Vector<D>,
    /// One-sided without friction, or bilateral.
    pub set: Set,
    /// Own compliance `C` of components that carry nothing.
    pub compliance: Vector<D>,
    /// What errors are measured by \[m\], of turns 1.
    pub size: f64,
    /// Who it belongs to: a tie, or contact 0.
    pub owner: Owner,
}

impl<const D: usize> Position<D> {
    /// The two bodies; the world is one behind the last.
    pub fn bodies(&self) -> [BodyId; 2] {
        self.pair.bodies.map(BodyId)
    }

    /// By how much it is wrong now \[m\], of turns \[rad\].
    pub fn wrong(&self) -> f64 {
        match self.set {
            Set::Bilateral { .. } => self.error.amax(),
            _ => (-self.error[0]).max(0.0),
        }
    }
}

/// Fills `rows` with the touches that lie nearer than `margin` \[m\] to where their laws let bodies touch.
/// Laws that let bodies overlap have none.
pub fn positions<const D: usize>(
    standing: &StepContext<D>,
    touches: &[ContactPoint<D>],
    margin: f64,
    rows: &mut Vec<Position<D>>,
) {
    let StepContext { bodies, contactors, laws, memory, time, cell, .. } = *standing;
    let partners = match laws.keep() {
        true => partners(touches, memory, bodies, contactors, laws).0,
        false => Vec::new(),
    };
    rows.clear();
    for (index, touch) in touches.iter().enumerate() {
        let names = touch.contactors.map(|contactor| contactors[contactor as usize].body);
        let [a, b] = names.map(|body| body as usize);
        let Some(entry) = laws.between(bodies.group[a], bodies.group[b]) else { continue };
        let mut internal = [0.0; LAW_MEMORY];
        match partners.get(index).copied().flatten() {
            Some(kept) => internal = memory[kept].internal,
            None if entry.keeps() => {
                let seen = Approach::new(touch.gap, Vector::<D>::zeros(), 1.0);
                let seen = Approach { time, bonding: false, ..seen };
                entry.law.begin(&seen, &mut internal);
            }
            None => {}
        }
        let Some(touching) = entry.law.touching(&internal) else { continue };
        let gap = touch.gap - touching;
        if gap <= margin {
            let side =
                |body: usize, pose: &Pose<D>| bodies.jacobian(body, &touch.frame(), &touch.point, pose);
            let antagonist = image_of(&bodies.pose[b], cell.as_ref(), touch);
            let h = [side(a, &bodies.pose[a]), -side(b, &antagonist)];
            let mut error = Vector::zeros();
            error[0] = gap;
            rows.push(Position {
                pair: PairRow { bodies: names, h },
                error,
                set: Set::Coulomb { mu: 0.0 },
                compliance: Vector::zeros(),
                size: bodies.radius[a].min(bodies.radius[b]),
                owner: Owner::Contact(0),
            });
        }
    }
    tied(standing, rows);
}

/// Adds the rows of the rigid ties.
fn tied<const D: usize>(standing: &StepContext<D>, rows: &mut Vec<Position<D>>) {
    for row in standing.ties.errors(&standing.bodies.pose, standing.tie_memory) {
        let pair = PairRow { bodies: row.bodies, h: row.h };
        let mut change = Change::new(row.set);
        give_way(&mut change, &pair, &standing.bodies.inverse_mass, Vector::zeros());
        // a joint is as large as its lever, a turn has no size
        let largest =
            |columns: &[[f64; D]]| columns.iter().flatten().fold(0.0, |size: f64, x| size.max(x.abs()));
        let lever = |h: &Columns<D>| largest(h.get(D..).unwrap_or_default());
        let moves = pair.h.iter().any(|h| largest(h.get(..D).unwrap_or_default()) > 0.0);
        let radius = |&body: &u32| standing.bodies.radius.get(body as usize).filter(|r| r.is_finite());
        let radii = row.bodies.iter().filter_map(radius).copied();
        let size = pair.h.iter().map(lever).chain(radii).fold(0.0, f64::max);
        rows.push(Position {
            pair,
            error: row.error,
            set: row.set,
            compliance: change.compliance,
            size: if moves { size } else { 1.0 },
            owner: Owner::Tie(row.tie as usize),
        });
    }
}
