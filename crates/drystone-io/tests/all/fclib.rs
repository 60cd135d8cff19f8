//! Saved problems survive the way to the disk and back, in every layout, and a spoiled file is refused with
//! its place.

use crate::fclib_files::{Files, Layout, Small, entries_of, number};
use drystone_io::{Info, IoError, Saved, SavedProblem, write_problem};
use drystone_math::nalgebra::{DMatrix, DVector};
use drystone_math::{BlockRows, Matrix, Vector};
use drystone_problem::{Blocks, Delassus, Problem, Set, residual};
use std::path::Path;

/// A problem whose W is not symmetric, with a row that is empty but for its diagonal.
fn problem<const D: usize>(contacts: usize) -> Problem<D, Blocks<D>> {
    let block = |salt: usize| Matrix::<D, D>::from_fn(|i, j| number(salt * 97 + i * 11 + j * 3));
    let mut triplets = Vec::new();
    for row in 0..contacts as u32 {
        triplets.push((row, row, Matrix::identity() * 2.0 + block(row as usize) * 0.3));
        if row > 1 {
            triplets.push((row, row - 1, block(100 + row as usize)));
            triplets.push((row - 1, row, block(200 + row as usize)));
        }
    }
    let u_free = (0..contacts).map(|a| Vector::from_fn(|i, _| number(a * 5 + i + 7))).collect();
    let sets = (0..contacts).map(|a| Set::Coulomb { mu: 0.1 * a as f64 }).collect();
    Problem { w: Blocks::new(BlockRows::from_triplets(contacts, triplets)), u_free, sets }
}

fn same<const D: usize>(a: &Problem<D, Blocks<D>>, b: &Problem<D, Blocks<D>>) {
    assert_eq!(a.u_free, b.u_free);
    assert_eq!(a.sets, b.sets);
    for row in 0..a.contacts() {
        assert!(a.w.rows().row(row).eq(b.w.rows().row(row)), "row {row}");
    }
}

fn space(saved: &Saved) -> &Problem<3, Blocks<3>> {
    match &saved.problem {
        SavedProblem::Space(problem) => problem,
        other => panic!("not in space: {other:?}"),
    }
}

#[test]
fn a_written_problem_reads_back_to_the_bit_in_the_plane_and_in_space() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("problem.hdf5");
    let words = Info { title: b"caf\xe9".to_vec(), description: b"two\nlines".to_vec(), math: Vec::new() };

    let written = problem::<3>(7);
    let guess: Vec<Vector<3>> = (0..7).map(|a| Vector::from_fn(|i, _| number(a + i))).collect();
    write_problem(&path, &written, &words, Some(&guess), None).unwrap();
    let saved = Saved::read(&path).unwrap();
    same(space(&saved), &written);
    assert_eq!((saved.contacts(), saved.dimension(), saved.is_global()), (7, 3, false));
    assert_eq!(saved.info(), &words);
    assert_eq!(saved.info().title(), "caf\u{fffd}");
    assert_eq!(saved.guess::<3>(0).unwrap(), guess);
    assert_eq!(saved.guess::<3>(1), None);

    let written = problem::<2>(4);
    write_problem(&path, &written, &Info::default(), None, None).unwrap();
    let saved = Saved::read(&path).unwrap();
    let SavedProblem::Plane(read) = &saved.problem else { panic!("not in the plane") };
    same(read, &written);

    let empty = problem::<3>(0);
    write_problem(&path, &empty, &Info::default(), None, None).unwrap();
    assert_eq!(Saved::read(&path).unwrap().contacts(), 0);
}

#[test]
fn a_solved_copy_holds_the_problem_and_its_answer() {
    let home = tempfile::tempdir().unwrap();
    let (path, solved) = (home.path().join("problem.hdf5"), home.path().join("solved.hdf5"));
    let written = problem::<3>(7);
    write_problem(&path, &written, &Info::new("a", "b"), None, None).unwrap();
    let saved = Saved::read(&path).unwrap();
    let r: Vec<Vector<3>> = (0..7).map(|a| Vector::from_fn(|i, _| number(a * 2 + i))).collect();
    saved.write_solved(&solved, space(&saved), &r).unwrap();
    same(space(&Saved::read(&solved).unwrap()), &written);
    let file = Files::open(&solved);
    let flat = |values: &[Vector<3>]| values.iter().flat_map(|v| v.iter().copied()).collect::<Vec<f64>>();
    assert_eq!(file.reals("solution/r"), flat(&r));
    assert_eq!(file.reals("solution/u"), flat(&written.velocities(&r)));
}

