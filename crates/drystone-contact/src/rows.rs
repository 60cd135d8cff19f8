//! The rows of contacts, one for each touch, filled in place and in parallel. Knows neither ties nor the
//! order in which further branches are stacked.

use crate::context::Common;
use crate::impact::poses_of;
use crate::matching::{id_of, is_own};
use crate::moving::hold_at_end;
use crate::ports::{Ports, SidePort, columns_of_ports};
use crate::{Interaction, Status, StepContext};
use drystone_bulk::{Bulk, spin_rows};
use drystone_detect::ContactPoint;
use drystone_laws::{Along, Approach, Change, Dissipated, Law, Pushed, Trace};
use drystone_math::{Columns, Matrix, PerDof, Pose, Vector, rigid_dofs};
use drystone_problem::{PairRow, RowSlots, Set};
use drystone_state::{BRANCHES, BodyId, ContactId, ContactMemory, LAW_MEMORY};

/// So many rows are filled by one thread: enough that parting them costs nothing beside.
pub(crate) const ROWS_OF_A_THREAD: usize = 256;

/// So many contacts of the last step are passed over one by one before the next one is looked for.
const NEAR_IN_MEMORY: usize = 8;

/// Touches and what is known of each of them beforehand.
#[derive(Clone, Copy)]
pub(crate) struct Touches<'a, const D: usize> {
    /// By increasing identity.
    pub points: &'a [ContactPoint<D>],
    /// The contact of the last step that each goes on from; empty where names decide.
    pub partners: &'a [Option<usize>],
    /// Share of each in its patch \[m²\]; empty where nobody asks.
    pub areas: &'a [f64],
    /// How long before the middle configuration each is taken \[s\]; empty where none is.
    pub early: &'a [f64],
    /// Where they hold deformable bodies.
    pub ports: &'a Ports<D>,
}

/// Where the rows of touches are filled in.
pub(crate) struct Slots<'a, const D: usize> {
    /// Number of the first touch.
    pub first: usize,
    pub interactions: &'a mut [Interaction<D>],
    pub changes: &'a mut [Change<D>],
    /// With the shifts of the laws.
    pub u_free: &'a mut [Vector<D>],
    pub sets: &'a mut [Set],
    pub rows: RowSlots<'a, D>,
    /// What pushes changed; empty where none may.
    pub pushes: &'a mut [Option<Pushed>],
    /// Whether a law acts at the touch, so that there is a row.
    pub acts: &'a mut [bool],
    /// Where the contacts are \[m\].
    pub places: &'a mut [Vector<D>],
}

/// What few touches have, by increasing numbers of touches.
pub(crate) struct Found<const D: usize> {
    /// Further branches: touch, number of the branch.
    pub branches: Vec<(u32, u8, Branch<D>)>,
    /// Contacts of bodies that are to be moved for it, and how long before the middle configuration \[s\].
    pub impacts: Vec<(u32, f64)>,
    /// Energies stored in bonds that were made anew \[J\].
    pub lost: Vec<f64>,
    /// Whether a law does not act at some touch.
    pub gaps: bool,
    /// Whether bodies are on their way to each other whose law has two phases.
    pub shock: bool,
    /// What the changes of variables of first branches ask for.
    pub asks: Asks,
}

/// What some changes of variables ask of the problem as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asks {
    /// Whether any row gives way by itself.
    pub compliant: bool,
    /// Whether any impulse of the laws is another one than that of the sets.
    pub shifted: bool,
}

impl Asks {
    /// Takes note of one more.
    pub fn learn<const D: usize>(&mut self, change: &Change<D>) {
        self.compliant |= change.compliance.iter().any(|&c| c != 0.0);
        self.shifted |= is_shifted(change);
    }
}

/// Whether impulses are shifted.
pub(crate) fn is_shifted<const D: usize>(change: &Change<D>) -> bool {
    change.impulse.iter().any(|&x| x != 0.0)
}

impl<const D: usize> Found<D> {
    fn new() -> Self {
        Self {
            branches: Vec::new(),
            impacts: Vec::new(),
            lost: Vec::new(),
            gaps: false,
            shock: false,
            asks: Asks::default(),
        }
    }

