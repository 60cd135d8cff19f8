//! Self-balanced networks with known thresholds of friction (Alart, Renouf 2018, §3), and random ones against
//! brute force; random problems judged by an independent linear programme are in `pressed`.

mod pressed;

use drystone_diagnose::existence::{
    Existence, critical_friction, existence, kernel_network, solvable_friction,
};
use drystone_math::BlockRows;
use drystone_math::nalgebra::{DMatrix, DVector};
use drystone_problem::{Blocks, Compliances, Condensed, Delassus, Matrix, PairRow, Problem, Set, Vector};
use std::f64::consts::PI;

/// Whether it is proved that a solution exists.
fn exists<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>) -> bool {
    matches!(existence(problem), Ok(Existence::Exists { .. }))
}

/// A disk in a corner, eq. 10: contact 1 with the floor, contact 2 with the wall that is pushed at `speed`.
fn corner(mu: f64, speed: f64) -> Problem<2, Blocks<2>> {
    let block = |a, b, c, d| Matrix::<2, 2>::new(a, b, c, d);
    let rows = BlockRows::from_triplets(
        2,
        vec![
            (0, 0, block(1.0, 0.0, 0.0, 3.0)),
            (0, 1, block(0.0, -1.0, 1.0, 2.0)),
            (1, 0, block(0.0, 1.0, -1.0, 2.0)),
            (1, 1, block(1.0, 0.0, 0.0, 3.0)),
        ],
    );
    let u_free = vec![Vector::<2>::zeros(), Vector::<2>::new(-speed, 0.0)];
    Problem { w: Blocks::new(rows), u_free, sets: vec![Set::Coulomb { mu }; 2] }
}

fn assert_close(network: &[Vector<2>], expected: &[[f64; 2]], tolerance: f64) {
    for (r, e) in network.iter().zip(expected) {
        assert!((r - Vector::<2>::new(e[0], e[1])).amax() < tolerance, "{network:?}");
    }
}

#[test]
fn disk_in_a_corner() {
    let kernel = [[1.0, -1.0], [1.0, 1.0]];
    let Ok(Existence::Inconsistent { network, power }) = existence(&corner(1.1, 0.3)) else {
        panic!("pushed: {:?}", existence(&corner(1.1, 0.3)));
    };
    assert_close(&network, &kernel, 1e-9);
    assert!((power + 0.3).abs() < 1e-9);
    // pulled, or with less friction than it takes
    assert!(exists(&corner(1.1, -0.3)));
    assert!(exists(&corner(0.8, 0.3)));
    // the network is there whatever the motion, and without motion there is nothing to be against
    assert_close(&kernel_network(&corner(1.1, 0.0)).unwrap().unwrap(), &kernel, 1e-9);
    assert!(exists(&corner(1.1, 0.0)));
    assert_eq!(kernel_network(&corner(0.8, 0.0)), Ok(None));
    let factor = critical_friction(&corner(0.5, 0.0)).unwrap().unwrap();
    assert!((0.5 * factor - 1.0).abs() < 1e-10, "{factor:e}");
    // no friction to enlarge, no network
    assert_eq!(critical_friction(&corner(0.0, 0.0)), Ok(None));
}

/// Two disks in a box: disk 1 on the floor and the left wall, disk 2 above to the right on disk 1 and on the
/// right wall, which is pushed inwards at `speed`; `theta` is the slope of the line of centres.
fn two_disks(theta: f64, mu: [f64; 4], speed: f64) -> Problem<2, Condensed<2>> {
    // u = v_candidate − v_antagonist at the contact, in the frame (n, t) with t = (n_y, −n_x); n towards the
    // candidate
    let frame = |angle: f64| {
        let n = [angle.cos(), angle.sin()];
        [n, [n[1], -n[0]]]
    };
    // velocity of the point at `arm` from the centre: (v_x − ω a_y, v_y + ω a_x)
    let rows_of = |frame: [[f64; 2]; 2], arm: [f64; 2], sign: f64| {
        Matrix::<2, 3>::from_fn(|i, j| {
            let e = frame[i];
            sign * [e[0], e[1], e[1] * arm[0] - e[0] * arm[1]][j]
        })
    };
    // a disk of radius 1 touches at −n where it is the candidate, at +n where it is the antagonist
    let candidate = |angle: f64| rows_of(frame(angle), [-angle.cos(), -angle.sin()], 1.0);
    let antagonist = |angle: f64| rows_of(frame(angle), [angle.cos(), angle.sin()], -1.0);
    let wall = 2;
    let fixed = Matrix::<2, 3>::zeros();
    let rows = vec![
        PairRow::new([0, wall], [candidate(PI / 2.0), fixed]),
        PairRow::new([0, wall], [candidate(0.0), fixed]),
        PairRow::new([1, 0], [candidate(theta), antagonist(theta)]),
        PairRow::new([1, wall], [candidate(PI), fixed]),
    ];
    let disk = Vector::<3>::new(1.0, 1.0, 2.0);
    let w = Condensed::new(&rows, Compliances::diagonal([disk, disk, Vector::<3>::zeros()]));
    let mut u_free = vec![Vector::<2>::zeros(); 4];
    u_free[3][0] = -speed;
    Problem { w, u_free, sets: mu.map(|mu| Set::Coulomb { mu }).to_vec() }
}