/// A global problem with dense blocks for bodies, and what it condenses to by dense algebra.
struct Global {
    m: DMatrix<f64>,
    h: DMatrix<f64>,
    f: DVector<f64>,
    w: DVector<f64>,
}

impl Global {
    fn new(bodies: usize, contacts: usize) -> Self {
        let n = 4 * bodies;
        let mut m = DMatrix::zeros(n, n);
        for body in 0..bodies {
            for i in 0..4 {
                for j in 0..4 {
                    m[(4 * body + i, 4 * body + j)] = number(body * 13 + 4 * i + j) * 0.4;
                }
                m[(4 * body + i, 4 * body + i)] += 2.0;
            }
        }
        let m_contacts = 3 * contacts;
        let mut h = DMatrix::zeros(n, m_contacts);
        for contact in 0..contacts {
            for side in [contact % bodies, (contact + 1) % bodies] {
                for i in 0..4 {
                    for j in 0..3 {
                        h[(4 * side + i, 3 * contact + j)] = number(contact * 31 + side * 7 + 3 * i + j);
                    }
                }
            }
        }
        let f = DVector::from_fn(n, |k, _| number(k + 40));
        let w = DVector::from_fn(m_contacts, |k, _| number(k + 90));
        Self { m, h, f, w }
    }

    fn write(&self, path: &Path, layout: Layout) {
        let contacts = self.h.ncols() / 3;
        let file = Files::create(path);
        file.group("fclib_global");
        file.integers("fclib_global/spacedim", &[3]);
        file.matrix("fclib_global/M", [self.m.nrows(); 2], &entries_of(&self.m), layout);
        file.matrix("fclib_global/H", [self.h.nrows(), self.h.ncols()], &entries_of(&self.h), layout);
        file.group("fclib_global/vectors");
        file.write_reals("fclib_global/vectors/f", self.f.as_slice());
        file.write_reals("fclib_global/vectors/w", self.w.as_slice());
        file.write_reals("fclib_global/vectors/mu", &vec![0.5; contacts]);
        file.close();
    }

    /// W and q.
    fn condensed(&self) -> (DMatrix<f64>, DVector<f64>) {
        let lu = self.m.clone().lu();
        let w = self.h.transpose() * lu.solve(&self.h).unwrap();
        let q = self.h.transpose() * lu.solve(&self.f).unwrap() + &self.w;
        (w, q)
    }
}

fn dense_of(problem: &Problem<3, Blocks<3>>) -> (DMatrix<f64>, DVector<f64>) {
    let size = 3 * problem.contacts();
    let mut w = DMatrix::zeros(size, size);
    for row in 0..problem.contacts() {
        for (column, block) in problem.w.rows().row(row) {
            w.fixed_view_mut::<3, 3>(3 * row, 3 * column).copy_from(block);
        }
    }
    (w, DVector::from_fn(size, |k, _| problem.u_free[k / 3][k % 3]))
}

#[test]
fn a_global_problem_is_condensed_as_by_dense_algebra_in_every_layout() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("global.hdf5");
    let global = Global::new(5, 6);
    let (w, q) = global.condensed();
    for layout in Layout::ALL {
        global.write(&path, layout);
        let saved = Saved::read(&path).unwrap();
        assert!(saved.is_global());
        let (found_w, found_q) = dense_of(space(&saved));
        assert!((found_w - &w).norm() < 1e-12 * w.norm(), "{layout:?}");
        assert!((found_q - &q).norm() < 1e-12 * q.norm(), "{layout:?}");
    }
}

