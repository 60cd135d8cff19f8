//! Files of elements as their programs write them, the same mesh in every format, and damaged ones.

use super::*;
use drystone_elements::element::ElementKind;
use drystone_elements::mesh::{Mesh, MeshLimits};
use drystone_math::Vector;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

/// Bytes of each number in the heads of our arrays.
const HEADER: usize = 4;

const GMSH_2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 5 \"right end\"\n2 7 \"plate\"\n\
    $EndPhysicalNames\n$Nodes\n7\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n10 2 0 0\n11 2 1 0\n12 9 9 0\n$EndNodes\n\
    $Elements\n4\n1 15 2 0 1 12\n2 1 2 5 3 10 11\n3 3 2 7 1 1 2 3 4\n4 3 2 7 1 2 10 11 3\n$EndElements\n";

const GMSH_4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 5 \"right end\"\n2 7 \"plate\"\n\
    $EndPhysicalNames\n$Entities\n1 1 1 0\n1 9 9 0 0\n3 2 0 0 2 1 0 1 5 2 1 -2\n1 0 0 0 2 1 0 1 7 1 3\n$EndEntities\n\
    $Nodes\n2 7 1 12\n0 1 0 1\n12\n9 9 0\n2 1 0 6\n1\n2\n3\n4\n10\n11\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0 0\n2 1 0\n\
    $EndNodes\n$Elements\n3 4 1 4\n0 1 15 1\n1 12\n1 3 1 1\n2 10 11\n2 1 3 2\n3 1 2 3 4\n4 2 10 11 3\n$EndElements\n";

const ABAQUS: &str = "*HEADING\n a plate\n** comment\n*NODE, NSET=everything\n1, 0., 0.\n2, 1., 0.\n3, 1., 1.\n4, 0., 1.\n\
    10, 2., 0.\n11, 2., 1.\n*ELEMENT, TYPE=CPS4R, ELSET=plate\n3, 1, 2,\n 3, 4\n4, 2, 10, 11, 3\n\
    *NSET, NSET=\"right end\"\n10, 11\n*NSET, NSET=odd, GENERATE\n1, 11, 2\n*ELSET, ELSET=two\nplate, 4\n\
    *SURFACE, NAME=\"right end\", TYPE=ELEMENT\n4, S2\n*SURFACE, NAME=below\nplate, S1\n*MATERIAL, NAME=steel\n\
    *ELASTIC\n2.1e11, 0.3\n";

fn vtu(format: &str, arrays: [&str; 5], end: &str) -> String {
    let [points, connectivity, offsets, types, groups] = arrays;
    let array = |kind: &str, name: &str, text: &str| match text.strip_prefix('@') {
        Some(offset) => {
            format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"appended\" offset=\"{offset}\"/>\n")
        }
        None => format!("<DataArray type=\"{kind}\" Name='{name}' format=\"{format}\">{text}</DataArray>\n"),
    };
    format!(
        "<?xml version=\"1.0\"?>\n<!-- <Piece> -->\n<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\">\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"6\" NumberOfCells=\"3\">\n<CellData>\n{}</CellData>\n\
         <Points>\n{}</Points>\n<Cells>\n{}{}{}</Cells>\n</Piece>\n</UnstructuredGrid>\n{end}</VTKFile>\n",
        array("Int32", "part", groups),
        array("Float64", "Points", points),
        array("Int64", "connectivity", connectivity),
        array("Int32", "offsets", offsets),
        array("UInt8", "types", types),
    )
}

const POINTS: [f64; 18] =
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0, 2.0, 1.0, 0.0];

fn with_length(data: Vec<u8>) -> Vec<u8> {
    let mut all = (data.len() as u32).to_le_bytes().to_vec();
    all.extend(data);
    all
}

/// Points, connectivity, offsets, types, groups as bytes.
fn raw() -> [Vec<u8>; 5] {
    [
        with_length(POINTS.iter().flat_map(|x| x.to_le_bytes()).collect()),
        with_length([0i64, 1, 2, 3, 1, 4, 5, 2, 4, 5].iter().flat_map(|x| x.to_le_bytes()).collect()),
        with_length([4i32, 8, 10].iter().flat_map(|x| x.to_le_bytes()).collect()),
        with_length(vec![9, 9, 3]),
        with_length([7i32, 7, -5].iter().flat_map(|x| x.to_le_bytes()).collect()),
    ]
}

