//! Masonry of the plane, and limit analysis of it from its drawing alone: a dense simplex over the ends of
//! its joints. Shares nothing with the code under test, not even the direction of a normal.

/// Points of the plane \[m\].
type Point = [f64; 2];

/// Blocks and the joints between them.
pub struct Masonry {
    /// Corners of every block, counter-clockwise.
    pub blocks: Vec<Vec<Point>>,
    /// Fixed bodies, likewise.
    pub supports: Vec<Vec<Point>>,
    /// Ends of a joint and its two blocks; `None` for a support.
    pub joints: Vec<([Point; 2], [Option<usize>; 2])>,
}

fn at(centre: f64, radius: f64, angle: f64) -> Point {
    [centre + radius * angle.cos(), radius * angle.sin()]
}

impl Masonry {
    /// A circular arch of mean radius 1 with radial joints.
    pub fn arch(thickness: f64, stones: usize, embrace: f64) -> Self {
        let first = std::f64::consts::FRAC_PI_2 - 0.5 * embrace;
        let angle = |joint: usize| first + embrace * joint as f64 / stones as f64;
        let joint =
            |k: usize| [at(0.0, 1.0 - 0.5 * thickness, angle(k)), at(0.0, 1.0 + 0.5 * thickness, angle(k))];
        Self::vault((0..=stones).map(joint).collect())
    }

    /// A pointed arch of two arcs of mean radius 1 about (∓e, 0), joined by an upright joint.
    pub fn pointed(thickness: f64, stones: usize, e: f64) -> Self {
        let half = stones / 2;
        let (inner, outer) = (1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness);
        let apex = e.acos();
        let right = |k: usize| {
            let angle = apex * k as f64 / half as f64;
            [at(-e, inner, angle), at(-e, outer, angle)]
        };
        let mut joints: Vec<[Point; 2]> = (0..half).map(right).collect();
        joints.push([[0.0, (inner * inner - e * e).sqrt()], [0.0, (outer * outer - e * e).sqrt()]]);
        joints.extend((0..half).rev().map(|k| right(k).map(|[x, y]| [-x, y])));
        Self::vault(joints)
    }

    /// Stones between joints given from right to left, inner point first, with a support behind either end.
    fn vault(joints: Vec<[Point; 2]>) -> Self {
        let stones = joints.len() - 1;
        let blocks = joints.windows(2).map(|j| vec![j[0][0], j[0][1], j[1][1], j[1][0]]).collect();
        let behind = |[inner, outer]: [Point; 2], side: f64| {
            let along = [outer[0] - inner[0], outer[1] - inner[1]];
            let length = along[0].hypot(along[1]);
            let unit = along.map(|x| x / length);
            let far = [side * 0.3 * unit[1], -side * 0.3 * unit[0]];
            let wide = |p: Point, s: f64| [p[0] + 0.05 * s * unit[0], p[1] + 0.05 * s * unit[1]];
            let (a, b) = (wide(inner, -1.0), wide(outer, 1.0));
            let mut corners = vec![a, [a[0] + far[0], a[1] + far[1]], [b[0] + far[0], b[1] + far[1]], b];
            if side < 0.0 {
                corners.reverse();
            }
            corners
        };
        let between = |k: usize| [k.checked_sub(1), (k < stones).then_some(k)];
        Self {
            blocks,
            supports: vec![behind(joints[0], 1.0), behind(joints[stones], -1.0)],
            joints: joints.iter().enumerate().map(|(k, ends)| (*ends, between(k))).collect(),
        }
    }

