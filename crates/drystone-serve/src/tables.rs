//! The tables of a run folder for the page: which there are, and columns of one, thinned out. Opens no file
//! that is not a `.csv` of the run.

use crate::ServeError;
use drystone_io::{run_tables, table_columns, table_titles};
use serde_json::{Value, json};
use std::path::Path;

/// Most tables listed.
const MOST_TABLES: usize = 500;

/// Most rows given at once, and how many unless told otherwise.
const MOST_ROWS: usize = 20_000;
pub(crate) const ROWS: usize = 4000;

/// Names of the tables, with the titles of their columns.
pub(crate) fn list(folder: &Path) -> Vec<(String, Vec<String>)> {
    let tables = run_tables(folder).into_iter();
    tables.filter_map(|(name, path)| Some((name, table_titles(&path).ok()?))).take(MOST_TABLES).collect()
}

/// Columns of a table by their numbers, thinned out to about `most` rows: of each run of rows those stay
/// where the last column asked for is least and largest, so that no peak is lost.
pub(crate) fn columns(folder: &Path, name: &str, wanted: &[usize], most: usize) -> Result<Value, ServeError> {
    let found = run_tables(folder).into_iter().find(|(known, _)| known == name);
    let (_, path) = found.ok_or_else(|| ServeError::NoTable(name.to_owned()))?;
    let titles = table_titles(&path)?;
    if let Some(odd) = wanted.iter().find(|&&column| column >= titles.len()) {
        let reason = format!("no column {odd}, it has {} (counted from 0)", titles.len());
        return Err(ServeError::Table { path, reason });
    }
    let values = table_columns(&path, wanted)?;
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
