//! Made-up states, plausible to the eye. No mechanics: loads are passed on by rules of thumb.

use drystone_view::{ForceSegment, Form, Item, Picture, Status};

/// A generator of numbers from 0 to 1 (Lehmer), enough for pictures.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn item(body: usize, group: u32, position: [f64; 3], form: Form) -> Item {
    let orientation_wxyz = [1.0, 0.0, 0.0, 0.0];
    Item { body: body as u32, group, fixed: false, position, orientation_wxyz, velocity: [0.0; 3], form }
}

fn ground() -> Item {
    Item { fixed: true, ..item(9999, 0, [0.0; 3], Form::HalfSpace) }
}

fn wall(position: [f64; 3], half_turn: f64) -> Item {
    let orientation_wxyz = [half_turn.cos(), 0.0, 0.0, half_turn.sin()];
    Item { orientation_wxyz, fixed: true, ..item(9998, 0, position, Form::HalfSpace) }
}

/// Disks laid one by one in the lowest free seat between two others, each load passed on to the two below.
pub fn column(count: usize) -> Picture {
    let width = 1.0;
    let mut dice = Dice(7);
    // walls and floor are disks so large that they are flat
    let far = 1e5;
    let mut disks: Vec<[f64; 3]> = vec![[-far, 0.5, far], [width + far, 0.5, far], [0.5, -far, far]];
    let mut seats: Vec<[usize; 2]> = vec![[0, 0]; 3];
    for _ in 0..count {
        let radius = 0.018 + 0.022 * dice.roll();
        let (seat, x, y) = lowest_seat(&disks, radius);
        disks.push([x, y, radius]);
        seats.push(seat);
    }
    let mut load: Vec<[f64; 2]> =
        disks.iter().map(|disk| [0.0, -2600.0 * 9.81 * std::f64::consts::PI * disk[2] * disk[2]]).collect();
    let mut contacts = Vec::new();
    for upper in (3..disks.len()).rev() {
        let [a, b] = seats[upper].map(|lower| towards(disks[lower], disks[upper]));
        let determinant = a[0] * b[1] - a[1] * b[0];
        let [fx, fy] = load[upper];
        let parts = [-(fx * b[1] - fy * b[0]) / determinant, -(a[0] * fy - a[1] * fx) / determinant];
        for ((lower, normal), part) in seats[upper].into_iter().zip([a, b]).zip(parts) {
            let part = part.clamp(0.0, 60.0 * 2600.0 * 9.81 * 0.003);
            load[lower][0] -= part * normal[0];
            load[lower][1] -= part * normal[1];
            let at = |disk: [f64; 3]| [disk[0], disk[1], 0.0];
            let radius = disks[upper][2];
            let point = [disks[upper][0] - radius * normal[0], disks[upper][1] - radius * normal[1], 0.0];
            contacts.push(ForceSegment {
                bodies: [upper as u32, lower as u32],
                point,
                normal: [normal[0], normal[1], 0.0],
                force: [part * normal[0], part * normal[1], 0.0],
                centres: [Some(at(disks[upper])), (lower > 2).then(|| at(disks[lower]))],
                status: if dice.roll() < 0.2 { Status::Slip } else { Status::Stick },
            });
        }
    }
    let mut items = vec![
        ground(),
        wall([0.0; 3], -std::f64::consts::FRAC_PI_4),
        wall([width, 0.0, 0.0], std::f64::consts::FRAC_PI_4),
    ];
    for (body, disk) in disks.iter().enumerate().skip(3) {
        let half = 3.0 * dice.roll();
        let speed = 0.4 * (disk[1] / width).powi(2) * (0.5 + dice.roll());
        items.push(Item {
            orientation_wxyz: [half.cos(), 0.0, 0.0, half.sin()],
            velocity: [speed * (dice.roll() - 0.5), -speed, 0.0],
            ..item(body, (disk[2] > 0.03) as u32, [disk[0], disk[1], 0.0], Form::Ball { radius: disk[2] })
        });
    }
    Picture {
        dimension: 2,
        title: "Column of 300 disks".into(),
        time: 1.25,
        items,
        contacts,
        ties: Vec::new(),
        bars: Vec::new(),
        field: None,
    }
}

