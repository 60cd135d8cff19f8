//! The server as a browser and as somebody hostile meet it: every answer over a real connection.

use drystone_io::{RunFolder, RunSink};
use drystone_scene::Scene;
use drystone_serve::{Server, Stopper, export_csv, export_html, export_vtk, export_xyz};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

const SCENE: &str = r#"
title = "Two <disks> & a floor"
dimension = 2
time = { step = 0.01, duration = 1.0 }
output = { interval = 0.05 }
materials.stone.density = 2000
law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
body = [
    { name = "floor", shape.line = {}, fixed = true },
    { name = "lower", material = "stone", shape.disk.radius = 0.1, position = [0.0, 0.1] },
    { name = "upper", material = "stone", shape.disk.radius = 0.1, position = [0.02, 0.31] },
    { name = "block", material = "stone", shape.box.size = [0.2, 0.1], position = [0.5, 0.05] },
]
"#;

/// A run of a second, in a folder of its own.
fn made(folder: &Path, scene: &str) -> RunFolder {
    let scene = Scene::parse(scene, "scene.toml").unwrap();
    let mut simulation = scene.build().unwrap();
    let mut sink = RunSink::create_fixed(folder, &scene, &simulation, false).unwrap();
    let every = scene.steps_between_outputs();
    simulation.run_to_step(scene.steps(), every, &mut sink).unwrap();
    sink.into_writer().finish(&serde_json::json!({ "outcome": "completed" })).unwrap();
    RunFolder::open(folder).unwrap()
}

/// A server that runs while it lives.
struct Running {
    address: SocketAddr,
    stopper: Stopper,
    folder: PathBuf,
    _home: tempfile::TempDir,
}

impl Running {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("run");
        made(&folder, SCENE);
        std::fs::write(home.path().join("secret.csv"), "word\n42\n").unwrap();
        let server = Server::open(&folder, Some(0)).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        std::thread::spawn(move || server.serve());
        Self { address, stopper, folder, _home: home }
    }

    /// Sends bytes and reads all that comes back.
    fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }

    /// Status and body of an answer.
    fn ask(&self, method: &str, path: &str, headers: &str) -> (u16, Vec<u8>) {
        let host =
            if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let request = format!("{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n{headers}\r\n");
        split(&self.send(request.as_bytes()))
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.ask("GET", path, "")
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stopper.stop();
    }
}

fn split(answer: &[u8]) -> (u16, Vec<u8>) {
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer[end + 4..].to_vec())
}