fn encode(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().enumerate().fold(0u32, |bits, (k, &byte)| bits | u32::from(byte) << (16 - 8 * k));
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k)) as usize & 63] as char;
            text.push(if k <= three.len() { letter } else { '=' });
        }
    }
    text
}

fn vtu_text() -> String {
    let points: Vec<String> = POINTS.iter().map(f64::to_string).collect();
    vtu("ascii", [&points.join(" "), "0 1 2 3 1 4 5 2 4 5", "4 8\n10", "9 9 3", "7 7 -5"], "")
}

fn vtu_base64() -> String {
    let texts = raw().map(|bytes| encode(&bytes));
    vtu("binary", [&texts[0], &texts[1], &texts[2], &texts[3], &texts[4]], "")
}

/// As ParaView and meshio write them: blocks of zlib behind a head that is encoded apart.
fn vtu_packed() -> String {
    const BLOCK: usize = 16;
    let texts = raw().map(|bytes| {
        let values = &bytes[HEADER..];
        let packed = |block: &[u8]| {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(block).unwrap();
            encoder.finish().unwrap()
        };
        let blocks: Vec<Vec<u8>> = values.chunks(BLOCK).map(packed).collect();
        let head = [blocks.len(), BLOCK, values.len() % BLOCK].into_iter().chain(blocks.iter().map(Vec::len));
        let head: Vec<u8> = head.flat_map(|x| x.to_le_bytes()[..HEADER].to_vec()).collect();
        encode(&head) + &encode(&blocks.concat())
    });
    vtu("binary", [&texts[0], &texts[1], &texts[2], &texts[3], &texts[4]], "")
        .replace("byte_order", "compressor=\"vtkZLibDataCompressor\" byte_order")
}

fn vtu_appended() -> Vec<u8> {
    let (mut data, mut offsets) = (Vec::new(), Vec::new());
    for bytes in raw() {
        offsets.push(format!("@{}", data.len()));
        data.extend(bytes);
    }
    let offsets: Vec<&str> = offsets.iter().map(String::as_str).collect();
    let text = vtu("appended", [offsets[0], offsets[1], offsets[2], offsets[3], offsets[4]], "@@");
    let (begin, end) = text.split_once("@@").unwrap();
    [begin.as_bytes(), b"<AppendedData encoding=\"raw\">\n_", &data, b"</AppendedData>", end.as_bytes()]
        .concat()
}

fn mesh(format: ElementFormat, bytes: &[u8]) -> Mesh<2> {
    let file = read_elements(format, bytes).unwrap();
    assert_eq!(file.dimension(), 2);
    let mesh = file.to_mesh::<2>(0.5).unwrap();
    mesh.check(&MeshLimits::default()).unwrap();
    mesh
}

/// Two squares beside each other, scaled by a half, and the group on the right.
fn is_the_plate(mesh: &Mesh<2>, plate: &str, end: &str) {
    assert_eq!((mesh.nodes().len(), mesh.element_count()), (6, 2));
    assert_eq!(mesh.nodes()[mesh.element(1)[1] as usize], Vector::from([1.0, 0.0]));
    assert_eq!(mesh.group(plate).unwrap().elements, [0, 1]);
    let right = mesh.group(end).unwrap();
    assert_eq!(
        right.nodes.iter().map(|&node| mesh.nodes()[node as usize][0]).collect::<Vec<_>>(),
        [1.0, 1.0]
    );
    assert_eq!(right.faces.len(), 1);
    assert_eq!((right.faces[0].element, right.faces[0].face), (1, 1));
}