#[test]
fn bodies_follow_the_impulses_and_the_error_of_siconos_is_as_it_is_defined() {
    let home = tempfile::tempdir().unwrap();
    let (path, solved) = (home.path().join("global.hdf5"), home.path().join("solved.hdf5"));
    let global = Global::new(5, 6);
    global.write(&path, Layout::Triplets);
    let saved = Saved::read(&path).unwrap();
    let problem = space(&saved);
    let r: Vec<Vector<3>> =
        (0..6).map(|a| Vector::<3>::new(1.0 + number(a), number(a + 3), number(a + 9))).collect();
    let flat = DVector::from_fn(18, |k, _| r[k / 3][k % 3]);
    let v = global.m.clone().lu().solve(&(&global.h * &flat + &global.f)).unwrap();
    let u = global.h.transpose() * &v + &global.w;
    let found = DVector::from_vec(saved.velocities(&r).unwrap());
    assert!((found - &v).norm() < 1e-12 * v.norm());

    let law: f64 = (0..6)
        .map(|a| {
            let u = Vector::<3>::from_fn(|i, _| u[3 * a + i]);
            // by hand: û, then the nearest point of the cone by its definition
            let slip = u[1].hypot(u[2]);
            let x = r[a] - Vector::<3>::new(u[0] + 0.5 * slip, u[1], u[2]);
            let tangential = x[1].hypot(x[2]);
            let p = if tangential <= 0.5 * x[0] {
                x
            } else if x[0] <= -0.5 * tangential {
                Vector::zeros()
            } else {
                let normal = (x[0] + 0.5 * tangential) / 1.25;
                Vector::<3>::new(normal, 0.5 * normal * x[1] / tangential, 0.5 * normal * x[2] / tangential)
            };
            (r[a] - p).norm_squared()
        })
        .sum();
    let error = saved.siconos_error(problem, &r);
    let by_hand = law.sqrt() / u.norm().max(flat.norm());
    assert!((error - by_hand).abs() < 1e-12 * by_hand, "{error} {by_hand}");

    saved.write_solved(&solved, problem, &r).unwrap();
    let file = Files::open(&solved);
    let written = DVector::from_vec(file.reals("solution/v"));
    assert!((written - &v).norm() < 1e-12 * v.norm());
    assert!(file.integers_at("fclib_global/M/nz")[0] > 0, "global matrices must be triplets");
    let again = Saved::read(&solved).unwrap();
    assert!((dense_of(space(&again)).0 - dense_of(problem).0).norm() == 0.0);
}

#[test]
fn rolling_contacts_have_five_components_in_space_and_three_in_the_plane() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("rolling.hdf5");
    // some files give the dimension of the space, some the components
    for (spacedim, components) in [(5, 5), (3, 5), (3, 3)] {
        let h = DMatrix::from_fn(12, 2 * components, |i, j| number(i * 13 + j + 1));
        let file = Files::create(&path);
        file.group("fclib_global_rolling");
        file.integers("fclib_global_rolling/spacedim", &[spacedim]);
        let m = entries_of(&DMatrix::from_diagonal_element(12, 12, 2.0));
        file.matrix("fclib_global_rolling/M", [12, 12], &m, Layout::Triplets);
        file.matrix("fclib_global_rolling/H", [12, 2 * components], &entries_of(&h), Layout::Triplets);
        file.group("fclib_global_rolling/vectors");
        file.write_reals("fclib_global_rolling/vectors/f", &[0.5; 12]);
        file.write_reals("fclib_global_rolling/vectors/w", &vec![0.1; 2 * components]);
        file.write_reals("fclib_global_rolling/vectors/mu", &[0.4, 0.5]);
        file.write_reals("fclib_global_rolling/vectors/mu_r", &[0.01, 0.02]);
        file.close();
        let saved = Saved::read(&path).unwrap();
        assert_eq!(saved.dimension(), components);
        let sliding = if components == 5 { 2 } else { 1 };
        let wanted = Set::Rolling { mu: 0.5, rolling: 0.02, twisting: None, sliding };
        let w = h.transpose() * &h * 0.5;
        let (set, found) = match &saved.problem {
            SavedProblem::Rolling(problem) => (problem.sets[1], problem.w.block(1)[(4, 2)]),
            SavedProblem::Space(problem) => (problem.sets[1], problem.w.block(1)[(2, 1)]),
            SavedProblem::Plane(_) => panic!("in the plane"),
        };
        assert_eq!(set, wanted);
        let place = if components == 5 { (9, 7) } else { (5, 4) };
        assert!((found - w[place]).abs() < 1e-13);
    }
}

