//! Rows of a problem that one law holds together, and the problem in which each of these spans is one contact
//! with more components. Solves nothing.

use crate::{Compliances, Condensed, Delassus, Problem, Row, Set, Vector};
use std::ops::Range;

/// Rows that are solved together, since the impulse of one is the threshold of the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Span {
    /// A contact that resists rolling and twisting: its forces, with Coulomb's set, and its moments.
    Contact {
        /// The row of the forces.
        force: usize,
        /// The row of the moment about the tangents, in its components 1 and on, and its arm \[m\].
        rolling: Option<(usize, f64)>,
        /// The row of the moment about the normal, in its component 1, and its arm \[m\].
        twisting: Option<(usize, f64)>,
    },
    /// A joint with friction: see [`Set::Bearing`].
    Bearing {
        /// The row of the forces that it bears, a bilateral one.
        force: usize,
        /// The row of the friction: in its components 1 and on with Tresca's set, in all with that of a
        /// bearing that holds nothing, as that rubs together or apart.
        friction: usize,
        /// Threshold without load \[N s\], of turns \[N m s\].
        base: f64,
        /// Threshold for a unit of load, no unit, of turns \[m\].
        factor: f64,
    },
}

impl Span {
    /// The row of the forces.
    pub fn force(&self) -> usize {
        match *self {
            Span::Contact { force, .. } | Span::Bearing { force, .. } => force,
        }
    }

    /// The rows whose thresholds follow it, and those thresholds under the impulses `r`.
    pub fn thresholds<const D: usize>(&self, r: &[Vector<D>]) -> impl Iterator<Item = (usize, f64)> {
        let both = match *self {
            Span::Contact { force, rolling, twisting } => {
                let normal = r[force][0].max(0.0);
                [rolling, twisting].map(|moment| moment.map(|(row, arm)| (row, arm * normal)))
            }
            Span::Bearing { force, friction, base, factor } => {
                [Some((friction, base + factor * r[force].norm())), None]
            }
        };
        both.into_iter().flatten()
    }
}

/// The problem with every span as one contact of `S` components, and every other row as one with some that
/// carry nothing.
#[derive(Clone, Debug)]
pub struct SpanProblem<const S: usize> {
    /// The problem.
    pub problem: Problem<S, Condensed<S>>,
    /// Where the components come from.
    origins: Vec<Origins<S>>,
}

/// Row and component of every component of a contact; `None` of those that carry nothing.
type Origins<const S: usize> = [Option<(u32, u8)>; S];

impl<const S: usize> SpanProblem<S> {
    /// Joins the rows of spans. A contact that has another set than Coulomb's in this step (one that is let
    /// go) keeps its rows apart, with the thresholds that they have.
    pub fn new<const D: usize>(problem: &Problem<D, Condensed<D>>, spans: &[Span]) -> Self {
        let mut of_row = vec![None; problem.contacts()];
        let mut joined = vec![false; problem.contacts()];
        for span in spans.iter().filter(|span| can_join(span, problem)) {
            of_row[span.force()] = Some(*span);
            follower_rows(span).for_each(|row| joined[row] = true);
        }
        let (mut origins, mut sets) = (Vec::new(), Vec::new());
        for row in (0..problem.contacts()).filter(|&row| !joined[row]) {
            origins.push(of_row[row].map_or_else(|| lone::<D, S>(row), |span| parts::<D, S>(&span, problem)));
            sets.push(of_row[row].map_or(problem.sets[row], |span| set_of::<D, S>(&span, problem)));
        }
        let u_free = origins.iter().map(|origin| gathered(origin, &problem.u_free)).collect();
        let w = operator(&problem.w, &origins);
        let compliance = origins.iter().enumerate().map(|(contact, origin)| {
            let own = Vector::from_fn(|k, _| {
                origin[k].map_or(0.0, |(row, i)| problem.w.compliance(row as usize)[i as usize])
            });
            fill_up(own, origin, &(w.block(contact).diagonal() + own), first_filled(&sets[contact], D))
        });
        let compliance = compliance.collect();
        Self { problem: Problem { w: w.with_compliance(compliance), u_free, sets }, origins }
    }

    /// The impulses of the rows as those of the contacts.
    pub fn gather<const D: usize>(&self, r: &[Vector<D>]) -> Vec<Vector<S>> {
        self.origins.iter().map(|origin| gathered(origin, r)).collect()
    }

    /// And back.
    pub fn scatter<const D: usize>(&self, x: &[Vector<S>], r: &mut [Vector<D>]) {
        r.fill(Vector::zeros());
        for (origin, x) in self.origins.iter().zip(x) {
            for (k, &(row, component)) in
                origin.iter().enumerate().filter_map(|(k, o)| Some((k, o.as_ref()?)))
            {
                r[row as usize][component as usize] = x[k];
            }
        }
    }

