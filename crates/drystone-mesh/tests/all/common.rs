//! Surfaces with known answers, and writers of every format. Judges nothing.

use drystone_math::Vector;
use drystone_mesh::{Polygons, Surface};

/// A box between two corners as six quadrangles.
pub fn cuboid(low: [f64; 3], high: [f64; 3]) -> Polygons {
    let vertex =
        |k: usize| std::array::from_fn(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    Polygons {
        vertices: (0..8).map(vertex).collect(),
        faces: faces.iter().map(|face| face.to_vec()).collect(),
    }
}

/// A prism over a polygon that goes counter-clockwise, from z = 0 to `height`.
pub fn prism(outline: &[[f64; 2]], height: f64) -> Polygons {
    let n = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |&[x, y]| [x, y, z]);
    let mut faces = vec![(0..n).rev().collect::<Vec<_>>(), (n..2 * n).collect()];
    faces.extend((0..n).map(|k| vec![k, (k + 1) % n, n + (k + 1) % n, n + k]));
    Polygons { vertices: level(0.0).chain(level(height)).collect(), faces }
}

pub const ELL: [[f64; 2]; 6] = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];

/// A star of five points.
pub fn star() -> Vec<[f64; 2]> {
    (0..10)
        .map(|k| {
            let radius = if k % 2 == 0 { 1.0 } else { 0.4 };
            let angle = f64::from(k) * std::f64::consts::PI / 5.0;
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect()
}

/// A torus about z of `n` by `m` quadrangles.
pub fn torus(big: f64, small: f64, n: u32, m: u32) -> Polygons {
    let tau = std::f64::consts::TAU;
    let mut polygons = Polygons::default();
    for i in 0..n {
        for j in 0..m {
            let (a, b) = (tau * f64::from(i) / f64::from(n), tau * f64::from(j) / f64::from(m));
            let r = big + small * b.cos();
            polygons.vertices.push([r * a.cos(), r * a.sin(), small * b.sin()]);
            let at = |i: u32, j: u32| i % n * m + j % m;
            polygons.faces.push(vec![at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    polygons
}

/// Both in one.
pub fn joined(a: &Polygons, b: &Polygons) -> Polygons {
    let shift = a.vertices.len() as u32;
    let moved = b.faces.iter().map(|face| face.iter().map(|corner| corner + shift).collect());
    Polygons {
        vertices: [a.vertices.clone(), b.vertices.clone()].concat(),
        faces: a.faces.iter().cloned().chain(moved).collect(),
    }
}

pub fn turned(polygons: &Polygons) -> Polygons {
    let faces = polygons.faces.iter().map(|face| face.iter().rev().copied().collect()).collect();
    Polygons { faces, ..polygons.clone() }
}

pub fn surface(polygons: &Polygons) -> Surface {
    Surface::new(&polygons.vertices, &polygons.faces).unwrap()
}

/// Whether a point is inside, by counting crossings of a ray: nothing the crate uses.
pub fn is_inside(surface: &Surface, point: &Vector<3>) -> bool {
    // a direction that meets no edge of the test shapes
    let ray = Vector::<3>::new(0.577_215_664_9, 0.261_497_212_8, 0.773_1);
    let crossings = surface.triangles.iter().filter(|corners| {
        let [a, b, c] = corners.map(|corner| surface.vertices[corner as usize]);
        let (u, v) = (b - a, c - a);
        let p = ray.cross(&v);
        let inverse = 1.0 / u.dot(&p);
        let s = point - a;
        let first = inverse * s.dot(&p);
        let q = s.cross(&u);
        let second = inverse * ray.dot(&q);
        first >= 0.0 && second >= 0.0 && first + second <= 1.0 && inverse * v.dot(&q) > 0.0
    });
    crossings.count() % 2 == 1
}

/// Every format's bytes of the same polygons, by name; triangles only where the format has no others.
pub fn written(polygons: &Polygons) -> Vec<(&'static str, Vec<u8>)> {
    let triangles = surface(polygons);
    vec![
        ("text.stl", stl_text(&triangles)),
        ("binary.stl", stl_binary(&triangles)),
        ("a.obj", obj(polygons)),
        ("text.ply", ply(polygons, "ascii")),
        ("little.ply", ply(polygons, "binary_little_endian")),
        ("big.ply", ply(polygons, "binary_big_endian")),
        ("2.msh", msh2(&triangles, false)),
        ("2b.msh", msh2(&triangles, true)),
        ("4.msh", msh4(&triangles, false)),
        ("4b.msh", msh4(&triangles, true)),
        ("compas.json", compas(polygons)),
    ]
}

fn stl_text(surface: &Surface) -> Vec<u8> {
    let mut text = "solid some name with words\n".to_owned();
    for corners in &surface.triangles {
        text += "facet normal 0 0 0\n outer loop\n";
        for &corner in corners {
            let [x, y, z]: [f64; 3] = surface.vertices[corner as usize].into();
            text += &format!("  vertex {x:e} {y:e} {z:e}\n");
        }
        text += " endloop\nendfacet\n";
    }
    (text + "endsolid some name with words\n").into_bytes()
}

fn stl_binary(surface: &Surface) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes[..5].copy_from_slice(b"solid");
    bytes.extend((surface.triangles.len() as u32).to_le_bytes());
    for corners in &surface.triangles {
        bytes.extend([0; 12]);
        for &corner in corners {
            surface.vertices[corner as usize].iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn obj(polygons: &Polygons) -> Vec<u8> {
    let mut text = "# made by a test\nmtllib none.mtl\no thing\n".to_owned();
    for [x, y, z] in &polygons.vertices {
        text += &format!("v {x} {y} {z}\n");
    }
    text += "vn 0 0 1\nvt 0 0\ns off\n";
    let count = polygons.vertices.len() as i64;
    for (number, face) in polygons.faces.iter().enumerate() {
        text += "f";
        for &corner in face {
            let corner = i64::from(corner);
            match number % 3 {
                0 => text += &format!(" {}/1/1", corner + 1),
                1 => text += &format!(" {}//1", corner - count),
                _ => text += &format!(" \\\n {}", corner + 1),
            }
        }
        text += "\n";
    }
    text.into_bytes()
}

fn ply(polygons: &Polygons, format: &str) -> Vec<u8> {
    let header = format!(
        "ply\nformat {format} 1.0\ncomment by a test\nelement vertex {}\nproperty double x\nproperty double y\n\
         property double z\nproperty uchar red\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
        polygons.vertices.len(),
        polygons.faces.len()
    );
    let mut bytes = header.into_bytes();
    let big = format == "binary_big_endian";
    let turn = |little: &[u8]| {
        let mut bytes = little.to_vec();
        if big {
            bytes.reverse();
        }
        bytes
    };
    for vertex in &polygons.vertices {
        if format == "ascii" {
            bytes.extend(format!("{} {} {} 255\n", vertex[0], vertex[1], vertex[2]).into_bytes());
        } else {
            vertex.iter().for_each(|x| bytes.extend(turn(&x.to_le_bytes())));
            bytes.push(255);
        }
    }
    for face in &polygons.faces {
        if format == "ascii" {
            let corners: Vec<String> = face.iter().map(u32::to_string).collect();
            bytes.extend(format!("{} {}\n", face.len(), corners.join(" ")).into_bytes());
        } else {
            bytes.push(face.len() as u8);
            face.iter().for_each(|corner| bytes.extend(turn(&corner.to_le_bytes())));
        }
    }
    bytes
}

fn msh2(surface: &Surface, binary: bool) -> Vec<u8> {
    let mut bytes = format!("$MeshFormat\n2.2 {} 8\n", u8::from(binary)).into_bytes();
    if binary {
        bytes.extend(1i32.to_le_bytes());
        bytes.extend(b"\n");
    }
    bytes.extend(b"$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"skin\"\n$EndPhysicalNames\n");
    bytes.extend(format!("$Nodes\n{}\n", surface.vertices.len()).into_bytes());
    for (index, vertex) in surface.vertices.iter().enumerate() {
        // tags with gaps
        let tag = 2 * index as i32 + 5;
        if binary {
            bytes.extend(tag.to_le_bytes());
            vertex.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        } else {
            bytes.extend(format!("{tag} {} {} {}\n", vertex[0], vertex[1], vertex[2]).into_bytes());
        }
    }
    bytes.extend(format!("$EndNodes\n$Elements\n{}\n", surface.triangles.len() + 1).into_bytes());
    if binary {
        let header = [15, 1, 2, 1, 0, 1, 5, 2, surface.triangles.len() as i32, 2];
        header.iter().for_each(|x: &i32| bytes.extend(x.to_le_bytes()));
    } else {
        bytes.extend(b"1 15 2 0 1 5\n");
    }
    for (index, corners) in surface.triangles.iter().enumerate() {
        let numbers = corners.map(|corner| 2 * corner as i32 + 5);
        let tag = index as i32 + 2;
        if binary {
            [tag, 1, 1].iter().chain(&numbers).for_each(|x| bytes.extend(x.to_le_bytes()));
        } else {
            bytes
                .extend(format!("{tag} 2 2 1 1 {} {} {}\n", numbers[0], numbers[1], numbers[2]).into_bytes());
        }
    }
    bytes.extend(b"$EndElements\n");
    bytes
}

fn msh4(surface: &Surface, binary: bool) -> Vec<u8> {
    let mut bytes = format!("$MeshFormat\n4.1 {} 8\n", u8::from(binary)).into_bytes();
    if binary {
        bytes.extend(1i32.to_le_bytes());
        bytes.extend(b"\n");
    }
    bytes.extend(b"$EndMeshFormat\n");
    let (vertices, triangles) = (surface.vertices.len() as u64, surface.triangles.len() as u64);
    let put = |bytes: &mut Vec<u8>, longs: &[u64]| {
        for x in longs {
            if binary { bytes.extend(x.to_le_bytes()) } else { bytes.extend(format!("{x} ").into_bytes()) }
        }
    };
    let ints = |bytes: &mut Vec<u8>, ints: &[i32]| {
        for x in ints {
            if binary { bytes.extend(x.to_le_bytes()) } else { bytes.extend(format!("{x} ").into_bytes()) }
        }
    };
    bytes.extend(b"$Nodes\n");
    put(&mut bytes, &[1, vertices, 1, 2 * vertices]);
    ints(&mut bytes, &[2, -1, 0]);
    put(&mut bytes, &[vertices]);
    (0..vertices).for_each(|k| put(&mut bytes, &[2 * k + 1]));
    for x in surface.vertices.iter().flat_map(|vertex| vertex.iter()) {
        if binary { bytes.extend(x.to_le_bytes()) } else { bytes.extend(format!("{x}\n").into_bytes()) }
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n");
    put(&mut bytes, &[1, triangles, 1, triangles]);
    ints(&mut bytes, &[2, 1, 2]);
    put(&mut bytes, &[triangles]);
    for (index, corners) in surface.triangles.iter().enumerate() {
        put(&mut bytes, &[index as u64 + 1]);
        put(&mut bytes, &corners.map(|corner| 2 * u64::from(corner) + 1));
    }
    bytes.extend(b"\n$EndElements\n");
    bytes
}

fn compas(polygons: &Polygons) -> Vec<u8> {
    let vertices = polygons.vertices.iter().enumerate();
    let vertices: Vec<String> =
        vertices.map(|(k, [x, y, z])| format!("\"{k}\": {{\"x\": {x}, \"y\": {y}, \"z\": {z}}}")).collect();
    let faces = polygons.faces.iter().enumerate();
    let faces: Vec<String> = faces.map(|(k, face)| format!("\"{k}\": {face:?}")).collect();
    format!(
        "{{\"dtype\": \"compas.datastructures/Mesh\", \"data\": {{\"default_vertex_attributes\": {{\"x\": 0.0}}, \
         \"vertex\": {{{}}}, \"face\": {{{}}}}}}}",
        vertices.join(", "),
        faces.join(", ")
    )
    .into_bytes()
}