#[test]
fn two_disks_in_a_box() {
    let theta = PI / 6.0;
    let critical = (theta / 2.0).tan();
    for (offset, jams) in [(1e-6, true), (-1e-6, false), (0.02, true), (-0.02, false)] {
        let mu = critical + offset;
        let problem = two_disks(theta, [1.3, mu, mu, mu], 0.1);
        let found = existence(&problem).unwrap();
        assert_eq!(matches!(found, Existence::Inconsistent { .. }), jams, "{offset} {found:?}");
        assert_eq!(kernel_network(&problem).unwrap().is_some(), jams, "{offset}");
        if let Existence::Inconsistent { network, power } = found {
            // self-balanced, inside the cones, against the motion
            let still = Problem { u_free: vec![Vector::<2>::zeros(); 4], ..problem.clone() };
            assert!(still.velocities(&network).iter().all(|u| u.amax() < 1e-12));
            for (r, set) in network.iter().zip(&problem.sets) {
                assert!((r - set.project(r)).norm() < 1e-8);
            }
            assert!(power < 0.0);
        }
        // pulled
        assert!(exists(&two_disks(theta, [1.3, mu, mu, mu], -0.1)));
    }
    let factor =
        critical_friction(&two_disks(theta, [1.3, critical, critical, critical], 0.1)).unwrap().unwrap();
    assert!((factor - 1.0).abs() * critical < 1e-10, "{factor:e}");
}

#[test]
fn a_contact_with_a_tiny_share_may_be_needed() {
    // the right wall has turned a little: the chain from wall to wall is no line any more, and the floor must
    // help
    for turn in [1e-3, 1e-5, 1e-6, 1e-7, 1e-9] {
        let tilted = two_disks(PI / 6.0, [1.3, 0.28, 0.28, 0.28], 0.1);
        let mut rows: Vec<PairRow<2>> = tilted.w.pairs().map(|row| row.to_pair()).collect();
        let (sine, cosine) = f64::sin_cos(PI + turn);
        let [n, t] = [[cosine, sine], [sine, -cosine]];
        let arm = [-cosine, -sine];
        let spin = |e: [f64; 2]| e[1] * arm[0] - e[0] * arm[1];
        rows[3].h[0] = Matrix::<2, 3>::from_fn(|i, j| {
            let e = [n, t][i];
            [e[0], e[1], spin(e)][j]
        })
        .into();
        let w = Condensed::new(&rows, tilted.w.bodies().clone());
        let problem = Problem { w, ..tilted };
        let Ok(Existence::Inconsistent { network, power }) = existence(&problem) else {
            panic!("{turn}: {:?}", existence(&problem));
        };
        assert_certificate(&problem, &network, power);
        let factor = solvable_friction(&problem).unwrap().unwrap();
        assert!((0.28 * factor - (PI / 12.0).tan()).abs() < 2.0 * turn, "{turn} {factor}");
    }
}

