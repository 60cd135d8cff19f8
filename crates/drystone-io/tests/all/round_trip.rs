//! What a run folder gives back is what was written, bit for bit.

use crate::common::{PLANE, SOFT, SPACE, go_on, scene, start};
use drystone::{AnySimulation, Simulation};
use drystone_io::{
    FoundColumn, Frame, IoError, NumberPiece, PieceBuffer, RunFolder, RunWriter, StoredColumn, StoredNumbers,
};
use std::io::{Read, Seek, SeekFrom};

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()))
}

fn check_frame<const D: usize>(frame: &Frame, simulation: &Simulation<D>) {
    assert_eq!(frame.step, simulation.steps_done());
    assert!((frame.time - simulation.time()).abs() <= 1e-11 * simulation.time());
    let bodies = simulation.bodies();
    assert_eq!(frame.bodies.len(), bodies.len());
    for (body, record) in frame.bodies.iter().enumerate() {
        assert!(same_bits(&record.position[..D], bodies.pose[body].position.as_slice()));
        assert!(same_bits(&record.orientation_wxyz, &bodies.pose[body].orientation_wxyz()));
        assert!(same_bits(&record.velocity[..D], &bodies.velocity[body][..D]));
        assert!(same_bits(&record.spin[3 - drystone::rigid_turns(D)..], &bodies.velocity[body][D..]));
        assert!(record.position[D..].iter().all(|&z| z == 0.0));
    }
    let interactions = simulation.interactions();
    assert_eq!(frame.contacts.len(), interactions.len());
    for (record, interaction) in frame.contacts.iter().zip(interactions) {
        let force = interaction.frame * interaction.r / simulation.settings().step;
        assert!(same_bits(&record.point[..D], interaction.point.as_slice()));
        assert!(same_bits(&record.normal[..D], interaction.frame.column(0).as_slice()));
        assert!(same_bits(&record.force[..D], force.as_slice()));
        assert_eq!(record.gap.to_bits(), interaction.gap.to_bits());
        assert_eq!(record.status, interaction.status);
        assert_eq!(record.bodies, interaction.bodies.map(|body| body.0));
        let spent = &interaction.spent;
        let causes = [spent.friction, spent.shocks, spent.cohesion, spent.viscosity];
        assert!(same_bits(&record.dissipated.unwrap(), &causes));
    }
}

#[test]
fn last_frame_is_the_simulation() {
    for text in [PLANE, SPACE] {
        let folder = tempfile::tempdir().unwrap();
        let scene = scene(text);
        let (writer, simulation, _) = start(folder.path(), &scene, 150, false).unwrap();
        let run = RunFolder::open(folder.path()).unwrap();
        assert_eq!(run.times().len(), 16);
        assert_eq!(run.times().len(), writer.frames());
        assert_eq!(run.times()[9], 0.09, "times are what a reader types, not 90 × 0.001");
        assert_eq!(run.scene().unwrap(), scene);
        let contacts: usize = (0..16).map(|index| run.frame(index).unwrap().contacts.len()).sum();
        assert!(contacts > 16, "the scene must have contacts for this test to mean anything");
        let last = run.frame(15).unwrap();
        match &simulation {
            AnySimulation::Plane(simulation) => check_frame(&last, simulation),
            AnySimulation::Space(simulation) => check_frame(&last, simulation),
        }
        assert!(run.summary().unwrap().is_none());
        assert!(run.is_running());
        writer.finish(&serde_json::json!({"steps": 150})).unwrap();
        assert_eq!(run.summary().unwrap().unwrap()["steps"], 150);
        assert!(!run.is_running());
        assert!(!folder.path().join("spare").exists());
    }
}