    /// A wall in running bond with halves at its ends, on a floor; one across it is a column.
    pub fn wall(across: usize, courses: usize, [wide, high]: [f64; 2]) -> Self {
        let mut blocks: Vec<Vec<Point>> = Vec::new();
        let mut spans: Vec<(usize, f64, f64)> = Vec::new();
        for course in 0..courses {
            let mut ends: Vec<f64> = (0..=across).map(|i| i as f64 * wide).collect();
            if course % 2 == 1 && across > 1 {
                ends = std::iter::once(0.0)
                    .chain((0..across).map(|i| (i as f64 + 0.5) * wide))
                    .chain(std::iter::once(across as f64 * wide))
                    .collect();
            }
            let (low, top) = (course as f64 * high, (course + 1) as f64 * high);
            for pair in ends.windows(2) {
                spans.push((course, pair[0], pair[1]));
                blocks.push(vec![[pair[0], low], [pair[1], low], [pair[1], top], [pair[0], top]]);
            }
        }
        let mut joints = Vec::new();
        for (a, &(course, left, right)) in spans.iter().enumerate() {
            let low = course as f64 * high;
            if course == 0 {
                joints.push(([[left, 0.0], [right, 0.0]], [None, Some(a)]));
            }
            for (b, &(other, x, y)) in spans.iter().enumerate() {
                let (from, to) = (left.max(x), right.min(y));
                if other + 1 == course && to - from > 1e-9 {
                    joints.push(([[from, low], [to, low]], [Some(b), Some(a)]));
                }
                if other == course && (x - right).abs() < 1e-9 {
                    joints.push(([[right, low + high], [right, low]], [Some(a), Some(b)]));
                }
            }
        }
        let floor = vec![
            [-2.0, -0.5],
            [2.0 + across as f64 * wide, -0.5],
            [2.0 + across as f64 * wide, 0.0],
            [-2.0, 0.0],
        ];
        Self { blocks, supports: vec![floor], joints }
    }

    /// The scene file.
    pub fn scene(&self, friction: f64) -> String {
        let mut text = format!(
            "dimension = 2\ntime = {{ step = 1e-3, duration = 0.1 }}\nlaw = [{{ between = [\"*\", \"*\"], inelastic.friction = {friction} }}]\n"
        );
        let mut body = |name: String, corners: &[Point], rest: &str| {
            text += &format!("[[body]]\nname = \"{name}\"\nshape.polygon.vertices = {corners:?}\n{rest}\n");
        };
        for (k, corners) in self.supports.iter().enumerate() {
            body(format!("support {k}"), corners, "fixed = true");
        }
        for (k, corners) in self.blocks.iter().enumerate() {
            body(format!("block {k}"), corners, "density = 2000");
        }
        text
    }

    /// The largest λ with admissible forces under the weights and λ times the weights along x; `None` without
    /// any for λ = 0.
    pub fn largest(&self, friction: f64) -> Option<f64> {
        let rows = 3 * self.blocks.len();
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for (ends, sides) in &self.joints {
            let along = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
            let length = along[0].hypot(along[1]);
            let t = along.map(|x| x / length);
            // turned left from the way of the joint: towards the second block
            let n = [-t[1], t[0]];
            for p in ends {
                for side in [friction, -friction] {
                    let force = [n[0] + side * t[0], n[1] + side * t[1]];
                    let mut column = vec![0.0; rows];
                    for (block, sign) in [(sides[1], 1.0), (sides[0], -1.0)] {
                        if let Some(block) = block {
                            column[3 * block] += sign * force[0];
                            column[3 * block + 1] += sign * force[1];
                            column[3 * block + 2] += sign * (p[0] * force[1] - p[1] * force[0]);
                        }
                    }
                    columns.push(column);
                }
            }
        }
        let (mut right, mut live) = (vec![0.0; rows], vec![0.0; rows]);
        for (block, corners) in self.blocks.iter().enumerate() {
            let (area, [x, y]) = centroid(corners);
            // forces + weight (0, −A) + λ (A, 0) = 0
            right[3 * block + 1] = area;
            right[3 * block + 2] = area * x;
            live[3 * block] = area;
            live[3 * block + 2] = -area * y;
        }
        columns.push(live);
        let mut cost = vec![0.0; columns.len()];
        cost[columns.len() - 1] = 1.0;
        simplex(&columns, &right, &cost)
    }
}