/// A ball of radius 1 held by fixed obstacles with the given normals (towards the ball), which close at
/// `speed`.
fn held_ball(normals: &[Vector<3>], mu: f64, speed: f64) -> Problem<3, Condensed<3>> {
    let rows = normals
        .iter()
        .map(|n| {
            let t = Vector::<3>::new(n[1], -n[0], 0.0).normalize();
            let mut h = Matrix::<3, 6>::zeros();
            for (i, e) in [*n, t, n.cross(&t)].iter().enumerate() {
                // e·(v + ω × a), a = −n
                let spin = (-n).cross(e);
                for j in 0..3 {
                    h[(i, j)] = e[j];
                    h[(i, 3 + j)] = spin[j];
                }
            }
            PairRow::new([0, 1], [h, Matrix::zeros()])
        })
        .collect::<Vec<PairRow<3>>>();
    let ball = Vector::<6>::new(1.0, 1.0, 1.0, 2.5, 2.5, 2.5);
    let u_free = vec![Vector::<3>::new(-speed, 0.0, 0.0); normals.len()];
    let sets = vec![Set::Coulomb { mu }; normals.len()];
    Problem { w: Condensed::new(&rows, Compliances::diagonal([ball, Vector::zeros()])), u_free, sets }
}

/// A ball in a wedge (two contacts) or a funnel (more) whose normals rise by β: held for `μ ≥ tan β`,
/// squeezed out below. For the funnel turn and average any network about the axis: it stays one, its forces
/// are horizontal, and lean by β from their normals. From three contacts on the networks have several
/// dimensions.
#[test]
fn ball_in_a_funnel() {
    let funnel = |contacts: usize, beta: f64| -> Vec<Vector<3>> {
        (0..contacts)
            .map(|k| {
                let azimuth = 0.1 + 2.0 * PI * k as f64 / contacts as f64;
                Vector::<3>::new(beta.cos() * azimuth.cos(), beta.cos() * azimuth.sin(), beta.sin())
            })
            .collect()
    };
    let beta = 0.3_f64;
    for contacts in [2, 3, 5] {
        let normals = funnel(contacts, beta);
        for (offset, jams) in [(1e-6, true), (-1e-6, false), (0.1, true), (-0.1, false)] {
            let found = existence(&held_ball(&normals, beta.tan() + offset, 0.2)).unwrap();
            assert_eq!(
                matches!(found, Existence::Inconsistent { .. }),
                jams,
                "{contacts} {offset} {found:?}"
            );
        }
        let factor = critical_friction(&held_ball(&normals, 1.0, 0.2)).unwrap().unwrap();
        assert!((factor - beta.tan()).abs() < 1e-10, "{contacts} {:e}", factor - beta.tan());
    }
    // parallel plates need no friction, and frictionless contacts have no tangent in the program
    let plates = funnel(2, 0.0);
    assert_eq!(critical_friction(&held_ball(&plates, 0.5, 0.2)), Ok(Some(0.0)));
    let Ok(Existence::Inconsistent { network, power }) = existence(&held_ball(&plates, 0.0, 0.2)) else {
        panic!("plates that close on a ball without friction");
    };
    assert!((network[0] - network[1]).norm() < 1e-12 && (power + 0.4).abs() < 1e-12);
    assert!(exists(&held_ball(&plates, 0.0, -0.2)));
}

#[test]
fn empty_and_broken_problems() {
    let empty: Problem<3, Blocks<3>> = Problem { w: Blocks::default(), u_free: vec![], sets: vec![] };
    assert!(exists(&empty));
    assert_eq!(kernel_network(&empty), Ok(None));
    assert_eq!(critical_friction(&empty), Ok(None));
    let mut broken = corner(1.1, 0.3);
    broken.u_free[1][0] = f64::NAN;
    assert!(existence(&broken).is_err());
    assert!(existence(&corner(f64::NAN, 0.3)).is_err());
    assert!(existence(&corner(f64::INFINITY, 0.3)).is_ok());
}

/// Self-balanced, inside the cones and against the motion, each judged with the operator and the sets alone.
fn assert_certificate<const D: usize, W: Delassus<D> + Clone>(
    problem: &Problem<D, W>,
    network: &[Vector<D>],
    power: f64,
) {
    let still = Problem { u_free: vec![Vector::<D>::zeros(); network.len()], ..problem.clone() };
    let moved = still.velocities(network);
    for (alpha, r) in network.iter().enumerate() {
        let size = problem.w.block(alpha).amax().max(1e-300);
        assert!(moved[alpha].amax() < 1e-10 * size, "not in balance at {alpha}: {:?}", moved[alpha]);
        assert!((r - problem.sets[alpha].project(r)).norm() < 1e-8, "out of its cone at {alpha}: {r:?}");
    }
    let work: f64 = network.iter().zip(&problem.u_free).map(|(r, u)| r.dot(u)).sum();
    assert!(work < 0.0 && (work - power).abs() <= 1e-12 * work.abs(), "{work} {power}");
}

