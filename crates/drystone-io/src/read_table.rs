//! The tables of a run folder as numbers: which there are, their titles, some of their columns. Opens no file
//! that is not a `.csv` of the run; writes none.

use crate::IoError;
use crate::files;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Folders of a run without tables.
const LEFT_OUT: [&str; 3] = ["checkpoints", "problems", "spare"];

/// Longest file that is read \[byte\].
const LONGEST: u64 = 1 << 30;

/// The tables of a run folder, in order: their names, such as `probes/steps.csv`, and their files. Those in
/// the folder itself and in the folders in it; links that lead out of the run are left alone.
pub fn run_tables(folder: &Path) -> Vec<(String, PathBuf)> {
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
    let name = |path: &Path| Some(path.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/"));
    let named = paths.into_iter().filter(is_table).filter_map(|path| Some((name(&path)?, path)));
    let mut found: Vec<(String, PathBuf)> = named.collect();
    found.sort();
    found
}

/// Titles of the columns of a table.
pub fn table_titles(path: &Path) -> Result<Vec<String>, IoError> {
    let file = files::open_regular(path)?;
    let mut line = String::new();
    BufReader::new(file).take(1 << 20).read_line(&mut line).map_err(IoError::system(path))?;
    Ok(cells(line.trim_end()))
}

/// Columns of a table by their numbers, from 0. What is no number, or not there, is NaN; a last line cut
/// short is still being written and left out.
pub fn table_columns(path: &Path, wanted: &[usize]) -> Result<Vec<Vec<f64>>, IoError> {
    let file = files::open_regular(path)?;
    if file.metadata().is_ok_and(|data| data.len() > LONGEST) {
        return Err(IoError::damaged(path, "longer than 1 GiB: too long to be read as a table"));
    }
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line).map_err(IoError::system(path))?;
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); wanted.len()];
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(IoError::system(path))?;
        if line.pop() != Some(b'\n') {
            return Ok(values);
        }
        let text = String::from_utf8_lossy(&line);
        let quoted = text.contains('"').then(|| cells(text.trim_end()));
        let row: Vec<&str> = match &quoted {
            Some(cells) => cells.iter().map(String::as_str).collect(),
            None => text.trim_end().split(',').collect(),
        };
        for (column, values) in wanted.iter().zip(&mut values) {
            let number = row.get(*column).and_then(|cell| cell.trim().parse().ok());
            values.push(number.unwrap_or(f64::NAN));
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_do_not_shift_columns() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("joints.csv");
        std::fs::write(&path, "step,bodies,gap [m]\n1,\"a, b\",0.5\n2,c,nan\n3,d\n4,e,7").unwrap();
        assert_eq!(table_titles(&path).unwrap(), ["step", "bodies", "gap [m]"]);
        let found = table_columns(&path, &[0, 2]).unwrap();
        assert_eq!(found[0], [1.0, 2.0, 3.0], "the last line is not whole");
        assert!(found[1][0] == 0.5 && found[1][1].is_nan() && found[1][2].is_nan());
    }
}
