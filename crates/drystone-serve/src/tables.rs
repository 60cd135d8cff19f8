//! The tables of a run folder: which there are, and columns of one as numbers. Opens no file that is not a
//! `.csv` of the run.

use crate::ServeError;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Folders of a run without tables.
const LEFT_OUT: [&str; 3] = ["checkpoints", "problems", "spare"];

/// Most tables listed.
const MOST_TABLES: usize = 500;

/// Most rows given at once, and how many unless told otherwise.
const MOST_ROWS: usize = 20_000;
pub(crate) const ROWS: usize = 4000;

/// Longest file that is read \[byte\].
const LONGEST: u64 = 1 << 30;

/// Names of the tables, with the titles of their columns.
pub(crate) fn list(folder: &Path) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for path in files(folder) {
        let Some(name) = name_of(folder, &path) else { continue };
        if let Ok(titles) = titles(&path) {
            found.push((name, titles));
        }
    }
    found.sort();
    found.truncate(MOST_TABLES);
    found
}

/// All tables: in the folder itself and in the folders in it. Links that lead out of the run are left alone.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(home) = folder.canonicalize() else { return Vec::new() };
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let mut paths = entries(folder);
    let within = |path: &PathBuf| path.is_dir() && !LEFT_OUT.iter().any(|name| path.ends_with(name));
    let more: Vec<PathBuf> =
        paths.iter().filter(|path| within(path)).flat_map(|path| entries(path)).collect();
    paths.extend(more);
    let is_table = |path: &PathBuf| {
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"))
            && path.canonicalize().is_ok_and(|real| real.starts_with(&home) && real.is_file())
    };
    paths.retain(is_table);
    paths
}

fn name_of(folder: &Path, path: &Path) -> Option<String> {
    Some(path.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/"))
}

fn titles(path: &Path) -> std::io::Result<Vec<String>> {
    let mut line = String::new();
    std::io::Read::take(BufReader::new(std::fs::File::open(path)?), 1 << 20).read_line(&mut line)?;
    Ok(cells(line.trim_end()))
}

/// The cells of a line; quotes keep commas.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            letter => cells.last_mut().into_iter().for_each(|cell| cell.push(letter)),
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Columns of a table by their numbers, thinned out to about `most` rows: of each run of rows those stay
/// where the last column asked for is least and largest, so that no peak is lost.
pub(crate) fn columns(folder: &Path, name: &str, wanted: &[usize], most: usize) -> Result<Value, ServeError> {
    let path = files(folder).into_iter().find(|path| name_of(folder, path).as_deref() == Some(name));
    let path = path.ok_or_else(|| ServeError::NoTable(name.to_owned()))?;
    let fault = |reason: String| ServeError::Table { path: path.clone(), reason };
    let file = std::fs::File::open(&path).map_err(|error| fault(error.to_string()))?;
    if file.metadata().is_ok_and(|data| data.len() > LONGEST) {
        return Err(fault("longer than 1 GiB: too long to be shown".into()));
    }
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line).map_err(|error| fault(error.to_string()))?;
    let titles = cells(String::from_utf8_lossy(&line).trim_end());
    if let Some(odd) = wanted.iter().find(|&&column| column >= titles.len()) {
        return Err(fault(format!("no column {odd}, it has {} (counted from 0)", titles.len())));
    }
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); wanted.len()];
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(|error| fault(error.to_string()))?;
        // a last line cut short is still being written
        if line.pop() != Some(b'\n') {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let row: Vec<&str> = text.trim_end().split(',').collect();
        for (column, values) in wanted.iter().zip(&mut values) {
            let number = row.get(*column).and_then(|cell| cell.trim().parse().ok());
            values.push(number.unwrap_or(f64::NAN));
        }
    }
    let rows = values.first().map_or(0, Vec::len);
    let kept = kept(values.last().map_or(&[], Vec::as_slice), most.clamp(2, MOST_ROWS));
    let finite = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
    let thin = |column: &Vec<f64>| kept.iter().map(|&row| finite(column[row])).collect::<Vec<_>>();
    let named: Vec<&String> = wanted.iter().map(|&column| &titles[column]).collect();
    Ok(json!({ "columns": named, "rows": rows, "values": values.iter().map(thin).collect::<Vec<_>>() }))
}

/// The rows that stay.
fn kept(leading: &[f64], most: usize) -> Vec<usize> {
    if leading.len() <= most {
        return (0..leading.len()).collect();
    }
    let pieces = most / 2;
    let mut kept = vec![0];
    for piece in 0..pieces {
        let range = piece * leading.len() / pieces..(piece + 1) * leading.len() / pieces;
        let by = |a: &usize, b: &usize| leading[*a].total_cmp(&leading[*b]);
        let ends = [range.clone().min_by(by), range.max_by(by)];
        kept.extend(ends.into_iter().flatten());
    }
    kept.push(leading.len() - 1);
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_peaks_and_both_ends() {
        let mut values = vec![0.0; 100_000];
        (values[54_321], values[77_777]) = (9.0, -9.0);
        let kept = kept(&values, 1000);
        assert!(kept.len() <= 1002 && kept.first() == Some(&0) && kept.last() == Some(&99_999));
        assert!(kept.contains(&54_321) && kept.contains(&77_777));
        assert!(kept.is_sorted());
    }

    #[test]
    fn tables_are_found_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let run = home.path().join("run");
        std::fs::create_dir_all(run.join("probes")).unwrap();
        std::fs::create_dir_all(run.join("checkpoints")).unwrap();
        std::fs::write(home.path().join("secret.csv"), "a\n1\n").unwrap();
        std::fs::write(run.join("probes/steps.csv"), "step,\"a, b\"\n1,2.5\n2,nan\n3,4\n4,").unwrap();
        std::fs::write(run.join("measures.csv"), "t\n1\n").unwrap();
        std::fs::write(run.join("checkpoints/c.csv"), "t\n1\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(home.path().join("secret.csv"), run.join("link.csv")).unwrap();
        let names: Vec<String> = list(&run).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["measures.csv", "probes/steps.csv"]);
        let found = columns(&run, "probes/steps.csv", &[0, 1], ROWS).unwrap();
        assert_eq!(found["columns"], json!(["step", "a, b"]));
        assert_eq!(found["values"], json!([[1.0, 2.0, 3.0], [2.5, null, 4.0]]), "the last line is not whole");
        for odd in ["../secret.csv", "link.csv", "/etc/passwd", "probes/../../secret.csv", ""] {
            assert!(matches!(columns(&run, odd, &[0], ROWS), Err(ServeError::NoTable(_))), "{odd}");
        }
        assert!(matches!(columns(&run, "measures.csv", &[7], ROWS), Err(ServeError::Table { .. })));
        let huge = columns(&run, "measures.csv", &[0], usize::MAX).unwrap();
        assert_eq!(huge["rows"], 1);
    }
}