/// Small numbers that repeat.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Disks of radius 1 held by random contacts with the ground and with each other: the angle and the partner
/// of each contact, its friction and its prescribed velocity.
struct Held {
    disks: usize,
    contacts: Vec<(usize, Option<usize>, f64)>,
    mu: Vec<f64>,
    given: Vec<f64>,
}

impl Held {
    fn random(dice: &mut Dice) -> Self {
        let disks = 1 + (2.0 * dice.roll()) as usize;
        let count = 3 + (3.0 * dice.roll()) as usize;
        let contact = |dice: &mut Dice| {
            let disk = (disks as f64 * dice.roll()) as usize;
            let partner = (disks == 2 && dice.roll() < 0.3).then_some(1 - disk);
            (disk, partner, 2.0 * PI * dice.roll())
        };
        Self {
            disks,
            contacts: (0..count).map(|_| contact(dice)).collect(),
            mu: (0..count).map(|_| if dice.roll() < 0.2 { 0.0 } else { 1.2 * dice.roll() }).collect(),
            given: (0..count).map(|_| if dice.roll() < 0.5 { 0.0 } else { dice.roll() - 0.5 }).collect(),
        }
    }

    /// The rows of a disk in D dimensions, with the contact normal in the first plane: `e·(v + ω × a)` with
    /// `a = ∓n`.
    fn row<const D: usize, const N: usize>(angle: f64, sign: f64) -> Matrix<D, N> {
        let n = Vector::<3>::new(angle.cos(), angle.sin(), 0.0);
        let t = Vector::<3>::new(n[1], -n[0], 0.0);
        let arm = -n * sign;
        Matrix::from_fn(|i, j| {
            let e = [n, t, Vector::<3>::new(0.0, 0.0, 1.0)][i];
            let spin = arm.cross(&e);
            let spins = if D == 2 { [spin[2], 0.0, 0.0] } else { [spin[0], spin[1], spin[2]] };
            sign * if j < D { e[j] } else { spins[j - D] }
        })
    }

    fn problem<const D: usize, const N: usize>(&self) -> Problem<D, Condensed<D>> {
        let ground = self.disks;
        let row = |&(disk, partner, angle): &(usize, Option<usize>, f64)| {
            let bodies = [disk as u32, partner.unwrap_or(ground) as u32];
            let other = partner.map_or_else(Matrix::<D, N>::zeros, |_| Self::row(angle, -1.0));
            PairRow::new(bodies, [Self::row(angle, 1.0), other])
        };
        let rows: Vec<PairRow<D>> = self.contacts.iter().map(row).collect();
        let disk = Vector::<N>::from_fn(|i, _| if i < D { 1.0 } else { 2.0 });
        let mut inverse_mass = vec![disk; self.disks];
        inverse_mass.push(Vector::zeros());
        let w = Condensed::new(&rows, Compliances::diagonal(inverse_mass));
        // some free motion of the disks on top: it must not matter
        let motion = Vector::<N>::from_fn(|i, _| 0.1 + 0.05 * i as f64);
        let against = motion * -0.7;
        let u_free = rows.iter().zip(&self.given).map(|(row, given)| {
            let of = |side: usize, motion: &Vector<N>| row.h[side].times(motion.as_slice());
            let mut u = of(0, &motion) + of(1, &against);
            if row.bodies[1] as usize == ground {
                u = of(0, &motion) * if row.bodies[0] == 0 { 1.0 } else { -0.7 };
            } else if row.bodies[0] == 1 {
                u = of(0, &against) + of(1, &motion);
            }
            u[0] += given;
            u
        });
        let u_free = u_free.collect();
        Problem { u_free, w, sets: self.mu.iter().map(|&mu| Set::Coulomb { mu }).collect() }
    }

