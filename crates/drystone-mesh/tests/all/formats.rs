//! Every format gives the same solid, and what is not the format is refused with a place; nothing panics or
//! eats memory.

use crate::common::{ELL, cuboid, prism, surface, written};
use drystone_mesh::{Format, MeshError, Surface, read, read_height_field};
use proptest::prelude::*;

/// Something done to the vertices and faces of a mesh.
type Change<'a> = &'a dyn Fn(&mut Vec<[f64; 3]>, &mut Vec<Vec<u32>>);

fn read_as(name: &str, bytes: &[u8]) -> Result<Surface, MeshError> {
    let polygons = read(Format::of_name(name).unwrap(), bytes)?;
    Surface::new(&polygons.vertices, &polygons.faces)
}

#[test]
fn all_formats_give_the_same_solid() {
    // coordinates that 24 bits hold, so that binary STL loses nothing
    let polygons = prism(&ELL, 1.5);
    let wanted = surface(&polygons).mass_properties();
    for (name, bytes) in written(&polygons) {
        let surface = read_as(name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = surface.inspect();
        assert_eq!((surface.vertices.len(), surface.triangles.len()), (12, 20), "{name}");
        assert!(found.problems().is_empty(), "{name}: {:?}", found.problems());
        let mass = surface.mass_properties();
        assert!((mass.volume - 6.0).abs() < 1e-13, "{name}: {}", mass.volume);
        assert!((mass.inertia - wanted.inertia).norm() < 1e-13, "{name}");
    }
}

#[test]
fn text_keeps_all_digits() {
    let x: f64 = 0.1 + 0.2;
    let text = format!(
        "solid\nfacet normal 0 0 0 outer loop vertex {x} 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\nendsolid\n"
    );
    assert_eq!(read(Format::Stl, text.as_bytes()).unwrap().vertices[0][0].to_bits(), x.to_bits());
}

#[test]
fn errors_say_where_what_and_what_else() {
    let say = |format, text: &str| read(format, text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        say(Format::Obj, "v 0 0 0\nv 1 x 0\n"),
        "line 2: found \"x\", but a finite number must stand here"
    );
    // a file that is no mesh may be a secret
    for (format, text) in [
        (Format::Obj, "root:x:0\n"),
        (Format::Obj, "# words\nroot:x:0\n"),
        (Format::Ply, "root:x:0\n"),
        (Format::Gmsh, "root:x:0\n"),
        (Format::Stl, "root:x:0\n"),
        (Format::Compas, "root:x:0\n"),
    ] {
        assert!(!say(format, text).contains("root"), "{}", say(format, text));
    }
    assert_eq!(say(Format::Obj, "v 0 0 0\nf 1 2 3\n"), "line 2: found vertex 2, but the file has 1 vertices");
    assert!(say(Format::Stl, "solid a\nfacet normal 0 0 0\nouter loop\nvertex 1 2 nan\n").contains("line 4"));
    assert!(say(Format::Stl, "not a mesh at all").contains("byte 0"));
    assert!(say(Format::Gmsh, "$MeshFormat\n3.0 0 8\n").contains("2.2 or 4.1"));
    assert!(
        say(Format::Gmsh, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n2 1 0 99999999999999\n")
            .contains("cannot hold")
    );
    assert!(say(Format::Ply, "ply\nformat ascii 1.0\nelement vertex 4000000000\n").contains("cannot hold"));
    assert!(say(Format::Compas, "[1, 2]").contains("a list of 2"));
    assert!(say(Format::Compas, "{\"vertex\": {\"0\": {\"x\": 1}}, \"face\": {}}").contains("nothing for y"));
    let curved =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Elements\n1\n1 9 0 1 2 3 4 5 6\n";
    assert!(say(Format::Gmsh, curved).contains("curved"));
}

#[test]
fn height_fields_start_in_the_south_and_keep_their_holes() {
    let text = "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -1\n 4 5 6\n 1 -1 3\n";
    let field = read_height_field(text.as_bytes()).unwrap();
    assert_eq!(field.origin, [11.0, 21.0]);
    assert_eq!(field.heights, [Some(1.0), None, Some(3.0), Some(4.0), Some(5.0), Some(6.0)]);
    assert_eq!(field.triangles().faces.len(), 0, "both cells touch the hole");
    let whole = read_height_field(text.replace("-1 3", "2 3").as_bytes()).unwrap().scaled(0.5);
    let surface = Surface::from_height_field(&whole).unwrap();
    assert_eq!(surface.triangles.len(), 4);
    assert!((surface.vertices[4] - drystone_math::Vector::<3>::new(6.5, 11.5, 2.5)).norm() < 1e-15);
    for wrong in [
        "ncols 3\n",
        "ncols 1\nnrows 2\n",
        "ncols 4000000000\nnrows 4000000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0\n1 2 3 4",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4 5",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 inf 4",
    ] {
        assert!(read_height_field(wrong.as_bytes()).is_err(), "{wrong}");
    }
}

#[test]
fn a_truncated_file_is_an_error() {
    for (name, bytes) in written(&cuboid([0.0; 3], [1.0, 2.0, 3.0])) {
        let whole = read_as(name, &bytes).unwrap();
        for length in 0..bytes.len() {
            if let Ok(surface) = read_as(name, &bytes[..length]) {
                // text that lost its last line end, or the last faces: never the same solid with another
                // volume
                let complete = surface.vertices == whole.vertices && surface.triangles == whole.triangles;
                assert!(
                    complete || !surface.inspect().closed || length + 3 >= bytes.len(),
                    "{name} cut at {length}"
                );
            }
        }
    }
}

#[test]
fn surfaces_refuse_numbers_that_are_none() {
    let good = cuboid([0.0; 3], [1.0; 3]);
    let refused = |change: Change| {
        let (mut vertices, mut faces) = (good.vertices.clone(), good.faces.clone());
        change(&mut vertices, &mut faces);
        Surface::new(&vertices, &faces).unwrap_err()
    };
    assert_eq!(refused(&|v, _| v[3][1] = f64::NAN), MeshError::NotFinite { vertex: 3 });
    assert!(matches!(refused(&|v, _| v[3][1] = 1e80), MeshError::OutOfScale { .. }));
    assert_eq!(refused(&|_, f| f[2][0] = 8), MeshError::VertexOutOfRange { face: 2, vertex: 8, vertices: 8 });
    assert_eq!(refused(&|_, f| f[2].truncate(2)), MeshError::FaceTooSmall { face: 2, found: 2 });
    assert_eq!(refused(&|_, f| f.clear()), MeshError::Empty);
    assert_eq!(refused(&|_, f| f[1].swap(0, 1)), MeshError::TangledFace { face: 1 });
    assert!(matches!(refused(&|_, f| f[0] = vec![0; 5000]), MeshError::FaceTooLarge { .. }));
}

/// A corner drawn out to kilometres, as a spoiled byte does it: what is small beside that is still there.
#[test]
fn a_needle_keeps_its_small_pieces() {
    let mut needle = surface(&prism(&ELL, 1.5));
    let corner =
        needle.vertices.iter_mut().find(|corner| (corner.y, corner.z) == (3.0, 1.5) && corner.x > 0.0);
    corner.unwrap().y = 11776.0;
    let cut = needle.decompose(0.0, 100).unwrap();
    assert!(cut.pieces.len() > 1 && cut.volume_error.abs() < 1e-4, "{}", cut.volume_error);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Bytes changed anywhere are read or refused; what is read can be looked over and cut.
    #[test]
    fn damaged_files_never_panic(
        which in 0usize..11,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        keep in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let (name, mut bytes) = written(&prism(&ELL, 1.5)).swap_remove(which);
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(keep.index(bytes.len()));
        }
        if let Ok(surface) = read_as(name, &bytes) {
            let found = surface.inspect();
            let _ = surface.mass_properties();
            if let Ok(pieces) = surface.decompose(0.0, 100) {
                prop_assert!(found.problems().is_empty());
                prop_assert!(pieces.volume_error.abs() < 1e-4, "{}", pieces.volume_error);
            }
        }
    }

    /// Words of the formats in any order.
    #[test]
    fn garbage_never_panics(words in prop::collection::vec(
        prop::sample::select(vec!["solid", "facet", "normal", "vertex", "v", "f", "ply", "element", "property", "list",
            "end_header", "format", "ascii", "$MeshFormat", "4.1", "2.2", "0", "1", "8", "-1", "1e400", "nan", "$Nodes",
            "$Elements", "$EndNodes", "$EndMeshFormat", "ncols", "nrows", "cellsize", "99999999999", "\n", "{", "}", "[", "]"]),
        0..60))
    {
        let text = words.join(" ");
        for format in [Format::Stl, Format::Obj, Format::Ply, Format::Gmsh, Format::Compas] {
            let _ = read(format, text.as_bytes());
        }
        let _ = read_height_field(text.as_bytes());
        let _ = drystone_mesh::read_assembly(text.as_bytes());
    }
}