    fn append(mut self, mut other: Self) -> Self {
        self.branches.append(&mut other.branches);
        self.impacts.append(&mut other.impacts);
        self.lost.append(&mut other.lost);
        self.gaps |= other.gaps;
        self.shock |= other.shock;
        self.asks.compliant |= other.asks.compliant;
        self.asks.shifted |= other.asks.shifted;
        self
    }
}

/// A further row of a contact.
pub(crate) struct Branch<const D: usize> {
    pub pair: PairRow<D>,
    pub change: Change<D>,
    pub u_free: Vector<D>,
}

impl<'a, const D: usize> Slots<'a, D> {
    /// Fills in all rows.
    pub fn fill(self, step: &StepContext<D>, common: &Common, touches: Touches<D>) -> Found<D> {
        if self.interactions.len() <= ROWS_OF_A_THREAD {
            return self.fill_all(step, common, touches);
        }
        let (one, two) = self.split();
        let fill = |slots: Self| slots.fill(step, common, touches);
        let (one, two) = rayon::join(|| fill(one), || fill(two));
        one.append(two)
    }

    fn split(self) -> (Self, Self) {
        let middle = self.interactions.len() / 2;
        let (interactions, more_interactions) = self.interactions.split_at_mut(middle);
        let (changes, more_changes) = self.changes.split_at_mut(middle);
        let (u_free, more_u_free) = self.u_free.split_at_mut(middle);
        let (sets, more_sets) = self.sets.split_at_mut(middle);
        let (rows, more_rows) = self.rows.split_at(middle);
        let (pushes, more_pushes) = self.pushes.split_at_mut(middle.min(self.pushes.len()));
        let (acts, more_acts) = self.acts.split_at_mut(middle);
        let (places, more_places) = self.places.split_at_mut(middle);
        let first = self.first;
        let one = Slots { first, interactions, changes, u_free, sets, rows, pushes, acts, places };
        let two = Slots {
            first: self.first + middle,
            interactions: more_interactions,
            changes: more_changes,
            u_free: more_u_free,
            sets: more_sets,
            rows: more_rows,
            pushes: more_pushes,
            acts: more_acts,
            places: more_places,
        };
        (one, two)
    }

    fn fill_all(mut self, step: &StepContext<D>, common: &Common, touches: Touches<D>) -> Found<D> {
        let mut found = Found::new();
        let mut names = Names { memory: step.memory, next: 0 };
        for slot in 0..self.interactions.len() {
            let index = self.first + slot;
            let point = &touches.points[index];
            let kept = match touches.partners.get(index) {
                Some(partner) => *partner,
                None => names.find(&id_of(point)),
            };
            let touch = Touch {
                index: index as u32,
                point,
                kept: kept.map(|kept| &step.memory[kept]),
                area: touches.areas.get(index).copied().unwrap_or(0.0),
                early: touches.early.get(index).copied().unwrap_or(0.0),
                held: touches.ports.at(index),
                ports: touches.ports,
            };
            self.acts[slot] = self.fill_row(slot, step, common, &touch, &mut found).is_some();
            found.gaps |= !self.acts[slot];
        }
        found
    }