    /// Extreme networks by brute force: every set of edges of the cones whose impulses balance in one way
    /// only.
    fn rays(&self) -> Vec<Vec<Vector<2>>> {
        let problem = self.problem::<2, 3>();
        let edges: Vec<(usize, Vector<2>)> = (0..self.mu.len())
            .flat_map(|alpha| {
                let mu = self.mu[alpha];
                let sides: &[f64] = if mu > 0.0 { &[1.0, -1.0] } else { &[1.0] };
                sides.iter().map(move |side| (alpha, Vector::<2>::new(1.0, side * mu))).collect::<Vec<_>>()
            })
            .collect();
        let columns: Vec<DVector<f64>> = edges
            .iter()
            .map(|(alpha, edge)| {
                let row = problem.w.pair(*alpha).to_pair();
                let mut column = DVector::zeros(3 * self.disks);
                for side in 0..2 {
                    if (row.bodies[side] as usize) < self.disks {
                        let impulse: Vec<f64> = row.h[side].transposed_times(edge).collect();
                        let first = 3 * row.bodies[side] as usize;
                        (0..3).for_each(|i| column[first + i] += impulse[i]);
                    }
                }
                column
            })
            .collect();
        let mut rays = Vec::new();
        for set in 1u32..1 << edges.len() {
            let chosen: Vec<usize> = (0..edges.len()).filter(|k| set >> k & 1 == 1).collect();
            if chosen.len() > 3 * self.disks + 1 {
                continue;
            }
            let rows = (3 * self.disks).max(chosen.len());
            let matrix = DMatrix::from_fn(rows, chosen.len(), |i, j| {
                if i < 3 * self.disks { columns[chosen[j]][i] } else { 0.0 }
            });
            let svd = matrix.svd(false, true);
            let null: Vec<usize> = (0..chosen.len()).filter(|&k| svd.singular_values[k] < 1e-9).collect();
            let (&[only], Some(right)) = (null.as_slice(), svd.v_t) else { continue };
            let weights: Vec<f64> = (0..chosen.len()).map(|j| right[(only, j)]).collect();
            let sign = weights[0].signum();
            if weights.iter().all(|weight| sign * weight > 1e-9) {
                let mut r = vec![Vector::<2>::zeros(); self.mu.len()];
                for (weight, &edge) in weights.iter().zip(&chosen) {
                    r[edges[edge].0] += edges[edge].1 * (sign * weight);
                }
                rays.push(r);
            }
        }
        rays
    }
}

/// A planar problem in space has the answer it has in the plane: a network and its mirror image have a planar
/// mean.
fn judged<const D: usize, const N: usize>(held: &Held, against: bool, present: bool, round: usize) {
    let problem = held.problem::<D, N>();
    assert_eq!(kernel_network(&problem).unwrap().is_some(), present, "round {round} in {D} dimensions");
    match existence(&problem).unwrap() {
        Existence::Exists { .. } => {
            assert!(!against, "round {round} in {D} dimensions: a network was missed")
        }
        Existence::Inconsistent { network, power } => {
            assert!(against, "round {round} in {D} dimensions: {network:?}");
            assert_certificate(&problem, &network, power);
        }
    }
    // the friction below which a solution is sure: nothing works against the motion just below, something
    // just above
    let scaled = |factor: f64| {
        let scale = |set: &Set| match *set {
            Set::Coulomb { mu } => Set::Coulomb { mu: mu * factor },
            other => other,
        };
        Problem { sets: problem.sets.iter().map(scale).collect(), ..problem.clone() }
    };
    match solvable_friction(&problem).unwrap() {
        Some(factor) if factor > 1e-6 && factor < 1e3 => {
            assert!(exists(&scaled(factor * (1.0 - 1e-5))), "{round} {factor}");
            let above = existence(&scaled(factor * (1.0 + 1e-2))).unwrap();
            assert!(matches!(above, Existence::Inconsistent { .. }), "{round} in {D}: {factor}");
            assert!(against == (factor < 1.0));
        }
        Some(_) => {}
        None => assert!(!against),
    }
}

#[test]
fn random_problems_agree_with_brute_force() {
    let mut dice = Dice(7);
    let mut seen = [0; 3];
    for round in 0..400 {
        let held = Held::random(&mut dice);
        let problem = held.problem::<2, 3>();
        let rays = held.rays();
        let power =
            |r: &Vec<Vector<2>>| -> f64 { r.iter().zip(&problem.u_free).map(|(r, u)| r.dot(u)).sum() };
        // too close to call
        if rays.iter().map(power).any(|power| power.abs() < 1e-6 && power.abs() > 1e-14) {
            continue;
        }
        let against = rays.iter().map(power).any(|power| power < -1e-6);
        seen[if against { 2 } else { usize::from(!rays.is_empty()) }] += 1;
        judged::<2, 3>(&held, against, !rays.is_empty(), round);
        if round % 4 == 0 {
            judged::<3, 6>(&held, against, !rays.is_empty(), round);
        }
    }
    assert!(seen.iter().all(|&count| count > 15), "{seen:?}: the test proves little");
}

