//! The work that impulses do and should not: the error of the long waves, which a residual contact by contact
//! does not see. Judges; changes nothing.

use crate::{Delassus, Problem, Set, Vector};

/// How far impulses are from being in balance, relative to the work they do on the bodies:
///
/// `G = Σ_α r_α·(u_α + μ_α‖u_T,α‖ n) / Σ_α r_α·(W r)_α`
///
/// Each term of the numerator vanishes where the law of its contact holds, the denominator is `‖v − v_free‖²`
/// in the metric of the masses. Impulses that are everywhere `α` times what they should be have
/// `G = −(1 − α)/α`: with −0.3 a pile carries three quarters of its weight, however small the residual of
/// each of its contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkGap {
    /// The sum \[-\]: negative where impulses are too small, positive where they are too large.
    pub signed: f64,
    /// The sum of the absolute values of its terms \[-\].
    pub absolute: f64,
}

impl WorkGap {
    /// How far forces are from being in balance, in one figure: the size of the sum, or a third of the sum of
    /// sizes where that is more.
    pub fn size(&self) -> f64 {
        self.signed.abs().max(self.absolute / 3.0)
    }

    /// Whether forces are in balance to within `goal`, with contacts apart to three times that.
    pub fn is_within(&self, goal: f64) -> bool {
        self.size() <= goal
    }
}

/// Sums of the gap over some contacts \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GapSums {
    /// Work that the laws allow none of.
    pub signed: f64,
    /// The sum of its sizes.
    pub absolute: f64,
    /// Work of the impulses on the bodies.
    pub work: f64,
}

impl GapSums {
    /// Adds a contact.
    pub fn add<const D: usize>(&mut self, set: &Set, u: &Vector<D>, free: &Vector<D>, r: &Vector<D>) {
        let here = wasted(set, u, r);
        self.signed += here;
        self.absolute += here.abs();
        self.work += r.dot(&(u - free));
    }

    /// Adds the sums over other contacts.
    pub fn merge(&mut self, other: &Self) {
        self.signed += other.signed;
        self.absolute += other.absolute;
        self.work += other.work;
    }

    /// The gap; none where impulses do no work at all.
    pub fn gap(&self) -> WorkGap {
        match self.work > 0.0 {
            true => WorkGap { signed: self.signed / self.work, absolute: self.absolute / self.work },
            false => WorkGap::default(),
        }
    }
}

/// Work of a contact that the law allows none of: `r·u` with what friction dissipates at its threshold added.
fn wasted<const D: usize>(set: &Set, u: &Vector<D>, r: &Vector<D>) -> f64 {
    let sliding = |from: usize| u.rows(from, D - from).norm();
    match *set {
        Set::Coulomb { .. } | Set::Rolling { .. } => r.dot(&set.conjugate(u)),
        Set::Bilateral { rows } => (0..rows.min(D)).map(|k| r[k] * u[k]).sum(),
        Set::Orowan { mu, cap } => r.dot(u) + (mu * r[0]).min(cap).max(0.0) * sliding(1),
        Set::Tresca { cap } => r.dot(u) + cap.max(0.0) * sliding(1),
        Set::Bearing { held, base, factor, .. } => {
            let threshold = (base + factor * r.rows(0, held.min(D)).norm()).max(0.0);
            let slips = set.frictions::<D>().map(|part| u.rows_range(part).norm());
            r.dot(u) + threshold * slips.iter().sum::<f64>()
        }
    }
}

/// The gap of `(u, r)`.
pub fn work_gap<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    u: &[Vector<D>],
    r: &[Vector<D>],
) -> WorkGap {
    let mut sums = GapSums::default();
    for (alpha, set) in problem.sets.iter().enumerate() {
        sums.add(set, &u[alpha], &problem.u_free[alpha], &r[alpha]);
    }
    sums.gap()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compliances, Condensed, Matrix, PairRow};

    /// Two disks of mass 1 on top of each other, pressed down at 1 m/s, contacts along the normal alone.
    fn pile() -> Problem<2, Condensed<2>> {
        let along = |sign: f64| Matrix::<2, 3>::new(sign, 0.0, 0.0, 0.0, 0.0, 0.0);
        let rows = [
            PairRow::new([1, 0], [along(1.0), along(-1.0)]),
            PairRow::new([2, 1], [along(1.0), along(-1.0)]),
        ];
        let masses = vec![Vector::<3>::zeros(), Vector::<3>::repeat(1.0), Vector::<3>::repeat(1.0)];
        let u_free = vec![Vector::<2>::new(-1.0, 0.0), Vector::<2>::zeros()];
        let w = Condensed::new(&rows, Compliances::diagonal(masses));
        Problem { w, u_free, sets: vec![Set::Coulomb { mu: 0.5 }; 2] }
    }

    fn gap_of(r: &[Vector<2>]) -> WorkGap {
        let problem = pile();
        work_gap(&problem, &problem.velocities(r), r)
    }

    #[test]
    fn impulses_that_are_too_small_everywhere_show_by_how_much() {
        let exact = [Vector::<2>::new(2.0, 0.0), Vector::<2>::new(1.0, 0.0)];
        assert!(gap_of(&exact).absolute < 1e-15);
        for alpha in [0.5, 0.75, 1.25, 2.0] {
            let gap = gap_of(&exact.map(|r| r * alpha));
            assert!((gap.signed + (1.0 - alpha) / alpha).abs() < 1e-14, "{alpha}: {gap:?}");
            assert!(gap.is_within(1.01 * (1.0 - alpha).abs() / alpha));
            assert!(!gap.is_within(0.99 * (1.0 - alpha).abs() / alpha));
        }
    }

    #[test]
    fn without_impulses_there_is_no_gap() {
        assert_eq!(gap_of(&[Vector::zeros(); 2]), WorkGap::default());
    }

    /// At a solution of each set the work is what its friction may dissipate, and nothing is left.
    #[test]
    fn solutions_of_every_set_waste_nothing() {
        let slides = Vector::<3>::new(0.0, 3.0, 4.0);
        let rows: [(Set, Vector<3>, Vector<3>); 7] = [
            (
                Set::Bearing { held: 1, base: 0.5, factor: 0.25, apart: false },
                slides,
                Vector::<3>::new(-2.0, -0.6, -0.8),
            ),
            (Set::Coulomb { mu: 0.5 }, slides, Vector::<3>::new(2.0, -0.6, -0.8)),
            (Set::Coulomb { mu: 0.5 }, Vector::zeros(), Vector::<3>::new(2.0, 0.1, 0.2)),
            (Set::Orowan { mu: 0.5, cap: 0.5 }, slides, Vector::<3>::new(2.0, -0.3, -0.4)),
            (Set::Tresca { cap: 0.5 }, slides, Vector::<3>::new(7.0, -0.3, -0.4)),
            (Set::Bilateral { rows: 1 }, slides, Vector::<3>::new(-5.0, 0.0, 0.0)),
            (
                Set::Rolling { mu: 0.5, rolling: 0.25, twisting: None, sliding: 1 },
                Vector::<3>::new(0.0, 3.0, -2.0),
                Vector::<3>::new(2.0, -1.0, 0.5),
            ),
        ];
        for (set, u, r) in rows {
            assert!(wasted(&set, &u, &r).abs() < 1e-15, "{set:?}");
            assert!(wasted(&set, &(u * 2.0 + Vector::<3>::new(1.0, 0.0, 0.0)), &r).abs() > 0.1, "{set:?}");
        }
    }
}
