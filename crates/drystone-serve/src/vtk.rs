//! Histories as VTK poly data, a file for each frame with a collection for ParaView: bodies and contacts as
//! points, surfaces as lines and polygons. Changes no number.

use crate::ServeError;
use crate::export::{fault, make, number, open, rows};
use drystone_io::{FaceReader, RunFolder, StoredCells, StoredColumn, StoredFaces, StoredNumbers};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// The collections, by name.
const KINDS: [&str; 3] = ["bodies", "contacts", "surfaces"];

/// Writes bodies, contacts and surfaces as VTK poly data, a file for each frame, with collections
/// `bodies.pvd`, `contacts.pvd` and `surfaces.pvd` that give their times; gives the number of frames. Of what
/// the run did not write there is none.
pub fn export_vtk(run: &RunFolder, folder: &Path) -> Result<usize, ServeError> {
    make(folder)?;
    let mut lists = KINDS.map(|_| String::new());
    let reader = FaceReader::new(run)?;
    for index in 0..run.times().len() {
        let frame = run.stored_frame(index)?;
        let faces = reader.faces(index)?;
        let data = [points(&frame.bodies), points(&frame.contacts), faces.as_ref().and_then(surfaces)];
        for ((kind, data), list) in KINDS.iter().zip(data).zip(&mut lists) {
            let Some(data) = data else { continue };
            let name = format!("{kind}-{index:05}.vtp");
            let path = folder.join(&name);
            let mut file = open(&path)?;
            data.write(&mut file).and_then(|()| file.flush()).map_err(fault(&path))?;
            let _ = writeln!(list, "    <DataSet timestep=\"{:?}\" file=\"{name}\"/>", frame.time);
        }
    }
    for (kind, list) in KINDS.iter().zip(&lists).filter(|(_, list)| !list.is_empty()) {
        let path = folder.join(format!("{kind}.pvd"));
        let text = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  \
             <Collection>\n{list}  </Collection>\n</VTKFile>\n"
        );
        std::fs::write(&path, text).map_err(fault(&path))?;
    }
    Ok(run.times().len())
}

/// One piece of poly data.
struct PolyData<'a> {
    points: &'a [StoredColumn],
    /// Vertices, lines and polygons.
    cells: [StoredCells; 3],
    owners: &'a [StoredColumn],
}

/// Every point a vertex.
fn points(columns: &[StoredColumn]) -> Option<PolyData<'_>> {
    let count = rows(columns) as u32;
    let vertices = StoredCells { corners: (0..count).collect(), ends: (1..=count).collect() };
    let cells = [vertices, StoredCells::default(), StoredCells::default()];
    (!columns.is_empty()).then_some(PolyData { points: columns, cells, owners: &[] })
}

fn surfaces(faces: &StoredFaces) -> Option<PolyData<'_>> {
    let [lines, polygons] = faces.cells.clone();
    let cells = [StoredCells::default(), lines, polygons];
    (rows(&faces.points) > 0).then_some(PolyData { points: &faces.points, cells, owners: &faces.owners })
}

impl PolyData<'_> {
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let count = rows(self.points);
        let [vertices, lines, polygons] = self.cells.each_ref().map(|cells| cells.ends.len());
        writeln!(output, "<?xml version=\"1.0\"?>")?;
        writeln!(
            output,
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\"><PolyData>"
        )?;
        writeln!(
            output,
            "<Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{vertices}\" NumberOfLines=\"{lines}\" \
             NumberOfPolys=\"{polygons}\">\n<Points>"
        )?;
        for column in self.points.iter().filter(|column| column.name == "Points") {
            data_array(output, column)?;
        }
        writeln!(output, "</Points><PointData>")?;
        for column in self.points.iter().filter(|column| column.name != "Points") {
            data_array(output, column)?;
        }
        writeln!(output, "</PointData><CellData>")?;
        self.owners.iter().try_for_each(|column| data_array(output, column))?;
        writeln!(output, "</CellData>")?;
        for (kind, cells) in ["Verts", "Lines", "Polys"].into_iter().zip(&self.cells) {
            writeln!(output, "<{kind}>")?;
            for (name, numbers) in [("connectivity", &cells.corners), ("offsets", &cells.ends)] {
                writeln!(output, "<DataArray type=\"Int32\" Name=\"{name}\" format=\"ascii\">")?;
                let list: Vec<String> = numbers.iter().map(u32::to_string).collect();
                writeln!(output, "{}</DataArray>", list.join(" "))?;
            }
            writeln!(output, "</{kind}>")?;
        }
        writeln!(output, "</Piece></PolyData></VTKFile>")
    }
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
