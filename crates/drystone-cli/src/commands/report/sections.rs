//! The parts of a report, in their order: what the scene is, how the run ended, what it looks like, where its
//! energy went, how its steps converged, what it measured. Its contacts are told of in `contacts`.

use super::page::HtmlPage;
use crate::commands::plot::{RunColumn, RunColumns};
use crate::failure::Failure;
use crate::summary::words;
use drystone_scene::Scene;
use drystone_view::{Album, Plot, PlotAxis, Scale, Series, Show, Style};
use serde_json::Value;

/// Most plots of tables that the scene asked for.
const TABLES: usize = 16;

/// Longest scene that is put into the page \[byte\]; of a longer one the beginning.
const SCENE: usize = 200_000;

/// Terms of the energy in the summary, with what they mean, and whether they are what is there, what went, or
/// what came.
const ENERGIES: [(&str, &str); 14] = [
    ("kinetic", "kinetic energy now"),
    ("potential", "potential energy of gravity now, zero at the start"),
    ("stored_contacts", "stored in contacts now"),
    ("strain", "strain energy of deformable bodies now"),
    ("dissipated_friction", "dissipated by friction"),
    ("dissipated_shocks", "dissipated by shocks"),
    ("dissipated_cohesion", "dissipated by bonds that broke"),
    ("dissipated_viscosity", "dissipated by viscosity"),
    ("dissipated_scheme", "dissipated by the scheme"),
    ("work_loads", "work of loads"),
    ("work_drives", "work of prescribed motion"),
    ("work_drift", "brought in by the correction of overlaps"),
    ("work_gyroscopic", "work of the gyroscopic moment"),
    ("exchanged", "brought by bodies that came, less what left"),
];

/// A run to be told of.
pub struct RunReport {
    /// Its folder and columns.
    pub columns: RunColumns,
    /// Its scene.
    pub scene: Scene,
    /// Its summary, if it has ended.
    pub summary: Option<Value>,
    /// The folder as it was named.
    pub name: String,
}

impl RunReport {
    /// Writes all parts.
    pub fn write(&self, page: &mut HtmlPage) -> Result<(), Failure> {
        self.opening(page);
        self.outcome(page);
        self.pictures(page)?;
        self.energy(page);
        self.convergence(page);
        if let Some(last) = self.columns.run.times().len().checked_sub(1) {
            let frame = self.columns.reader()?.load(last)?;
            self.contacts(page, &frame.view())?;
        }
        self.tables(page)?;
        self.setting(page);
        Ok(())
    }

    fn opening(&self, page: &mut HtmlPage) {
        let frames = self.columns.run.times().len();
        page.line(&format!(
            "{}: {} bodies in {} dimensions, steps of {} s, {frames} frames",
            self.name,
            self.columns.run.body_count(),
            self.scene.dimension,
            self.scene.time.step
        ));
        let running = self.columns.run.is_running();
        match &self.summary {
            Some(summary) if !running => {
                let word = |place: &str| summary.pointer(place).and_then(Value::as_str).unwrap_or("unknown");
                let (outcome, answer) = (word("/outcome"), word("/answer/word"));
                let is_bad = matches!(outcome, "failed" | "inconsistent" | "stopped")
                    || matches!(answer, "failed" | "collapsed")
                    || summary["steps_not_converged"].as_u64() != Some(0);
                // a run that ends because it is in equilibrium says so once
                let both = format!("{outcome}: {answer}");
                page.answer(if outcome == answer { outcome } else { &both }, is_bad);
            }
            _ if running => page.answer("still running", false),
            _ => page.answer("interrupted", true),
        }
    }

    /// The lines that the run ended with.
    fn outcome(&self, page: &mut HtmlPage) {
        let Some(summary) = &self.summary else { return };
        page.section("Outcome and gauges");
        let text = words(summary);
        let mut rows: Vec<Vec<String>> = Vec::new();
        for line in text.lines() {
            let at = line.char_indices().nth(14).map_or(line.len(), |(at, _)| at);
            let (name, value) = line.split_at(at);
            rows.push(vec![name.trim().to_owned(), value.trim().to_owned()]);
        }
        for (key, name) in [("coordination", "coordination"), ("state_hash", "state"), ("version", "version")]
        {
            let Some(value) = summary.get(key).map(spoken) else { continue };
            rows.push(vec![name.into(), value]);
        }
        page.table(&[], 2, &rows);
    }

