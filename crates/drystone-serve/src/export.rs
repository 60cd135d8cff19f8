//! Histories in formats that other programs read: tables and extended XYZ (OVITO). Changes no number; VTK
//! files have a module of their own.

use crate::ServeError;
use drystone_io::{RunFolder, StoredColumn, StoredFrame, StoredNumbers};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes all bodies and all contacts of all frames as two tables, `bodies.csv` and `contacts.csv`, into a
/// folder; gives the number of frames.
pub fn export_csv(run: &RunFolder, folder: &Path) -> Result<usize, ServeError> {
    make(folder)?;
    let paths = ["bodies.csv", "contacts.csv"].map(|name| folder.join(name));
    let mut tables = [open(&paths[0])?, open(&paths[1])?];
    let mut titled = [false; 2];
    for index in 0..run.times().len() {
        let frame = run.stored_frame(index)?;
        for (k, columns) in [&frame.bodies, &frame.contacts].into_iter().enumerate() {
            if columns.is_empty() {
                continue;
            }
            let fresh = !std::mem::replace(&mut titled[k], true);
            table_rows(&mut tables[k], index, &frame, columns, fresh).map_err(fault(&paths[k]))?;
        }
    }
    for (table, path) in tables.iter_mut().zip(&paths) {
        table.flush().map_err(fault(path))?;
    }
    Ok(run.times().len())
}

fn table_rows(
    output: &mut impl Write,
    index: usize,
    frame: &StoredFrame,
    columns: &[StoredColumn],
    fresh: bool,
) -> io::Result<()> {
    if fresh {
        let titles: Vec<String> = columns.iter().flat_map(titles).collect();
        writeln!(output, "frame,step,time,row,{}", titles.join(","))?;
    }
    let mut line = String::new();
    for row in 0..rows(columns) {
        line.clear();
        let _ = write!(line, "{index},{},{:?},{row}", frame.step, frame.time);
        for column in columns {
            for part in 0..column.components {
                line.push(',');
                number(&mut line, column, row * column.components + part);
            }
        }
        writeln!(output, "{line}")?;
    }
    Ok(())
}

/// Columns of several numbers get an axis each, or a word for what each of them is.
fn titles(column: &StoredColumn) -> Vec<String> {
    let name = if column.name == "Points" { "position" } else { &column.name };
    let axes: &[&str] = match (column.components, column.name.as_str()) {
        (1, _) => return vec![name.to_owned()],
        (_, "dissipated") => &["friction", "shocks", "cohesion", "viscosity"],
        // in the frame of the contact
        (3, "impulse" | "relative_velocity") => &["normal", "tangent", "second tangent"],
        (4, _) => &["w", "x", "y", "z"],
        (2, "bodies") => &["candidate", "antagonist"],
        _ => &["x", "y", "z"],
    };
    (0..column.components).map(|part| format!("{name} {}", axes.get(part).copied().unwrap_or("?"))).collect()
}

pub(crate) fn rows(columns: &[StoredColumn]) -> usize {
    let length = |column: &StoredColumn| match &column.numbers {
        StoredNumbers::Reals(numbers) => numbers.len(),
        StoredNumbers::Words(numbers) => numbers.len(),
        StoredNumbers::Bytes(numbers) => numbers.len(),
    };
    columns.first().map_or(0, |column| length(column) / column.components.max(1))
}

pub(crate) fn number(line: &mut String, column: &StoredColumn, place: usize) {
    let _ = match &column.numbers {
        StoredNumbers::Reals(numbers) => {
            numbers.get(place).map_or(Ok(()), |number| write!(line, "{number:?}"))
        }
        StoredNumbers::Words(numbers) => numbers.get(place).map_or(Ok(()), |number| write!(line, "{number}")),
        StoredNumbers::Bytes(numbers) => numbers.get(place).map_or(Ok(()), |number| write!(line, "{number}")),
    };
}

/// Writes the bodies of all frames as one extended XYZ file; gives the number of frames. The orientation
/// comes in the order of OVITO, scalar last.
pub fn export_xyz(run: &RunFolder, output: &Path) -> Result<usize, ServeError> {
    let mut file = open(output)?;
    for index in 0..run.times().len() {
        let frame = run.stored_frame(index)?;
        xyz_frame(&mut file, &frame).map_err(fault(output))?;
    }
    file.flush().map_err(fault(output))?;
    Ok(run.times().len())
}

fn xyz_frame(output: &mut impl Write, frame: &StoredFrame) -> io::Result<()> {
    let find = |name: &str| frame.bodies.iter().find(|column| column.name == name);
    let wanted = [
        ("Points", "pos:R:3"),
        ("radius", "radius:R:1"),
        ("id", "id:I:1"),
        ("group", "type:I:1"),
        ("velocity", "velo:R:3"),
        ("orientation_wxyz", "orientation:R:4"),
        ("spin", "angular_velocity:R:3"),
        ("kinetic_energy", "kinetic_energy:R:1"),
        ("contact_force", "force:R:3"),
    ];
    let there: Vec<_> = wanted.iter().filter_map(|(name, title)| Some((find(name)?, *title))).collect();
    let titles: Vec<&str> = there.iter().map(|(_, title)| *title).collect();
    writeln!(output, "{}", rows(&frame.bodies))?;
    writeln!(output, "Properties={} Time={:?} Step={}", titles.join(":"), frame.time, frame.step)?;
    let mut line = String::new();
    for row in 0..rows(&frame.bodies) {
        line.clear();
        for (column, _) in &there {
            for part in 0..column.components {
                let part = if column.name == "orientation_wxyz" { (part + 1) % 4 } else { part };
                if !line.is_empty() {
                    line.push(' ');
                }
                number(&mut line, column, row * column.components + part);
            }
        }
        writeln!(output, "{line}")?;
    }
    Ok(())
}

pub(crate) fn make(folder: &Path) -> Result<(), ServeError> {
    std::fs::create_dir_all(folder).map_err(fault(folder))
}

pub(crate) fn open(path: &Path) -> Result<BufWriter<File>, ServeError> {
    File::create(path).map(BufWriter::new).map_err(fault(path))
}

pub(crate) fn fault(path: &Path) -> impl Fn(io::Error) -> ServeError + use<> {
    let path = path.to_owned();
    move |source| ServeError::Write { path: path.clone(), source }
}