#[test]
fn every_format_gives_the_same_plate() {
    is_the_plate(&mesh(ElementFormat::Gmsh, GMSH_2.as_bytes()), "plate", "right end");
    is_the_plate(&mesh(ElementFormat::Gmsh, GMSH_4.as_bytes()), "plate", "right end");
    is_the_plate(&mesh(ElementFormat::Abaqus, ABAQUS.as_bytes()), "plate", "right end");
    is_the_plate(&mesh(ElementFormat::Vtu, vtu_text().as_bytes()), "part:7", "part:-5");
    is_the_plate(&mesh(ElementFormat::Vtu, vtu_base64().as_bytes()), "part:7", "part:-5");
    is_the_plate(&mesh(ElementFormat::Vtu, &vtu_appended()), "part:7", "part:-5");
    is_the_plate(&mesh(ElementFormat::Vtu, vtu_packed().as_bytes()), "part:7", "part:-5");
    let plate = mesh(ElementFormat::Abaqus, ABAQUS.as_bytes());
    // 1, 3, 11 of those there are
    assert_eq!(plate.group("odd").unwrap().nodes, [0, 2, 5]);
    assert_eq!(plate.group("two").unwrap().elements, [0, 1]);
    assert_eq!(plate.group("below").unwrap().faces.len(), 2);
    assert_eq!(plate.group("everything").unwrap().nodes.len(), 6);
}

#[test]
fn binary_gmsh_is_read() {
    // version 2.2: a tetrahedron of the group 3
    let mut bytes = b"$MeshFormat\n2.2 1 8\n".to_vec();
    bytes.extend(1i32.to_le_bytes());
    bytes.extend(b"\n$EndMeshFormat\n$PhysicalNames\n1\n3 3 \"solid\"\n$EndPhysicalNames\n$Nodes\n4\n");
    for (tag, x) in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].iter().enumerate() {
        bytes.extend((tag as i32 + 1).to_le_bytes());
        x.iter().for_each(|x: &f64| bytes.extend(x.to_le_bytes()));
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n1\n");
    [4i32, 1, 2, 1, 3, 1, 1, 2, 3, 4].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    bytes.extend(b"\n$EndElements\n");
    let mesh = read_elements(ElementFormat::Gmsh, &bytes).unwrap().to_mesh::<3>(1.0).unwrap();
    assert_eq!(mesh.kind(0), ElementKind::Te4);
    assert_eq!(mesh.group("solid").unwrap().elements, [0]);
    mesh.check(&MeshLimits::default()).unwrap();
}

/// Edges of Gmsh's elements of second order, in the order of the nodes on them (its reference manual, "Node
/// ordering").
const GMSH_EDGES: [(usize, ElementKind, &[[usize; 2]]); 3] = [
    (11, ElementKind::Te10, &[[0, 1], [1, 2], [2, 0], [3, 0], [2, 3], [1, 3]]),
    (
        17,
        ElementKind::H20,
        &[[0, 1], [0, 3], [0, 4], [1, 2], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 7], [5, 6], [6, 7]],
    ),
    (18, ElementKind::Pri15, &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [3, 5], [4, 5]]),
];

#[test]
fn middles_of_edges_come_in_our_order() {
    for (kind, ours, edges) in GMSH_EDGES {
        let corners = &ours.reference().nodes[..ours.reference().corners];
        let mut nodes: Vec<[f64; 3]> = corners.to_vec();
        nodes.extend(edges.iter().map(|&[a, b]| -> [f64; 3] {
            std::array::from_fn(|axis| 0.5 * (corners[a][axis] + corners[b][axis]))
        }));
        let mut text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", nodes.len());
        for (k, [x, y, z]) in nodes.iter().enumerate() {
            text += &format!("{} {x} {y} {z}\n", k + 1);
        }
        let list: Vec<String> = (1..=nodes.len()).map(|k| k.to_string()).collect();
        text += &format!("$EndNodes\n$Elements\n1\n1 {kind} 0 {}\n$EndElements\n", list.join(" "));
        let mesh = read_elements(ElementFormat::Gmsh, text.as_bytes()).unwrap().to_mesh::<3>(1.0).unwrap();
        assert_eq!(mesh.kind(0), ours);
        for (&node, place) in mesh.element(0).iter().zip(ours.reference().nodes) {
            assert_eq!(mesh.nodes()[node as usize].as_slice(), place, "{ours}");
        }
        mesh.check(&MeshLimits::default()).unwrap();
    }
}

