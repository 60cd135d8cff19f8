//! The stress of a sample in a periodic cell, as the lines of a table, written and read. Judges nothing.

use crate::IoError;
use crate::files;
use crate::folder::RunFolder;
use crate::table::numbers;
use drystone::{Matrix, Simulation};
use drystone_measure::stress;

/// Axes by name.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Header of the table.
pub(crate) fn header(dimension: usize) -> String {
    let volume = if dimension == 2 { "area [m2]" } else { "volume [m3]" };
    let parts = |name: &str| {
        let pair = |k: usize| format!("{name} {}{} [Pa]", AXES[k / dimension], AXES[k % dimension]);
        (0..dimension * dimension).map(pair).collect::<Vec<_>>().join(",")
    };
    format!("step,time [s],{volume},{},{}", parts("contacts"), parts("kinetic"))
}

/// A line of the table; zeros where no body is free.
pub(crate) fn line<const D: usize>(simulation: &Simulation<D>) -> String {
    let found = stress(simulation);
    let [contacts, kinetic] =
        found.map_or([Matrix::<D, D>::zeros(); 2], |stress| [stress.contacts, stress.kinetic]);
    // row by row
    let parts = [contacts, kinetic].map(|part| part.transpose());
    let values = parts.iter().flat_map(|part| part.iter().copied());
    let first = [simulation.time(), found.map_or(0.0, |stress| stress.volume)];
    format!("{},{}", simulation.steps_done(), numbers(first.into_iter().chain(values)))
}

/// The stress of a sample in one step, row by row, compression positive \[Pa\].
#[derive(Clone, Debug, PartialEq)]
pub struct StressLine {
    /// 2 or 3.
    pub dimension: usize,
    /// Time at the end of the step \[s\].
    pub time: f64,
    /// Volume \[m³\], in the plane area \[m²\].
    pub volume: f64,
    /// Part of the contact forces.
    pub contacts: Vec<f64>,
    /// Part of the velocities beside the mean flow.
    pub kinetic: Vec<f64>,
}

impl RunFolder {
    /// The stress in every step, of a run in a periodic cell. A last line cut short is left out.
    pub fn stress(&self) -> Result<Vec<StressLine>, IoError> {
        let path = self.path().join("probes/stress.csv");
        let text = files::read_text(&path)?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let read = |line: &str| {
            let values: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
            let [_, time, volume, parts @ ..] = values.as_slice() else { return None };
            let dimension = match parts.len() {
                8 => 2,
                18 => 3,
                _ => return None,
            };
            let (contacts, kinetic) = parts.split_at(parts.len() / 2);
            let (contacts, kinetic) = (contacts.to_vec(), kinetic.to_vec());
            Some(StressLine { dimension, time: *time, volume: *volume, contacts, kinetic })
        };
        let lines = whole.lines().skip(1).map(|line| read(line).ok_or(line));
        lines
            .collect::<Result<_, _>>()
            .map_err(|line| IoError::damaged(&path, format!("\"{line}\" is no line of it")))
    }
}
