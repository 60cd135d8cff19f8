//! Spoiled scene files: whatever is deleted, doubled or replaced, the answer is a simulation or an error with
//! its line, never a panic.

use drystone_scene::{Scene, SceneError};

/// Scenes in which every key appears.
const FULL: [&str; 5] = [
    include_str!("../full-2d.toml"),
    include_str!("../full-3d.toml"),
    include_str!("../full-loading.toml"),
    include_str!("../full-laws.toml"),
    include_str!("../full-ties.toml"),
];

/// Scenes of samples.
const SAMPLES: [&str; 2] = [include_str!("../full-samples-2d.toml"), include_str!("../full-samples-3d.toml")];

/// A small generator (SplitMix64), so that every run spoils the same files.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % sides.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.roll(of.len())]
    }
}

const NUMBERS: [&str; 16] = [
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e400",
    "-0.0",
    "1e-320",
    "1e30",
    "1e-30",
    "\"3\"",
    "[]",
    "{}",
    "true",
    "99999999999999999999",
    "1979-05-27",
];

const WORDS: [&str; 14] = [
    "box", "disk", "sphere", "line", "plane", "name", "group", "fixed", "drive", "shape", "\"*\"",
    "[[body]]", "[time]", "=",
];

/// Byte ranges of the numbers of a text.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let number = |c: u8| c.is_ascii_digit() || c == b'.' || c == b'-';
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|&&c| number(c)).count();
        if end > at {
            found.push((at, end));
        }
        at = end.max(at + 1);
    }
    found
}

fn spoil(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let line = dice.roll(lines.len());
    match dice.roll(9) {
        0 => {
            lines.remove(line);
        }
        1 => lines.insert(dice.roll(lines.len()), lines[line]),
        2 => {
            let other = dice.roll(lines.len());
            lines.swap(line, other);
        }
        3 | 4 => {
            let places = numbers(text);
            let (from, to) = places[dice.roll(places.len())];
            return format!("{}{}{}", &text[..from], dice.pick(&NUMBERS), &text[to..]);
        }
        5 => {
            let word = dice.pick(&WORDS);
            let tokens: Vec<&str> = lines[line].split(' ').collect();
            let at = dice.roll(tokens.len());
            let tokens: Vec<&str> =
                tokens.iter().enumerate().map(|(k, &t)| if k == at { word } else { t }).collect();
            lines[line] = "";
            return lines.join("\n") + "\n" + &tokens.join(" ");
        }
        6 => {
            // a token of one line in place of one of another
            let other = lines[dice.roll(lines.len())];
            let given = other.split(' ').next_back().unwrap_or("");
            let key = lines[line].split('=').next().unwrap_or("");
            let joined = format!("{key}= {given}");
            return lines
                .iter()
                .enumerate()
                .map(|(k, &l)| if k == line { &joined } else { l })
                .collect::<Vec<_>>()
                .join("\n");
        }
        _ => {
            let mut characters: Vec<char> = text.chars().collect();
            let at = dice.roll(characters.len());
            match dice.roll(3) {
                0 => {
                    characters.remove(at);
                }
                1 => characters.insert(at, characters[dice.roll(characters.len())]),
                _ => characters[at] = ['"', '[', '}', '=', '.', 'é', '\u{0}', '\n', '-', '9'][dice.roll(10)],
            }
            return characters.into_iter().collect();
        }
    }
    lines.join("\n")
}

fn located(text: &str, error: &SceneError) {
    let line = error.line.unwrap_or(0);
    assert!((1..=text.lines().count().max(1) + 1).contains(&line), "line {line} of {error}\n{text}");
    assert!(error.column.is_some_and(|column| column >= 1));
    assert!(!error.message.is_empty());
    let shown = error.to_string();
    assert!(shown.starts_with(&format!("spoiled.toml:{line}:")) && shown.ends_with('^'), "{shown}");
}

#[test]
fn spoiled_samples_are_built_or_refused_with_a_line() {
    let mut dice = Dice(11);
    let (mut refused, mut built) = (0, 0);
    for round in 0..300 {
        let text = spoil(SAMPLES[round % 2], &mut dice);
        match Scene::parse(&text, "spoiled.toml") {
            Err(error) => {
                located(&text, &error);
                refused += 1;
            }
            Ok(scene) => {
                scene.build().unwrap_or_else(|error| panic!("accepted, then refused: {error}\n{text}"));
                built += 1;
            }
        }
    }
    assert!(refused > 50 && built > 20, "{refused} refused, {built} built");
}