    /// One touch as a row of the problem; nothing where no law acts.
    fn fill_row(
        &mut self,
        slot: usize,
        step: &StepContext<D>,
        common: &Common,
        touch: &Touch<D>,
        found: &mut Found<D>,
    ) -> Option<()> {
        let (point, kept) = (touch.point, touch.kept);
        let bodies = point.contactors.map(|contactor| step.contactors[contactor as usize].body);
        let [a, b] = bodies.map(|body| body as usize);
        let law = &step.laws.between(step.bodies.group[a], step.bodies.group[b])?.law;
        let frame = point.frame();
        let poses = poses_of(step, point, touch.early);
        let h = velocity_rows(step, point, &poses, touch.held);
        let mut u_begin = h[0].times(&step.bodies.velocity[a]) + h[1].times(&step.bodies.velocity[b]);
        touch.held.into_iter().flatten().for_each(|side| u_begin += side.begin);
        let growing = step.growing(point);
        growing.iter().for_each(|growing| u_begin += growing[0]);
        let block = block(step, &h, [a, b], touch.held);
        let interaction = &mut self.interactions[slot];
        *interaction = Interaction {
            id: id_of(point),
            bodies: bodies.map(BodyId),
            point: point.point,
            frame,
            gap: point.gap,
            area: touch.area,
            size: step.bodies.size_of_pair(a, b),
            u_begin,
            u: Vector::zeros(),
            r: kept.map_or_else(Vector::zeros, |kept| frame.tr_mul(&kept.impulse)),
            beside: kept
                .map_or([Vector::zeros(); BRANCHES], |kept| kept.beside.map(|beside| frame.tr_mul(&beside))),
            stored: kept.map_or(0.0, |kept| kept.stored),
            mark: 0.0,
            spent: Dissipated::default(),
            internal: kept.map_or([0.0; LAW_MEMORY], |kept| kept.internal),
            status: Status::Open,
        };
        let lost = begin(step, common, law.as_ref(), kept.is_none(), interaction, &block);
        let depth = passing_depth(step, point, &u_begin, bodies);
        let seen = Approach { depth, ..approach(common, interaction, &block) };
        let mut change = law.change(&seen)?;
        let touching = law.touching(&interaction.internal);
        let trace = kept.map(|kept| Trace { mark: kept.mark, pressed: interaction.r[0] > 0.0 });
        let mark = touching.map_or(0.0, |gap| step.push.mark(&seen, gap, trace, &change));
        let pushed = touching.and_then(|gap| step.push.apply(&seen, gap, trace, &mut change));
        if touch.early == 0.0 {
            hold_at_end(step, point, &poses, kept, &mut change);
        }
        for (number, change) in (0..).zip(&law.beside(&seen)) {
            // a body does not roll on itself
            let moves = |change: &Change<D>| matches!(change.along, Along::Whole | Along::Tangents);
            if let Some(change) = change.as_ref().filter(|change| !is_own(point) || moves(change)) {
                found.branches.push((touch.index, number, branch(step, touch, &poses, *change)));
            }
        }
        interaction.mark = mark;
        if lost != 0.0 {
            found.lost.push(lost);
        }
        if touch.early > 0.0 && ![a, b].iter().any(|&body| step.bodies.is_driven(body)) {
            found.impacts.push((touch.index, touch.early));
        }
        let still = common.tolerances.sliding * interaction.size / common.h;
        found.shock |= change.returns > 0.0 && u_begin[0] < -still;
        if let Some(slot) = self.pushes.get_mut(slot) {
            *slot = pushed;
        }
        let mut u_free = h[0].times(&step.free[a]) + h[1].times(&step.free[b]);
        touch.held.into_iter().flatten().for_each(|side| u_free += side.free);
        growing.iter().for_each(|growing| u_free += growing[1]);
        self.u_free[slot] = u_free + change.shift;
        self.sets[slot] = change.set;
        found.asks.learn(&change);
        self.places[slot] = point.point;
        match touch.ports.is_empty() {
            true => self.rows.set(slot, [&h[0], &h[1]]),
            false => {
                self.rows.set_held(slot, [&h[0], &h[1]], columns_of_ports(bodies, touch.held));
            }
        }
        *self.rows.block(slot) = block;
        self.changes[slot] = change;
        Some(())
    }
}

/// One touch on its way into the problem.
struct Touch<'a, const D: usize> {
    index: u32,
    point: &'a ContactPoint<D>,
    /// The contact of the last step that it goes on from.
    kept: Option<&'a ContactMemory<D>>,
    area: f64,
    early: f64,
    /// Where it holds deformable bodies.
    held: [Option<&'a SidePort<D>>; 2],
    ports: &'a Ports<D>,
}

/// The contacts of the last step by name, asked for by increasing names.
struct Names<'a, const D: usize> {
    memory: &'a [ContactMemory<D>],
    /// All before have smaller names than the last one that was asked for.
    next: usize,
}

impl<const D: usize> Names<'_, D> {
    fn find(&mut self, id: &ContactId) -> Option<usize> {
        let precedes = |kept: &ContactMemory<D>| kept.id < *id;
        if self.next > 0 && !precedes(&self.memory[self.next - 1]) {
            // not by increasing names after all
            self.next = 0;
        }
        let far = self.next + NEAR_IN_MEMORY;
        while self.next < far && self.memory.get(self.next).is_some_and(precedes) {
            self.next += 1;
        }
        if self.next == far {
            self.next += self.memory[far.min(self.memory.len())..].partition_point(precedes);
        }
        self.memory.get(self.next).filter(|kept| kept.id == *id).map(|_| self.next)
    }
}

