//! `drystone plot`: columns of runs against each other, histograms and roses, beside an experiment.

mod columns;
mod distribution;
mod experiment;

use crate::failure::{DONE, Failure, say};
use clap::ValueEnum;
pub use columns::{RunColumn, RunColumns};
pub use distribution::{Directions, Whose, directed, edges, histogram, sample};
use drystone_view::{Histogram, Plot, PlotAxis, PolarPlot, RightAxis, Rose, Scale, Series};
use std::path::{Path, PathBuf};

/// Plot columns of runs against each other, histograms, or roses of directions.
///
/// A column is COLUMN of the table of all steps (`time`, `kinetic`, `residual`), TABLE.COLUMN of a probe or
/// of a measure that the scene wrote, or MEASURE.COLUMN:KEY=VALUE taken from the frames
/// (`stress.yy:group=sand`); units may be left out, and blanks written as underscores. `--list` shows them.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folders.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// The column along the horizontal axis.
    #[arg(long, value_name = "COLUMN", default_value = "time")]
    x: String,
    /// A column along the vertical axis; may be given more than once.
    #[arg(long, value_name = "COLUMN")]
    y: Vec<String>,
    /// A column along a vertical axis on the right, dashed.
    #[arg(long, value_name = "COLUMN", requires = "y")]
    y2: Option<String>,
    /// Only what was written between these times [s], both included.
    #[arg(long, value_name = "FROM,TO", value_parser = times, requires = "y")]
    times: Option<[f64; 2]>,
    /// A histogram of a column, or of contacts.normal_force, contacts.tangential_force, contacts.gap,
    /// bodies.speed, bodies.radius or bodies.mass of a frame.
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["y", "x"])]
    histogram: Option<String>,
    /// A rose: contacts by the direction of their normal.
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["y", "x", "histogram"])]
    polar: Option<Directions>,
    /// An experiment to compare with, a table of numbers; may be given more than once.
    #[arg(long, value_name = "FILE", requires = "y")]
    data: Vec<PathBuf>,
    /// The two columns of the experiment, by title or number; those of the plot, or the first two.
    #[arg(long, value_name = "X,Y", value_delimiter = ',', num_args = 2, requires = "data")]
    data_columns: Option<Vec<String>>,
    /// Axes with a logarithmic scale.
    #[arg(long, value_enum, value_name = "AXIS", value_delimiter = ',')]
    log: Vec<AxisName>,
    /// Bins of a histogram, or sectors of a rose; 30 and 36 unless told otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    bins: Option<u32>,
    /// Of a histogram: values over their mean.
    #[arg(long, requires = "histogram")]
    relative: bool,
    /// Of quantities of a frame: which one, from 0; counted from the end where it is negative.
    #[arg(long, value_name = "N", default_value_t = -1, allow_negative_numbers = true)]
    frame: i64,
    /// Of quantities of a frame: bodies of this group, and contacts with them.
    #[arg(long)]
    group: Option<String>,
    /// Of a rose in space: the plane it is seen in.
    #[arg(long, value_enum, default_value_t = ViewPlane::Xz)]
    plane: ViewPlane,
    /// Written above.
    #[arg(long, default_value = "")]
    title: String,
    /// Width of the plot [pixel].
    #[arg(long, default_value_t = 720)]
    width: u32,
    /// Height of the plot [pixel].
    #[arg(long, default_value_t = 420)]
    height: u32,
    /// The file to write, .svg or .png.
    #[arg(short, long, value_name = "FILE", required_unless_present = "list")]
    output: Option<PathBuf>,
    /// Show the columns there are.
    #[arg(long)]
    list: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AxisName {
    X,
    Y,
    Y2,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ViewPlane {
    Xy,
    Xz,
    Yz,
}

/// Two times, the first before the second.
fn times(text: &str) -> Result<[f64; 2], String> {
    let found: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match (found.as_slice(), text.split(',').count()) {
        (&[from, to], 2) if from < to && to.is_finite() && from.is_finite() => Ok([from, to]),
        _ => Err("two times in seconds are asked for, the first before the second: 0.5,1.5".into()),
    }
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let opened: Result<Vec<RunColumns>, Failure> =
        arguments.folders.iter().map(|folder| RunColumns::open(folder)).collect();
    let runs: Vec<(String, RunColumns)> = names(&arguments.folders).into_iter().zip(opened?).collect();
    if arguments.list {
        for (name, columns) in &runs {
            if runs.len() > 1 {
                say(format_args!("# {name}"));
            }
            say(columns.list());
        }
        return Ok(DONE);
    }
    let Some(output) = &arguments.output else { return Err(Failure::bad_input("no file is named by -o")) };
    match (&arguments.histogram, arguments.polar) {
        (Some(column), _) => drystone_view::plot(&arguments.histogram_of(&runs, column)?, output)?,
        (_, Some(what)) => drystone_view::polar(&arguments.rose_of(&runs, what)?, output)?,
        _ => drystone_view::plot(&arguments.lines_of(&runs)?, output)?,
    }
    say(format_args!("wrote {}", output.display()));
    Ok(DONE)
}

/// Names of runs in the legend: those of their folders, or where two are alike the whole paths.
fn names(folders: &[PathBuf]) -> Vec<String> {
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let short: Vec<String> =
        folders.iter().map(|path| last(path).unwrap_or_else(|| path.display().to_string())).collect();
    let alike = |name: &String| short.iter().filter(|other| *other == name).count() > 1;
    match short.iter().any(alike) {
        true => folders.iter().map(|path| path.display().to_string()).collect(),
        false => short,
    }
}

/// Two columns and their pairs.
type Pairs = (RunColumn, RunColumn, Vec<[f64; 2]>);

impl Arguments {
    fn scale(&self, axis: AxisName) -> Scale {
        if self.log.contains(&axis) { Scale::Log } else { Scale::Linear }
    }

    fn whose(&self) -> Whose<'_> {
        Whose { frame: self.frame, group: self.group.as_deref() }
    }

    /// Lines of columns, one for each run and column.
    fn lines_of(&self, runs: &[(String, RunColumns)]) -> Result<Plot, Failure> {
        if self.y.is_empty() {
            let known = runs.first().map_or_else(String::new, |(_, columns)| columns.list());
            return Err(Failure::bad_input(format!(
                "nothing to plot: name a column by --y, --histogram or --polar. There are\n{known}"
            )));
        }
        let mut plot = Plot {
            title: self.title.clone(),
            x: PlotAxis { label: String::new(), scale: self.scale(AxisName::X) },
            y: PlotAxis { label: String::new(), scale: self.scale(AxisName::Y) },
            width: self.width,
            height: self.height,
            ..Plot::default()
        };
        let mut labels = Vec::new();
        // what an experiment may call its columns
        let mut titles = None;
        let mut right = RightAxis::default();
        for (name, columns) in runs {
            for wanted in &self.y {
                let (x, y, points) = self.pairs(columns, wanted)?;
                let label = match (runs.len() > 1, self.y.len() > 1 || self.y2.is_some()) {
                    (true, true) => format!("{name}: {}", y.label()),
                    (false, true) => y.label(),
                    _ => name.clone(),
                };
                plot.series.push(Series { name: label, points });
                plot.x.label = x.label();
                if !labels.contains(&y.label()) {
                    labels.push(y.label());
                }
                titles.get_or_insert([x.title, y.title]);
            }
            if let Some(wanted) = &self.y2 {
                let (_, y, points) = self.pairs(columns, wanted)?;
                let label = if runs.len() > 1 { format!("{name}: {}", y.label()) } else { y.label() };
                right.series.push(Series { name: label, points });
                right.axis =
                    PlotAxis { label: format!("{} (dashed)", y.label()), scale: self.scale(AxisName::Y2) };
            }
        }
        plot.y.label = labels.join(", ");
        plot.right = self.y2.is_some().then_some(right);
        self.compare(&mut plot, &titles.unwrap_or_default())?;
        if plot.series.len() == 1 && plot.right.is_none() && plot.scatter.is_empty() {
            plot.series[0].name.clear();
        }
        Ok(plot)
    }

    /// The columns x and y, and their pairs.
    fn pairs(&self, columns: &RunColumns, wanted: &str) -> Result<Pairs, Failure> {
        let find = |wanted: &str| match self.times {
            Some(times) => columns.find(wanted)?.between(times),
            None => columns.find(wanted),
        };
        let y = find(wanted)?;
        // every table has its own times
        let x = if self.x == "time" { y.times_of() } else { find(&self.x)? };
        let points = y.against(&x)?;
        Ok((x, y, points))
    }

    /// Adds the experiments and tells how far the runs are from them.
    fn compare(&self, plot: &mut Plot, [x, y]: &[String; 2]) -> Result<(), Failure> {
        for path in &self.data {
            let found = experiment::read(path, self.data_columns.as_deref(), [x, y])?;
            for series in &plot.series {
                let words = match experiment::deviation(&series.points, &found.points) {
                    Some(far) => format!(
                        "off by {:.3e} (rms at {} points, {:.1} % of its range), at most by {:.3e} at {}",
                        far.rms,
                        far.points,
                        100.0 * far.relative,
                        far.largest[0],
                        far.largest[1]
                    ),
                    None => {
                        "not compared: x of the run does not ascend, or no point lies in its range".into()
                    }
                };
                say(format_args!("{} and {}: {words}", series.name, found.name));
            }
            plot.scatter.push(Series { name: found.name, points: found.points });
        }
        Ok(())
    }

    fn histogram_of(&self, runs: &[(String, RunColumns)], column: &str) -> Result<Plot, Failure> {
        let mut samples = Vec::new();
        for (_, columns) in runs {
            let mut one = sample(columns, column, &self.whose())?;
            if self.relative {
                let finite = one.values.iter().filter(|value| value.is_finite());
                let mean = finite.clone().sum::<f64>() / finite.count() as f64;
                one.values.iter_mut().for_each(|value| *value /= mean);
                one.title = format!("{}, over the mean [-]", one.title.split(" [").next().unwrap_or(""));
            }
            samples.push(one);
        }
        let bins = self.bins.unwrap_or(30) as usize;
        let scale = self.scale(AxisName::X);
        let Some(edges) = edges(samples.iter(), bins, scale) else {
            return Err(Failure::bad_input(format!(
                "\"{column}\" has no number to show: choose another --frame, or no logarithmic scale where none is positive"
            )));
        };
        let named = |name: &String| if runs.len() > 1 { name.clone() } else { String::new() };
        let histograms: Vec<Histogram> =
            runs.iter().zip(&samples).map(|((name, _), one)| histogram(named(name), one, &edges)).collect();
        Ok(Plot {
            title: self.title.clone(),
            x: PlotAxis { label: samples.first().map_or_else(String::new, |one| one.title.clone()), scale },
            y: PlotAxis { label: "probability density".into(), scale: self.scale(AxisName::Y) },
            histograms,
            width: self.width,
            height: self.height,
            ..Plot::default()
        })
    }

    fn rose_of(&self, runs: &[(String, RunColumns)], what: Directions) -> Result<PolarPlot, Failure> {
        let sectors = self.bins.unwrap_or(36) as usize;
        let mut plot = PolarPlot {
            title: self.title.clone(),
            label: what.title().to_owned(),
            width: self.width.min(self.height + 140),
            ..PolarPlot::default()
        };
        for (name, columns) in runs {
            let axes = match (columns.run.scene()?.dimension, self.plane) {
                (2, _) | (_, ViewPlane::Xy) => [0, 1],
                (_, ViewPlane::Xz) => [0, 2],
                (_, ViewPlane::Yz) => [1, 2],
            };
            plot.axes = axes.map(|axis| ["x", "y", "z"][axis].to_owned());
            let found = directed(columns, what, axes, sectors, &self.whose())?;
            let fit = format!(
                "{:.3} (1 + {:.3} cos 2(θ − {:.0}°))",
                found.mean,
                found.anisotropy,
                found.direction.to_degrees()
            );
            say(format_args!("{name}: {fit}"));
            if runs.len() == 1 {
                plot.curves.push(Series { name: fit, points: found.curve() });
            }
            let name = if runs.len() > 1 { name.clone() } else { String::new() };
            plot.roses.push(Rose { name, values: found.values });
        }
        Ok(plot)
    }
}
