//! The bodies of a simulation that a program changed, as part of a checkpoint. Of bodies that the simulation
//! was built with, shapes are left to the scene or the program that builds it again; laws and signals always
//! are.

use crate::IoError;
use crate::hdf5::{Source, Store, Values};
use drystone::{
    BodyId, Contactor, GroupId, Gyroscopic, Handles, PerDof, Pose, Setup, Shape, ShapeNumbers, Vector,
    rigid_dofs,
};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The data set that tells whether there is a setup at all.
const NUMBERS: &str = "setup_numbers";

/// What of a setup is text.
#[derive(Serialize, Deserialize)]
struct Texts {
    names: Vec<String>,
    groups: Vec<String>,
    ties: Vec<String>,
}

/// Adds a setup to a checkpoint.
pub(crate) fn write<const D: usize>(store: &Store, setup: &Setup<D>) -> Result<(), IoError> {
    let bodies = &setup.bodies;
    let flat = |values: &[PerDof<D>]| values.iter().flat_map(|all| all.to_vec()).collect::<Vec<f64>>();
    let dofs = rigid_dofs(D);
    let texts = Texts {
        names: bodies.name.clone(),
        groups: setup.groups.clone(),
        ties: setup.ties.iter().map(|tie| tie.name.clone()).collect(),
    };
    let text = serde_json::to_string(&texts).map_err(|error| store.wrong(error))?;
    let given = bodies.driven.iter().flat_map(|all| all.to_vec());
    let driven = given.map(|given| given.unwrap_or(f64::NAN)).collect();
    let codes = bodies.group.iter().zip(&bodies.gyroscopic);
    let axes = bodies.own_axes.iter().flat_map(|&orientation| wxyz::<D>(orientation)).collect();
    let bonds = setup.bonds.iter().flat_map(|(BodyId(body), other)| {
        [i64::from(*body), other.map_or(-1, |BodyId(other)| i64::from(other))]
    });
    let [generations, of_body, free] = setup.handles.to_words();
    let mut table = vec![
        (NUMBERS, 1, Values::U64(vec![setup.built as u64])),
        ("setup_text", 1, Values::U64(text.bytes().map(u64::from).collect())),
        ("setup_masses", dofs, Values::F64(flat(&bodies.mass))),
        ("setup_loads", dofs, Values::F64(flat(&bodies.load))),
        ("setup_driven", dofs, Values::F64(driven)),
        (
            "setup_codes",
            2,
            Values::U64(codes.flat_map(|(group, g)| [u64::from(group.0), code(*g)]).collect()),
        ),
        ("setup_radius", 1, Values::F64(bodies.radius.clone())),
        ("setup_own_axes", 4, Values::F64(axes)),
        ("setup_start", D, Values::F64(setup.start.iter().flat_map(|v| v.as_slice().to_vec()).collect())),
        ("setup_gravity", 1, Values::F64(setup.gravity.as_slice().to_vec())),
        ("setup_slots", 1, Values::F64(setup.slots.clone())),
        ("setup_bonds", 2, Values::I64(bonds.collect())),
        ("setup_generations", 1, Values::U32(generations)),
        ("setup_slots_of_bodies", 1, Values::U32(of_body)),
        ("setup_free", 1, Values::U32(free)),
    ];
    table.extend(shapes(store, setup)?);
    table.iter().try_for_each(|(name, components, values)| store.fixed(name, values, *components))
}

/// Contactors of bodies that the simulation was not built with.
fn shapes<const D: usize>(
    store: &Store,
    setup: &Setup<D>,
) -> Result<Vec<(&'static str, usize, Values)>, IoError> {
    let (mut heads, mut places, mut integers, mut reals) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for contactor in setup.newcomers() {
        let numbers = contactor.shape.to_numbers().ok_or_else(|| {
            store.wrong(
                "a body that came while the run went on has a surface or is cut into pieces, which a checkpoint does not \
                 hold; build the simulation with it",
            )
        })?;
        heads.extend([
            contactor.body,
            numbers.kind,
            numbers.integers.len() as u32,
            numbers.reals.len() as u32,
        ]);
        places.extend(contactor.local.position.iter());
        places.extend(contactor.local.orientation_wxyz());
        integers.extend(numbers.integers);
        reals.extend(numbers.reals);
    }
    Ok(vec![
        ("setup_shapes", 4, Values::U32(heads)),
        ("setup_places", D + 4, Values::F64(places)),
        ("setup_shape_integers", 1, Values::U32(integers)),
        ("setup_shape_reals", 1, Values::F64(reals)),
    ])
}