#[test]
fn constraints_are_eliminated() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("held.hdf5");
    let Global { m, h, f, w } = Global::new(5, 6);
    let g = DMatrix::from_fn(20, 2, |i, j| number(i * 2 + j + 500));
    let b = DVector::from_fn(2, |k, _| number(k + 600));
    Global { m: m.clone(), h: h.clone(), f: f.clone(), w: w.clone() }.write(&path, Layout::Triplets);
    let file = Files::reopen(&path);
    file.matrix("fclib_global/G", [20, 2], &entries_of(&g), Layout::Triplets);
    file.write_reals("fclib_global/vectors/b", b.as_slice());
    file.close();
    let saved = Saved::read(&path).unwrap();
    // the bordered system by dense algebra
    let mut k = DMatrix::zeros(22, 22);
    k.view_mut((0, 0), (20, 20)).copy_from(&m);
    k.view_mut((0, 20), (20, 2)).copy_from(&-&g);
    k.view_mut((20, 0), (2, 20)).copy_from(&g.transpose());
    let lu = k.lu();
    let wide = h.clone().resize_vertically(22, 0.0);
    let delassus = wide.transpose() * lu.solve(&wide).unwrap();
    let (found, _) = dense_of(space(&saved));
    assert!((&found - &delassus).norm() < 1e-11 * delassus.norm());
    let r: Vec<Vector<3>> = (0..6).map(|a| Vector::from_fn(|i, _| number(a * 3 + i))).collect();
    let v = DVector::from_vec(saved.velocities(&r).unwrap());
    assert!((g.transpose() * v + b).norm() < 1e-12, "the constraint must hold");

    // a local one: u = W r + V λ + q, Vᵀ r + R λ + s = 0
    let local = problem::<3>(4);
    write_problem(&path, &local, &Info::default(), None, None).unwrap();
    let (v, held, s) = (
        DMatrix::from_fn(12, 2, |i, j| number(i + 20 * j)),
        DMatrix::from_row_slice(2, 2, &[-2.0, 0.3, 0.1, -1.5]),
        DVector::from_row_slice(&[0.2, -0.4]),
    );
    let file = Files::reopen(&path);
    file.matrix("fclib_local/V", [12, 2], &entries_of(&v), Layout::Rows);
    file.matrix("fclib_local/R", [2, 2], &entries_of(&held), Layout::Rows);
    file.write_reals("fclib_local/vectors/s", s.as_slice());
    file.close();
    let saved = Saved::read(&path).unwrap();
    let (w, q) = dense_of(&local);
    let (found_w, found_q) = dense_of(space(&saved));
    let lu = held.lu();
    assert!((found_w - (w - &v * lu.solve(&v.transpose()).unwrap())).norm() < 1e-12);
    assert!((found_q - (q - &v * lu.solve(&s).unwrap())).norm() < 1e-12);
}

#[test]
fn duplicates_of_triplets_are_summed_and_room_to_spare_is_not_an_error() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("twice.hdf5");
    let file = Files::create(&path);
    file.group("fclib_local");
    file.integers("fclib_local/spacedim", &[2]);
    file.group("fclib_local/W");
    for (name, values) in [("nzmax", [100]), ("m", [2]), ("n", [2]), ("nz", [4])] {
        file.integers(&format!("fclib_local/W/{name}"), &values);
    }
    // rows in i, columns in p: 1 + 2 at (0, 0), 5 at (1, 0), 4 at (1, 1)
    file.integers("fclib_local/W/i", &[0, 1, 0, 1]);
    file.integers("fclib_local/W/p", &[0, 0, 0, 1]);
    file.write_reals("fclib_local/W/x", &[1.0, 5.0, 2.0, 4.0]);
    file.group("fclib_local/vectors");
    file.write_reals("fclib_local/vectors/q", &[-1.0, 0.5]);
    file.write_reals("fclib_local/vectors/mu", &[0.3]);
    file.close();
    let saved = Saved::read(&path).unwrap();
    let SavedProblem::Plane(problem) = &saved.problem else { panic!("not in the plane") };
    assert_eq!(problem.w.block(0), Matrix::<2, 2>::new(3.0, 0.0, 5.0, 4.0));
    assert!(residual(problem, &problem.velocities(&[Vector::zeros()]), &[Vector::zeros()]).relative > 0.1);
}

