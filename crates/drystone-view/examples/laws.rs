//! Draws the graphs of the laws for their pages of the book, each by asking the law itself:
//! `cargo run -p drystone-view --example laws -- docs/src/pictures`.

use drystone::{
    Approach, BRANCHES, Bilinear, Capillary, Change, Cohesive, Device, Exponential, Friction, Law, Level,
    Mac, MohrCoulomb, Orowan, Outcome, Percussion, Rolling, Softening, Table, Threshold, Trapezoidal, Tresca,
    Unilateral, Vector, Viscoelastic,
};
use drystone_view::{Plot, PlotAxis, Scale, Series, plot};
use std::path::{Path, PathBuf};

type Failure = Box<dyn std::error::Error>;

/// Time step of all of them \[s\].
const H: f64 = 1e-3;

fn main() -> Result<(), Failure> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    draw(
        &folder,
        "law-unilateral",
        "Friction by slip",
        ["way slid [m]", "friction / normal force"],
        friction(),
    )?;
    draw(
        &folder,
        "law-thresholds",
        "Threshold of friction",
        ["normal force [N]", "friction [N]"],
        thresholds(),
    )?;
    draw(&folder, "law-rolling", "Resistance to rolling", ["normal force [N]", "moment [N m]"], rolling())?;
    draw(&folder, "law-viscoelastic", "A ball that bounces", ["gap [mm]", "force [N]"], bounces())?;
    draw(&folder, "law-capillary", "A bridge", ["gap [mm]", "attraction [N]"], bridges())?;
    draw(&folder, "law-mohr-coulomb", "A bond", ["normal force [N]", "shear [N]"], envelope())?;
    draw(
        &folder,
        "law-percussion",
        "A body of mass m meets a wall",
        ["K / m", "velocity after / speed before"],
        percussions(),
    )?;
    draw(&folder, "law-cohesive", "Pull, back, pull", ["opening [mm]", "stress [kPa]"], curves())?;
    Ok(())
}

fn draw(
    folder: &Path,
    name: &str,
    title: &str,
    [x, y]: [&str; 2],
    series: Vec<Series>,
) -> Result<(), Failure> {
    let axis = |label: &str| PlotAxis { label: label.into(), scale: Scale::Linear };
    let graph = Plot { title: title.into(), x: axis(x), y: axis(y), series, ..Plot::default() };
    Ok(plot(&graph, &folder.join(format!("{name}.svg")))?)
}

fn series(name: &str, points: impl Iterator<Item = [f64; 2]>) -> Series {
    Series { name: name.into(), points: points.collect() }
}

/// So many numbers from `a` to `b`.
fn between(a: f64, b: f64, count: usize) -> impl Iterator<Item = f64> {
    (0..=count).map(move |k| a + (b - a) * k as f64 / count as f64)
}

/// The threshold of friction under a normal force, all branches together \[N\].
fn threshold(law: &dyn Law<2>, internal: &[f64], normal: f64) -> f64 {
    let base = Approach { mean_normal: 10.0 * H, ..Approach::new(0.0, Vector::<2>::zeros(), H) };
    let approach = base.with(internal);
    let branches: [Option<Change<2>>; BRANCHES] = law.beside(&approach);
    let first = law.change(&approach).into_iter();
    let all = first.chain(branches.into_iter().flatten());
    all.map(|change| change.set.threshold((normal * H + change.impulse[0]).max(0.0)) / H).sum()
}

fn friction() -> Vec<Series> {
    let by = |friction: Friction| Unilateral {
        level: Level::Velocity,
        gap_offset: 0.0,
        from_start: false,
        friction,
    };
    let table = Table::new(vec![[0.0, 0.7], [0.02, 0.7], [0.06, 0.4]]);
    let slip = table.map(|table| by(Friction::BySlip(table)));
    let two = by(Friction::StaticDynamic { rest: 0.6, sliding: 0.3 });
    let of = |law: &Unilateral, way: f64| threshold(law, &[0.0, way, f64::from(u8::from(way > 0.0))], 1.0);
    let mut all = vec![series("at rest and in motion", between(0.0, 0.1, 200).map(|x| [x, of(&two, x)]))];
    all.extend(slip.map(|law| series("by slip", between(0.0, 0.1, 200).map(move |x| [x, of(&law, x)]))));
    all
}

fn thresholds() -> Vec<Series> {
    let orowan = Orowan { friction: 0.5, threshold: Some(30.0) };
    let tresca = Tresca { threshold: 10.0, stress: 0.0 };
    let line = |name: &str, law: &dyn Law<2>| {
        series(name, between(0.0, 60.0, 60).map(|normal| [normal, threshold(law, &[0.0], normal)]))
    };
    vec![
        line("Coulomb", &drystone::Inelastic { friction: 0.5 }),
        line("Coulomb–Orowan", &orowan),
        line("Tresca", &tresca),
    ]
}

fn rolling() -> Vec<Series> {
    let law = Rolling { friction: 0.5, rolling: 5e-3, twisting: 2e-3, normal: None, tangential: 0.0 };
    let at = |normal: f64, branch: usize| {
        let internal = [normal * H];
        let base = Approach::new(0.0, Vector::<3>::zeros(), H);
        Law::<3>::beside(&law, &base.with(&internal))[branch]
            .map_or(0.0, |change| change.set.threshold(0.0) / H)
    };
    ["rolling", "twisting"]
        .into_iter()
        .enumerate()
        .map(|(branch, name)| series(name, between(0.0, 20.0, 40).map(|normal| [normal, at(normal, branch)])))
        .collect()
}

