//! From the numbers of a file to a problem on its contacts alone: sizes checked against each other, bodies
//! and constraints eliminated. Knows no solver and no file layout.

use super::Place;
use super::condense::{Factors, NoFactors};
use super::contents::{Contents, ProblemKind};
use super::sparse::Sparse;
use crate::IoError;
use drystone_problem::Set;

/// What was eliminated to leave the contacts alone.
#[derive(Debug)]
pub(crate) enum Eliminated {
    Nothing,
    /// `λ = −R⁻¹(Vᵀ r + s)`, for the constraints of a local problem.
    Constraints {
        v: Sparse,
        factors: Factors,
        s: Vec<f64>,
    },
    /// `K x = H r + f` with `x = (v, λ)`: K is M, bordered by −G and Gᵀ where there are constraints; H has
    /// empty rows and f the values −b there.
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
pub(crate) struct Flat {
    /// Components at a contact.
    pub dimension: usize,
    pub w: Vec<(u32, u32, f64)>,
    pub q: Vec<f64>,
}

/// Components at a contact.
pub(crate) fn dimension(contents: &Contents, place: &Place) -> Result<usize, IoError> {
    let at = format!("{}/spacedim", contents.kind.group());
    let (spacedim, contacts) = (contents.spacedim, contents.vector("mu").len());
    let columns = contents.matrix("H").map_or(0, |h| h.columns);
    match (contents.kind, spacedim) {
        (ProblemKind::Local | ProblemKind::Global, 2 | 3) => Ok(spacedim as usize),
        (ProblemKind::Local | ProblemKind::Global, _) => Err(place.wrong(&at, spacedim, "2 or 3")),
        // some files give the dimension of the space, some the components at a contact
        (ProblemKind::Rolling, 3 | 5) if columns == 5 * contacts => Ok(5),
        (ProblemKind::Rolling, 3) => Ok(3),
        (ProblemKind::Rolling, 5) => Ok(5),
        (ProblemKind::Rolling, _) => Err(place.wrong(&at, spacedim, "3 or 5")),
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

/// A local problem, its constraints eliminated.
pub(crate) fn local(
    contents: &Contents,
    place: &Place,
    dimension: usize,
) -> Result<(Flat, Eliminated), IoError> {
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

/// A global problem, its bodies and constraints eliminated.
pub(crate) fn global(
    contents: &Contents,
    place: &Place,
    dimension: usize,
) -> Result<(Flat, Eliminated), IoError> {
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
pub(crate) fn sets(contents: &Contents, place: &Place, dimension: usize) -> Result<Vec<Set>, IoError> {
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
    if contents.kind != ProblemKind::Rolling {
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
    // in the plane normal, tangent, rolling; in space normal, two tangents, two of rolling
    let sliding = (dimension - 1) / 2;
    let set = |(&mu, &rolling)| Set::Rolling { mu, rolling, twisting: None, sliding };
    Ok(mu.iter().zip(rolling).map(set).collect())
}

/// Checks the lengths of the solution and the guesses.
pub(crate) fn check_unknowns(contents: &Contents, place: &Place, dimension: usize) -> Result<(), IoError> {
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