/// Many corners in one problem: too many unknowns for a dense kernel.
fn corners(mu: &[f64], speed: &[f64]) -> Problem<2, Blocks<2>> {
    let mut triplets = Vec::new();
    let mut u_free = Vec::new();
    let mut sets = Vec::new();
    for (k, (&mu, &speed)) in mu.iter().zip(speed).enumerate() {
        let one = corner(mu, speed);
        for row in 0..2 {
            let blocks = one.w.rows().row(row);
            triplets.extend(
                blocks.map(|(column, block)| ((2 * k + row) as u32, (2 * k + column) as u32, *block)),
            );
        }
        u_free.extend(one.u_free);
        sets.extend(one.sets);
    }
    Problem { w: Blocks::new(BlockRows::from_triplets(sets.len(), triplets)), u_free, sets }
}

#[test]
fn one_jammed_corner_among_many_is_found_and_named() {
    let mut mu = vec![0.8; 150];
    let speed = vec![0.1; 150];
    assert!(exists(&corners(&mu, &speed)));
    mu[77] = 1.1;
    let problem = corners(&mu, &speed);
    let Ok(Existence::Inconsistent { network, power }) = existence(&problem) else {
        panic!("a jammed corner was missed");
    };
    assert_certificate(&problem, &network, power);
    assert_close(&network[154..156], &[[1.0, -1.0], [1.0, 1.0]], 1e-9);
    assert!(network.iter().enumerate().all(|(k, r)| k / 2 == 77 || r.amax() == 0.0));
    let factor = solvable_friction(&problem).unwrap().unwrap();
    assert!((1.1 * factor - 1.0).abs() < 1e-10, "{factor}");
    // pulled, the corner is ill-conditioned; the others jam at a larger friction
    let mut speed = speed;
    speed[77] = -0.1;
    let factor = solvable_friction(&corners(&mu, &speed)).unwrap().unwrap();
    assert!((0.8 * factor - 1.0).abs() < 1e-8, "{factor}");
    let factor = critical_friction(&corners(&mu, &speed)).unwrap().unwrap();
    assert!((1.1 * factor - 1.0).abs() < 1e-10, "{factor}");
}

#[test]
fn friction_with_a_cap_and_links() {
    // friction that is bounded cannot hold a network that needs it (Alart, Renouf 2018, §5)
    for set in [Set::Orowan { mu: 1.1, cap: 1e3 }, Set::Tresca { cap: 1e3 }] {
        let problem = Problem { sets: vec![set; 2], ..corner(1.1, 0.3) };
        assert!(exists(&problem), "{set:?}");
    }
    // links hold whatever they are asked: the corner is jammed even by a pull
    let links = |speed: f64| Problem { sets: vec![Set::Bilateral { rows: 2 }; 2], ..corner(0.0, speed) };
    for speed in [0.3, -0.3] {
        let Ok(Existence::Inconsistent { network, power }) = existence(&links(speed)) else {
            panic!("links that ask for different things: {:?}", existence(&links(speed)));
        };
        assert_certificate(&links(speed), &network, power);
    }
    assert!(exists(&links(0.0)));
    // a link in the place of the floor, friction on the wall
    let mixed =
        Problem { sets: vec![Set::Bilateral { rows: 2 }, Set::Coulomb { mu: 1.1 }], ..corner(0.0, 0.3) };
    assert!(matches!(existence(&mixed), Ok(Existence::Inconsistent { .. })));
    let factor = solvable_friction(&mixed).unwrap().unwrap();
    assert!((1.1 * factor - 1.0).abs() < 1e-9, "{factor}");
    let mixed =
        Problem { sets: vec![Set::Bilateral { rows: 2 }, Set::Coulomb { mu: 0.9 }], ..corner(0.0, 0.3) };
    assert!(exists(&mixed));
}
