//! A multiplier below which no mechanism of Coulomb's friction exists, proved. In the plane, for joints of
//! plain friction; refuses the rest.

use super::forces::{Entry, Forces, Mode};
use super::program::{Affine, Optimum};
use super::{Hold, Multiplier, StaticsError, Structure};
use drystone_math::PerDof;
use drystone_problem::{Set, Vector};
use rayon::prelude::*;

/// Width of the bracket, relative to its upper end, at which the search ends.
const FINE: f64 = 1e-4;

/// Points of a joint slide alike if their rows of H differ by less, relative to the largest entry.
const ALIKE: f64 = 1e-6;

/// Points that always slide together, and their friction.
struct Sliding {
    rows: Vec<usize>,
    mu: f64,
}

impl<const D: usize> Structure<D> {
    /// A multiplier below which no mechanism of Coulomb's friction exists on which the live load does
    /// positive work, for any forces; `most` is where to begin, a multiplier with admissible forces. `None`
    /// where nothing is proved: in space, with other sets than Coulomb's, or where friction that is certain
    /// does not hold the structure at all.
    ///
    /// Let a joint carry at least `n` in every admissible state up to λ̄. Friction `‖s_T‖ ≤ μ n`, whatever
    /// its own normal force, then never exceeds what Coulomb's friction dissipates there,
    /// `μ r_N ‖u_T‖ ≥ −s_T·u_T`. With forces `s` of that kind in balance at `λ_G`, the power balance of a
    /// mechanism `(v, r)` at λ gives `(λ − λ_G) live·v ≥ 0` (Radenkovic 1961, with the normal forces
    /// bounded). If `λ_G ≥ λ̄`, no λ below λ̄ has such a mechanism. λ̄ is found by bisection, each step a
    /// programme for every joint.
    pub fn proven(
        &self,
        dead: &[PerDof<D>],
        live: &[PerDof<D>],
        most: f64,
    ) -> Result<Option<f64>, StaticsError> {
        let Some(joints) = self.sliding() else { return Ok(None) };
        if most <= 0.0 || !most.is_finite() {
            return Ok(None);
        }
        // the digits of the programmes are on the safe side
        let holds = |lambda: f64| -> Result<bool, StaticsError> {
            let least = self.least_normals(dead, live, lambda, &joints)?;
            let friction = joints.iter().zip(least);
            let mut certain = self.clone();
            certain.holds.iter_mut().for_each(|hold| *hold = Hold::new(Set::Coulomb { mu: 0.0 }));
            for (joint, least) in friction {
                // friction of points that slide alike acts along one line: any of them will do
                certain.holds[joint.rows[0]] = Hold::new(Set::Tresca { cap: joint.mu * least });
            }
            Ok(matches!(certain.limit(dead, live)?, Multiplier::Largest(limit) if limit.multiplier >= lambda))
        };
        let (mut low, mut high) = (0.0, most);
        if holds((1.0 - FINE) * most)? {
            return Ok(Some((1.0 - FINE) * most));
        }
        while high - low > FINE * most {
            let middle = 0.5 * (low + high);
            // a programme that gives up proves nothing
            if holds(middle).unwrap_or(false) { low = middle } else { high = middle }
        }
        Ok((low > 0.0).then_some(low))
    }

    /// Points that slide alike; `None` where the proof does not hold.
    fn sliding(&self) -> Option<Vec<Sliding>> {
        if D != 2 {
            return None;
        }
        let mut all: Vec<Sliding> = Vec::new();
        for rows in &self.joints {
            let first = all.len();
            for &row in rows {
                let Hold { set: Set::Coulomb { mu }, offset, follows: None } = self.holds[row] else {
                    return None;
                };
                if offset.iter().any(|&x| x != 0.0) {
                    return None;
                }
                let alike = |other: &Sliding| other.mu == mu && self.alike(row, other.rows[0]);
                match all[first..].iter().position(alike) {
                    Some(known) => all[first + known].rows.push(row),
                    None => all.push(Sliding { rows: vec![row], mu }),
                }
            }
        }
        Some(all)
    }

    /// Whether two rows slide alike whatever the bodies do.
    fn alike(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.rows[a], &self.rows[b]);
        a.bodies == b.bodies
            && (0..2).all(|side| {
                let size = a.h[side].iter().flatten().fold(0.0, |size: f64, x| size.max(x.abs()));
                let mut both = a.h[side].iter().zip(&*b.h[side]);
                both.all(|(a, b)| (a[1] - b[1]).abs() <= ALIKE * size)
            })
    }

    /// The least normal force of every joint over all admissible forces with multipliers from 0 to `lambda`.
    fn least_normals(
        &self,
        dead: &[PerDof<D>],
        live: &[PerDof<D>],
        lambda: f64,
        joints: &[Sliding],
    ) -> Result<Vec<f64>, StaticsError> {
        let equations = self.equations(dead, Some(live));
        let scale = self.scale(&[dead, live]);
        let forces = Forces::new(&equations, &self.holds, vec![Mode::Whole; self.rows.len()], scale);
        let multiplier = forces.extra(0);
        let mut program = forces.program(1, &Entry { live: Some(multiplier), ..Entry::default() });
        program.positive(Affine::of(multiplier));
        program.positive(Affine { terms: vec![(multiplier, -1.0)], constant: lambda });
        let normal = Vector::from_fn(|i, _| if i == 0 { 1.0 } else { 0.0 });
        let least = |joint: &Sliding| -> Result<f64, StaticsError> {
            let sum: Vec<(usize, Vector<D>)> = joint.rows.iter().map(|&row| (row, normal)).collect();
            match program.minimise(&forces.cost(&sum))? {
                Optimum::Best { values, .. } => Ok((scale * values[0].min(values[1])).max(0.0)),
                Optimum::Unbounded | Optimum::None(_) => Ok(0.0),
            }
        };
        joints.par_iter().map(least).collect()
    }
}