/// The numbers of a column, put together from its pieces.
fn joined(column: &FoundColumn, buffer: &mut PieceBuffer) -> StoredColumn {
    let (mut reals, mut words, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    let mut take = |piece: NumberPiece<'_>| match piece {
        NumberPiece::Reals(numbers) => reals.extend_from_slice(numbers),
        NumberPiece::Words(numbers) => words.extend_from_slice(numbers),
        NumberPiece::Bytes(numbers) => bytes.extend_from_slice(numbers),
    };
    column.pass_on(buffer, &mut take).unwrap();
    let numbers = match (reals.is_empty(), words.is_empty()) {
        (false, _) => StoredNumbers::Reals(reals),
        (_, false) => StoredNumbers::Words(words),
        _ => StoredNumbers::Bytes(bytes),
    };
    StoredColumn { name: column.name.clone(), components: column.components, numbers }
}

#[test]
fn a_frame_in_pieces_is_the_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (_writer, _, _) = start(folder.path(), &scene(PLANE), 150, false).unwrap();
    let run = RunFolder::open(folder.path()).unwrap();
    let mut buffer = PieceBuffer::default();
    let mut rows = 0;
    for index in 0..run.times().len() {
        let (found, whole) = (run.found_frame(index).unwrap(), run.stored_frame(index).unwrap());
        for (columns, stored) in [(&found.bodies, &whole.bodies), (&found.contacts, &whole.contacts)] {
            assert_eq!(columns.len(), stored.len());
            for (column, stored) in columns.iter().zip(stored).filter(|(column, _)| column.rows > 0) {
                assert_eq!(&joined(column, &mut buffer), stored, "frame {index}");
                rows += column.rows;
            }
        }
        let places =
            run.frame(index).unwrap().bodies.iter().flat_map(|body| body.position).collect::<Vec<_>>();
        assert_eq!(whole.bodies[0].numbers, StoredNumbers::Reals(places));
        // less of it is the same of it
        let motion = run.found_motion(index).unwrap();
        assert!(motion.bodies.len() < found.bodies.len() && motion.contacts.is_empty());
        assert_eq!(joined(&motion.bodies[0], &mut buffer), whole.bodies[0]);
    }
    assert!(rows > 500, "{rows} rows");
}

#[test]
fn reader_keeps_its_frame_while_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (mut writer, simulation, mut totals) = start(folder.path(), &scene(PLANE), 50, false).unwrap();
    let AnySimulation::Plane(mut simulation) = simulation else { panic!("a scene of the plane") };
    let run = RunFolder::open(folder.path()).unwrap();
    let before: Vec<Frame> = (0..run.times().len()).map(|index| run.frame(index).unwrap()).collect();
    go_on(&mut writer, &mut simulation, &mut totals, 200).unwrap();
    for (index, frame) in before.iter().enumerate() {
        assert_eq!(run.frame(index).unwrap(), *frame);
    }
    assert_eq!(RunFolder::open(folder.path()).unwrap().times().len(), 21);
}

/// A program that shows a file holds a shared lock on it, as the HDF5 library takes one, and must find the
/// same bytes whenever it looks again.
#[test]
fn a_file_that_somebody_reads_does_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let (mut writer, simulation, mut totals) = start(folder.path(), &scene(PLANE), 50, false).unwrap();
    let AnySimulation::Plane(mut simulation) = simulation else { panic!("a scene of the plane") };
    let mut held = std::fs::File::open(folder.path().join("bodies.vtkhdf")).unwrap();
    held.lock_shared().unwrap();
    let mut look = || {
        let mut bytes = Vec::new();
        held.seek(SeekFrom::Start(0)).unwrap();
        held.read_to_end(&mut bytes).unwrap();
        bytes
    };
    let before = look();
    go_on(&mut writer, &mut simulation, &mut totals, 120).unwrap();
    assert!(look() == before);
    assert_eq!(RunFolder::open(folder.path()).unwrap().times().len(), 13);
}