    /// The row of the forces of a contact.
    pub fn row(&self, contact: usize) -> Option<usize> {
        self.origins.get(contact)?[0].map(|(row, _)| row as usize)
    }
}

fn can_join<const D: usize>(span: &Span, problem: &Problem<D, Condensed<D>>) -> bool {
    match (span, problem.sets[span.force()]) {
        (Span::Contact { .. }, Set::Coulomb { .. }) => true,
        (Span::Bearing { .. }, Set::Bilateral { rows }) => rows > 0,
        _ => false,
    }
}

fn follower_rows(span: &Span) -> impl Iterator<Item = usize> {
    let rows = match *span {
        Span::Contact { rolling, twisting, .. } => [rolling, twisting].map(|row| row.map(|(row, _)| row)),
        Span::Bearing { friction, .. } => [Some(friction), None],
    };
    rows.into_iter().flatten()
}

/// A row by itself.
fn lone<const D: usize, const S: usize>(row: usize) -> Origins<S> {
    std::array::from_fn(|k| (k < D).then_some((row as u32, k as u8)))
}

/// The components of a span: the forces, behind them the moments about the tangents and the one about the
/// normal; or what a bearing holds, behind it what rubs.
fn parts<const D: usize, const S: usize>(span: &Span, problem: &Problem<D, Condensed<D>>) -> Origins<S> {
    let mut origin = [None; S];
    let mut put = |first: usize, row: usize, components: Range<usize>| {
        for (place, component) in origin[first..].iter_mut().zip(components) {
            *place = Some((row as u32, component as u8));
        }
    };
    match *span {
        Span::Contact { force, rolling, twisting } => {
            put(0, force, 0..D);
            if let Some((row, _)) = rolling {
                put(D, row, 1..D);
            }
            if let Some((row, _)) = twisting.filter(|_| S > 2 * D - 1) {
                put(2 * D - 1, row, 1..2);
            }
        }
        Span::Bearing { force, friction, .. } => {
            let held = held_of(problem, force);
            put(0, force, 0..held);
            put(held, friction, rubbing_of(problem, friction).0);
        }
    }
    origin
}

fn held_of<const D: usize>(problem: &Problem<D, Condensed<D>>, force: usize) -> usize {
    match problem.sets[force] {
        Set::Bilateral { rows } => rows.min(D),
        _ => D,
    }
}

/// The components of a row of friction that rub, and whether each does so for itself.
fn rubbing_of<const D: usize>(problem: &Problem<D, Condensed<D>>, row: usize) -> (Range<usize>, bool) {
    match problem.sets[row] {
        Set::Bearing { apart, .. } => (0..D, apart),
        _ => (1..D, false),
    }
}

/// The set of a span.
fn set_of<const D: usize, const S: usize>(span: &Span, problem: &Problem<D, Condensed<D>>) -> Set {
    match *span {
        Span::Contact { force, rolling, twisting } => {
            let arm = |moment: Option<(usize, f64)>| moment.map_or(0.0, |(_, arm)| arm);
            let mu = problem.sets[force].threshold(1.0);
            let twisting = (S > 2 * D - 1).then(|| arm(twisting));
            Set::Rolling { mu, rolling: arm(rolling), twisting, sliding: D - 1 }
        }
        Span::Bearing { force, friction, base, factor } => {
            let (held, (_, apart)) = (held_of(problem, force), rubbing_of(problem, friction));
            Set::Bearing { held, base, factor, apart }
        }
    }
}

fn gathered<const D: usize, const S: usize>(origin: &Origins<S>, of: &[Vector<D>]) -> Vector<S> {
    Vector::from_fn(|k, _| origin[k].map_or(0.0, |(row, component)| of[row as usize][component as usize]))
}

/// The rows of H with the columns of their parts.
fn operator<const D: usize, const S: usize>(w: &Condensed<D>, origins: &[Origins<S>]) -> Condensed<S> {
    let mut columns: Vec<[f64; S]> = Vec::new();
    let mut ends = Vec::with_capacity(origins.len());
    for origin in origins {
        for side in 0..2 {
            let first = columns.len();
            columns.resize(first + force_row(w, origin).h[side].len(), [0.0; S]);
            for (k, part) in origin.iter().enumerate() {
                let Some((row, component)) = *part else { continue };
                for (column, of) in columns[first..].iter_mut().zip(w.pair(row as usize).h[side]) {
                    column[k] = of[component as usize];
                }
            }
        }
        ends.push(columns.len());
    }
    let mut first = 0;
    let rows = origins.iter().zip(ends).map(|(origin, end)| {
        let row = force_row(w, origin);
        let (one, two) = columns[first..end].split_at(row.h[0].len());
        first = end;
        Row { bodies: row.bodies, h: [one, two] }
    });
    let bodies: Compliances = w.bodies().clone();
    Condensed::of_rows(rows, bodies)
}