/// Gives a contact that is new, or bonded in this step, the first values of its law's variables; gives the
/// energy that was stored in its place \[J\].
fn begin<const D: usize>(
    step: &StepContext<D>,
    common: &Common,
    law: &dyn Law<D>,
    is_new: bool,
    interaction: &mut Interaction<D>,
    block: &Matrix<D, D>,
) -> f64 {
    let named = step.bonding.names(interaction.bodies.map(|body| body.0));
    if !is_new && !named {
        return 0.0;
    }
    let before = interaction.stored;
    let mut internal = [0.0; LAW_MEMORY];
    let seen = approach(common, interaction, block);
    let first = Approach { bonding: named || step.bonding.newborn, stored: 0.0, ..seen };
    interaction.stored = law.begin(&first, &mut internal);
    interaction.internal = internal;
    before
}

/// What the law of a contact is told.
pub(crate) fn approach<'a, const D: usize>(
    common: &Common,
    interaction: &'a Interaction<D>,
    block: &Matrix<D, D>,
) -> Approach<'a, D> {
    Approach {
        gap: interaction.gap,
        u_begin: interaction.u_begin,
        h: common.h,
        theta: common.theta,
        time: common.time,
        bonding: false,
        frame: interaction.frame,
        area: interaction.area,
        w: *block,
        mean_normal: common.mean_normal,
        stored: interaction.stored,
        touching: common.tolerances.touching * interaction.size,
        depth: f64::INFINITY,
        internal: &interaction.internal,
    }
}

/// Overlap from which on one of two bodies on their way to each other may have passed the other \[m\]: half
/// the thickness of the thinner one along the normal. What has none, a point or a surface, is left out as
/// long as the other has one.
fn passing_depth<const D: usize>(
    step: &StepContext<D>,
    touch: &ContactPoint<D>,
    u_begin: &Vector<D>,
    bodies: [u32; 2],
) -> f64 {
    if touch.gap <= 0.0 || touch.gap + step.h * u_begin[0] >= 0.0 {
        return f64::INFINITY;
    }
    let thickness = |side: usize| {
        let contactor = &step.contactors[touch.contactors[side] as usize];
        let pose = step.middle[bodies[side] as usize].compose(&contactor.local);
        contactor.shape.thickness(&(pose.rotation().transpose() * touch.normal))
    };
    let [a, b] = [thickness(0), thickness(1)];
    0.5 * if a.min(b) > 0.0 { a.min(b) } else { a.max(b) }
}

/// Rows of H for the relative velocity, the bodies where they stand for it.
pub(crate) fn velocity_rows<const D: usize>(
    step: &StepContext<D>,
    touch: &ContactPoint<D>,
    poses: &[Pose<D>; 2],
    held: [Option<&SidePort<D>>; 2],
) -> [Columns<D>; 2] {
    if is_own(touch) {
        // a rigid motion does not part a body from itself
        return [Columns::zeros(rigid_dofs(D)), Columns::zeros(rigid_dofs(D))];
    }
    let frame = touch.frame();
    let side = |side: usize| {
        let body = step.contactors[touch.contactors[side] as usize].body as usize;
        // a deformable body is held where it would be without deformation
        let at = held[side].map_or(touch.point, |held| poses[side].to_world(&held.spot));
        step.bodies.jacobian(body, &frame, &at, &poses[side])
    };
    [side(0), -side(1)]
}

/// Diagonal block of a contact, from its bodies.
pub(crate) fn block<const D: usize>(
    step: &StepContext<D>,
    h: &[Columns<D>; 2],
    bodies: [usize; 2],
    held: [Option<&SidePort<D>>; 2],
) -> Matrix<D, D> {
    let side = |side: usize| {
        let mut block = Matrix::<D, D>::zeros();
        for (column, m) in h[side].iter().zip(&*step.bodies.inverse_mass[bodies[side]]) {
            let answer = column.map(|x| x * m);
            (0..D).for_each(|j| (0..D).for_each(|i| block[(i, j)] += answer[i] * column[j]));
        }
        block
    };
    let rigid = side(0) + side(1);
    held.into_iter().flatten().fold(rigid, |sum, held| sum + held.block)
}