#[test]
fn the_full_scenes_are_right() {
    for text in FULL.into_iter().chain(SAMPLES) {
        let scene = Scene::parse(text, "full.toml").unwrap_or_else(|error| panic!("{error}"));
        scene.build().unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn spoiled_scenes_are_built_or_refused_with_a_line() {
    let mut dice = Dice(7);
    let (mut refused, mut built) = (0, 0);
    for round in 0..5000 {
        let mut text = FULL[round % 3].to_owned();
        for _ in 0..1 + dice.roll(3) {
            text = spoil(&text, &mut dice);
        }
        match Scene::parse(&text, "spoiled.toml") {
            Err(error) => {
                located(&text, &error);
                refused += 1;
            }
            Ok(scene) => {
                // what was accepted can be built, written and read again
                scene.build().unwrap_or_else(|error| panic!("accepted, then refused: {error}\n{text}"));
                let again =
                    Scene::parse(&scene.to_toml(), "again.toml").unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(again, scene);
                built += 1;
            }
        }
    }
    // the test means something only if both happen
    assert!(refused > 1000 && built > 200, "{refused} refused, {built} built");
}

#[path = "../../../../fuzz/src/texts.rs"]
mod targets;

/// A small mesh for each reader, in the order of [`targets::mesh`].
const MESHES: [&str; targets::READERS] = [
    "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0\n0 1\n",
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
     element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n\
     $Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n",
    "{\"vertex\": {\"0\": {\"x\": 0, \"y\": 0, \"z\": 0}}, \"face\": {}}",
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n\
     $Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n",
    "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"3\" NumberOfCells=\"1\"><Points>\
     <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0</DataArray></Points><Cells>\
     <DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2</DataArray>\
     <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">3</DataArray>\
     <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">5</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>",
    "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n*ELEMENT, TYPE=CPS3\n1, 1, 2, 3\n",
];

#[test]
fn spoiled_meshes_are_refused_or_read() {
    let mut dice = Dice(23);
    for (reader, mesh) in MESHES.iter().enumerate() {
        let mut refused = 0;
        for _ in 0..1500 {
            let mut bytes = mesh.as_bytes().to_vec();
            for _ in 0..1 + dice.roll(3) {
                let at = dice.roll(bytes.len());
                match dice.roll(5) {
                    0 => bytes.truncate(at),
                    1 => bytes[at] = dice.roll(256) as u8,
                    2 => drop(bytes.drain(at..(at + 1 + dice.roll(9)).min(bytes.len()))),
                    3 => {
                        let scrap = dice.pick(&NUMBERS).as_bytes().to_vec();
                        drop(bytes.splice(at..at, scrap));
                    }
                    _ => bytes[at] ^= 1 << dice.roll(8),
                }
                bytes.push(b'\n');
            }
            refused += usize::from(!targets::mesh(reader, &bytes));
        }
        assert!(refused > 100, "reader {reader}: {refused}");
    }
}

#[test]
fn scenes_of_any_bytes_are_refused_or_read() {
    let mut dice = Dice(29);
    assert!(targets::scene(FULL[0].as_bytes()));
    let taken = (0..300).filter(|_| {
        let mut bytes = dice.pick(&FULL).as_bytes().to_vec();
        // any byte by any other, or a digit by another, which most scenes bear
        let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
        match dice.roll(2) {
            0 => {
                let at = dice.roll(bytes.len());
                bytes[at] = dice.roll(256) as u8;
            }
            _ => bytes[digits[dice.roll(digits.len())]] = b'0' + dice.roll(10) as u8,
        }
        targets::scene(&bytes)
    });
    let taken = taken.count();
    assert!((10..290).contains(&taken), "{taken} of 300 taken");
}

#[cfg(unix)]
#[test]
fn files_outside_of_the_folder_and_files_without_end_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let inside = home.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let (scene, wall) = (inside.join("scene.toml"), MESHES[2]);
    let text = |file: &str| {
        format!(
            "dimension = 3\ntime = {{ step = 1e-3, duration = 0.003 }}\n\
             law = [{{ between = [\"*\", \"*\"], inelastic.friction = 0.3 }}]\n\
             body = [{{ name = \"stone\", density = 2000.0, \
             shape.mesh = {{ file = \"{file}\", unit = \"m\", treat = \"convex\" }} }}]\n"
        )
    };
    std::fs::write(home.path().join("stone.obj"), wall).unwrap();
    std::fs::write(inside.join("stone.obj"), wall).unwrap();
    let write = |file: &str| std::fs::write(&scene, text(file)).unwrap();
    write("stone.obj");
    Scene::from_file(&scene).unwrap_or_else(|error| panic!("{error}"));
    for file in ["../stone.obj".to_owned(), home.path().join("stone.obj").display().to_string()] {
        write(&file);
        let error = Scene::from_file(&scene).unwrap_err().to_string();
        assert!(error.contains("--allow-outside"), "{error}");
        Scene::from_trusted_file(&scene).unwrap_or_else(|error| panic!("{error}"));
    }
    // a link that leads out is outside, too
    std::os::unix::fs::symlink(home.path().join("stone.obj"), inside.join("link.obj")).unwrap();
    write("link.obj");
    assert!(Scene::from_file(&scene).is_err());
    // a device has no end, a pipe is never written
    std::os::unix::fs::symlink("/dev/zero", inside.join("zero.obj")).unwrap();
    write("zero.obj");
    let error = Scene::from_trusted_file(&scene).unwrap_err().to_string();
    assert!(error.contains("regular file"), "{error}");
    let pipe = inside.join("pipe.obj");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    write("pipe.obj");
    assert!(Scene::from_file(&scene).unwrap_err().to_string().contains("regular file"));
    assert!(Scene::from_file(&pipe).unwrap_err().to_string().contains("regular file"));
}
