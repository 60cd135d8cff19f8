//! An experiment as a table of numbers, and how far a run is from it. Draws nothing.

use crate::failure::Failure;
use std::path::Path;

/// Longest file that is read \[byte\].
const LONGEST: u64 = 64 << 20;

/// Two columns of a file of numbers.
#[derive(Debug)]
pub struct Experiment {
    /// Name of the file.
    pub name: String,
    /// Its points.
    pub points: Vec<[f64; 2]>,
}

/// Reads two columns of a table: those that `chosen` names, by title or by number from 1, else those whose
/// titles are the titles of the plot, else the first two. Commas, semicolons, tabs or blanks between; lines
/// that begin with # are left out; a header is not needed.
pub fn read(path: &Path, chosen: Option<&[String]>, titles: [&str; 2]) -> Result<Experiment, Failure> {
    let at = path.display();
    let wrong = |reason: String| Failure::bad_input(format!("{at}: {reason}"));
    let length = std::fs::metadata(path).map_err(|error| wrong(error.to_string()))?;
    if !length.is_file() || length.len() > LONGEST {
        return Err(wrong("not a regular file of at most 64 MiB".into()));
    }
    let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let Some((number, first)) = lines.next() else { return Err(wrong("holds no line of numbers".into())) };
    let separator = [';', '\t', ','].into_iter().find(|separator| first.contains(*separator));
    let cells = |line: &str| -> Vec<String> {
        let clean = |cell: &str| cell.trim().trim_matches('"').to_owned();
        match separator {
            Some(separator) => line.split(separator).map(clean).collect(),
            None => line.split_whitespace().map(clean).collect(),
        }
    };
    let head = cells(first);
    let is_header = head.iter().any(|cell| cell.parse::<f64>().is_err());
    let places = match chosen {
        Some(names) => [place(&head, is_header, &names[0]), place(&head, is_header, &names[1])],
        None => match titles.map(|title| place(&head, is_header, title)) {
            [Some(x), Some(y)] if is_header => [Some(x), Some(y)],
            _ => [Some(0), Some(1).filter(|_| head.len() > 1)],
        },
    };
    let [Some(x), Some(y)] = places else {
        let known = if is_header { head.join(", ") } else { format!("1 to {}", head.len()) };
        return Err(wrong(format!("has no such two columns; there are: {known}")));
    };
    let mut points = Vec::new();
    let rows = (!is_header).then_some((number, first)).into_iter().chain(lines);
    for (number, line) in rows {
        let row = cells(line);
        let value = |place: usize| row.get(place).and_then(|cell| cell.parse::<f64>().ok());
        match (value(x), value(y)) {
            (Some(x), Some(y)) => points.push([x, y]),
            _ => {
                let line = number + 1;
                return Err(wrong(format!("line {line} has no numbers in columns {} and {}", x + 1, y + 1)));
            }
        }
    }
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(Experiment { name, points })
}

/// A column by its title, with or without its unit, or by its number from 1.
fn place(head: &[String], is_header: bool, name: &str) -> Option<usize> {
    let bare = |title: &str| title.split(['[', '(']).next().unwrap_or(title).trim().to_owned();
    let titled = head.iter().position(|title| title == name || bare(title) == bare(name));
    titled.filter(|_| is_header).or_else(|| {
        let number: usize = name.parse().ok()?;
        number.checked_sub(1).filter(|place| *place < head.len())
    })
}

/// How far a run is from an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// Root of the mean square of the differences.
    pub rms: f64,
    /// The same over the range of the experiment's values.
    pub relative: f64,
    /// The largest difference, and where.
    pub largest: [f64; 2],
    /// Points of the experiment that lie in the range of the run.
    pub points: usize,
}

/// Compares at the points of the experiment, the run joined by straight lines. None where the x of the run
/// does not ascend, or where no point lies in its range.
pub fn deviation(run: &[[f64; 2]], experiment: &[[f64; 2]]) -> Option<Deviation> {
    let run: Vec<[f64; 2]> = run.iter().copied().filter(|p| p.iter().all(|x| x.is_finite())).collect();
    if run.windows(2).any(|pair| pair[1][0] < pair[0][0]) {
        return None;
    }
    let finite = || experiment.iter().filter(|p| p.iter().all(|x| x.is_finite()));
    let (mut sum, mut count, mut largest) = (0.0, 0, [0.0, f64::NAN]);
    for &[x, y] in finite() {
        let after = run.partition_point(|point| point[0] < x);
        let there = match (after.checked_sub(1).and_then(|before| run.get(before)), run.get(after)) {
            (_, Some(at)) if at[0] == x => at[1],
            (Some(a), Some(b)) => a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]),
            _ => continue,
        };
        sum += (there - y).powi(2);
        count += 1;
        if (there - y).abs() >= f64::abs(largest[0]) {
            largest = [there - y, x];
        }
    }
    let values = || finite().map(|point| point[1]);
    let range = values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min);
    let rms = (sum / f64::from(count)).sqrt();
    (count > 0).then_some(Deviation { rms, relative: rms / range, largest, points: count as usize })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_of_a_line_is_what_it_is() {
        let run: Vec<[f64; 2]> = (0..11).map(|k| [k as f64, 2.0 * k as f64]).collect();
        let experiment = [[0.5, 1.5], [2.5, 4.0], [10.0, 20.0], [12.0, 0.0]];
        let found = deviation(&run, &experiment).unwrap();
        assert_eq!(found.points, 3);
        assert!((found.rms - (1.25f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((found.relative - found.rms / 20.0).abs() < 1e-12);
        assert_eq!(found.largest, [1.0, 2.5]);
        assert_eq!(deviation(&[[1.0, 0.0], [0.0, 0.0]], &experiment), None, "x goes back");
        assert_eq!(deviation(&run[..1], &experiment[1..]), None, "no point in the range of the run");
    }

    #[test]
    fn tables_of_laboratories_are_read() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("lab.csv");
        let points = |text: &str, chosen: Option<[&str; 2]>| {
            std::fs::write(&path, text).unwrap();
            let chosen = chosen.map(|names| names.map(str::to_owned));
            let titles = ["strain [-]", "stress [Pa]"];
            read(&path, chosen.as_ref().map(|names| names.as_slice()), titles).map(|found| found.points)
        };
        let expected = vec![[0.0, 5.0], [1.0, 6.0]];
        for text in [
            "# of 1996\nstrain;stress\n0;5\n1;6",
            "time,stress (kPa),strain\n9,5,0\n9,6,1\n",
            "0 5\n1  6\n",
            "\u{feff}a\tb\n0\t5\n1\t6\n",
        ] {
            assert_eq!(points(text, None).unwrap(), expected, "{text}");
        }
        assert_eq!(points("a,b,c\n1,0,5\n2,1,6", Some(["2", "c"])).unwrap(), expected);
        for text in ["", "strain\n1\n", "a,b\n1,x\n"] {
            assert_eq!(points(text, None).unwrap_err().code, 2, "{text}");
        }
        let missing = points("a,b\n1,2\n", Some(["a", "z"])).unwrap_err();
        assert!(missing.message.contains("a, b"), "{}", missing.message);
    }
}
