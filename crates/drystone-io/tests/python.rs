//! h5py, VTK and PyVista open what we write. Needs a Python with these, named by `DRYSTONE_PYTHON`; `scripts/test`
//! installs and names one. Without that name there is nothing to ask, and the test says so.

mod common;

use common::{PLANE, SPACE, resume, scene, start};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

fn check(python: &OsStr, arguments: &[&Path]) -> bool {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/python/check_run.py");
    Command::new(python).arg(script).args(arguments).status().unwrap().success()
}

#[test]
fn others_read_our_files() {
    let Some(python) = std::env::var_os("DRYSTONE_PYTHON") else {
        eprintln!("DRYSTONE_PYTHON names no Python: nothing read");
        return;
    };
    let check = |arguments: &[&Path]| check(&python, arguments);
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