#[test]
fn folders_that_are_not_ours_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(PLANE);
    let missing = folder.path().join("nowhere");
    assert!(matches!(RunFolder::open(&missing), Err(IoError::Missing(_))));
    assert!(matches!(RunFolder::open(folder.path()), Err(IoError::NotARun { .. })));
    assert!(matches!(RunWriter::reopen(folder.path()).map(drop), Err(IoError::NotARun { .. })));

    // a folder with a stranger's file is never touched
    std::fs::write(folder.path().join("thesis.txt"), "years of work").unwrap();
    for force in [false, true] {
        assert!(matches!(start(folder.path(), &scene, 10, force), Err(IoError::Occupied(_))));
    }

    // a run is overwritten by force only
    let run = folder.path().join("run");
    drop(start(&run, &scene, 100, false).unwrap());
    let error = start(&run, &scene, 10, false).map(drop).unwrap_err();
    assert!(matches!(error, IoError::Exists(_)) && error.is_bad_input(), "{error}");
    drop(start(&run, &scene, 10, true).unwrap());
    let run = RunFolder::open(&run).unwrap();
    assert_eq!(run.times().len(), 2);
    assert!(matches!(run.frame(2), Err(IoError::NoFrame { frame: 2, frames: 2, .. })));
}

#[test]
fn two_writers_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(PLANE);
    let (writer, ..) = start(folder.path(), &scene, 20, false).unwrap();
    assert!(matches!(RunWriter::reopen(folder.path()).map(drop), Err(IoError::Busy { .. })));
    assert!(matches!(start(folder.path(), &scene, 20, true), Err(IoError::Busy { .. })));
    drop(writer);
    assert!(RunWriter::reopen(folder.path()).is_ok());
}

#[test]
fn a_body_with_products_of_inertia_is_read_in_the_axes_it_was_written_in() {
    let tensor = "mass = 1, inertia = [[0.03, -0.006, 0.004], [-0.006, 0.05, 0.01], [0.004, 0.01, 0.04]], \
                  orientation_wxyz = [0.8, 0, 0.6, 0]";
    let text = SPACE.replace("[0.2, 0.3, 0.1], density = 1000", &format!("[0.2, 0.3, 0.1], {tensor}"));
    let folder = tempfile::tempdir().unwrap();
    let (writer, _, _) = start(folder.path(), &scene(&text), 10, false).unwrap();
    writer.finish(&serde_json::json!({})).unwrap();
    let first = RunFolder::open(folder.path()).unwrap().frame(0).unwrap().bodies[2];
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
    assert!(near(&first.spin, &[0.1, 0.2, 1.0]), "{first:?}");
    assert!(near(&first.orientation_wxyz, &[0.8, 0.0, 0.6, 0.0]), "{first:?}");
    let table = std::fs::read_to_string(folder.path().join("probes/box.csv")).unwrap();
    let row: Vec<f64> = table.lines().nth(1).unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!(near(&row[5..], &[0.8, 0.0, 0.6, 0.0, 0.1, 0.2, 1.0]), "{row:?}");
}

/// The columns of a table by their titles, and its last line.
fn last_line(path: std::path::PathBuf) -> impl Fn(&str) -> f64 {
    let text = std::fs::read_to_string(path).unwrap();
    let titles: Vec<String> = text.lines().next().unwrap().split(',').map(str::to_owned).collect();
    let numbers: Vec<f64> = text.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    move |title| numbers[titles.iter().position(|known| known == title).unwrap_or_else(|| panic!("{title}"))]
}

