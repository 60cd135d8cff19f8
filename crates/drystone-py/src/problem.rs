//! Contact problems from arrays and from files, solved and diagnosed by the library.

use crate::convert::rows;
use crate::errors;
use crate::threads::detach;
use drystone_diagnose::{Diagnosis, diagnose};
use drystone_io::{Saved, SavedProblem};
use drystone_problem::{BlockRows, Blocks, Matrix, Params, Problem, Report, Set, Vector, siconos_error};
use drystone_solvers::{Method, remedies};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// What a solver is told.
struct Asked {
    params: Params,
    thorough: bool,
}

impl Asked {
    fn new(method: &str, tolerance: f64, max_iterations: u32, thorough: bool) -> PyResult<Self> {
        let Some(method) = Method::named(method) else {
            let allowed = Method::ALL.map(Method::name).join(", ");
            return Err(PyValueError::new_err(format!("there is no method {method:?}; allowed: {allowed}")));
        };
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(PyValueError::new_err(format!(
                "tolerance is {tolerance}; allowed are numbers above 0"
            )));
        }
        let params = Params { method, tolerance, max_iterations, ..Params::default() };
        Ok(Self { params, thorough })
    }
}

/// A solved problem.
struct Solved<const D: usize> {
    r: Vec<Vector<D>>,
    u: Vec<Vector<D>>,
    report: Report,
    error: f64,
    diagnosis: Option<Diagnosis<D>>,
}

fn solved<const D: usize>(
    problem: &Problem<D, Blocks<D>>,
    mut r: Vec<Vector<D>>,
    asked: &Asked,
    error: impl Fn(&[Vector<D>]) -> f64,
) -> Solved<D> {
    let report = drystone_solvers::solve(problem, &mut r, &asked.params, 0);
    let diagnosis = asked.thorough.then(|| diagnose(problem, &r, report.converged));
    let (u, error) = (problem.velocities(&r), error(&r));
    Solved { r, u, report, error, diagnosis }
}

/// The answer as arrays.
fn answer<'py, const D: usize>(
    py: Python<'py>,
    found: &Solved<D>,
    asked: &Asked,
) -> PyResult<Bound<'py, PyDict>> {
    let flat = |of: &[Vector<D>]| of.iter().flat_map(|one| one.iter().copied()).collect::<Vec<f64>>();
    let dict = PyDict::new(py);
    dict.set_item("r", rows(py, flat(&found.r), D)?)?;
    dict.set_item("u", rows(py, flat(&found.u), D)?)?;
    dict.set_item("converged", found.report.converged)?;
    dict.set_item("iterations", found.report.iterations)?;
    dict.set_item("residual", found.report.residual)?;
    dict.set_item("siconos_error", found.error)?;
    dict.set_item("route", found.report.route.to_string())?;
    dict.set_item("worst", found.report.worst)?;
    dict.set_item("diagnosis", found.diagnosis.as_ref().map(|one| words(py, one, asked)).transpose()?)?;
    Ok(dict)
}

fn words<'py, const D: usize>(
    py: Python<'py>,
    diagnosis: &Diagnosis<D>,
    asked: &Asked,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("verdict", diagnosis.verdict.map(|verdict| verdict.words()))?;
    dict.set_item("certain", diagnosis.whole)?;
    dict.set_item("worst", diagnosis.worst.clone())?;
    let network = diagnosis.network.as_ref();
    let impulses = network.map(|network| {
        network.impulses.iter().map(|(contact, r)| (*contact, r.as_slice().to_vec())).collect::<Vec<_>>()
    });
    dict.set_item("network", impulses)?;
    dict.set_item("power", network.map(|network| network.power))?;
    dict.set_item("networks_from", diagnosis.networks_from)?;
    dict.set_item("solvable_below", diagnosis.solvable_below)?;
    let advice = diagnosis.verdict.map(|verdict| {
        let advice = remedies(verdict, diagnosis.solvable_below, &asked.params);
        advice.iter().map(ToString::to_string).collect::<Vec<_>>()
    });
    dict.set_item("advice", advice.unwrap_or_default())?;
    Ok(dict)
}