/// A ball of 1 kg against a wall: gap and force of every step.
fn bounce(law: &Viscoelastic) -> Vec<[f64; 2]> {
    let (h, mut gap, mut u) = (1e-4, 5e-3, -1.0);
    let mut points = Vec::new();
    for _ in 0..800 {
        let approach = Approach::new(gap + 0.5 * h * u, Vector::<2>::new(u, 0.0), h);
        let Some(change) = law.change(&approach) else { break };
        let r = (-(u + change.shift[0]) / (1.0 + change.compliance[0])).max(0.0);
        gap += 0.5 * h * (u + u + r);
        u += r;
        points.push([gap * 1e3, r / h]);
    }
    points.retain(|point| point[0] < 4.0);
    points
}

fn bounces() -> Vec<Series> {
    let of = |name: &str, viscosity: f64| {
        let device = Device::KelvinVoigt { stiffness: 1e4, viscosity };
        Series { name: name.into(), points: bounce(&Viscoelastic { device, friction: 0.0 }) }
    };
    vec![of("spring", 0.0), of("spring and dashpot", 40.0)]
}

fn bridges() -> Vec<Series> {
    let law = |decay| Capillary { friction: 0.3, force: 2.0, rupture: 2e-3, decay, share: 1.0 };
    let of = |name: &str, law: Capillary| {
        series(name, between(-0.5e-3, 3e-3, 350).map(move |gap| [gap * 1e3, law.attraction(gap)]))
    };
    vec![of("constant", law(None)), of("decaying", law(Some(1e-3)))]
}

fn envelope() -> Vec<Series> {
    let law = MohrCoulomb {
        friction: 0.5,
        normal_force: 10.0,
        tangential_force: 12.0,
        normal_stress: 0.0,
        tangential_stress: 0.0,
        share: 1.0,
    };
    let line = |name: &str, bond: f64, from: f64| {
        let border = between(from, 30.0, 200).map(move |normal| [normal, threshold(&law, &[bond], normal)]);
        series(name, std::iter::once([from, 0.0]).chain(border))
    };
    vec![line("whole", 1.0, -10.0), line("broken", 0.0, 0.0)]
}

/// Opening \[mm\] and stress \[kPa\] of a bond that is pulled to half of its way, let back, and pulled to its
/// end.
fn pulled<S: Softening>(name: &str, softening: S, way: f64) -> Series {
    let law = Cohesive { softening, friction: 0.0, point_area: 1.0 };
    let mut internal = [0.0; 8];
    Law::<2>::begin(&law, &Approach::new(0.0, Vector::<2>::zeros(), H), &mut internal);
    let (mut points, mut at) = (Vec::new(), 0.0);
    for goal in [0.3 * way, 0.0, way] {
        let count = 300;
        let u = Vector::<2>::new((goal - at) / (count as f64 * H), 0.0);
        for k in 0..count {
            let gap = at + (goal - at) * (k as f64 + 0.5) / count as f64;
            let before = internal;
            let approach = Approach { bonding: false, ..Approach::new(gap, u, H).with(&before) };
            let r = law.beside(&approach)[0]
                .map_or_else(Vector::zeros, |branch| -(u + branch.shift).component_div(&branch.compliance));
            let mut outcome = Outcome { open: true, ..Outcome::new(u, r) };
            outcome.beside[0] = r;
            law.keep(&approach, &outcome, &mut internal);
            points.push([gap * 1e3, -r[0] / H * 1e-3]);
        }
        at = goal;
    }
    Series { name: name.into(), points }
}

fn curves() -> Vec<Series> {
    let mac = Mac { energy: 10.0, normal_stiffness: 1e9, tangential_stiffness: 1e9, viscosity: 0.0 };
    let bilinear = Bilinear {
        normal_strength: 1e5,
        tangential_strength: 1e5,
        normal_energy: 10.0,
        tangential_energy: 10.0,
        normal_stiffness: 4e9,
        relaxation: 0.0,
    };
    let trapezoidal = Trapezoidal {
        strength: 1e5,
        normal_opening: 1.5e-4,
        tangential_opening: 1.5e-4,
        rise: 0.15,
        fall: 0.6,
        relaxation: 0.0,
    };
    let exponential = Exponential { strength: 1e5, energy: 10.0, shear_ratio: 1.0, relaxation: 0.0 };
    vec![
        pulled("MAC", mac, 4e-4),
        pulled("bilinear", bilinear, 4e-4),
        pulled("trapezoidal", trapezoidal, 4e-4),
        pulled("exponential", exponential, 4e-4),
    ]
}

/// What comes back of a velocity, normal and tangential: the dashpot's branch is linear, the reaction keeps
/// the normal one from being negative.
fn percussions() -> Vec<Series> {
    let after = |k: f64, component: usize| -> f64 {
        let law = Percussion { normal: k, tangential: k, threshold: Threshold::Coulomb(0.0) };
        let mut begin = Vector::<2>::zeros();
        begin[component] = if component == 0 { -1.0 } else { 1.0 };
        let approach = Approach::new(0.0, begin, H);
        let free = match law.beside(&approach)[0] {
            // v + r + C r + s = 0 for a mass of 1 kg
            Some(held) => {
                begin[component]
                    - (begin[component] + held.shift[component]) / (1.0 + held.compliance[component])
            }
            None => begin[component],
        };
        let shift = law.change(&approach).map_or(0.0, |change| change.shift[0]);
        if component == 0 { free.max(-shift) } else { free }
    };
    let of =
        |name: &str, component| series(name, between(0.0, 3.0, 120).map(move |k| [k, after(k, component)]));
    vec![of("normal", 0), of("tangential", 1)]
}