#[test]
fn wedges_of_vtk_may_stand_on_either_end() {
    let text = |order: &str| {
        format!(
            "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"6\" NumberOfCells=\"1\">\
             <Points><DataArray type=\"Float64\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1 1 0 1 0 1 1</DataArray>\
             </Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">{order}</DataArray>\
             <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">6</DataArray>\
             <DataArray type=\"Int32\" Name=\"types\" format=\"ascii\">13</DataArray></Cells></Piece>\
             </UnstructuredGrid></VTKFile>"
        )
    };
    for order in ["0 1 2 3 4 5", "3 4 5 0 1 2"] {
        let file = read_elements(ElementFormat::Vtu, text(order).as_bytes()).unwrap();
        let mesh = file.to_mesh::<3>(1.0).unwrap();
        assert_eq!(mesh.element(0), [0, 1, 2, 3, 4, 5]);
        mesh.check(&MeshLimits::default()).unwrap();
    }
}

#[test]
fn errors_say_where() {
    let told = |format, text: &str| read_elements(format, text.as_bytes()).unwrap_err().to_string();
    let message = told(ElementFormat::Gmsh, &GMSH_2.replace("3 3 2 7 1 1 2 3 4", "3 7 2 7 1 1 2 3 4"));
    assert!(message.starts_with("line 23: found an element of type 7"), "{message}");
    let message = told(ElementFormat::Gmsh, &GMSH_2.replace("10 11 3\n", "10 99 3\n"));
    assert!(message.contains("node 99"), "{message}");
    let message = told(ElementFormat::Abaqus, &ABAQUS.replace("CPS4R", "S4R"));
    assert!(message.starts_with("line 11: found an element of type \"S4R\""), "{message}");
    let message = told(ElementFormat::Abaqus, &ABAQUS.replace("plate, 4", "plaet, 4"));
    assert!(message.contains("\"plaet\"") && message.contains("line 20"), "{message}");
    let message = told(ElementFormat::Abaqus, &format!("{ABAQUS}*INCLUDE, INPUT=more.inp\n"));
    assert!(message.contains("one file"), "{message}");
    let message = told(ElementFormat::Vtu, &vtu_text().replace("9 9 3", "9 14 3"));
    assert!(message.contains("type 14") && message.contains("line 16"), "{message}");
    let message = told(
        ElementFormat::Vtu,
        &vtu_text().replace("byte_order", "compressor=\"vtkLZ4DataCompressor\" byte_order"),
    );
    assert!(message.contains("compressed"), "{message}");
    // in space although the scene is of the plane, and the other way round
    let file =
        read_elements(ElementFormat::Gmsh, GMSH_2.replace("11 2 1 0", "11 2 1 0.1").as_bytes()).unwrap();
    assert!(file.to_mesh::<2>(1.0).unwrap_err().to_string().contains("same z"));
    assert!(file.to_mesh::<3>(1.0).unwrap_err().to_string().contains("no elements"));
}

#[test]
fn damaged_files_are_refused_and_nothing_panics() {
    let files: [(ElementFormat, Vec<u8>); 7] = [
        (ElementFormat::Gmsh, GMSH_2.into()),
        (ElementFormat::Gmsh, GMSH_4.into()),
        (ElementFormat::Abaqus, ABAQUS.into()),
        (ElementFormat::Vtu, vtu_text().into()),
        (ElementFormat::Vtu, vtu_base64().into()),
        (ElementFormat::Vtu, vtu_appended()),
        (ElementFormat::Vtu, vtu_packed().into()),
    ];
    for (format, bytes) in files {
        let try_it = |bytes: &[u8]| {
            let Ok(file) = read_elements(format, bytes) else { return };
            if let Ok(mesh) = file.to_mesh::<2>(1.0) {
                let _ = mesh.check(&MeshLimits::default());
            }
            let _ = file.to_mesh::<3>(1.0);
        };
        for end in 0..bytes.len() {
            try_it(&bytes[..end]);
        }
        for place in 0..bytes.len() {
            for byte in [b'9', b'-', b' ', b'\n', 0xff, b'<'] {
                let mut spoiled = bytes.clone();
                spoiled[place] = byte;
                try_it(&spoiled);
            }
        }
    }
}