    /// The first frame and the last.
    fn pictures(&self, page: &mut HtmlPage) -> Result<(), Failure> {
        let times = self.columns.run.times();
        let Some(last) = times.len().checked_sub(1) else { return Ok(()) };
        page.section("Pictures");
        let album = Album::new(&self.columns.run)?;
        let frames = if last == 0 { vec![0] } else { vec![0, last] };
        for frame in frames {
            let show = if frame == 0 { Show::Bodies } else { Show::Forces };
            let style = Style { width: 640, show, ..Style::default() };
            let png = drystone_view::render_png(&album.picture(frame)?, &style)?;
            let what = if frame == 0 { "as it began" } else { "the last frame, with force chains" };
            page.picture(&png, &format!("t = {} s: {what}", times[frame]));
        }
        Ok(())
    }

    fn energy(&self, page: &mut HtmlPage) {
        page.section("Energy audit");
        if let Some(energy) = self.summary.as_ref().and_then(|summary| summary.get("energy")) {
            let number = |key: &str| energy.get(key).and_then(Value::as_f64);
            let row = |(key, what): &(&str, &str)| {
                let value = number(key).filter(|value| *value != 0.0)?;
                Some(vec![(*what).to_owned(), short(value)])
            };
            page.table(&["term", "J"], 1, &ENERGIES.iter().filter_map(row).collect::<Vec<_>>());
            let error = number("balance_error").map_or("not finite".into(), |x| format!("{x:.1e}"));
            page.line(&format!("What does not add up, relative to the largest of these: {error}."));
        }
        let wanted = [
            "kinetic",
            "potential",
            "friction",
            "shocks",
            "loads",
            "drives",
            "stored",
            "cohesion",
            "viscosity",
        ];
        self.plot(
            page,
            &wanted,
            PlotAxis { label: "energy [J]".into(), ..PlotAxis::default() },
            "Energies over time.",
        );
    }

