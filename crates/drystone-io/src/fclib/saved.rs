//! A saved problem made ready for the solvers, and its answer on the way back. Holds the bodies of a global problem
//! only as what was eliminated.

use super::Place;
use super::condense::{Factors, NoFactors};
use super::contents::{Contents, Info, Kind};
use super::sparse::Sparse;
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

/// What was eliminated to leave the contacts alone.
#[derive(Debug)]
enum Eliminated {
    Nothing,
    /// `λ = −R⁻¹(Vᵀ r + s)`, for the constraints of a local problem.
    Constraints {
        v: Sparse,
        factors: Factors,
        s: Vec<f64>,
    },
    /// `K x = H r + f` with `x = (v, λ)`: K is M, bordered by −G and Gᵀ where there are constraints; H has empty rows
    /// and f the values −b there.
    Bodies {
        k: Sparse,
        factors: Factors,
        h: Sparse,
        f: Vec<f64>,
        w: Vec<f64>,
        velocities: usize,
    },
}

/// The numbers of a problem on its contacts, flat.
struct Flat {
    /// Components at a contact.
    dimension: usize,
    w: Vec<(u32, u32, f64)>,
    q: Vec<f64>,
}

impl Saved {
    /// Reads a file and condenses what it holds.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, IoError> {
        let (contents, place) = Contents::read(path.as_ref())?;
        let dimension = dimension(&contents, &place)?;
        let (flat, eliminated) = match contents.kind {
            Kind::Local => local(&contents, &place, dimension)?,
            Kind::Global | Kind::Rolling => global(&contents, &place, dimension)?,
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
        self.contents.kind != Kind::Local
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

    /// Writes the file again with the solution that belongs to the impulses `r`: `u`, `r`, for a global problem `v`, and
    /// `l` where there are constraints.
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

/// Components at a contact.
fn dimension(contents: &Contents, place: &Place) -> Result<usize, IoError> {
    let at = format!("{}/spacedim", contents.kind.group());
    let (spacedim, contacts) = (contents.spacedim, contents.vector("mu").len());
    let columns = contents.matrix("H").map_or(0, |h| h.columns);
    match (contents.kind, spacedim) {
        (Kind::Local | Kind::Global, 2 | 3) => Ok(spacedim as usize),
        (Kind::Local | Kind::Global, _) => Err(place.wrong(&at, spacedim, "2 or 3")),
        // some files give the dimension of the space, some the components at a contact
        (Kind::Rolling, 3 | 5) if columns == 5 * contacts => Ok(5),
        (Kind::Rolling, 3) => Ok(3),
        (Kind::Rolling, 5) => Ok(5),
        (Kind::Rolling, _) => Err(place.wrong(&at, spacedim, "3 or 5")),
    }
}

/// Checks the length of a vector.
fn check_length(place: &Place, at: String, found: usize, wanted: usize, why: &str) -> Result<(), IoError> {
    if found == wanted {
        return Ok(());
    }
    Err(place.wrong(&at, format!("{found} entries"), format!("{wanted}, {why}")))
}

/// Checks the size of a matrix.
fn check_size(
    place: &Place,
    at: String,
    matrix: &Sparse,
    wanted: [usize; 2],
    why: &str,
) -> Result<(), IoError> {
    if [matrix.rows, matrix.columns] == wanted {
        return Ok(());
    }
    let [rows, columns] = wanted;
    Err(place.wrong(
        &at,
        format!("{} × {}", matrix.rows, matrix.columns),
        format!("{rows} × {columns}, {why}"),
    ))
}

/// A matrix that cannot be eliminated.
fn no_factors(place: &Place, at: String) -> impl FnOnce(NoFactors) -> IoError {
    let path = place.path.clone();
    move |reason| {
        let found = match reason {
            NoFactors::Singular(unknown) => format!("a singular matrix (at unknown {unknown})"),
            NoFactors::TooLarge(size, band) => format!("{size} coupled unknowns with a band of {band}"),
        };
        let allowed = "a regular matrix whose factors take at most 1 GiB".to_owned();
        IoError::Problem { path, place: at, found, allowed }
    }
}

fn local(contents: &Contents, place: &Place, dimension: usize) -> Result<(Flat, Eliminated), IoError> {
    let at = |name: &str| format!("fclib_local/{name}");
    let size = dimension * contents.vector("mu").len();
    let empty = Sparse::default();
    let w = contents.matrix("W").unwrap_or(&empty);
    check_size(place, at("W"), w, [size, size], "spacedim for each entry of mu")?;
    let mut q = contents.vector("q").to_vec();
    check_length(place, at("vectors/q"), q.len(), size, "spacedim for each entry of mu")?;
    let mut entries = w.summed();
    let (Some(v), Some(r)) = (contents.matrix("V"), contents.matrix("R")) else {
        return Ok((Flat { dimension, w: entries, q }, Eliminated::Nothing));
    };
    let constraints = r.rows;
    check_size(place, at("R"), r, [constraints, constraints], "a square matrix")?;
    check_size(place, at("V"), v, [size, constraints], "as W and R ask for")?;
    let s = contents.vector("s").to_vec();
    check_length(place, at("vectors/s"), s.len(), constraints, "one for each row of R")?;
    let factors = Factors::new(r).map_err(no_factors(place, at("R")))?;
    // u = (W − V R⁻¹ Vᵀ) r + q − V R⁻¹ s
    let transposed = Sparse {
        rows: v.columns,
        columns: v.rows,
        entries: v.entries.iter().map(|&(row, column, value)| (column, row, value)).collect(),
    };
    let taken = factors.condense(&transposed, &transposed);
    entries.extend(taken.into_iter().map(|(row, column, value)| (row, column, -value)));
    let mut held = s.clone();
    factors.solve(&mut held);
    held.iter_mut().for_each(|value| *value = -*value);
    v.add_times(&held, &mut q);
    Ok((Flat { dimension, w: entries, q }, Eliminated::Constraints { v: v.clone(), factors, s }))
}

fn global(contents: &Contents, place: &Place, dimension: usize) -> Result<(Flat, Eliminated), IoError> {
    let at = |name: &str| format!("{}/{name}", contents.kind.group());
    let size = dimension * contents.vector("mu").len();
    let empty = Sparse::default();
    let (m, h) = (contents.matrix("M").unwrap_or(&empty), contents.matrix("H").unwrap_or(&empty));
    let velocities = m.rows;
    check_size(place, at("M"), m, [velocities, velocities], "a square matrix")?;
    check_size(place, at("H"), h, [velocities, size], "rows as M, columns as spacedim and mu ask for")?;
    let mut f = contents.vector("f").to_vec();
    check_length(place, at("vectors/f"), f.len(), velocities, "one for each row of M")?;
    let w = contents.vector("w").to_vec();
    check_length(place, at("vectors/w"), w.len(), size, "spacedim for each entry of mu")?;
    let (mut k, mut h) = (m.clone(), h.clone());
    if let Some(g) = contents.matrix("G") {
        let constraints = g.columns;
        check_size(place, at("G"), g, [velocities, constraints], "rows as M")?;
        let b = contents.vector("b");
        check_length(place, at("vectors/b"), b.len(), constraints, "one for each column of G")?;
        (k.rows, k.columns, h.rows) =
            (velocities + constraints, velocities + constraints, velocities + constraints);
        for &(row, column, value) in &g.entries {
            let beside = velocities as u32 + column;
            k.entries.extend([(row, beside, -value), (beside, row, value)]);
        }
        f.extend(b.iter().map(|value| -value));
    }
    let factors = Factors::new(&k).map_err(no_factors(place, at("M")))?;
    let entries = factors.condense(&h, &h);
    let mut free = f.clone();
    factors.solve(&mut free);
    let mut q = w.clone();
    h.add_transposed_times(&free, &mut q);
    let eliminated = Eliminated::Bodies { k, factors, h, f, w, velocities };
    Ok((Flat { dimension, w: entries, q }, eliminated))
}

/// The canonical sets of the contacts.
fn sets(contents: &Contents, place: &Place, dimension: usize) -> Result<Vec<Set>, IoError> {
    let group = contents.kind.group();
    let friction = |name: &str| {
        let values = contents.vector(name);
        match values.iter().position(|&value| value < 0.0) {
            Some(entry) => {
                let found = format!("entry {entry} is {}", values[entry]);
                Err(place.wrong(&format!("{group}/vectors/{name}"), found, "0 or more"))
            }
            None => Ok(values),
        }
    };
    let mu = friction("mu")?;
    if contents.kind != Kind::Rolling {
        return Ok(mu.iter().map(|&mu| Set::Coulomb { mu }).collect());
    }
    let rolling = friction("mu_r")?;
    check_length(
        place,
        format!("{group}/vectors/mu_r"),
        rolling.len(),
        mu.len(),
        "one for each entry of mu",
    )?;
    let _ = dimension;
    Err(place.wrong(group, "rolling friction", "sliding friction"))
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

/// Checks the lengths of the solution and the guesses.
fn check_unknowns(contents: &Contents, place: &Place, dimension: usize) -> Result<(), IoError> {
    let size = dimension * contents.vector("mu").len();
    let velocities = contents.matrix("M").map_or(0, |m| m.rows);
    let all =
        contents.guesses.iter().enumerate().map(|(index, guess)| (format!("guesses/{}", index + 1), guess));
    for (group, unknowns) in all.chain([("solution".to_owned(), &contents.solution)]) {
        for (name, values) in unknowns {
            let wanted = match *name {
                "v" => velocities,
                "u" | "r" => size,
                _ => continue,
            };
            check_length(place, format!("{group}/{name}"), values.len(), wanted, "as the problem asks for")?;
        }
    }
    Ok(())
}
