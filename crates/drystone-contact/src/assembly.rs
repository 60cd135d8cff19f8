//! Down: from touches to the condensed problem, with the impulses of the last step as a guess. Solves
//! nothing; what the solution means for the contacts is in `outcome`.

use crate::impact::{at_touch, poses_of};
use crate::matching::{id_of, partners};
use crate::moving::hold_at_end;
use crate::ties::{Bound, Follows};
use crate::{Interaction, Status, StepContext, Tolerances};
use drystone_bulk::{Bulk, spin_rows};
use drystone_detect::{Cell, ContactPoint, shares};
use drystone_laws::{Along, Approach, Change, Dissipated, Law, Push, Pushed, Trace};
use drystone_math::{Columns, Matrix, PerDof, Pose, Vector};
use drystone_problem::{
    Compliance, Compliances, Condensed, Delassus, PairRow, Problem, Set, Span, is_excess,
};
use drystone_state::{BRANCHES, Bodies, BodyId, ContactMemory, LAW_MEMORY};
use rayon::prelude::*;

/// The condensed problem of one step and the interactions it came from.
///
/// The problem has a row for every contact, in their order, behind them one for every further branch of a
/// contact, and behind those the rows of the ties.
/// It is written in the variables of the canonical sets, `u_set = u + C r + shift` and `r_set = r + impulse`:
/// the compliance is in its operator, and `u_free` is less by what the added impulses would do.
pub struct Assembly<const D: usize> {
    /// `u = W r + u_free` in the variables of the canonical sets.
    pub problem: Problem<D, Condensed<D>>,
    /// Rows that are solved together.
    pub spans: Vec<Span>,
    /// The contacts.
    pub interactions: Vec<Interaction<D>>,
    /// Energy that was stored in contacts of the last step that are gone \[J\].
    pub lost: f64,
    /// By how much the energy in the springs of ties is more than the last step left \[J\].
    pub restored: f64,
    /// Contacts of two bodies alone that were taken before the middle configuration, and how long before
    /// \[s\]: the bodies are to go on from there, `τ M⁻¹ Hᵀ r` farther.
    pub impacts: Vec<(u32, f64)>,
    /// The rows of ties.
    pub(crate) ties: Vec<Bound<D>>,
    /// The change of variables of each row.
    pub(crate) changes: Vec<Change<D>>,
    /// Contact and number of every branch beside the first ones.
    pub(crate) branches: Vec<(u32, u8)>,
    /// Diagonal block of every contact, from its bodies alone.
    pub(crate) blocks: Vec<Matrix<D, D>>,
    /// Whether bodies meet here whose law has two phases.
    pub(crate) shock: bool,
    /// What pushes changed at every contact; empty where none may.
    pub(crate) pushes: Vec<Option<Pushed>>,
    /// What holds for the whole step.
    pub(crate) step: Common,
}

/// What holds for all contacts of a step.
#[derive(Clone, Copy)]
pub(crate) struct Common {
    pub h: f64,
    pub theta: f64,
    pub time: f64,
    pub mean_normal: f64,
    pub push: Push,
    pub tolerances: Tolerances,
}

/// What a row of the problem belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A contact, as an index of the interactions.
    Contact(usize),
    /// A tie.
    Tie(usize),
}

/// One contact on its way into the problem.
struct Row<const D: usize> {
    branch: Branch<D>,
    /// The branches beside the first one and their numbers; most laws have none.
    beside: Vec<(u8, Branch<D>)>,
    interaction: Interaction<D>,
    block: Matrix<D, D>,
    pushed: Option<Pushed>,
    /// How long before the middle configuration the contact was \[s\], if its bodies are to be moved for it.
    early: f64,
    /// Energy stored in a bond that was made anew in the place of it \[J\].
    lost: f64,
}