/// A row of the problem.
fn branch<const D: usize>(
    step: &StepContext<D>,
    seen: &Touch<D>,
    poses: &[Pose<D>; 2],
    mut change: Change<D>,
) -> Branch<D> {
    let touch = seen.point;
    let bodies = touch.contactors.map(|contactor| step.contactors[contactor as usize].body);
    let [a, b] = bodies.map(|body| body as usize);
    let spin = |rows: [Option<usize>; D]| {
        let [a, b] = poses.each_ref().map(|pose| spin_rows::<D>(&touch.frame(), rows, pose));
        [a, -b]
    };
    let h = match change.along {
        Along::Whole => velocity_rows(step, touch, poses, seen.held),
        Along::Tangents => velocity_rows(step, touch, poses, seen.held).map(|mut h| {
            h.iter_mut().for_each(|column| column[0] = 0.0);
            h
        }),
        Along::Rolling => spin(std::array::from_fn(|axis| (axis > 0).then_some(axis))),
        Along::Twisting => spin(std::array::from_fn(|axis| (axis == 1).then_some(0))),
    };
    if change.along != Along::Whole {
        let pair = PairRow { bodies, h: h.clone() };
        give_way(&mut change, &pair, &step.bodies.inverse_mass, Vector::zeros());
    }
    let mut u_free = h[0].times(&step.free[a]) + h[1].times(&step.free[b]);
    let h = match change.along {
        Along::Whole | Along::Tangents => {
            let mut wide = seen.ports.widen(h, bodies, seen.held);
            for side in seen.held.into_iter().flatten() {
                u_free += side.free;
            }
            step.growing(touch).iter().for_each(|growing| u_free += growing[1]);
            if change.along == Along::Tangents {
                wide.iter_mut().flat_map(|h| h.iter_mut()).for_each(|column| column[0] = 0.0);
                u_free[0] = 0.0;
            }
            wide
        }
        _ => h,
    };
    Branch { pair: PairRow { bodies: sides_of(step, touch), h }, change, u_free }
}

/// The bodies of the row of a touch: of a body with itself the second is the world, one behind the last.
pub(crate) fn sides_of<const D: usize>(step: &StepContext<D>, touch: &ContactPoint<D>) -> [u32; 2] {
    let [a, b] = touch.contactors.map(|contactor| step.contactors[contactor as usize].body);
    [a, if is_own(touch) { step.bodies.len() as u32 } else { b }]
}

/// A component that carries nothing has no row of H; it gives way by itself, so that its impulse stays zero
/// and its block is regular. `diagonal` is what deformation gives it to carry \[1/kg\].
pub(crate) fn give_way<const D: usize>(
    change: &mut Change<D>,
    pair: &PairRow<D>,
    inverse_mass: &[PerDof<D>],
    mut diagonal: Vector<D>,
) {
    for (side, h) in pair.h.iter().enumerate() {
        if let Some(inverse_mass) = inverse_mass.get(pair.bodies[side] as usize) {
            let mut squares = h.clone();
            squares.iter_mut().flatten().for_each(|x| *x *= *x);
            diagonal += squares.times(inverse_mass);
        }
    }
    let mean = diagonal.sum() / D as f64;
    for component in (0..D).filter(|&component| diagonal[component] == 0.0) {
        if change.compliance[component] == 0.0 {
            change.compliance[component] = if mean > 0.0 { mean } else { 1.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asked for by increasing names, or not, a contact of the last step is found as a search finds it.
    #[test]
    fn contacts_of_the_last_step_are_found_by_walking_on() {
        let named = |feature: u64| ContactMemory::<2> {
            id: ContactId { contactors: [(feature / 40) as u32, 7], image: [0; 2], feature },
            impulse: Vector::zeros(),
            beside: [Vector::zeros(); BRANCHES],
            point: Vector::zeros(),
            stored: 0.0,
            mark: 0.0,
            internal: [0.0; LAW_MEMORY],
        };
        let memory: Vec<_> = (0..400).filter(|k| k % 3 != 0 && !(100..180).contains(k)).map(named).collect();
        let orders: [Vec<u64>; 3] =
            [(0..400).collect(), (0..400).rev().collect(), (0..400).map(|k| k * 7919 % 400).collect()];
        for order in orders {
            let mut names = Names { memory: &memory, next: 0 };
            for feature in order {
                let id = named(feature).id;
                let expected = memory.binary_search_by_key(&id, |kept| kept.id).ok();
                assert_eq!(names.find(&id), expected, "{feature}");
            }
        }
    }
}
