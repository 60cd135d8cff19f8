//! The figures of a bench of solvers as Markdown and as JSON.

use super::cases::BenchCase;
use super::profile::{Times, ratios};
use crate::attempt::Figures;
use drystone_solvers::Method;
use serde_json::{Value, json};
use std::fmt::Write;

/// All solvers on all problems to one tolerance.
pub struct BenchTable<'a> {
    /// The error of Siconos asked for.
    pub tolerance: f64,
    /// The solvers, a column each.
    pub methods: &'a [Method],
    /// The problems, a row each.
    pub cases: &'a [BenchCase],
    /// The figures of each row.
    pub rows: Vec<Vec<Figures>>,
}

impl BenchTable<'_> {
    /// The times of each solver where it reached the tolerance.
    pub fn times(&self) -> Vec<Times> {
        let of = |(column, method): (usize, &Method)| Times {
            name: method.name().to_owned(),
            seconds: self
                .rows
                .iter()
                .map(|row| row[column].converged.then_some(row[column].seconds))
                .collect(),
        };
        self.methods.iter().enumerate().map(of).collect()
    }

    /// Problems each solver solved, how often it was the fastest, and the geometric mean of its ratio to the
    /// fastest where it solved the problem.
    pub fn totals(&self) -> Vec<(usize, usize, f64)> {
        let total = |ratios: &Vec<Option<f64>>| {
            let solved: Vec<f64> = ratios.iter().flatten().copied().collect();
            let fastest = solved.iter().filter(|&&ratio| ratio <= 1.0).count();
            let mean =
                (solved.iter().map(|ratio| ratio.ln()).sum::<f64>() / solved.len().max(1) as f64).exp();
            (solved.len(), fastest, mean)
        };
        ratios(&self.times()).iter().map(total).collect()
    }

    /// The table for people: seconds, `x` where the tolerance was not reached.
    pub fn markdown(&self) -> String {
        let mut text =
            format!("Seconds to an error of {:e}; x: not reached.\n\n| problem | contacts |", self.tolerance);
        for method in self.methods {
            let _ = write!(text, " {} |", method.name());
        }
        let _ = write!(text, "\n|---|---:|{}\n", "---:|".repeat(self.methods.len()));
        for (case, row) in self.cases.iter().zip(&self.rows) {
            let _ = write!(text, "| {} | {} |", case.name, case.contacts);
            for figures in row {
                let cell = if figures.converged { seconds(figures.seconds) } else { "x".into() };
                let _ = write!(text, " {cell} |");
            }
            text.push('\n');
        }
        let totals = self.totals();
        let mut line = |name: &str, cell: &dyn Fn(&(usize, usize, f64)) -> String| {
            let _ = write!(text, "| **{name}** | |");
            totals.iter().for_each(|total| {
                let _ = write!(text, " {} |", cell(total));
            });
            text.push('\n');
        };
        line(&format!("solved, of {}", self.cases.len()), &|total| total.0.to_string());
        line("fastest", &|total| total.1.to_string());
        line("mean ratio to the fastest", &|total| {
            if total.0 > 0 { format!("{:.2}", total.2) } else { "–".into() }
        });
        text
    }

    /// The same as JSON, with all figures.
    pub fn json(&self) -> Value {
        let mut runs = Vec::new();
        for (case, row) in self.cases.iter().zip(&self.rows) {
            for (method, figures) in self.methods.iter().zip(row) {
                let mut run = json!({
                    "problem": case.name, "contacts": case.contacts, "dimension": case.dimension,
                    "solver": method.name(),
                });
                if let (Some(run), Value::Object(more)) = (run.as_object_mut(), figures.json()) {
                    run.extend(more);
                }
                runs.push(run);
            }
        }
        let total = |(method, (solved, fastest, mean)): (&Method, (usize, usize, f64))| {
            json!({
                "solver": method.name(), "solved": solved, "fastest": fastest,
                "mean_ratio": if solved > 0 { json!(mean) } else { Value::Null },
            })
        };
        json!({
            "tolerance": self.tolerance,
            "problems": self.cases.len(),
            "solvers": self.methods.iter().zip(self.totals()).map(total).collect::<Vec<_>>(),
            "runs": runs,
        })
    }
}

/// Seconds with two or three digits that count.
fn seconds(value: f64) -> String {
    match value {
        value if value < 1e-3 => format!("{value:.1e}"),
        value if value < 0.1 => format!("{value:.4}"),
        value if value < 10.0 => format!("{value:.2}"),
        value => format!("{value:.1}"),
    }
}
