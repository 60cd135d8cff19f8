//! h5py, VTK and PyVista open what we write. Needs Python with these, so it runs only when asked:
//!
//! `DRYSTONE_PYTHON=python3 cargo test -p drystone-io --test python -- --ignored`

mod common;

use common::{PLANE, SPACE, resume, scene, start};
use std::path::Path;
use std::process::Command;

fn check(arguments: &[&Path]) -> bool {
    let python = std::env::var("DRYSTONE_PYTHON").unwrap_or("python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/python/check_run.py");
    Command::new(python)
        .arg(script)
        .args(arguments)
        .status()
        .unwrap()
        .success()
}

#[test]
#[ignore = "needs Python with h5py, vtk and pyvista"]
fn others_read_our_files() {
    for text in [PLANE, SPACE] {
        let home = tempfile::tempdir().unwrap();
        let (whole, resumed) = (home.path().join("whole"), home.path().join("resumed"));
        let (writer, ..) = start(&whole, &scene(text), 200, false).unwrap();
        // while the run goes on, and after its end
        assert!(check(&[&whole]));
        writer.finish(&serde_json::json!({})).unwrap();
        assert!(check(&[&whole]));

        drop(start(&resumed, &scene(text), 77, false).unwrap());
        assert!(check(&[&resumed]));
        drop(resume(&resumed, 200).unwrap());
        assert!(check(&[&resumed, Path::new("--same-as"), &whole]));

        // and the check can fail
        assert!(!check(&[&home.path().join("nowhere")]));
        std::fs::write(whole.join("contacts.vtkhdf"), "nothing").unwrap();
        assert!(!check(&[&whole]));
    }
}