impl<const D: usize> Row<D> {
    /// Whether the bodies are on their way to each other, faster than what counts as none, and part of it
    /// comes back.
    fn is_shock(&self, common: &Common) -> bool {
        let still = common.tolerances.sliding * self.interaction.size / common.h;
        self.branch.change.returns > 0.0 && self.interaction.u_begin[0] < -still
    }
}

/// One row of the problem.
struct Branch<const D: usize> {
    pair: PairRow<D>,
    change: Change<D>,
    u_free: Vector<D>,
}

/// Assembles the problem of touches by increasing identity. Where an identity is found among the contacts of
/// the last step, impulse and internal variables are carried over.
#[doc(alias = "Delassus")]
#[doc(alias = "condensation")]
pub fn assemble<const D: usize>(step: &StepContext<D>, touches: &[ContactPoint<D>]) -> Assembly<D> {
    let memory = step.memory;
    let impacts = at_touch(step, touches);
    let (touches, early) =
        impacts.as_ref().map_or((touches, &[][..]), |impacts| (&impacts.touches[..], &impacts.early[..]));
    let (partners, lost) = match step.laws.keep() {
        true => partners(touches, memory, step.bodies, step.contactors, step.laws),
        false => (Vec::new(), 0.0),
    };
    let areas = if step.laws.want_area() { areas(touches) } else { Vec::new() };
    let mean_normal = if step.laws.want_mean() { mean_normal(step, touches) } else { 0.0 };
    let StepContext { h, theta, time, push, tolerances, .. } = *step;
    let common = Common { h, theta, time, mean_normal, push, tolerances };
    let row = |(index, touch): (usize, &ContactPoint<D>)| {
        let kept = match partners.get(index) {
            Some(partner) => *partner,
            None => memory.binary_search_by_key(&id_of(touch), |kept| kept.id).ok(),
        };
        let area = areas.get(index).copied().unwrap_or(0.0);
        let early = early.get(index).copied().unwrap_or(0.0);
        row(step, &common, (touch, early), area, kept.map(|kept| &memory[kept]))
    };
    let rows: Vec<Row<D>> = touches.par_iter().enumerate().filter_map(row).collect();
    stack(step, common, rows, lost)
}

/// Rows of contacts first, then those of their further branches, then those of ties.
fn stack<const D: usize>(
    step: &StepContext<D>,
    common: Common,
    rows: Vec<Row<D>>,
    mut lost: f64,
) -> Assembly<D> {
    let contacts = rows.len();
    let shock = rows.iter().any(|row| row.is_shock(&common));
    let mut interactions = Vec::with_capacity(contacts);
    let mut blocks = Vec::with_capacity(contacts);
    let mut pushes = Vec::new();
    let mut stacked: Vec<Branch<D>> = Vec::with_capacity(contacts);
    let mut further = Vec::new();
    let mut branches = Vec::new();
    let mut impacts = Vec::new();
    for (contact, row) in rows.into_iter().enumerate() {
        interactions.push(row.interaction);
        blocks.push(row.block);
        lost += row.lost;
        if row.early > 0.0 {
            impacts.push((contact as u32, row.early));
        }
        if step.push.gives() {
            pushes.push(row.pushed);
        }
        stacked.push(row.branch);
        // without a shock nothing comes back
        for (number, branch) in row.beside.into_iter().filter(|(_, b)| shock || b.change.returns == 0.0) {
            branches.push((contact as u32, number));
            further.push(branch);
        }
    }
    stacked.extend(further);
    let (ties, restored) = step.ties.bind(step);
    stacked.extend(ties.iter().map(|row| Branch {
        pair: row.pair.clone(),
        change: row.change,
        u_free: row.u_free,
    }));
    let compliance = stacked.iter().map(|branch| branch.change.compliance).collect();
    let mut compliances = compliances(step.bodies);
    if !ties.is_empty() {
        // the world is one more body, which nothing moves
        compliances.push(Compliance::Fixed);
    }
    let pairs = stacked.iter().map(|branch| &branch.pair);
    let w = Condensed::new(pairs, compliances).with_compliance(compliance);
    let mut u_free: Vec<_> = stacked.iter().map(|branch| branch.u_free + branch.change.shift).collect();
    let impulses: Vec<_> = stacked.iter().map(|branch| branch.change.impulse).collect();
    if impulses.iter().any(|impulse| impulse.iter().any(|&x| x != 0.0)) {
        let carry = w.carry(&impulses);
        for (alpha, u) in u_free.iter_mut().enumerate() {
            *u -= w.row(alpha, &impulses, &carry);
        }
    }
    let sets = stacked.iter().map(|branch| branch.change.set).collect();
    let changes: Vec<_> = stacked.into_iter().map(|branch| branch.change).collect();
    let problem = Problem { w, u_free, sets };
    let step = common;
    let spans = spans(&branches, &changes, &ties, contacts);
    Assembly {
        problem,
        spans,
        interactions,
        lost,
        restored,
        impacts,
        ties,
        changes,
        branches,
        blocks,
        shock,
        pushes,
        step,
    }
}