/// The entries of a matrix, in blocks; every diagonal block is there.
fn blocks<const D: usize>(
    contacts: usize,
    row: &[i64],
    column: &[i64],
    value: &[f64],
) -> PyResult<BlockRows<D>> {
    let mut entries: Vec<(u32, u32, Matrix<D, D>)> =
        (0..contacts as u32).map(|alpha| (alpha, alpha, Matrix::zeros())).collect();
    let size = (contacts * D) as i64;
    for ((&i, &j), &value) in row.iter().zip(column).zip(value) {
        if !(0..size).contains(&i) || !(0..size).contains(&j) || !value.is_finite() {
            let what = format!("W[{i}, {j}] is {value}");
            return Err(PyValueError::new_err(format!("{what}; W must be finite and of {size} by {size}")));
        }
        let (i, j) = (i as usize, j as usize);
        let mut block = Matrix::<D, D>::zeros();
        block[(i % D, j % D)] = value;
        entries.push(((i / D) as u32, (j / D) as u32, block));
    }
    entries.sort_by_key(|entry| (entry.0, entry.1));
    entries.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
    Ok(BlockRows::from_triplets(contacts, entries))
}

/// Solves `u = W r + q` with Coulomb friction; W by its entries.
#[pyfunction]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    entries: (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, f64>),
    q: PyReadonlyArray2<'py, f64>,
    mu: PyReadonlyArray1<'py, f64>,
    guess: Option<PyReadonlyArray2<'py, f64>>,
    options: (String, f64, u32, bool),
) -> PyResult<Bound<'py, PyDict>> {
    fn of<'py, const D: usize>(
        py: Python<'py>,
        matrix: [&[i64]; 2],
        value: &[f64],
        vectors: [&[f64]; 2],
        mu: &[f64],
        asked: &Asked,
    ) -> PyResult<Bound<'py, PyDict>> {
        let [q, guess] = vectors.map(|flat| flat.chunks(D).map(Vector::<D>::from_column_slice).collect());
        let w = Blocks::new(blocks::<D>(mu.len(), matrix[0], matrix[1], value)?);
        let sets = mu.iter().map(|&mu| Set::Coulomb { mu }).collect();
        let problem = Problem { w, u_free: q, sets };
        let found = detach(py, || {
            solved(&problem, guess, asked, |r| siconos_error(&problem, &problem.velocities(r), r))
        })?;
        answer(py, &found, asked)
    }
    let asked = Asked::new(&options.0, options.1, options.2, options.3)?;
    let dimension = q.as_array().ncols();
    let (row, column, value) = (entries.0.as_slice()?, entries.1.as_slice()?, entries.2.as_slice()?);
    let (flat, mu) = (q.as_slice()?, mu.as_slice()?);
    let zeros = vec![0.0; flat.len()];
    let guess = guess.as_ref().map_or(Ok(zeros.as_slice()), |guess| guess.as_slice())?;
    match dimension {
        2 => of::<2>(py, [row, column], value, [flat, guess], mu, &asked),
        3 => of::<3>(py, [row, column], value, [flat, guess], mu, &asked),
        _ => Err(PyValueError::new_err(format!("q has {dimension} columns; allowed are 2 and 3"))),
    }
}

/// Solves a problem of an FCLIB file.
#[pyfunction]
pub(crate) fn solve_file(
    py: Python<'_>,
    path: PathBuf,
    options: (String, f64, u32, bool),
) -> PyResult<Bound<'_, PyDict>> {
    fn of<'py, const D: usize>(
        py: Python<'py>,
        saved: &Saved,
        problem: &Problem<D, Blocks<D>>,
        asked: &Asked,
    ) -> PyResult<Bound<'py, PyDict>> {
        let start = vec![Vector::zeros(); problem.contacts()];
        let found = detach(py, || solved(problem, start, asked, |r| saved.siconos_error(problem, r)))?;
        answer(py, &found, asked)
    }
    let asked = Asked::new(&options.0, options.1, options.2, options.3)?;
    let saved = detach(py, || Saved::read(&path))?.map_err(errors::run)?;
    match &saved.problem {
        SavedProblem::Plane(problem) => of(py, &saved, problem, &asked),
        SavedProblem::Space(problem) => of(py, &saved, problem, &asked),
        SavedProblem::Rolling(problem) => of(py, &saved, problem, &asked),
    }
}