fn towards(from: [f64; 3], to: [f64; 3]) -> [f64; 2] {
    let apart = [to[0] - from[0], to[1] - from[1]];
    let length = apart[0].hypot(apart[1]);
    apart.map(|part| part / length)
}

fn lowest_seat(disks: &[[f64; 3]], radius: f64) -> ([usize; 2], f64, f64) {
    let mut best = ([0, 2], 0.5, 1e9);
    for (i, first) in disks.iter().enumerate() {
        for (j, second) in disks.iter().enumerate() {
            let (r, s) = (first[2] + radius, second[2] + radius);
            let apart = (second[0] - first[0]).hypot(second[1] - first[1]);
            if i == j || apart > r + s || apart < (r - s).abs() {
                continue;
            }
            let along = 0.5 * (apart + (r * r - s * s) / apart);
            let off = (r * r - along * along).max(0.0).sqrt();
            let n = towards(*first, *second);
            let (x, y) = (first[0] + along * n[0] - off * n[1], first[1] + along * n[1] + off * n[0]);
            let free = disks.iter().all(|d| (d[0] - x).hypot(d[1] - y) > d[2] + radius - 1e-6);
            let stable = first[0] <= x && x <= second[0] && y > 0.0;
            if free && stable && y < best.2 {
                best = ([i, j], x, y);
            }
        }
    }
    best
}

/// A round arch on two springers, with a plausible line of thrust.
pub fn arch(count: usize) -> Picture {
    let (inner, outer) = (2.0, 2.5);
    let at = |angle: f64, radius: f64| [-radius * angle.cos(), radius * angle.sin()];
    let angle = |k: usize| std::f64::consts::PI * k as f64 / count as f64;
    let mut items = vec![Item { position: [0.0, -0.5, 0.0], ..ground() }];
    for side in [-1.0, 1.0] {
        let vertices = vec![[-0.4, -0.25], [0.4, -0.25], [0.4, 0.25], [-0.4, 0.25]];
        items.push(Item {
            fixed: true,
            ..item(900, 0, [2.25 * side, -0.25, 0.0], Form::Polygon { vertices, holes: Vec::new() })
        });
    }
    let middle = |k: usize| at(0.5 * (angle(k) + angle(k + 1)), 0.5 * (inner + outer));
    let mut contacts = Vec::new();
    for k in 0..count {
        let corners =
            [at(angle(k), inner), at(angle(k), outer), at(angle(k + 1), outer), at(angle(k + 1), inner)];
        let centre = middle(k);
        let vertices = corners.map(|corner| [corner[0] - centre[0], corner[1] - centre[1]]).to_vec();
        items.push(item(
            k,
            (k == count / 2) as u32,
            [centre[0], centre[1], 0.0],
            Form::Polygon { vertices, holes: Vec::new() },
        ));
    }
    for k in 0..=count {
        let lean = 0.5 + 0.42 * (4.0 * angle(k)).cos();
        let total = 900.0 + 700.0 * (2.0 * angle(k)).cos();
        let normal = [angle(k).sin(), angle(k).cos(), 0.0];
        for (radius, share) in [(inner, 1.0 - lean), (outer, lean)] {
            let [x, y] = at(angle(k), radius);
            let centre =
                |k: Option<usize>| k.filter(|k| *k < count).map(|k| [middle(k)[0], middle(k)[1], 0.0]);
            contacts.push(ForceSegment {
                bodies: [k as u32, k.checked_sub(1).map_or(u32::MAX, |below| below as u32)],
                point: [x, y, 0.0],
                normal,
                force: normal.map(|part| part * total * share),
                centres: [centre(Some(k)), centre(k.checked_sub(1))],
                status: Status::Stick,
            });
        }
    }
    Picture {
        dimension: 2,
        title: "Arch of 17 voussoirs".into(),
        time: 0.5,
        items,
        contacts,
        ties: Vec::new(),
        bars: Vec::new(),
        field: None,
    }
}

