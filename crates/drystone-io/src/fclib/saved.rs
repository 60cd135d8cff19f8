//! A saved problem made ready for the solvers, and its answer on the way back. Holds the bodies of a global
//! problem only as what was eliminated.

use super::contents::{Contents, Info, ProblemKind};
use super::reduce::{Eliminated, Flat, check_unknowns, dimension, global, local, sets};
use crate::IoError;
use drystone_math::{Matrix, Vector};
use drystone_problem::{BlockRows, Blocks, Problem, Set, siconos_error};
use std::path::Path;

/// A problem condensed on its contacts, by the number of components at a contact.
#[derive(Clone, Debug)]
pub enum SavedProblem {
    /// Normal and one tangent.
    Plane(Problem<2, Blocks<2>>),
    /// Normal and two tangents, or normal, tangent and rolling in the plane.
    Space(Problem<3, Blocks<3>>),
    /// Normal, two tangents and two rolling components.
    Rolling(Problem<5, Blocks<5>>),
}

/// A saved problem.
#[derive(Debug)]
pub struct Saved {
    /// The condensed problem.
    pub problem: SavedProblem,
    contents: Contents,
    eliminated: Eliminated,
}

impl Saved {
    /// Reads a file and condenses what it holds.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, IoError> {
        let (contents, place) = Contents::read(path.as_ref())?;
        let dimension = dimension(&contents, &place)?;
        let (flat, eliminated) = match contents.kind {
            ProblemKind::Local => local(&contents, &place, dimension)?,
            ProblemKind::Global | ProblemKind::Rolling => global(&contents, &place, dimension)?,
        };
        let sets = sets(&contents, &place, dimension)?;
        let problem = match dimension {
            2 => SavedProblem::Plane(assemble(flat, sets)),
            3 => SavedProblem::Space(assemble(flat, sets)),
            _ => SavedProblem::Rolling(assemble(flat, sets)),
        };
        check_unknowns(&contents, &place, dimension)?;
        Ok(Self { problem, contents, eliminated })
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.contents.vector("mu").len()
    }

    /// Components at a contact.
    pub fn dimension(&self) -> usize {
        match self.problem {
            SavedProblem::Plane(_) => 2,
            SavedProblem::Space(_) => 3,
            SavedProblem::Rolling(_) => 5,
        }
    }

    /// Whether the file holds the bodies as well.
    pub fn is_global(&self) -> bool {
        self.contents.kind != ProblemKind::Local
    }

    /// The words of the file.
    pub fn info(&self) -> &Info {
        &self.contents.info
    }

    /// Velocities of the bodies under the impulses `r`, `v = M⁻¹(H r + f)`; none for a local problem.
    pub fn velocities<const D: usize>(&self, r: &[Vector<D>]) -> Option<Vec<f64>> {
        let Eliminated::Bodies { velocities, .. } = &self.eliminated else { return None };
        let mut x = self.bodies(&flat(r))?;
        x.truncate(*velocities);
        Some(x)
    }

    /// The error that Siconos reports, which depends on units: for a local problem
    /// [`drystone_problem::siconos_error`], for a global one
    /// `‖f + H r − M v‖ / max(‖f‖, ‖M v‖, ‖H r‖) + √Σ‖r − P(r − û)‖² / max(‖u‖, ‖r‖)`.
    pub fn siconos_error<const D: usize>(&self, problem: &Problem<D, Blocks<D>>, r: &[Vector<D>]) -> f64 {
        let Eliminated::Bodies { k, h, f, w, velocities, .. } = &self.eliminated else {
            return siconos_error(problem, &problem.velocities(r), r);
        };
        let r_flat = flat(r);
        let Some(x) = self.bodies(&r_flat) else { return f64::INFINITY };
        let (mut moved, mut pushed, mut u) = (vec![0.0; f.len()], vec![0.0; f.len()], w.clone());
        k.add_times(&x, &mut moved);
        h.add_times(&r_flat, &mut pushed);
        h.add_transposed_times(&x, &mut u);
        let dynamics =
            (0..*velocities).map(|row| (f[row] + pushed[row] - moved[row]).powi(2)).sum::<f64>().sqrt();
        let norm = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>().sqrt();
        let scale =
            norm(&f[..*velocities]).max(norm(&moved[..*velocities])).max(norm(&pushed[..*velocities]));
        let law: f64 = (0..problem.contacts())
            .map(|alpha| {
                let u = Vector::<D>::from_fn(|component, _| u[alpha * D + component]);
                problem.sets[alpha].natural_map(1.0, &u, &r[alpha]).norm_squared()
            })
            .sum();
        let part = |error: f64, scale: f64| if error == 0.0 { 0.0 } else { error / scale };
        let error = part(dynamics, scale) + part(law.sqrt(), norm(&u).max(norm(&r_flat)));
        if error.is_nan() { f64::INFINITY } else { error }
    }

    /// Writes the file again with the solution that belongs to the impulses `r`: `u`, `r`, for a global
    /// problem `v`, and `l` where there are constraints.
    pub fn write_solved<const D: usize>(
        &self,
        path: impl AsRef<Path>,
        problem: &Problem<D, Blocks<D>>,
        r: &[Vector<D>],
    ) -> Result<(), IoError> {
        let mut contents = self.contents.clone();
        let r_flat = flat(r);
        contents.solution = Vec::new();
        if let (Eliminated::Bodies { velocities, .. }, Some(x)) = (&self.eliminated, self.bodies(&r_flat)) {
            contents.solution.push(("v", x[..*velocities].to_vec()));
            if x.len() > *velocities {
                contents.solution.push(("l", x[*velocities..].to_vec()));
            }
        }
        if let Eliminated::Constraints { v, factors, s } = &self.eliminated {
            let mut l = s.clone();
            v.add_transposed_times(&r_flat, &mut l);
            factors.solve(&mut l);
            contents.solution.push(("l", l.into_iter().map(|value| -value).collect()));
        }
        contents.solution.push(("u", flat(&problem.velocities(r))));
        contents.solution.push(("r", r_flat));
        contents.write(path.as_ref())
    }

    /// The impulses of a guess of the file, counted from 0.
    pub fn guess<const D: usize>(&self, index: usize) -> Option<Vec<Vector<D>>> {
        let r = &self.contents.guesses.get(index)?.iter().find(|entry| entry.0 == "r")?.1;
        (r.len() == D * self.contacts()).then(|| r.chunks(D).map(Vector::from_column_slice).collect())
    }

    /// `x = (v, λ)` under the impulses `r`, with one step of refinement.
    fn bodies(&self, r: &[f64]) -> Option<Vec<f64>> {
        let Eliminated::Bodies { k, factors, h, f, .. } = &self.eliminated else { return None };
        let mut load = f.clone();
        h.add_times(r, &mut load);
        let mut x = load.clone();
        factors.solve(&mut x);
        let mut missing = vec![0.0; x.len()];
        k.add_times(&x, &mut missing);
        missing.iter_mut().zip(&load).for_each(|(missing, load)| *missing = load - *missing);
        factors.solve(&mut missing);
        x.iter_mut().zip(&missing).for_each(|(x, missing)| *x += missing);
        Some(x)
    }
}

fn flat<const D: usize>(values: &[Vector<D>]) -> Vec<f64> {
    values.iter().flat_map(|value| value.iter().copied()).collect()
}

/// Puts flat numbers into blocks. Stored zeros that fill a block alone are dropped.
fn assemble<const D: usize>(flat: Flat, sets: Vec<Set>) -> Problem<D, Blocks<D>> {
    debug_assert_eq!(flat.dimension, D);
    let block_of = |entry: &(u32, u32, f64)| (entry.0 / D as u32, entry.1 / D as u32);
    let mut entries = flat.w;
    entries.retain(|entry| entry.2 != 0.0);
    entries.sort_by_key(block_of);
    let blocks = entries.chunk_by(|a, b| block_of(a) == block_of(b)).filter_map(|group| {
        let (row, column) = block_of(group.first()?);
        let mut block = Matrix::<D, D>::zeros();
        for &(i, j, value) in group {
            block[(i as usize % D, j as usize % D)] += value;
        }
        Some((row, column, block))
    });
    let w = Blocks::new(BlockRows::from_triplets(sets.len(), blocks.collect()));
    let u_free = flat.q.chunks(D).map(Vector::from_column_slice).collect();
    Problem { w, u_free, sets }
}
