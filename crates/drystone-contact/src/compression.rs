//! Shocks in two phases: the problem of the compression, and what it leaves to the step. Solves nothing.

use crate::Assembly;
use crate::rows::is_shifted;
use drystone_laws::Change;
use drystone_math::Vector;
use drystone_math::columns::times;
use drystone_problem::{Condensed, Delassus, Problem, Set};
use drystone_state::{Bodies, Velocities};

/// The first phase of a shock: the rows that act at once, without the time that springs and forecasts take.
pub struct Compression<const D: usize> {
    /// `u = W c + u₀`, with the mean of the velocities at the beginning and without contact as `u₀`.
    pub problem: Problem<D, Condensed<D>>,
    /// The rows of the whole problem they are.
    rows: Vec<usize>,
    /// From which row on they are ties.
    ties: usize,
}

impl<const D: usize> Assembly<D> {
    /// The compression of this step, where bodies meet whose law has two phases. `free` are the velocities
    /// without contact.
    pub fn compression(&self, bodies: &Bodies<D>, free: &Velocities) -> Option<Compression<D>> {
        if !self.shock {
            return None;
        }
        let contacts = self.interactions.len();
        let touches = |row: usize| {
            let interaction = &self.interactions[row];
            let touching = self.step.tolerances.touching * interaction.size;
            self.changes[row].returns > 0.0 || interaction.gap <= touching
        };
        let ties = self.changes.len() - self.ties.len();
        let acts = |row: &usize| {
            is_rigid(&self.changes[*row]) && (*row >= ties || (*row < contacts && touches(*row)))
        };
        let rows: Vec<usize> = (0..self.changes.len()).filter(acts).collect();
        let w = &self.problem.w;
        let velocity = |row: usize| {
            let mean = |side: usize| {
                let body = w.pair(row).bodies[side] as usize;
                // the world is one more body, which nothing moves
                let begin = bodies.velocity.get(body).unwrap_or_default();
                let mean: Vec<f64> = begin
                    .iter()
                    .zip(&free.flat()[w.bodies().dofs(body).range()])
                    .map(|(a, b)| (a + b) * 0.5)
                    .collect();
                times(w.pair(row).h[side], &mean)
            };
            mean(0) + mean(1)
        };
        let u_free = rows.iter().map(|&row| velocity(row)).collect();
        let sets = rows.iter().map(|&row| self.changes[row].set).collect();
        let compliance = rows.iter().map(|&row| self.changes[row].compliance).collect();
        let w = Condensed::of_rows(rows.iter().map(|&row| w.pair(row)), w.bodies().clone())
            .with_compliance(compliance);
        Some(Compression { problem: Problem { w, u_free, sets }, rows, ties })
    }

    /// Lets the step go on from the impulses `c` of its compression: each contact has them, and at least its
    /// part of them once more.
    pub fn expand(&mut self, compression: &Compression<D>, c: &[Vector<D>]) {
        let contacts = self.interactions.len();
        let scales = compression.scales(&self.changes, c);
        let mut added = vec![Vector::<D>::zeros(); self.changes.len()];
        let mut returned = vec![0.0; contacts];
        for (index, &row) in compression.rows.iter().enumerate().filter(|(_, row)| **row < contacts) {
            let part = scales[index] * self.changes[row].returns;
            let normal = c[index][0].max(0.0);
            returned[row] = scales[index] * normal;
            added[row] = -c[index];
            added[row][0] -= part * normal;
            self.changes[row].impulse += added[row];
        }
        for (branch, &(contact, _)) in self.branches.iter().enumerate() {
            let row = contacts + branch;
            let returns = self.changes[row].returns;
            if returns > 0.0 {
                self.problem.sets[row] = Set::Tresca { cap: returns * returned[contact as usize] };
            }
        }
        self.asks.shifted = self.changes.iter().any(is_shifted);
        let carry = self.problem.w.carry(&added);
        for row in 0..self.changes.len() {
            self.problem.u_free[row] -= self.problem.w.row(row, &added, &carry);
        }
    }
}

impl<const D: usize> Compression<D> {
    /// A guess from that of the whole step: at rest half of its impulses.
    pub fn guess(&self, whole: &[Vector<D>]) -> Vec<Vector<D>> {
        self.rows.iter().zip(&self.problem.sets).map(|(&row, set)| set.project(&(whole[row] * 0.5))).collect()
    }

    /// By how much the coefficients of every row are to be scaled: 1 where those of a cluster of bodies are
    /// alike, else so much that its expansion brings no more energy than its compression took,
    /// `c·EWEc ≤ c·Wc`.
    fn scales(&self, changes: &[Change<D>], c: &[Vector<D>]) -> Vec<f64> {
        let returns = |&row: &usize| changes[row].returns;
        // what ties carry is theirs to give back, as much as any contact does
        let most = self.rows.iter().filter(|&&row| row < self.ties).map(returns).fold(0.0, f64::max);
        let part = |index: usize| match self.rows[index] {
            row if row < self.ties => changes[row].returns,
            _ => most,
        };
        let pushed = |&index: &usize| c[index].iter().any(|&x| x != 0.0);
        let acting: Vec<usize> = (0..c.len()).filter(pushed).collect();
        let mut scales = vec![1.0; c.len()];
        if acting.windows(2).all(|pair| part(pair[0]) == part(pair[1])) {
            return scales;
        }
        let w = &self.problem.w;
        let clusters = self.clusters(&acting);
        let returned: Vec<Vector<D>> = c.iter().enumerate().map(|(index, c)| c * part(index)).collect();
        let mut energies = vec![[0.0; 2]; c.len()];
        for (which, impulses) in [c, &returned].into_iter().enumerate() {
            let carry = w.carry(impulses);
            for &index in &acting {
                let work = impulses[index].dot(&w.row(index, impulses, &carry));
                energies[clusters[index]][which] += work;
            }
        }
        for &index in &acting {
            let [taken, given] = energies[clusters[index]];
            if given > taken && given > 0.0 {
                scales[index] = (taken.max(0.0) / given).sqrt();
            }
        }
        scales
    }

    /// For every row the first of its cluster: rows that share a body which can move are of one.
    fn clusters(&self, acting: &[usize]) -> Vec<usize> {
        let mut first: Vec<usize> = (0..self.rows.len()).collect();
        let w = &self.problem.w;
        let mut of_body = vec![usize::MAX; w.bodies().len()];
        for &index in acting {
            for body in w.pair(index).bodies.map(|body| body as usize) {
                if !w.bodies().moves(body) {
                    continue;
                }
                if of_body[body] == usize::MAX {
                    of_body[body] = index;
                    continue;
                }
                let [a, b] = [root(&first, of_body[body]), root(&first, index)];
                first[a.max(b)] = a.min(b);
            }
        }
        (0..first.len()).map(|index| root(&first, index)).collect()
    }
}

fn root(first: &[usize], mut index: usize) -> usize {
    while first[index] != index {
        index = first[index];
    }
    index
}

/// Whether a row gives nothing way: springs carry no impulse in no time.
fn is_rigid<const D: usize>(change: &Change<D>) -> bool {
    let held = match change.set {
        Set::Bilateral { rows } => rows.min(D),
        _ => 1,
    };
    (0..held).all(|component| change.compliance[component] == 0.0)
}