fn cuboid(sides: [f64; 3]) -> Form {
    let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { 0.5 } else { -0.5 };
    let vertices = (0..8).map(|corner| [0, 1, 2].map(|axis| sign(corner, axis) * sides[axis])).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Form::Polyhedron { vertices, faces: faces.map(|face| face.to_vec()).to_vec() }
}

/// A pyramid in layers, of spheres and of boxes turned about.
pub fn pile() -> Picture {
    let mut dice = Dice(3);
    let mut picture =
        Picture { dimension: 3, title: "Pile of boxes and spheres".into(), time: 2.0, ..Picture::default() };
    picture.items.push(ground());
    let layers = 6usize;
    for layer in 0..layers {
        let side = layers - layer;
        let height = 0.1 + 0.2 * std::f64::consts::FRAC_1_SQRT_2 * layer as f64;
        for k in 0..side * side {
            let shift = 0.2 * 0.5 * (side as f64 - 1.0);
            let centre = [0.2 * (k % side) as f64 - shift, 0.2 * (k / side) as f64 - shift, height];
            let form =
                if dice.roll() < 0.6 { Form::Ball { radius: 0.1 } } else { cuboid([0.165, 0.14, 0.15]) };
            let turn = if layer == 0 && matches!(form, Form::Polyhedron { .. }) { 0.0 } else { 1.0 };
            let drop = if turn == 0.0 { 0.025 } else { 0.0 };
            let group = matches!(form, Form::Polyhedron { .. }) as u32;
            let q = [1.0, turn * (dice.roll() - 0.5), turn * (dice.roll() - 0.5), 2.0 * (dice.roll() - 0.5)];
            let position = [centre[0], centre[1], centre[2] - drop];
            picture
                .items
                .push(Item { orientation_wxyz: q, ..item(picture.items.len(), group, position, form) });
            for (dx, dy) in [(-0.1, -0.1), (0.1, -0.1), (-0.1, 0.1), (0.1, 0.1)] {
                let below =
                    [centre[0] + dx, centre[1] + dy, centre[2] - 0.2 * std::f64::consts::FRAC_1_SQRT_2];
                let point = [0, 1, 2].map(|axis| 0.5 * (centre[axis] + below[axis]));
                let strength = (layers - layer) as f64 * dice.roll().powi(2);
                let normal = [0, 1, 2].map(|axis| (centre[axis] - below[axis]) / 0.2);
                let centres = [Some(centre), (layer > 0).then_some(below)];
                let status = if dice.roll() < 0.2 { Status::Slip } else { Status::Stick };
                let force = normal.map(|part| part * strength);
                // every contact a pair of its own
                let bodies = [picture.items.len() as u32 - 1, u32::MAX - picture.contacts.len() as u32];
                picture.contacts.push(ForceSegment { bodies, point, normal, force, centres, status });
            }
        }
    }
    picture
}

pub fn many(dimension: usize, count: usize) -> Picture {
    let mut dice = Dice(1);
    let side = (count as f64).powf(1.0 / dimension as f64).ceil() as usize;
    let mut items = vec![ground()];
    for k in 0..count {
        let mut place = [k % side, k / side, 0].map(|i| i as f64 + 0.5);
        if dimension == 3 {
            place = [k % side, k / side % side, k / side / side].map(|i| i as f64 + 0.5);
        }
        items.push(item(k, (k % 3) as u32, place, Form::Ball { radius: 0.35 + 0.15 * dice.roll() }));
    }
    Picture { dimension, title: format!("{count} balls"), time: 0.0, items, ..Picture::default() }
}
