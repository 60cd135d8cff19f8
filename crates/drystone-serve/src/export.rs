//! Histories in formats that other programs read: tables, extended XYZ (OVITO) and VTK files with a
//! collection for ParaView. Changes no number.

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

/// Columns of several numbers get an axis each.
fn titles(column: &StoredColumn) -> Vec<String> {
    let name = if column.name == "Points" { "position" } else { &column.name };
    let axes: &[&str] = match (column.components, column.name.as_str()) {
        (1, _) => return vec![name.to_owned()],
        (4, _) => &["w", "x", "y", "z"],
        (2, "bodies") => &["candidate", "antagonist"],
        _ => &["x", "y", "z"],
    };
    (0..column.components).map(|part| format!("{name} {}", axes.get(part).copied().unwrap_or("?"))).collect()
}

fn rows(columns: &[StoredColumn]) -> usize {
    let length = |column: &StoredColumn| match &column.numbers {
        StoredNumbers::Reals(numbers) => numbers.len(),
        StoredNumbers::Words(numbers) => numbers.len(),
        StoredNumbers::Bytes(numbers) => numbers.len(),
    };
    columns.first().map_or(0, |column| length(column) / column.components.max(1))
}

fn number(line: &mut String, column: &StoredColumn, place: usize) {
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

/// Writes bodies and contacts as VTK poly data, a file for each frame, with collections `bodies.pvd` and
/// `contacts.pvd` that give their times; gives the number of frames.
pub fn export_vtk(run: &RunFolder, folder: &Path) -> Result<usize, ServeError> {
    make(folder)?;
    let mut lists = [String::new(), String::new()];
    for index in 0..run.times().len() {
        let frame = run.stored_frame(index)?;
        let kinds = [("bodies", &frame.bodies), ("contacts", &frame.contacts)];
        for ((kind, columns), list) in kinds.into_iter().zip(&mut lists) {
            if columns.is_empty() {
                continue;
            }
            let name = format!("{kind}-{index:05}.vtp");
            let path = folder.join(&name);
            let mut file = open(&path)?;
            poly_data(&mut file, columns).and_then(|()| file.flush()).map_err(fault(&path))?;
            let _ = writeln!(list, "    <DataSet timestep=\"{:?}\" file=\"{name}\"/>", frame.time);
        }
    }
    for (kind, list) in ["bodies", "contacts"].into_iter().zip(&lists).filter(|(_, list)| !list.is_empty()) {
        let path = folder.join(format!("{kind}.pvd"));
        let text = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  \
             <Collection>\n{list}  </Collection>\n</VTKFile>\n"
        );
        std::fs::write(&path, text).map_err(fault(&path))?;
    }
    Ok(run.times().len())
}

fn poly_data(output: &mut impl Write, columns: &[StoredColumn]) -> io::Result<()> {
    let count = rows(columns);
    writeln!(output, "<?xml version=\"1.0\"?>")?;
    writeln!(output, "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\"><PolyData>")?;
    writeln!(output, "<Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{count}\">")?;
    writeln!(output, "<Points>")?;
    for column in columns.iter().filter(|column| column.name == "Points") {
        data_array(output, column)?;
    }
    writeln!(output, "</Points><PointData>")?;
    for column in columns.iter().filter(|column| column.name != "Points") {
        data_array(output, column)?;
    }
    writeln!(output, "</PointData><Verts>")?;
    for (name, from) in [("connectivity", 0), ("offsets", 1)] {
        writeln!(output, "<DataArray type=\"Int32\" Name=\"{name}\" format=\"ascii\">")?;
        let list: Vec<String> = (from..from + count).map(|place| place.to_string()).collect();
        writeln!(output, "{}</DataArray>", list.join(" "))?;
    }
    writeln!(output, "</Verts></Piece></PolyData></VTKFile>")
}

fn data_array(output: &mut impl Write, column: &StoredColumn) -> io::Result<()> {
    let (kind, length) = match &column.numbers {
        StoredNumbers::Reals(numbers) => ("Float64", numbers.len()),
        StoredNumbers::Words(numbers) => ("UInt32", numbers.len()),
        StoredNumbers::Bytes(numbers) => ("UInt8", numbers.len()),
    };
    let StoredColumn { name, components, .. } = column;
    writeln!(
        output,
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">"
    )?;
    let mut line = String::new();
    for place in 0..length {
        number(&mut line, column, place);
        line.push(if (place + 1) % 12 == 0 { '\n' } else { ' ' });
    }
    writeln!(output, "{line}</DataArray>")
}

fn make(folder: &Path) -> Result<(), ServeError> {
    std::fs::create_dir_all(folder).map_err(fault(folder))
}

fn open(path: &Path) -> Result<BufWriter<File>, ServeError> {
    File::create(path).map(BufWriter::new).map_err(fault(path))
}

fn fault(path: &Path) -> impl Fn(io::Error) -> ServeError + use<> {
    let path = path.to_owned();
    move |source| ServeError::Write { path: path.clone(), source }
}
