//! The rows of the programme, by rays or by whole cones, and the impulses that their multipliers are. Solves
//! nothing.

use super::super::balance::{Cone, widened};
use super::{Contest, Question, norm};
use drystone_cones::{ConeBlock, ConeProgram};

/// A direction of a cone.
pub(super) struct Ray {
    /// Unknowns and their shares, the sum of whose sizes is at most 1.
    pub(super) entries: Vec<(usize, f64)>,
}

impl<const D: usize> Contest<'_, D> {
    /// The programme: rows of links, rays or whole cones, and bounds.
    pub(super) fn program(&self, question: Question, by_rays: bool) -> ConeProgram {
        let still = vec![0.0; self.balance.unknowns()];
        let velocity = match question {
            Question::Against(velocity) => velocity,
            Question::Any => &still,
        };
        let p = self.equations();
        let mut program = ConeProgram::new(p + 1 + if by_rays { 0 } else { self.spare() });
        program.add_cost(p, -1.0);
        for &link in &self.links {
            program.row(self.columns[link].iter().copied(), -velocity[link]);
        }
        program.cone(ConeBlock::Zero(self.links.len()));
        match by_rays {
            true => self.ray_rows(&mut program, velocity),
            false => self.cone_rows(&mut program, velocity),
        }
        match question {
            Question::Against(_) => {
                program.row([(p, 1.0)], 1.0);
                program.cone(ConeBlock::Nonnegative(1));
            }
            Question::Any => {
                for equation in 0..p {
                    program.row([(equation, 1.0)], 1.0);
                    program.row([(equation, -1.0)], 1.0);
                }
                program.cone(ConeBlock::Nonnegative(2 * p));
            }
        }
        program
    }

    fn ray_rows(&self, program: &mut ConeProgram, velocity: &[f64]) {
        for ray in &self.rays {
            let along = ray.entries.iter().flat_map(|&(unknown, share)| {
                self.columns[unknown].iter().map(move |&(equation, value)| (equation, -share * value))
            });
            let power = ray.entries.iter().map(|&(unknown, share)| share * velocity[unknown]).sum();
            program.row(along.chain([(self.equations(), 1.0)]), power);
        }
        program.cone(ConeBlock::Nonnegative(self.rays.len()));
    }

    /// Unknowns that share the friction of a contact out among several disks.
    fn spare(&self) -> usize {
        self.balance.cones.iter().map(|cone| cone.disks.len()).filter(|&disks| disks > 1).sum()
    }

    /// The whole cones: `u_N − Σ t_k ≥ p`, `t_k ≥ μ_k ‖u_k‖`, all divided by `1 + Σ μ_k`; with one disk there
    /// is no need of `t`.
    fn cone_rows(&self, program: &mut ConeProgram, velocity: &[f64]) {
        let p = self.equations();
        let mut spare = p + 1;
        for cone in &self.balance.cones {
            let Some(normal) = cone.normal else { continue };
            let width = 1.0 / self.width(cone);
            let times = |unknown: usize, factor: f64| {
                self.columns[unknown].iter().map(move |&(equation, value)| (equation, -factor * value))
            };
            let single = cone.disks.len() == 1;
            let shares = if single { 0 } else { cone.disks.len() };
            let parts = (spare..spare + shares).map(|t| (t, width));
            program.row(times(normal, width).chain([(p, 1.0)]).chain(parts), width * velocity[normal]);
            if !single {
                program.cone(ConeBlock::Nonnegative(1));
            }
            for (index, (tangents, mu)) in cone.disks.iter().enumerate() {
                let mu = widened(*mu, self.factor) * width;
                if !single {
                    program.row([(spare + index, -width)], 0.0);
                }
                for tangent in tangents.clone() {
                    program.row(times(tangent, mu), mu * velocity[tangent]);
                }
                program.cone(ConeBlock::SecondOrder(1 + tangents.len()));
            }
            spare += shares;
        }
    }

    pub(super) fn width(&self, cone: &Cone) -> f64 {
        1.0 + cone.disks.iter().map(|(_, mu)| widened(*mu, self.factor)).sum::<f64>()
    }

    /// The impulses of multipliers of the whole cones.
    pub(super) fn impulses_of_cones(&self, z: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.balance.unknowns()];
        self.links.iter().zip(z).for_each(|(&link, z)| x[link] = -z);
        let mut row = self.links.len();
        for cone in &self.balance.cones {
            let Some(normal) = cone.normal else { continue };
            let width = 1.0 / self.width(cone);
            x[normal] = width * z[row];
            row += 1;
            for (tangents, mu) in &cone.disks {
                row += usize::from(cone.disks.len() > 1);
                for tangent in tangents.clone() {
                    x[tangent] = widened(*mu, self.factor) * width * z[row];
                    row += 1;
                }
            }
        }
        x
    }
}

impl Ray {
    /// A ray, divided by the sum of its entries: `(1, ±μ, …)/(1 + Σ μ)`.
    pub(super) fn new(mut entries: Vec<(usize, f64)>) -> Self {
        let sum: f64 = entries.iter().map(|(_, share)| share.abs()).sum();
        entries.iter_mut().for_each(|(_, share)| *share /= sum);
        Self { entries }
    }

    /// The ray whose friction is along a vector, or against it.
    pub(super) fn along(
        normal: usize,
        disks: &[(std::ops::Range<usize>, f64)],
        factor: f64,
        vector: &[f64],
        sign: f64,
    ) -> Self {
        let width = 1.0 + disks.iter().map(|(_, mu)| widened(*mu, factor)).sum::<f64>();
        let mut entries = vec![(normal, 1.0 / width)];
        for (tangents, mu) in disks {
            let length = norm(&vector[tangents.clone()]);
            // a hair inside, so that rounding does not put it outside
            let share = sign * widened(*mu, factor) * (1.0 - 4.0 * f64::EPSILON) / (width * length);
            if length > 0.0 {
                entries.extend(tangents.clone().map(|tangent| (tangent, share * vector[tangent])));
            }
        }
        Self { entries }
    }
}