/// The message of a file that must be refused.
fn refusal(path: &Path) -> String {
    match Saved::read(path) {
        Err(error @ (IoError::Problem { .. } | IoError::NotAProblem { .. })) => {
            assert!(error.is_bad_input());
            error.to_string()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_contradicts_itself_is_refused_with_its_place() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("spoiled.hdf5");
    type Change<'a> = &'a dyn Fn(&mut Small);
    // a sound file, then one thing changed at a time
    let spoil = |change: Change| {
        let mut small = Small::default();
        change(&mut small);
        small.write(&path);
        refusal(&path)
    };
    Small::default().write(&path);
    assert!(Saved::read(&path).is_ok());
    let cases: [(Change, &str, &str); 13] = [
        (&|s| s.spacedim = vec![4], "fclib_local/spacedim", "2 or 3"),
        (&|s| s.spacedim = vec![], "fclib_local/spacedim", "one whole number"),
        (&|s| s.nz = -3, "fclib_local/W/nz", "-1 (compressed columns)"),
        (&|s| s.p[1] = 7, "fclib_local/W/p", "rise from 0"),
        (&|s| s.p.truncate(2), "fclib_local/W/p", "3 (lines + 1)"),
        (&|s| s.i[1] = 2, "fclib_local/W/i", "0 to 1"),
        (&|s| s.i[1] = -1, "fclib_local/W/i", "0 to 1"),
        (&|s| s.x[2] = f64::NAN, "fclib_local/W/x", "finite"),
        (&|s| s.x.truncate(1), "fclib_local/W/p", "rise from 0"),
        (&|s| s.q.push(0.0), "fclib_local/vectors/q", "2, spacedim"),
        (&|s| s.mu[0] = -0.1, "fclib_local/vectors/mu", "0 or more"),
        (&|s| s.mu.push(0.1), "fclib_local/W", "4 × 4"),
        (&|s| s.without = "x", "fclib_local/W/x", "real numbers"),
    ];
    for (change, place, allowed) in cases {
        let message = spoil(change);
        assert!(message.contains(place) && message.contains(allowed), "{message}");
        assert!(message.contains("spoiled.hdf5") && message.lines().count() == 1, "{message}");
    }
    let triplets = spoil(&|s| s.nz = 9);
    assert!(triplets.contains("nz = 9"), "{triplets}");
}

#[test]
fn what_is_no_problem_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("other");
    assert!(refusal(&path).contains("no such file"));
    assert!(refusal(home.path()).contains("folder"));
    std::fs::write(&path, "a,b\n1,2\n").unwrap();
    assert!(refusal(&path).contains("fclib_global_rolling"));
    let file = Files::create(&path);
    file.write_reals("numbers", &[1.0]);
    file.close();
    assert!(refusal(&path).contains("none of the groups"));
    // a singular mass
    let mut global = Global::new(5, 6);
    global.m.row_mut(3).fill(0.0);
    global.m.column_mut(3).fill(0.0);
    global.write(&path, Layout::Triplets);
    let message = refusal(&path);
    assert!(message.contains("fclib_global/M") && message.contains("unknown 3"), "{message}");
}

#[test]
fn no_damage_leads_to_a_panic() {
    let home = tempfile::tempdir().unwrap();
    let (path, broken) = (home.path().join("whole.hdf5"), home.path().join("broken.hdf5"));
    write_problem(&path, &problem::<3>(4), &Info::new("t", "d"), None, None).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let mut refused = 0;
    let mut try_bytes = |bytes: &[u8]| {
        std::fs::write(&broken, bytes).unwrap();
        if Saved::read(&broken).is_err() {
            refused += 1;
        }
    };
    for cut in (0..whole.len()).step_by(whole.len() / 150) {
        try_bytes(&whole[..cut]);
    }
    for k in 0..1500 {
        let mut bytes = whole.clone();
        let place = k * 7919 % bytes.len();
        bytes[place] = match k % 3 {
            0 => bytes[place] ^ (1 << (k % 8)),
            1 => 0xff,
            _ => 0,
        };
        try_bytes(&bytes);
    }
    assert!(refused > 150, "{refused}");
}