fn force_row<'a, const D: usize, const S: usize>(w: &'a Condensed<D>, origin: &Origins<S>) -> Row<'a, D> {
    w.pair(origin[0].map_or(0, |(row, _)| row as usize))
}

/// From which component on the ones that carry nothing are like the others: all of a lone row, the moments of
/// a contact, what rubs in a bearing.
fn first_filled(set: &Set, forces: usize) -> usize {
    match *set {
        Set::Rolling { .. } => forces,
        Set::Bearing { held, .. } => held,
        _ => 0,
    }
}

/// Components that carry nothing give way by themselves as much as the others do on average: their impulses
/// stay zero, the block is regular, and the scale of the contact is that of the others.
fn fill_up<const S: usize>(
    mut own: Vector<S>,
    origin: &Origins<S>,
    diagonal: &Vector<S>,
    from: usize,
) -> Vector<S> {
    let there: Vec<f64> = (from..S).filter(|&k| origin[k].is_some()).map(|k| diagonal[k]).collect();
    let mean = there.iter().sum::<f64>() / there.len().max(1) as f64;
    for k in (from..S).filter(|&k| origin[k].is_none()) {
        own[k] = if mean > 0.0 { mean } else { 1.0 };
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairRow;
    use drystone_math::Matrix;

    /// Two bodies with forces and moments between them, a joint with friction to a third, a row by itself.
    fn problem() -> Problem<3, Condensed<3>> {
        let number = |k: usize| ((k * 7919 % 1013) as f64 / 1013.0) - 0.5;
        let block = |seed: usize| Matrix::<3, 6>::from_fn(|i, j| number(seed * 100 + i * 17 + j * 3 + 1));
        let row = |k: usize, bodies| PairRow::new(bodies, [block(2 * k), block(2 * k + 1)]);
        let rows = [[0, 1], [1, 2], [1, 2], [0, 2], [0, 1], [0, 1]];
        let rows: Vec<_> = rows.into_iter().enumerate().map(|(k, bodies)| row(k, bodies)).collect();
        let bodies = Compliances::diagonal::<6>([[1.0, 1.0, 1.0, 2.0, 3.0, 4.0]; 3]);
        let sets = vec![
            Set::Coulomb { mu: 0.5 },
            Set::Bilateral { rows: 2 },
            Set::Tresca { cap: 0.0 },
            Set::Coulomb { mu: 0.2 },
            Set::Tresca { cap: 0.0 },
            Set::Tresca { cap: 0.0 },
        ];
        let u_free = (0..6).map(|k| Vector::from_fn(|i, _| number(k * 5 + i))).collect();
        Problem { w: Condensed::new(&rows, bodies), u_free, sets }
    }

    #[test]
    fn a_span_problem_is_the_same_problem() {
        let problem = problem();
        let spans = [
            Span::Contact { force: 0, rolling: Some((4, 0.1)), twisting: Some((5, 0.02)) },
            Span::Bearing { force: 1, friction: 2, base: 0.3, factor: 0.7 },
        ];
        let joined = SpanProblem::<6>::new(&problem, &spans);
        let rolling = Set::Rolling { mu: 0.5, rolling: 0.1, twisting: Some(0.02), sliding: 2 };
        let bearing = Set::Bearing { held: 2, base: 0.3, factor: 0.7, apart: false };
        assert_eq!(joined.problem.sets, [rolling, bearing, problem.sets[3]]);
        assert_eq!([0, 1, 2].map(|contact| joined.row(contact)), [Some(0), Some(1), Some(3)]);
        // impulses on components that are there: the same velocities, and back again
        let ones = vec![Vector::<3>::repeat(1.0); 6];
        let there = joined.gather(&ones);
        assert_eq!(there.iter().map(|there| there.sum()).sum::<f64>(), 6.0 + 4.0 + 3.0);
        let x: Vec<_> = there.iter().map(|there| there * 0.7).collect();
        let mut r = ones.clone();
        joined.scatter(&x, &mut r);
        assert_eq!(joined.gather(&r), x);
        let (u, found) = (joined.gather(&problem.velocities(&r)), joined.problem.velocities(&x));
        for (u, found) in u.iter().zip(&found) {
            assert!((u - found).norm() < 1e-14, "{u} {found}");
        }
    }

    #[test]
    fn what_carries_nothing_leaves_the_scale_alone() {
        let problem = problem();
        let joined = SpanProblem::<6>::new(&problem, &[]);
        for row in 0..6 {
            let of = |scale: crate::Scale| (scale.compliance, scale.lever);
            let narrow = of(crate::Scale::new(&problem.w.block(row), &problem.sets[row]));
            let wide = of(crate::Scale::new(&joined.problem.w.block(row), &joined.problem.sets[row]));
            assert!((narrow.0 - wide.0).abs() < 1e-14 * narrow.0 && narrow.1 == wide.1, "{row}");
        }
    }
}