/// A pressed block at rest: uniform stress, supports bear the load, strain and flow by hand; nodes of a body
/// that flies are where its rigid motion and its deformation take them.
#[test]
fn elements_and_probes_on_nodes_tell_stress_and_reactions() {
    let folder = tempfile::tempdir().unwrap();
    let (writer, simulation, _) = start(folder.path(), &scene(SOFT), 200, false).unwrap();
    writer.finish(&serde_json::json!({})).unwrap();
    let AnySimulation::Plane(simulation) = simulation else { panic!("a scene of the plane") };
    let (block, disk) = (1, 2);
    let [nodes, all] =
        [block, disk].map(|body| simulation.solids().model(body).unwrap().mesh().nodes().len());
    let all = nodes + all;
    let file = rust_hdf5::H5File::open(folder.path().join("elements.vtkhdf")).unwrap();
    let column =
        |name: &str| -> Vec<f64> { file.dataset(&format!("VTKHDF/{name}")).unwrap().read_raw().unwrap() };
    let frames = 21;
    let last = |name: &str, components: usize| {
        let values = column(name);
        assert_eq!(values.len(), frames * all * components, "{name}");
        values[(frames - 1) * all * components..].to_vec()
    };
    let stress = last("PointData/stress", 6);
    let accumulated = last("PointData/accumulated_plastic_strain", 1);
    let (area, load) = (0.2, 1.2e5 * 0.2);
    let held = last_line(folder.path().join("probes/held.csv"));
    assert!((held("reaction y [N]") / load - 1.0).abs() < 1e-5, "{}", held("reaction y [N]"));
    assert!(held("reaction x [N]").abs() < 1e-6 && held("displacement y [m]") == 0.0);
    let top = last_line(folder.path().join("probes/top.csv"));
    let along = 1.0 + top("displacement y [m]") / 0.1;
    assert!(along < 0.98 && top("velocity y [m/s]").abs() < 1e-4, "{along}");
    assert!((top("position y [m]") - 0.1 * along).abs() < 1e-12);
    let fields = simulation.solid_fields(drystone::BodyId(block as u32)).unwrap();
    let across = fields.place.iter().map(|x| x[0]).fold(0.0, f64::max) / 0.1;
    let pressure = load / (area * across);
    for node in 0..nodes {
        // the load came at once: waves have left plastic strains that are not quite even
        let [xx, yy, xy] = [0, 1, 3].map(|k| stress[6 * node + k] / pressure);
        assert!((yy + 1.0).abs() < 0.04 && xx.abs() < 0.04 && xy.abs() < 0.04, "{xx} {yy} {xy}");
        assert!(accumulated[node] > 1e-3, "{}", accumulated[node]);
    }
    assert!(accumulated[nodes..].iter().all(|&flowed| flowed == 0.0));
    let types: Vec<u8> = file.dataset("VTKHDF/Types").unwrap().read_raw().unwrap();
    assert!(types[..8] == [9; 8] && types[8..].iter().all(|&kind| kind == 5), "{types:?}");
    // momentum of the nodes of the disk is that of the body
    let (velocity, bodies) = (last("PointData/velocity", 3), simulation.bodies());
    let one = last_line(folder.path().join("probes/one.csv"));
    let node =
        simulation.solids().model(disk).unwrap().mesh().nearest_node(&drystone::Vector::<2>::new(0.1, 0.0));
    assert_eq!(velocity[3 * (nodes + node)], one("velocity x [m/s]"));
    let speed = drystone::Vector::<2>::new(one("velocity x [m/s]"), one("velocity y [m/s]"));
    let arm = bodies.pose[disk].rotation() * simulation.solids().model(disk).unwrap().mesh().nodes()[node];
    let rigid = drystone::Vector::<2>::new(
        bodies.velocity[disk][0] - bodies.velocity[disk][2] * arm[1],
        bodies.velocity[disk][1] + bodies.velocity[disk][2] * arm[0],
    );
    let state = simulation.solids().state(disk).unwrap();
    let own = bodies.pose[disk].rotation()
        * drystone::Vector::<2>::new(state.velocity[2 * node], state.velocity[2 * node + 1]);
    assert!((speed - rigid - own).norm() < 1e-12 && rigid.norm() > 0.1, "{speed} {rigid}");
    let place = bodies.pose[disk].position
        + arm
        + drystone::Vector::<2>::new(one("displacement x [m]"), one("displacement y [m]"));
    assert!(
        (place - drystone::Vector::<2>::new(one("position x [m]"), one("position y [m]"))).norm() < 1e-12
    );
}