fn centroid(corners: &[Point]) -> (f64, Point) {
    let (mut area, mut x, mut y) = (0.0, 0.0, 0.0);
    for (k, a) in corners.iter().enumerate() {
        let b = corners[(k + 1) % corners.len()];
        let cross = a[0] * b[1] - b[0] * a[1];
        area += 0.5 * cross;
        x += cross * (a[0] + b[0]) / 6.0;
        y += cross * (a[1] + b[1]) / 6.0;
    }
    (area, [x / area, y / area])
}

/// `max cost·x` with `Σ columns x = right`, `x ≥ 0`: a tableau in two phases. `None` where no x will do.
fn simplex(columns: &[Vec<f64>], right: &[f64], cost: &[f64]) -> Option<f64> {
    let (rows, own) = (right.len(), columns.len());
    let width = own + rows + 1;
    let mut table: Vec<Vec<f64>> = (0..rows)
        .map(|row| {
            let sign = if right[row] < 0.0 { -1.0 } else { 1.0 };
            let mut line: Vec<f64> = columns.iter().map(|column| sign * column[row]).collect();
            line.extend((0..rows).map(|other| f64::from(u8::from(other == row))));
            line.push(sign * right[row]);
            line
        })
        .collect();
    let mut basis: Vec<usize> = (own..own + rows).collect();
    // first the sum of the artificial unknowns, then the cost
    let mut first = vec![0.0; width];
    for line in &table {
        (0..own).chain([width - 1]).for_each(|k| first[k] += line[k]);
    }
    pivots(&mut table, &mut basis, &mut first, own);
    let scale = right.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    if first[width - 1] > 1e-9 * scale * rows as f64 {
        return None;
    }
    // artificial unknowns left at zero go out where they can
    for row in 0..rows {
        if basis[row] >= own
            && let Some(column) = (0..own).find(|&k| table[row][k].abs() > 1e-9)
        {
            pivot(&mut table, &mut basis, &mut first, row, column);
        }
    }
    let mut second = vec![0.0; width];
    second[..own].copy_from_slice(cost);
    for (row, &unknown) in basis.iter().enumerate() {
        let factor = second[unknown];
        if factor != 0.0 {
            (0..width).for_each(|k| second[k] -= factor * table[row][k]);
        }
    }
    pivots(&mut table, &mut basis, &mut second, own);
    Some(-second[width - 1])
}

/// Pivots until no column of `line` gains; the largest gain first, the first one (Bland) where that goes on
/// for long.
fn pivots(table: &mut [Vec<f64>], basis: &mut [usize], line: &mut [f64], own: usize) {
    for round in 0..20_000 {
        let gain = |&k: &usize| line[k] > 1e-10;
        let column = match round < 2_000 {
            true => (0..own).filter(gain).max_by(|&a, &b| line[a].total_cmp(&line[b])),
            false => (0..own).find(gain),
        };
        let Some(column) = column else { return };
        let last = line.len() - 1;
        let ratio = |row: usize| table[row][last].max(0.0) / table[row][column];
        let leaving = (0..table.len())
            .filter(|&row| table[row][column] > 1e-9)
            .min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(basis[a].cmp(&basis[b])));
        let Some(row) = leaving else { panic!("the load can grow without end") };
        pivot(table, basis, line, row, column);
    }
    panic!("the simplex goes round in circles");
}

fn pivot(table: &mut [Vec<f64>], basis: &mut [usize], line: &mut [f64], row: usize, column: usize) {
    let factor = 1.0 / table[row][column];
    table[row].iter_mut().for_each(|x| *x *= factor);
    let own = table[row].clone();
    let eliminate = |other: &mut [f64]| {
        let factor = other[column];
        if factor != 0.0 {
            other.iter_mut().zip(&own).for_each(|(x, y)| *x -= factor * y);
        }
    };
    for (other, line) in table.iter_mut().enumerate() {
        if other != row {
            eliminate(line);
        }
    }
    eliminate(line);
    basis[row] = column;
}
