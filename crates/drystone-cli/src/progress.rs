//! What a person sees while a run goes on: a bar with time left on a terminal, plain lines elsewhere.

use crate::failure::complain;
use drystone::{Monitor, SolveStatus, StepReport};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Plain lines come at most this often.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Warnings about steps that did not converge are spelled out this often, then only counted.
const WARNINGS: u32 = 3;

/// A step that lasts longer than this is shown while it goes on.
const LONG_STEP: Duration = Duration::from_secs(2);

/// The display of one run, on standard error.
pub struct ProgressDisplay {
    display: Display,
    warned: u32,
    last_refresh: Instant,
    /// The last step done, and when.
    done: Arc<Mutex<(u64, Instant)>>,
}

enum Display {
    Bar(ProgressBar),
    Lines { goal: u64, last: Instant },
    Nothing,
}

/// The display of a step that is going on, for another thread.
pub struct StepDisplay {
    /// None where there are plain lines.
    bar: Option<ProgressBar>,
    is_shown: bool,
    done: Arc<Mutex<(u64, Instant)>>,
    last: Mutex<Instant>,
}

impl StepDisplay {
    /// Shows how far the step is, where it lasts long.
    pub fn show(&self, monitor: &Monitor) {
        let (Ok(done), Ok(mut last)) = (self.done.lock().map(|done| *done), self.last.lock()) else { return };
        let since = done.1.elapsed();
        let Some(status) = monitor.status().filter(|_| self.is_shown && since > LONG_STEP) else { return };
        let SolveStatus { iterations, residual, gap } = status;
        let balance = gap.map_or(String::new(), |gap| format!(", forces off by {:+.1} %", 100.0 * gap));
        let seconds = since.as_secs();
        // beside a bar there is room for some forty letters: what matters most comes first
        let words = format!("residual {residual:.1e}, {iterations} iterations");
        match &self.bar {
            Some(bar) => bar.set_message(format!("{words}, {seconds} s{balance}")),
            None if last.elapsed() > LINE_INTERVAL => {
                eprintln!("step {} for {seconds} s: {words}{balance}", done.0 + 1);
                *last = Instant::now();
            }
            None => {}
        }
    }
}

impl ProgressDisplay {
    /// Starts the display of a run from step `done` to step `goal`.
    pub fn new(quiet: bool, done: u64, goal: u64) -> Self {
        let display = if quiet {
            Display::Nothing
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(goal).with_position(done);
            // what does not fit into the line is cut, so that the bar stays one line and clears itself
            // how long it will take, nobody knows before the first step
            if let Ok(style) = ProgressStyle::with_template("{bar:16} {pos}/{len}  {wide_msg}") {
                bar.set_style(style);
            }
            bar.reset_eta();
            Display::Bar(bar)
        } else {
            Display::Lines { goal, last: Instant::now() }
        };
        let now = Instant::now();
        Self { display, warned: 0, last_refresh: now, done: Arc::new(Mutex::new((done, now))) }
    }

    /// The display of the step that is going on, for another thread.
    pub fn inside(&self) -> StepDisplay {
        let bar = match &self.display {
            Display::Bar(bar) => Some(bar.clone()),
            _ => None,
        };
        let is_shown = !matches!(self.display, Display::Nothing);
        StepDisplay { bar, is_shown, done: self.done.clone(), last: Mutex::new(Instant::now()) }
    }

    /// Shows a step. `names` says who is meant.
    pub fn show(&mut self, report: &StepReport, names: impl Fn(drystone::Link) -> String) {
        if let Ok(mut done) = self.done.lock() {
            *done = (report.step, Instant::now());
        }
        if !report.converged {
            self.warn(report, names);
        }
        let words = || {
            let StepReport { contacts, iterations, residual, .. } = report;
            format!(
                "t = {:.4} s, residual {residual:.1e}, {contacts} contacts, {iterations} iterations",
                report.time
            )
        };
        match &mut self.display {
            // drawing is not free: ten times a second is enough for the eye
            Display::Bar(bar) if self.last_refresh.elapsed() > Duration::from_millis(100) => {
                if let Ok(style) =
                    ProgressStyle::with_template("{bar:16} {pos}/{len}, {eta} left  {wide_msg}")
                {
                    bar.set_style(style);
                }
                bar.set_position(report.step);
                bar.set_message(words());
                self.last_refresh = Instant::now();
            }
            Display::Lines { goal, last } if last.elapsed() > LINE_INTERVAL => {
                eprintln!("step {}/{goal}: {}", report.step, words());
                *last = Instant::now();
            }
            _ => {}
        }
    }

    fn warn(&mut self, report: &StepReport, names: impl Fn(drystone::Link) -> String) {
        self.warned += 1;
        if self.warned > WARNINGS || matches!(self.display, Display::Nothing) {
            return;
        }
        let trouble = report.trouble.as_ref();
        let verdict = trouble.map_or(String::new(), |trouble| format!(": {}", trouble.verdict.words()));
        let worst = trouble.and_then(|trouble| trouble.worst[0]).or(report.worst);
        let place = worst.map_or_else(String::new, |worst| format!(", worst between {}", names(worst)));
        let limit = if report.is_limited { ", its work limit" } else { "" };
        let more = if self.warned == WARNINGS { " (further ones are only counted)" } else { "" };
        let message = format!(
            "step {} ended at residual {:.1e} after {} iterations{limit}{verdict}{place}{more}",
            report.step, report.residual, report.iterations
        );
        match &self.display {
            Display::Bar(bar) => bar.suspend(|| complain("warning", &message)),
            _ => complain("warning", &message),
        }
    }

    /// Clears the bar.
    pub fn finish(self) {
        if let Display::Bar(bar) = self.display {
            bar.finish_and_clear();
        }
    }
}

/// The display of a list of equal tasks, on standard error: a bar on a terminal, plain lines elsewhere.
pub struct Count {
    display: Display,
    done: u64,
}

impl Count {
    /// Starts the display of so many tasks, called `unit`.
    pub fn new(quiet: bool, total: u64, unit: &str) -> Self {
        let display = if quiet {
            Display::Nothing
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total);
            let template = format!("{{bar:16}} {{pos}}/{{len}} {unit}, {{eta}} left  {{wide_msg}}");
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            Display::Bar(bar)
        } else {
            Display::Lines { goal: total, last: Instant::now() }
        };
        Self { display, done: 0 }
    }

    /// One more task begins.
    pub fn advance(&mut self, words: &str) {
        self.tell(words);
        self.done += 1;
    }

    /// Shows where a task is.
    pub fn tell(&mut self, words: &str) {
        match &mut self.display {
            Display::Bar(bar) => {
                bar.set_position(self.done);
                bar.set_message(words.to_owned());
            }
            Display::Lines { goal, last } if last.elapsed() > LINE_INTERVAL => {
                eprintln!("{}/{goal}: {words}", self.done);
                *last = Instant::now();
            }
            _ => {}
        }
    }

    /// Clears the bar.
    pub fn finish(self) {
        if let Display::Bar(bar) = self.display {
            bar.finish_and_clear();
        }
    }
}