/// Two blocks of a group fall, a third hangs on a wire: centre of mass, momentum and forces by hand.
#[test]
fn probes_on_groups_and_ties_tell_sums_and_pulls() {
    let text = r#"dimension = 2
gravity = [0.0, -10.0]
time = { step = 1e-3, duration = 0.1 }
body = [
    { name = "floor", group = "ground", shape.line = {}, fixed = true },
    { name = "low", group = "pair", shape.box.size = [0.2, 0.2], mass = 1.0, position = [0.0, 0.1] },
    { name = "high", group = "pair", shape.box.size = [0.2, 0.2], mass = 3.0, position = [0.0, 0.3] },
    { name = "hanging", shape.box.size = [0.2, 0.2], mass = 2.0, position = [2.0, 1.0] },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
tie = [{ name = "wire", kind = "wire", bodies = ["hanging", "ground"], ends = [[2.0, 1.1], [2.0, 2.0]] }]
probe = [
    { name = "pair", group = "pair", quantities = ["position", "velocity", "force", "mass", "count", "energy"] },
    { name = "wire", tie = "wire" },
]
"#;
    let folder = tempfile::tempdir().unwrap();
    let (writer, ..) = start(folder.path(), &scene(text), 100, false).unwrap();
    writer.finish(&serde_json::json!({})).unwrap();
    let pair = last_line(folder.path().join("probes/pair.csv"));
    assert!((pair("position y [m]") - 0.25).abs() < 1e-9 && pair("velocity y [m/s]").abs() < 1e-9);
    // the force between the two cancels: what is left is their weight
    assert!((pair("force y [N]") - 40.0).abs() < 1e-6, "{}", pair("force y [N]"));
    assert!(pair("mass [kg]") == 4.0 && pair("count [-]") == 2.0 && pair("kinetic energy [J]") < 1e-12);
    let wire = last_line(folder.path().join("probes/wire.csv"));
    assert!((wire("tension [N]") - 20.0).abs() < 1e-6 && (wire("force y [N]") - 20.0).abs() < 1e-6);
    assert!(wire("elongation [m]").abs() < 1e-9);
}

/// Bytes that stand in `file` once and only once, found there.
fn place_of(bytes: &[u8], wanted: &[u8]) -> usize {
    let places: Vec<usize> =
        (0..bytes.len() - wanted.len()).filter(|&at| bytes[at..].starts_with(wanted)).collect();
    assert_eq!(places.len(), 1, "{places:?}");
    places[0]
}

#[test]
fn damage_is_told_with_its_frames() {
    let folder = tempfile::tempdir().unwrap();
    let (writer, ..) = start(folder.path(), &scene(PLANE), 150, false).unwrap();
    writer.finish(&serde_json::json!({})).unwrap();
    let run = RunFolder::open(folder.path()).unwrap();
    assert_eq!(run.verify(|_, _| {}).unwrap(), []);

    // one bit of a velocity
    let velocity = run.frame(15).unwrap().bodies[1].velocity;
    let path = folder.path().join("bodies.vtkhdf");
    let mut bytes = std::fs::read(&path).unwrap();
    let wanted: Vec<u8> = velocity[..2].iter().flat_map(|number| number.to_le_bytes()).collect();
    let place = place_of(&bytes, &wanted);
    bytes[place + 3] ^= 1;
    std::fs::write(&path, bytes).unwrap();

    let damaged = run.verify(|_, _| {}).unwrap();
    assert!(damaged.len() == 1, "{damaged:?}");
    assert_eq!(damaged[0].data_set.as_deref(), Some("VTKHDF/PointData/velocity"));
    assert!(damaged[0].frames.contains(&15) && damaged[0].path == path, "{}", damaged[0]);
}