    fn convergence(&self, page: &mut HtmlPage) {
        page.section("Convergence");
        if let Some(reasons) = self.summary.as_ref().and_then(|summary| summary["not_converged"].as_array()) {
            let row = |reason: &Value| {
                let list = |key: &str| {
                    let items = reason[key].as_array().into_iter().flatten();
                    items.map(spoken).collect::<Vec<_>>().join("; ")
                };
                let [verdict, steps, last] =
                    ["verdict", "steps", "last_step"].map(|key| spoken(&reason[key]));
                vec![verdict, steps, last, list("worst"), list("advice")]
            };
            let rows: Vec<Vec<String>> = reasons.iter().map(row).collect();
            page.table(&["steps that did not converge", "how many", "the last", "where", "to try"], 9, &rows);
        }
        let log = |label: &str| PlotAxis { label: label.into(), scale: Scale::Log };
        if let Some(mut plot) = self.over_time(&["residual"], log("residual [-]")) {
            let ends = plot.series[0].points.iter().map(|point| point[0]);
            let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), t| (a.min(t), b.max(t)));
            let tolerance = self.scene.solver.tolerance;
            let points = vec![[low, tolerance], [high, tolerance]];
            plot.series.push(Series { name: "tolerance".into(), points });
            self.draw(
                page,
                &plot,
                "The residual of every step, and the tolerance; steps that are exact are left out.",
            );
        }
        self.plot(
            page,
            &["iterations"],
            log("iterations [-]"),
            "Iterations of the solver; steps without any are left out.",
        );
        let axis = |label: &str| PlotAxis { label: label.into(), ..PlotAxis::default() };
        self.plot(
            page,
            &["contacts", "active"],
            axis("contacts [-]"),
            "Contacts, and those with an impulse.",
        );
        self.plot(page, &["penetration"], axis("overlap [m]"), "The deepest overlap.");
        self.plot(page, &["work_gap"], axis("work gap [-]"), "How far forces are from being in balance.");
    }

    /// What probes and measures of the scene wrote, columns of one unit together.
    fn tables(&self, page: &mut HtmlPage) -> Result<(), Failure> {
        let groups = self.columns.by_unit();
        if groups.is_empty() {
            return Ok(());
        }
        page.section("Probes and measures");
        for (unit, names) in groups.iter().take(TABLES) {
            let axis = PlotAxis { label: format!("[{unit}]"), ..PlotAxis::default() };
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.plot(page, &names, axis, "");
        }
        if groups.len() > TABLES {
            let left = groups.len() - TABLES;
            page.line(&format!("{left} more are in the folder; `drystone plot` draws them."));
        }
        Ok(())
    }

    /// The scene in words and as it was run.
    fn setting(&self, page: &mut HtmlPage) {
        page.section("Scene");
        let scene = &self.scene;
        let time = &scene.time;
        let gravity = scene.gravity();
        let mut rows = vec![
            vec!["bodies".into(), scene.body_names().len().to_string()],
            vec!["laws".into(), scene.laws.len().to_string()],
            vec!["ties".into(), scene.ties.len().to_string()],
            vec!["gravity [m/s²]".into(), format!("{gravity:?}")],
            vec![
                "time step [s]".into(),
                format!("{}, to {} s, θ = {}", time.step, time.duration, time.theta),
            ],
            vec!["tolerance".into(), format!("{:e}", scene.solver.tolerance)],
        ];
        rows.retain(|row| row[1] != "0");
        page.table(&[], 2, &rows);
        let text = drystone_io::read_text(&self.columns.run.path().join("scene.toml")).unwrap_or_default();
        let end = (0..=text.len().min(SCENE)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let more = if end < text.len() { "\n… (the rest is in scene.toml of the folder)" } else { "" };
        page.folded("The scene, every default written out", &format!("{}{more}", &text[..end]));
    }

    /// Draws columns over time, those that are there and not all zero.
    fn plot(&self, page: &mut HtmlPage, names: &[&str], axis: PlotAxis, caption: &str) {
        if let Some(plot) = self.over_time(names, axis) {
            self.draw(page, &plot, caption);
        }
    }

    fn over_time(&self, names: &[&str], axis: PlotAxis) -> Option<Plot> {
        let found = names.iter().filter_map(|name| self.columns.find(name).ok());
        let tells = |column: &RunColumn| column.values.iter().any(|value| value.is_finite() && *value != 0.0);
        let series: Vec<Series> = found
            .filter(tells)
            .map(|column| {
                let name = column.label();
                let RunColumn { times, values, .. } = column;
                let points = times.into_iter().zip(values).map(|(time, value)| [time, value]).collect();
                Series { name, points }
            })
            .collect();
        let x = PlotAxis { label: "time [s]".into(), ..PlotAxis::default() };
        (!series.is_empty()).then(|| Plot { x, y: axis, series, width: 520, height: 320, ..Plot::default() })
    }

    pub(super) fn draw(&self, page: &mut HtmlPage, plot: &Plot, caption: &str) {
        if let Ok(svg) = drystone_view::plot_svg(plot) {
            page.drawing(&svg, caption);
        }
    }
}

/// A value as people read it: a list with dashes between, a number with a few digits.
fn spoken(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(spoken).collect::<Vec<_>>().join(" – "),
        Value::Number(number) if number.is_f64() => short(number.as_f64().unwrap_or(f64::NAN)),
        other => other.to_string(),
    }
}

/// Five digits of a number.
pub(super) fn short(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e5).contains(&x.abs()) {
        return format!("{x:.4e}");
    }
    let before = if x == 0.0 { 0 } else { x.abs().log10().floor() as i32 };
    format!("{x:.*}", (4 - before).clamp(0, 8) as usize)
}