/// The numbers of an array of a packed frame.
fn array(frame: &[u8], name: &str) -> Vec<f32> {
    assert_eq!(&frame[..4], b"DSF1");
    let length = u32::from_le_bytes(frame[4..8].try_into().unwrap()) as usize;
    let note: Value = serde_json::from_slice(&frame[8..8 + length]).unwrap();
    let found = note["arrays"].as_array().unwrap().iter().find(|array| array["name"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name} in {note}"));
    assert_eq!(found["kind"], "f32");
    let start = 8 + length + found["offset"].as_u64().unwrap() as usize;
    let bytes = &frame[start..start + 4 * found["length"].as_u64().unwrap() as usize];
    bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn the_page_and_the_run_come_as_they_are() {
    let server = Running::new();
    let (status, page) = server.get("/");
    assert_eq!(status, 200);
    assert!(String::from_utf8(page).unwrap().contains("<title>Drystone</title>"));
    let run = server.json("/api/run");
    assert_eq!(run["names"], serde_json::json!(["floor", "lower", "upper", "block"]));
    assert_eq!((run["dimension"].as_u64(), run["fixed"].clone()), (Some(2), serde_json::json!([1, 0, 0, 0])));
    assert_eq!(run["balls"]["body"], serde_json::json!([1, 2]));
    assert_eq!(run["items"].as_array().unwrap().len(), 2, "the half-plane and the block");
    let folder = RunFolder::open(&server.folder).unwrap();
    let times = server.json("/api/frames")["times"].as_array().unwrap().len();
    assert_eq!(times, folder.times().len());
    for index in [0, times / 2, times - 1] {
        let (status, packed) = server.get(&format!("/api/frame/{index}"));
        assert_eq!(status, 200);
        let frame = folder.frame(index).unwrap();
        let near = |packed: Vec<f32>, exact: Vec<f64>| {
            assert_eq!(packed.len(), exact.len());
            assert!(
                packed.iter().zip(&exact).all(|(a, b)| (f64::from(*a) - b).abs() <= 1e-6 * b.abs().max(1e-3))
            );
        };
        near(array(&packed, "bodies/Points"), frame.bodies.iter().flat_map(|body| body.position).collect());
        near(array(&packed, "bodies/velocity"), frame.bodies.iter().flat_map(|body| body.velocity).collect());
        near(
            array(&packed, "bodies/orientation_wxyz"),
            frame.bodies.iter().flat_map(|body| body.orientation_wxyz).collect(),
        );
        near(
            array(&packed, "contacts/force"),
            frame.contacts.iter().flat_map(|contact| contact.force).collect(),
        );
    }
    let status = server.json("/api/status");
    assert_eq!((status["running"].as_bool(), status["outcome"].as_str()), (Some(false), Some("completed")));
    assert_eq!(status["last"]["step"], 100.0);
}

#[test]
fn tables_come_by_columns() {
    let server = Running::new();
    let tables = server.json("/api/tables");
    assert_eq!(tables[0]["name"], "probes/steps.csv");
    let columns = tables[0]["columns"].as_array().unwrap();
    let kinetic = columns.iter().position(|title| title == "kinetic [J]").unwrap();
    let table = server.json(&format!("/api/table/probes/steps.csv?column=1&column={kinetic}"));
    assert_eq!((table["rows"].as_u64(), table["values"][1].as_array().unwrap().len()), (Some(100), 100));
    assert_eq!(table["values"][0][99], 1.0, "the time of the last step");
    let few = server.json(&format!("/api/table/probes/steps.csv?column={kinetic}&most=10"));
    assert!(few["values"][0].as_array().unwrap().len() <= 12);
}

#[test]
fn nothing_outside_the_run_is_given_out() {
    let server = Running::new();
    let odd = [
        "/../secret.csv",
        "/..%2fsecret.csv",
        "/api/table/../secret.csv?column=0",
        "/api/table/..%2Fsecret.csv?column=0",
        "/api/table/%2e%2e/secret.csv?column=0",
        "/api/table//etc/passwd?column=0",
        "/api/table/probes/../../secret.csv?column=0",
        "/api/table/scene.toml?column=0",
        "/scene.toml",
        "/api/frame/../run",
        "/api",
        "/api/",
    ];
    for path in odd {
        let (status, body) = server.get(path);
        assert_eq!(status, 404, "{path}: {}", String::from_utf8_lossy(&body));
        assert!(!String::from_utf8_lossy(&body).contains("42"), "{path}");
    }
}

#[test]
fn what_is_not_there_or_too_much_is_refused() {
    let server = Running::new();
    let cases = [
        ("/api/frame/99999", 404),
        ("/api/frame/4294967295", 404),
        ("/api/frame/18446744073709551616", 404),
        ("/api/frame/-1", 404),
        ("/api/frame/1e9", 404),
        ("/api/frame/", 404),
        ("/api/table/probes/steps.csv", 400),
        ("/api/table/probes/steps.csv?column=9999", 400),
        ("/api/table/probes/steps.csv?column=-1", 400),
        ("/api/table/probes/steps.csv?column=0&most=99999999999999999999999", 400),
        ("/api/table/probes/steps.csv?column=0&most=4294967296", 200),
        ("/api/table/nothing.csv?column=0", 404),
    ];
    for (path, status) in cases {
        let (found, body) = server.get(path);
        assert_eq!(found, status, "{path}: {}", String::from_utf8_lossy(&body));
    }
    let many = format!("/api/table/probes/steps.csv?{}", "column=0&".repeat(100));
    assert_eq!(server.get(&many).0, 400);
    assert_eq!(server.ask("DELETE", "/api/run", "").0, 405);
    assert_eq!(server.ask("POST", "/api/run", "X-Drystone: 1\r\n").0, 404);
    assert_eq!(server.ask("POST", "/api/stop", "X-Drystone: 1\r\n").0, 409, "nothing runs");
    assert!(!server.folder.join("stop").exists());
}

#[test]
fn other_sites_are_not_answered() {
    let server = Running::new();
    let odd = [
        ("GET", "/api/run", "Host: evil.example\r\n"),
        ("GET", "/", "Host: 127.0.0.1.evil.example\r\n"),
        ("GET", "/api/run", "Origin: http://evil.example\r\n"),
        ("GET", "/api/run", "Origin: null\r\n"),
        ("GET", "/api/frame/0", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"),
        ("POST", "/api/stop", ""),
        ("POST", "/api/stop", "X-Drystone: 1\r\nOrigin: http://evil.example\r\n"),
    ];
    for (method, path, headers) in odd {
        assert_eq!(server.ask(method, path, headers).0, 403, "{method} {path} {headers}");
    }
    assert_eq!(split(&server.send(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")).0, 403, "no host at all");
}

#[test]
fn nonsense_gets_an_answer_and_the_server_goes_on() {
    let server = Running::new();
    let nonsense: [&[u8]; 7] = [
        b"\r\n\r\n",
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n",
        b"POST /api/stop HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
        b"GET / HTTP/1.1\r\nno colon here\r\n\r\n",
    ];
    for bytes in nonsense {
        let (status, _) = split(&server.send(bytes));
        assert!((400..600).contains(&status), "{bytes:?}: {status}");
    }
    let long = [b"GET / HTTP/1.1\r\nX: ".to_vec(), vec![b'x'; 1 << 17], b"\r\n\r\n".to_vec()].concat();
    assert_eq!(split(&server.send(&long)).0, 431);
    // somebody who connects and says nothing, or half a word
    let mut silent = TcpStream::connect(server.address).unwrap();
    silent.write_all(b"GET / HT").unwrap();
    drop(TcpStream::connect(server.address).unwrap());
    assert_eq!(server.get("/api/run").0, 200);
}

#[test]
fn two_viewers_at_once_and_several_requests_on_one_connection() {
    let server = Running::new();
    std::thread::scope(|scope| {
        for viewer in 0..6 {
            let server = &server;
            scope.spawn(move || {
                for index in 0..20 {
                    let (status, frame) = server.get(&format!("/api/frame/{}", (index * (viewer + 1)) % 20));
                    assert_eq!((status, &frame[..4]), (200, &b"DSF1"[..]));
                }
            });
        }
    });
    let host = format!("Host: {}\r\n", server.address);
    let twice = format!(
        "GET /api/status HTTP/1.1\r\n{host}\r\nHEAD / HTTP/1.1\r\n{host}\r\nGET /api/frames HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
    );
    let answer = server.send(twice.as_bytes());
    let heads = answer.windows(15).filter(|bytes| bytes == b"HTTP/1.1 200 OK").count();
    assert_eq!(heads, 3);
}

#[test]
fn a_run_that_goes_away_or_changes_is_told() {
    let server = Running::new();
    let version = server.json("/api/status")["version"].clone();
    assert_eq!(server.get("/api/frame/3").0, 200);
    std::fs::remove_dir_all(&server.folder).unwrap();
    for path in ["/api/status", "/api/frames", "/api/frame/3", "/api/run", "/api/tables"] {
        let (status, body) = server.get(path);
        assert_eq!(status, 410, "{path}: {}", String::from_utf8_lossy(&body));
    }
    assert_eq!(server.get("/").0, 200, "the page itself can say what is wrong");
    std::thread::sleep(Duration::from_millis(20));
    made(&server.folder, &SCENE.replace("duration = 1.0", "duration = 0.5").replace("upper", "other"));
    let status = server.json("/api/status");
    assert_ne!(status["version"], version, "another run");
    assert_eq!(server.json("/api/run")["names"][2], "other");
    assert_eq!(status["frames"], 11);
}

#[test]
fn a_scene_is_shown_before_it_runs_and_other_files_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("two.toml");
    std::fs::write(&path, SCENE).unwrap();
    let page = home.path().join("page.html");
    let done = export_html(&path, &page, None).unwrap();
    assert_eq!((done.frames, done.of), (1, 1));
    let text = home.path().join("text.txt");
    std::fs::write(&text, "hello").unwrap();
    for odd in [text, home.path().join("nothing"), home.path().to_owned()] {
        let error = Server::open(&odd, Some(0)).unwrap_err();
        assert!(error.is_bad_input(), "{error}");
    }
    std::fs::write(&path, "dimension = 7").unwrap();
    assert!(Server::open(&path, Some(0)).unwrap_err().is_bad_input());
}

#[test]
fn a_port_that_is_taken_is_said_or_passed_over() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    made(&run, SCENE);
    let first = Server::open(&run, None).unwrap();
    let second = Server::open(&run, None).unwrap();
    assert_ne!(first.address(), second.address());
    assert!(first.address().ip().is_loopback());
    let error = Server::open(&run, Some(first.address().port())).unwrap_err();
    assert!(error.to_string().contains("--port"), "{error}");
}

#[test]
fn a_run_is_written_for_other_programs() {
    let home = tempfile::tempdir().unwrap();
    let run = made(&home.path().join("run"), SCENE);
    let frames = run.times().len();
    let page = home.path().join("run.html");
    let done = export_html(run.path(), &page, None).unwrap();
    assert_eq!((done.frames, done.of), (frames, frames));
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("<title>Two &lt;disks> &amp; a floor – Drystone</title>"));
    assert!(text.contains("drystone-data") && !text.contains("http://127"));
    let size = std::fs::metadata(run.path().join("bodies.vtkhdf")).unwrap().len() as usize / frames;
    let few = export_html(run.path(), &page, Some(3 * size.max(1500))).unwrap();
    assert!(few.frames < frames && few.of == frames, "{few:?}");

    let xyz = home.path().join("run.xyz");
    assert_eq!(export_xyz(&run, &xyz).unwrap(), frames);
    let text = std::fs::read_to_string(&xyz).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (frames * 6, "4"));
    assert!(lines[1].starts_with("Properties=pos:R:3:radius:R:1:id:I:1:type:I:1:velo:R:3:orientation:R:4"));
    let columns = lines[3].split(' ').count();
    assert_eq!(columns, 3 + 1 + 1 + 1 + 3 + 4 + 3 + 1 + 3);

    export_csv(&run, &home.path().join("csv")).unwrap();
    let text = std::fs::read_to_string(home.path().join("csv/bodies.csv")).unwrap();
    assert_eq!(text.lines().count(), 1 + 4 * frames);
    let last = run.frame(frames - 1).unwrap().bodies[2].position;
    let row = text.lines().nth(4 * frames - 1).unwrap();
    let titles: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let column = titles.iter().position(|title| *title == "position y").unwrap();
    assert_eq!(row.split(',').nth(column).unwrap().parse::<f64>().unwrap(), last[1], "every bit");

    // the first frame has no contacts, but tells of their columns
    let text = std::fs::read_to_string(home.path().join("csv/contacts.csv")).unwrap();
    let widths: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
    assert!(widths.len() > frames && widths.iter().all(|&width| width == widths[0]), "{widths:?}");
    assert!(text.lines().next().unwrap().contains(",force x,force y,force z,"));

    export_vtk(&run, &home.path().join("vtk")).unwrap();
    let list = std::fs::read_to_string(home.path().join("vtk/bodies.pvd")).unwrap();
    assert_eq!(list.matches("<DataSet").count(), frames);
    let file = std::fs::read_to_string(home.path().join("vtk/bodies-00000.vtp")).unwrap();
    assert!(file.contains("NumberOfPoints=\"4\"") && file.ends_with("</VTKFile>\n"));
    // two disks of 32 corners, a box, and the floor as a line; each cell knows its body
    let file = std::fs::read_to_string(home.path().join("vtk/surfaces-00000.vtp")).unwrap();
    assert!(
        file.contains("NumberOfPoints=\"70\"") && file.contains("NumberOfLines=\"1\" NumberOfPolys=\"3\"")
    );
    let body = file.split("Name=\"body\"").nth(1).and_then(|rest| rest.split(['>', '<']).nth(1)).unwrap();
    assert_eq!(body.split_whitespace().collect::<Vec<_>>(), ["0", "1", "2", "3"]);
    assert!(file.contains("Name=\"velocity\" NumberOfComponents=\"3\""));
}
