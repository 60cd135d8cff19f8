//! Down: from touches to the condensed problem, with the impulses of the last step as a guess. Solves
//! nothing; what the solution means for the contacts is in `outcome`.

use crate::context::Common;
use crate::impact::{at_touch, poses_of};
use crate::matching::{is_own, partners};
use crate::ports::Ports;
use crate::rows::{Asks, ROWS_OF_A_THREAD, Slots, Touches, block, sides_of, velocity_rows};
use crate::ties::{Bound, Follows};
use crate::{Interaction, StepContext};
use drystone_bulk::{Bulk, Port};
use drystone_detect::{ContactPoint, Spreads};
use drystone_laws::{Along, Change, Pushed};
use drystone_math::{Columns, Matrix, Vector};
use drystone_problem::{
    Compliance, Compliances, Condensed, Delassus, PairRow, Problem, Set, Span, any_in_pieces, is_excess,
};
use drystone_state::Bodies;
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
    /// Diagonal block of every contact, from its bodies alone; empty where those of the operator are.
    pub(crate) blocks: Vec<Matrix<D, D>>,
    /// Whether bodies meet here whose law has two phases.
    pub(crate) shock: bool,
    /// What the changes of variables ask for.
    pub(crate) asks: Asks,
    /// What pushes changed at every contact; empty where none may.
    pub(crate) pushes: Vec<Option<Pushed>>,
    /// The impulses of the laws, row by row, once a solution was taken back.
    pub(crate) impulses: Vec<Vector<D>>,
    /// Where contacts hold deformable bodies.
    pub(crate) ports: Ports<D>,
    /// Whether a law acts at each touch.
    pub(crate) acts: Vec<bool>,
    /// What holds for the whole step.
    pub(crate) step: Common,
}

/// What a row of the problem belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A contact, as an index of the interactions.
    Contact(usize),
    /// A tie.
    Tie(usize),
}

impl<const D: usize> Default for Assembly<D> {
    /// Of no contacts; what is assembled in it later takes over its memory.
    fn default() -> Self {
        Self {
            problem: Problem { w: Condensed::default(), u_free: Vec::new(), sets: Vec::new() },
            spans: Vec::new(),
            interactions: Vec::new(),
            lost: 0.0,
            restored: 0.0,
            impacts: Vec::new(),
            ties: Vec::new(),
            changes: Vec::new(),
            branches: Vec::new(),
            blocks: Vec::new(),
            shock: false,
            asks: Asks::default(),
            pushes: Vec::new(),
            impulses: Vec::new(),
            ports: Ports::default(),
            acts: Vec::new(),
            step: Common::default(),
        }
    }
}

/// Assembles the problem of touches by increasing identity. Where an identity is found among the contacts of
/// the last step, impulse and internal variables are carried over.
#[doc(alias = "Delassus")]
#[doc(alias = "condensation")]
pub fn assemble<const D: usize>(step: &StepContext<D>, touches: &[ContactPoint<D>]) -> Assembly<D> {
    let mut assembly = Assembly::default();
    assembly.fill(step, touches, None);
    assembly
}

impl<const D: usize> Assembly<D> {
    /// Assembles another problem in the memory of this one, see [`assemble`]. How touches are spread over
    /// skins is found again where the search for them did not keep it.
    pub fn fill(&mut self, step: &StepContext<D>, touches: &[ContactPoint<D>], spreads: Option<&Spreads>) {
        let impacts = at_touch(step, touches);
        let (points, early) =
            impacts.as_ref().map_or((touches, &[][..]), |impacts| (&impacts.touches[..], &impacts.early[..]));
        let (partners, lost) = match step.laws.keep() {
            true => partners(points, step.memory, step.bodies, step.contactors, step.laws),
            false => (Vec::new(), 0.0),
        };
        let (ports, areas) = Ports::new(step, points, spreads);
        let mean_normal = if step.laws.want_mean() { mean_normal(step, points, &ports) } else { 0.0 };
        let StepContext { h, theta, time, push, tolerances, .. } = *step;
        self.step = Common { h, theta, time, mean_normal, push, tolerances };
        self.lost = lost;
        let touches = Touches { points, partners: &partners, areas: &areas, early, ports: &ports };
        self.fill_contacts(step, touches);
        self.ports = ports;
        self.stack_ties(step);
        self.finish_problem();
    }