/// The setup of a checkpoint, if it has one.
pub(crate) fn read<const D: usize>(source: &Source, path: &Path) -> Result<Option<Setup<D>>, IoError> {
    if !source.has(NUMBERS) {
        return Ok(None);
    }
    let wrong = || IoError::damaged(path, "the bodies of the checkpoint do not fit each other");
    let numbers = |name: &str| source.all::<f64>(name);
    let &[built] = &source.all::<u64>(NUMBERS)?[..] else { return Err(wrong()) };
    let letters: Vec<u8> = source.all::<u64>("setup_text")?.into_iter().map(|letter| letter as u8).collect();
    let Texts { names, groups, ties } =
        serde_json::from_slice(&letters).map_err(|error| IoError::damaged(path, error))?;
    let mut setup = Setup::<D>::empty();
    let count = names.len();
    setup.built = built as usize;
    setup.groups = groups;
    setup.tie_names = Some(ties);
    setup.gravity = vectors::<D>(&numbers("setup_gravity")?).first().copied().ok_or_else(wrong)?;
    setup.slots = numbers("setup_slots")?;
    setup.start = vectors(&numbers("setup_start")?);
    setup.handles = Handles::from_words([
        source.all("setup_generations")?,
        source.all("setup_slots_of_bodies")?,
        source.all("setup_free")?,
    ])
    .ok_or_else(wrong)?;
    for pair in source.all::<i64>("setup_bonds")?.chunks_exact(2) {
        let body = |index: i64| u32::try_from(index).ok().filter(|&body| (body as usize) < count).map(BodyId);
        let other = if pair[1] < 0 { None } else { Some(body(pair[1]).ok_or_else(wrong)?) };
        setup.bonds.push((body(pair[0]).ok_or_else(wrong)?, other));
    }
    let (masses, loads) = (per_dof::<D>(&numbers("setup_masses")?), per_dof::<D>(&numbers("setup_loads")?));
    let is_given = |value: f64| Some(value).filter(|value| !value.is_nan());
    let driven: Vec<PerDof<D, Option<f64>>> = per_dof::<D>(&numbers("setup_driven")?)
        .iter()
        .map(|given| PerDof::from_fn(|component| is_given(given[component])))
        .collect();
    let (codes, radius) = (source.all::<u64>("setup_codes")?, numbers("setup_radius")?);
    let axes = vectors::<4>(&numbers("setup_own_axes")?);
    let lengths = [masses.len(), loads.len(), driven.len(), codes.len() / 2, radius.len(), axes.len()];
    if lengths.iter().any(|&length| length != count) {
        return Err(wrong());
    }
    for (body, name) in names.into_iter().enumerate() {
        setup.bodies.push(drystone::Body {
            name,
            group: GroupId(codes[2 * body] as u32),
            pose: Pose::identity(),
            velocity: PerDof::zeros(),
            mass: masses[body],
            driven: driven[body],
            load: loads[body],
            gyroscopic: treatment(codes[2 * body + 1]).ok_or_else(wrong)?,
            radius: radius[body],
        });
        setup.bodies.own_axes[body] = Pose::<D>::orientation_from_wxyz(axes[body].into());
    }
    setup.contactors = contactors(source, count)?.ok_or_else(wrong)?;
    Ok(Some(setup))
}

fn contactors<const D: usize>(source: &Source, bodies: usize) -> Result<Option<Vec<Contactor<D>>>, IoError> {
    let heads: Vec<u32> = source.all("setup_shapes")?;
    let places: Vec<f64> = source.all("setup_places")?;
    let integers: Vec<u32> = source.all("setup_shape_integers")?;
    let reals: Vec<f64> = source.all("setup_shape_reals")?;
    let (mut integers, mut reals) = (&integers[..], &reals[..]);
    let mut made = Vec::with_capacity(heads.len() / 4);
    for (head, place) in heads.chunks_exact(4).zip(places.chunks_exact(D + 4)) {
        let (own_integers, own_reals);
        let parts = integers.split_at_checked(head[2] as usize).zip(reals.split_at_checked(head[3] as usize));
        let Some(((a, more), (b, rest))) = parts else { return Ok(None) };
        (own_integers, integers, own_reals, reals) = (a.to_vec(), more, b.to_vec(), rest);
        let numbers = ShapeNumbers { kind: head[1], integers: own_integers, reals: own_reals };
        let Some(shape) = Shape::from_numbers(&numbers).filter(|_| (head[0] as usize) < bodies) else {
            return Ok(None);
        };
        let orientation =
            Pose::<D>::orientation_from_wxyz([place[D], place[D + 1], place[D + 2], place[D + 3]]);
        let local = Pose { position: Vector::from_column_slice(&place[..D]), orientation };
        made.push(Contactor { body: head[0], shape, local });
    }
    Ok((made.len() == heads.len() / 4).then_some(made))
}

fn per_dof<const D: usize>(numbers: &[f64]) -> Vec<PerDof<D>> {
    numbers.chunks_exact(rigid_dofs(D)).map(PerDof::from_slice).collect()
}

fn vectors<const N: usize>(numbers: &[f64]) -> Vec<Vector<N>> {
    numbers.chunks_exact(N).map(Vector::<N>::from_column_slice).collect()
}

fn wxyz<const D: usize>(orientation: drystone::Orientation) -> [f64; 4] {
    Pose { orientation, ..Pose::<D>::identity() }.orientation_wxyz()
}

fn code(gyroscopic: Gyroscopic) -> u64 {
    match gyroscopic {
        Gyroscopic::Omitted => 0,
        Gyroscopic::Explicit => 1,
        Gyroscopic::Implicit => 2,
    }
}

fn treatment(code: u64) -> Option<Gyroscopic> {
    match code {
        0 => Some(Gyroscopic::Omitted),
        1 => Some(Gyroscopic::Explicit),
        2 => Some(Gyroscopic::Implicit),
        _ => None,
    }
}
