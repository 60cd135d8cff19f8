//! Our own problems as FCLIB files: local, W assembled. Refuses laws the format does not know.

use super::Place;
use super::contents::{Contents, Info, ProblemKind};
use super::sparse::Sparse;
use crate::IoError;
use drystone_math::Vector;
use drystone_problem::{Delassus, Problem, Set};
use std::path::Path;

/// Writes a problem as a local FCLIB file, with a guess and a solution where they are given.
pub fn write_problem<const D: usize, W: Delassus<D>>(
    path: impl AsRef<Path>,
    problem: &Problem<D, W>,
    info: &Info,
    guess: Option<&[Vector<D>]>,
    solution: Option<&[Vector<D>]>,
) -> Result<(), IoError> {
    let place = Place { path: path.as_ref().to_owned() };
    let mut mu = Vec::with_capacity(problem.contacts());
    for (alpha, set) in problem.sets.iter().enumerate() {
        let Set::Coulomb { mu: here } = *set else {
            return Err(place.wrong(
                "fclib_local",
                format!("contact {alpha} with {set:?}"),
                "Coulomb's law alone",
            ));
        };
        mu.push(here);
    }
    let rows = problem.w.assemble();
    let mut entries = Vec::new();
    for row in 0..rows.rows() {
        for (column, block) in rows.row(row) {
            for i in 0..D {
                for j in 0..D {
                    entries.push(((row * D + i) as u32, (column * D + j) as u32, block[(i, j)]));
                }
            }
        }
    }
    let size = D * problem.contacts();
    if entries.len() > i32::MAX as usize {
        return Err(place.wrong("fclib_local/W", format!("{} entries", entries.len()), "at most 2147483647"));
    }
    let flat =
        |values: &[Vector<D>]| values.iter().flat_map(|value| value.iter().copied()).collect::<Vec<_>>();
    let unknowns = |r: &[Vector<D>]| vec![("u", flat(&problem.velocities(r))), ("r", flat(r))];
    let contents = Contents {
        kind: ProblemKind::Local,
        spacedim: D as i64,
        info: info.clone(),
        matrices: vec![("W", Sparse { rows: size, columns: size, entries })],
        vectors: vec![("q", flat(&problem.u_free)), ("mu", mu)],
        guesses: guess.map(unknowns).into_iter().collect(),
        solution: solution.map(unknowns).unwrap_or_default(),
    };
    contents.write(path.as_ref())
}