    /// The rows of contacts, and behind them those of their further branches.
    fn fill_contacts(&mut self, step: &StepContext<D>, touches: Touches<D>) {
        let count = touches.points.len();
        fill_compliances(step.bodies, touches.ports, self.problem.w.clear());
        self.interactions.resize(count, Interaction::blank());
        self.changes.resize(count, Change::new(Set::Bilateral { rows: 0 }));
        self.problem.u_free.resize(count, Vector::zeros());
        self.problem.sets.resize(count, Set::Bilateral { rows: 0 });
        self.pushes.resize(if step.push.gives() { count } else { 0 }, None);
        self.acts.resize(count, true);
        let mut places = self.problem.w.take_places();
        places.resize(count, Vector::zeros());
        if any_in_pieces(count, |touch| is_own(&touches.points[touch])) {
            self.add_world(step);
        }
        let slots = Slots {
            first: 0,
            interactions: &mut self.interactions,
            changes: &mut self.changes,
            u_free: &mut self.problem.u_free,
            sets: &mut self.problem.sets,
            rows: self.problem.w.lay_out(touches.points.par_iter().map(|touch| sides_of(step, touch))),
            pushes: &mut self.pushes,
            acts: &mut self.acts,
            places: &mut places,
        };
        let mut found = slots.fill(step, &self.step, touches);
        if found.gaps {
            self.close_gaps();
            let mut acts = self.acts.iter();
            places.retain(|_| acts.next() == Some(&true));
            let numbers = self.numbers();
            found.branches.iter_mut().for_each(|branch| branch.0 = numbers[branch.0 as usize]);
            found.impacts.iter_mut().for_each(|impact| impact.0 = numbers[impact.0 as usize]);
        }
        self.problem.w.set_places(places);
        (self.shock, self.asks) = (found.shock, found.asks);
        self.lost = found.lost.iter().fold(self.lost, |sum, lost| sum + lost);
        self.impacts = found.impacts;
        self.branches.clear();
        // without a shock nothing comes back
        for (contact, number, row) in found.branches {
            if found.shock || row.change.returns == 0.0 {
                self.branches.push((contact, number));
                self.push_row(&row.pair, row.change, row.u_free);
            }
        }
    }

    /// Takes out what stands for touches at which no law acts.
    fn close_gaps(&mut self) {
        let acts = &self.acts;
        let keep = |row: &mut usize| {
            *row += 1;
            acts[*row - 1]
        };
        let mut rows = [0; 5];
        self.interactions.retain(|_| keep(&mut rows[0]));
        self.changes.retain(|_| keep(&mut rows[1]));
        self.problem.u_free.retain(|_| keep(&mut rows[2]));
        self.problem.sets.retain(|_| keep(&mut rows[3]));
        self.pushes.retain(|_| keep(&mut rows[4]));
        self.problem.w.retain(|row| acts[row]);
    }

    /// The contact of every touch, or the next one where there is none.
    fn numbers(&self) -> Vec<u32> {
        let mut next = 0;
        let number = |acts: &bool| {
            next += u32::from(*acts);
            next - u32::from(*acts)
        };
        self.acts.iter().map(number).collect()
    }

    fn push_row(&mut self, pair: &PairRow<D>, change: Change<D>, u_free: Vector<D>) {
        let count = |side: usize| self.problem.w.bodies().dofs(pair.bodies[side] as usize).count as usize;
        if pair.h[0].len() == count(0) && pair.h[1].len() == count(1) {
            self.problem.w.push(pair);
        } else {
            // what turns a deformable body acts on its rigid line alone
            let h = [0, 1].map(|side| widened(&pair.h[side], count(side)));
            self.problem.w.push(&PairRow { bodies: pair.bodies, h });
        }
        self.asks.learn(&change);
        self.problem.u_free.push(u_free + change.shift);
        self.problem.sets.push(change.set);
        self.changes.push(change);
    }

    /// The rows of ties.
    fn stack_ties(&mut self, step: &StepContext<D>) {
        (self.ties, self.restored) = step.ties.bind(step, &self.ports);
        if !self.ties.is_empty() {
            self.add_world(step);
        }
        for tie in std::mem::take(&mut self.ties) {
            self.push_row(&tie.pair, tie.change, tie.u_free);
            self.ties.push(tie);
        }
    }

    /// The world is one more body, which nothing moves.
    fn add_world(&mut self, step: &StepContext<D>) {
        if self.problem.w.bodies().len() == step.bodies.len() {
            self.problem.w.bodies_mut().push(Compliance::Fixed);
        }
    }

    /// Once all rows are there: the changes of variables eliminated, and the spans.
    fn finish_problem(&mut self) {
        let Self { problem, changes, .. } = self;
        let Problem { w, u_free, .. } = problem;
        w.sort_sides();
        self.blocks.clear();
        if self.asks.compliant {
            self.blocks.extend((0..self.interactions.len()).map(|contact| w.block(contact)));
            w.set_compliance(changes.iter().map(|change| change.compliance));
        }
        if self.asks.shifted {
            let impulses: Vec<_> = changes.iter().map(|change| change.impulse).collect();
            let carry = w.carry(&impulses);
            for (alpha, u) in u_free.iter_mut().enumerate() {
                *u -= w.row(alpha, &impulses, &carry);
            }
        }
        self.spans = spans(&self.branches, changes, &self.ties, self.interactions.len());
    }