/// The rows that are solved together: forces of contacts with the moments that follow them, forces of joints
/// with the friction in them.
fn spans<const D: usize>(
    branches: &[(u32, u8)],
    changes: &[Change<D>],
    ties: &[Bound<D>],
    contacts: usize,
) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let following = (contacts..).zip(branches).filter(|(row, _)| changes[*row].follows > 0.0);
    for (row, &(contact, _)) in following {
        let (force, moment) = (contact as usize, Some((row, changes[row].follows)));
        let (rolling, twisting) = match changes[row].along {
            Along::Twisting => (None, moment),
            _ => (moment, None),
        };
        match spans.last_mut() {
            // the branches of a contact come one after the other
            Some(Span::Contact { force: last, rolling: first, twisting: second }) if *last == force => {
                (*first, *second) = (first.or(rolling), second.or(twisting));
            }
            _ => spans.push(Span::Contact { force, rolling, twisting }),
        }
    }
    for (row, bound) in (changes.len() - ties.len()..).zip(ties) {
        if let Some(Follows { back, constant, factor }) = bound.follows.filter(|follows| follows.factor > 0.0)
        {
            spans.push(Span::Bearing { force: row - back, friction: row, base: constant, factor });
        }
    }
    spans
}

/// One touch as a row of the problem, or nothing where no law acts.
fn row<const D: usize>(
    step: &StepContext<D>,
    common: &Common,
    (touch, early): (&ContactPoint<D>, f64),
    area: f64,
    kept: Option<&ContactMemory<D>>,
) -> Option<Row<D>> {
    let bodies = touch.contactors.map(|contactor| step.contactors[contactor as usize].body);
    let [a, b] = bodies.map(|body| body as usize);
    let law = &step.laws.between(step.bodies.group[a], step.bodies.group[b])?.law;
    let frame = touch.frame();
    let poses = poses_of(step, touch, early);
    let h = velocity_rows(step, touch, &poses);
    let u_begin = h[0].times(&step.bodies.velocity[a]) + h[1].times(&step.bodies.velocity[b]);
    let block = block(step, &h, [a, b]);
    let mut interaction = Interaction {
        id: id_of(touch),
        bodies: bodies.map(BodyId),
        point: touch.point,
        frame,
        gap: touch.gap,
        area,
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
    let lost = begin(step, common, law.as_ref(), kept.is_none(), &mut interaction, &block);
    let depth = passing_depth(step, touch, &u_begin, bodies);
    let seen = Approach { depth, ..approach(common, &interaction, &block) };
    let mut change = law.change(&seen)?;
    let touching = law.touching(&interaction.internal);
    let trace = kept.map(|kept| Trace { mark: kept.mark, pressed: interaction.r[0] > 0.0 });
    let mark = touching.map_or(0.0, |gap| step.push.mark(&seen, gap, trace, &change));
    let pushed = touching.and_then(|gap| step.push.apply(&seen, gap, trace, &mut change));
    if early == 0.0 {
        hold_at_end(step, touch, &poses, kept, &mut change);
    }
    let beside = (0..)
        .zip(law.beside(&seen))
        .filter_map(|(number, change)| change.map(|change| (number, branch(step, touch, &poses, change))));
    let beside = beside.collect();
    let branch = branch(step, touch, &poses, change);
    let early = if [a, b].iter().any(|&body| step.bodies.is_driven(body)) { 0.0 } else { early };
    interaction.mark = mark;
    Some(Row { branch, beside, interaction, block, pushed, early, lost })
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
fn velocity_rows<const D: usize>(
    step: &StepContext<D>,
    touch: &ContactPoint<D>,
    poses: &[Pose<D>; 2],
) -> [Columns<D>; 2] {
    let frame = touch.frame();
    let side = |side: usize| {
        let body = step.contactors[touch.contactors[side] as usize].body as usize;
        step.bodies.jacobian(body, &frame, &touch.point, &poses[side])
    };
    [side(0), -side(1)]
}

/// The antagonist of a touch where it touches the candidate: in a periodic cell an image of it.
pub(crate) fn image_of<const D: usize>(
    antagonist: &Pose<D>,
    cell: Option<&Cell<D>>,
    touch: &ContactPoint<D>,
) -> Pose<D> {
    let shift = cell.map_or_else(Vector::zeros, |cell| cell.shift(touch.image));
    Pose { position: antagonist.position + shift, ..*antagonist }
}

/// Diagonal block of a contact, from its bodies.
fn block<const D: usize>(step: &StepContext<D>, h: &[Columns<D>; 2], bodies: [usize; 2]) -> Matrix<D, D> {
    let side = |side: usize| {
        let mut block = Matrix::<D, D>::zeros();
        for (column, m) in h[side].iter().zip(&*step.bodies.inverse_mass[bodies[side]]) {
            let answer = column.map(|x| x * m);
            (0..D).for_each(|j| (0..D).for_each(|i| block[(i, j)] += answer[i] * column[j]));
        }
        block
    };
    side(0) + side(1)
}

/// A row of the problem.
fn branch<const D: usize>(
    step: &StepContext<D>,
    touch: &ContactPoint<D>,
    poses: &[Pose<D>; 2],
    mut change: Change<D>,
) -> Branch<D> {
    let bodies = touch.contactors.map(|contactor| step.contactors[contactor as usize].body);
    let [a, b] = bodies.map(|body| body as usize);
    let spin = |rows: [Option<usize>; D]| {
        let [a, b] = poses.each_ref().map(|pose| spin_rows::<D>(&touch.frame(), rows, pose));
        [a, -b]
    };
    let h = match change.along {
        Along::Whole => velocity_rows(step, touch, poses),
        Along::Tangents => velocity_rows(step, touch, poses).map(|mut h| {
            h.iter_mut().for_each(|column| column[0] = 0.0);
            h
        }),
        Along::Rolling => spin(std::array::from_fn(|axis| (axis > 0).then_some(axis))),
        Along::Twisting => spin(std::array::from_fn(|axis| (axis == 1).then_some(0))),
    };
    if change.along != Along::Whole {
        give_way(&mut change, &PairRow { bodies, h: h.clone() }, &step.bodies.inverse_mass);
    }
    let u_free = h[0].times(&step.free[a]) + h[1].times(&step.free[b]);
    Branch { pair: PairRow { bodies, h }, change, u_free }
}

/// How bodies answer impulses.
pub fn compliances<const D: usize>(bodies: &Bodies<D>) -> Compliances {
    let mut all = Compliances::new();
    (0..bodies.len()).for_each(|body| all.push(bodies.compliance(body)));
    all
}

/// A component that carries nothing has no row of H; it gives way by itself, so that its impulse stays zero
/// and its block is regular.
pub(crate) fn give_way<const D: usize>(
    change: &mut Change<D>,
    pair: &PairRow<D>,
    inverse_mass: &[PerDof<D>],
) {
    let mut diagonal = Vector::<D>::zeros();
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

/// Shares of all touches in the patches of their pairs.
fn areas<const D: usize>(touches: &[ContactPoint<D>]) -> Vec<f64> {
    touches.chunk_by(|a, b| (a.contactors, a.image) == (b.contactors, b.image)).flat_map(shares).collect()
}

/// Mean normal impulse of the contacts that pushed so far, or, before any did, of what the contacts ask for
/// one by one \[N s\].
fn mean_normal<const D: usize>(step: &StepContext<D>, touches: &[ContactPoint<D>]) -> f64 {
    if step.mean_normal > 0.0 {
        return step.mean_normal;
    }
    let asked = |touch: &ContactPoint<D>| {
        let at @ [a, b] = touch.contactors.map(|contactor| step.contactors[contactor as usize].body as usize);
        let h = velocity_rows(step, touch, &poses_of(step, touch, 0.0));
        let u = h[0].times(&step.free[a]) + h[1].times(&step.free[b]);
        -(u[0] + touch.gap.max(0.0) / step.h) / block(step, &h, at)[(0, 0)]
    };
    let pushing = touches.iter().map(asked).filter(|&r| r > 0.0 && r.is_finite());
    let (sum, count) = pushing.fold((0.0, 0.0), |(sum, count), r| (sum + r, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

impl<const D: usize> Assembly<D> {
    /// The contact or tie that a row of the problem belongs to.
    pub fn owner(&self, row: usize) -> Owner {
        let ties = self.changes.len() - self.ties.len();
        match (row.checked_sub(ties), row.checked_sub(ties - self.branches.len())) {
            (Some(tie), _) => Owner::Tie(self.ties[tie].tie as usize),
            (None, Some(branch)) => Owner::Contact(self.branches[branch].0 as usize),
            (None, None) => Owner::Contact(row),
        }
    }

    /// The change of variables of a row of the problem.
    pub fn change(&self, row: usize) -> &Change<D> {
        &self.changes[row]
    }

    /// The impulses carried over from the last step in the variables of the sets, admissible ones, or none at
    /// all. None either where they are more than anything in this step asks for: impulses that balance each
    /// other would be brought along for ever, at the price of sweeps down to rounding (see [`is_excess`]).
    pub fn guess(&self, memory: bool) -> Vec<Vector<D>> {
        if !memory {
            return vec![Vector::zeros(); self.changes.len()];
        }
        let admissible = |row: usize, r: &Vector<D>| -> Vector<D> {
            let set: &Set = &self.problem.sets[row];
            set.project(&(r + self.changes[row].impulse))
        };
        let mut first: Vec<Vector<D>> = self.interactions.iter().map(|interaction| interaction.r).collect();
        let mut beside = Vec::with_capacity(self.branches.len());
        for (branch, &(contact, number)) in self.branches.iter().enumerate() {
            let row = self.interactions.len() + branch;
            let r = self.interactions[contact as usize].beside[number as usize];
            if is_velocity(&self.changes[row]) {
                first[contact as usize] -= r;
            }
            beside.push(admissible(row, &r));
        }
        let first = first.iter().enumerate().map(|(row, r)| admissible(row, r));
        let start = self.changes.len() - self.ties.len();
        let ties = self.ties.iter().enumerate().map(|(tie, row)| admissible(start + tie, &row.guess));
        let guess: Vec<Vector<D>> = first.chain(beside).chain(ties).collect();
        if is_excess(&self.problem, &guess) { vec![Vector::zeros(); guess.len()] } else { guess }
    }
}

/// Whether a branch pushes, pulls or rubs, rather than turns.
pub(crate) fn is_velocity<const D: usize>(change: &Change<D>) -> bool {
    matches!(change.along, Along::Whole | Along::Tangents)
}
