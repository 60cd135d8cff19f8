//! The same scene gives the same bits: on any number of threads, a second time, and beside another
//! simulation.

use crate::common::made::{box_of_disks, pile_in_space};
use crate::common::stepping::{hash, on_threads, simulation, step, steps};
use crate::common::{drystone, read, root};
use crate::words;

/// The hash after some steps on some threads; at least `contacts` must have pushed, or the test proves
/// nothing.
fn hash_after(text: &str, count: usize, threads: usize, contacts: usize) -> u64 {
    on_threads(threads, || {
        let mut simulation = simulation(text);
        let most = steps(&mut simulation, count);
        assert!(most >= contacts, "only {most} contacts pushed");
        hash(&simulation)
    })
}

#[test]
fn same_bits_on_any_number_of_threads_in_the_plane() {
    // enough bodies for every parallel loop to be cut into pieces; few sweeps, for time
    let text = box_of_disks(75, 32, 1000, 100).replace("tolerance = 1e-3", "max_iterations = 30");
    let one = hash_after(&text, 200, 1, 400);
    for threads in [2, 4, 4] {
        assert_eq!(hash_after(&text, 200, threads, 400), one, "{threads} threads");
    }
}

#[test]
fn same_bits_on_any_number_of_threads_in_space() {
    let text = pile_in_space(7, 4, 1000);
    let one = hash_after(&text, 60, 1, 100);
    for threads in [2, 4] {
        assert_eq!(hash_after(&text, 60, threads, 100), one, "{threads} threads");
    }
}

#[test]
fn same_bits_from_the_command_on_any_number_of_threads() {
    let home = tempfile::tempdir().unwrap();
    drystone(&words!["new", "collapse", home.path()]).ends_with(0);
    let scene = home.path().join("collapse.toml");
    let hashes = ["1", "2", "4", "4"].map(|threads| {
        let folder = home.path().join("run");
        let arguments =
            words!["run", &scene, "-o", &folder, "--force", "--json", "--steps", "80", "--threads", threads];
        drystone(&arguments).ends_with(0).json()["state_hash"].clone()
    });
    assert!(hashes.iter().all(|hash| hash == &hashes[0]), "{hashes:?}");
}

#[test]
fn two_simulations_in_one_process_do_not_disturb_each_other() {
    let texts = [box_of_disks(6, 5, 1000, 100), pile_in_space(2, 3, 1000)];
    let alone = [0, 1].map(|which| {
        let mut simulation = simulation(&texts[which]);
        steps(&mut simulation, 150);
        hash(&simulation)
    });
    // by turns
    let mut both = [0, 1].map(|which| simulation(&texts[which]));
    for _ in 0..150 {
        both.iter_mut().for_each(|simulation| {
            step(simulation);
        });
    }
    assert_eq!(both.each_ref().map(hash), alone, "by turns");
    // at the same time, in one pool
    let mut both = [0, 1].map(|which| simulation(&texts[which]));
    let [first, second] = &mut both;
    on_threads(3, || rayon::join(|| steps(first, 150), || steps(second, 150)));
    assert_eq!(both.each_ref().map(hash), alone, "at the same time");
}

#[test]
fn every_scene_gives_the_same_bits_again() {
    for name in ["falling-disks", "stack", "arch", "validation/rocking", "validation/elastic"] {
        let text = read(&root().join(format!("scenes/{name}.toml")));
        let hash_of = |threads| hash_after(&text, 100, threads, 0);
        assert_eq!(hash_of(1), hash_of(2), "{name}");
    }
}