    /// Diagonal block of a contact, from its bodies alone.
    pub(crate) fn block(&self, contact: usize) -> Matrix<D, D> {
        self.blocks.get(contact).copied().unwrap_or_else(|| self.problem.w.block(contact))
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

/// How bodies answer impulses.
pub fn compliances<const D: usize>(bodies: &Bodies<D>) -> Compliances {
    let mut all = Compliances::new();
    fill_compliances(bodies, &Ports::default(), &mut all);
    all
}

fn fill_compliances<const D: usize>(bodies: &Bodies<D>, ports: &Ports<D>, all: &mut Compliances) {
    // rigid bodies are what they were in the last step, as a rule
    let is_other = |body: usize| all.is_dense(body) || *all.inverse_mass(body) != *bodies.inverse_mass[body];
    if ports.is_empty() && all.len() == bodies.len() && !any_in_pieces(bodies.len(), is_other) {
        return;
    }
    all.clear();
    let mut held = ports.compliances().peekable();
    for body in 0..bodies.len() {
        match held.next_if(|(next, _)| *next == body) {
            Some((_, compliance)) => all.push_with_ports(&bodies.inverse_mass[body], compliance),
            None => all.push(bodies.compliance(body)),
        }
    }
}

/// Columns with zeros behind them.
fn widened<const D: usize>(h: &Columns<D>, count: usize) -> Columns<D> {
    let mut wide = Columns::zeros(count);
    wide.iter_mut().zip(h.iter()).for_each(|(to, from)| *to = *from);
    wide
}

/// Mean normal impulse of the contacts that pushed so far, or, before any did, of what the contacts ask for
/// one by one \[N s\].
fn mean_normal<const D: usize>(step: &StepContext<D>, touches: &[ContactPoint<D>], ports: &Ports<D>) -> f64 {
    if step.mean_normal > 0.0 {
        return step.mean_normal;
    }
    let asked = |(index, touch): (usize, &ContactPoint<D>)| {
        let held = ports.at(index);
        let at @ [a, b] = touch.contactors.map(|contactor| step.contactors[contactor as usize].body as usize);
        let h = velocity_rows(step, touch, &poses_of(step, touch, 0.0), held);
        let mut u = h[0].times(&step.free[a]) + h[1].times(&step.free[b]);
        held.into_iter().flatten().for_each(|side| u += side.free);
        let block = block(step, &h, at, held);
        -(u[0] + touch.gap.max(0.0) / step.h) / block[(0, 0)]
    };
    let pushing = touches.iter().enumerate().map(asked).filter(|&r| r > 0.0 && r.is_finite());
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

    /// Whether any impulse of the laws is another one than that of the sets.
    pub fn is_shifted(&self) -> bool {
        self.asks.shifted
    }

    /// The impulses of the laws on the ports of deformable bodies, in their axes, by increasing bodies, once
    /// a solution was taken back.
    pub fn port_impulses(&self) -> Vec<(u32, Vec<(Port<D>, Vector<D>)>)> {
        self.ports.impulses(&self.problem.w, &self.impulses)
    }

    /// The same for a solution `r` in the variables of the sets that was not taken back.
    pub fn port_impulses_of(&self, r: &[Vector<D>]) -> Vec<(u32, Vec<(Port<D>, Vector<D>)>)> {
        self.ports.impulses(&self.problem.w, &self.truth(r))
    }

    /// The change of variables of a row of the problem.
    pub fn change(&self, row: usize) -> &Change<D> {
        &self.changes[row]
    }

    /// The impulses carried over from the last step in the variables of the sets, admissible ones, or none at
    /// all. None either where they are more than anything in this step asks for: impulses that balance each
    /// other would be brought along for ever, at the price of sweeps down to rounding (see [`is_excess`]).
    pub fn guess(&self, memory: bool) -> Vec<Vector<D>> {
        let mut guess = Vec::new();
        self.guess_into(memory, &mut guess);
        guess
    }

    /// The same in memory that is there.
    pub fn guess_into(&self, memory: bool, guess: &mut Vec<Vector<D>>) {
        guess.clear();
        let contacts = self.interactions.len();
        if memory {
            let all = self.interactions.par_iter().with_min_len(ROWS_OF_A_THREAD);
            all.map(|interaction| interaction.r).collect_into_vec(guess);
            for (row, &(contact, number)) in (contacts..).zip(&self.branches) {
                let r = self.interactions[contact as usize].beside[number as usize];
                if is_velocity(&self.changes[row]) {
                    guess[contact as usize] -= r;
                }
                guess.push(r);
            }
            guess.extend(self.ties.iter().map(|row| row.guess));
            let sets = guess.par_iter_mut().zip(&self.problem.sets).with_min_len(ROWS_OF_A_THREAD);
            match self.asks.shifted {
                true => sets.zip(&self.changes).for_each(|((r, set), change)| {
                    *r = set.project(&(*r + change.impulse));
                }),
                // adding nothing makes one zero of both
                false => sets.for_each(|(r, set)| *r = set.project(&(*r + Vector::zeros()))),
            }
        }
        if !memory || is_excess(&self.problem, guess) {
            guess.clear();
            guess.resize(self.changes.len(), Vector::zeros());
        }
    }
}

/// Whether a branch pushes, pulls or rubs, rather than turns.
pub(crate) fn is_velocity<const D: usize>(change: &Change<D>) -> bool {
    matches!(change.along, Along::Whole | Along::Tangents)
}
