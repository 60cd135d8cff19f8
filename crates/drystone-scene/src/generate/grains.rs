//! Grains of a sample: sizes drawn, places found in a region, shapes put in their place.

use super::forms::{body, form, meshes};
use super::region::region;
use super::sizes::sizes;
use super::{Maker, noted};
use crate::place::{Place, Problems};
use crate::spec::{BodySpec, FormSpec, GrainsSpec, LatticeKind, PackingSpec};
use crate::validate::numbers::{Range, number};
use drystone_math::Vector;
use drystone_samples::{
    Container, Grain, GrainSizes, GrowthParams, Lattice, SampleError, deposit, fill_by_deposit, grow,
    lattice, random_sequential,
};

/// Most grains that "as many as fit" may mean.
const MOST: usize = 20_000_000;

/// The bodies of a sample of grains.
pub(super) fn bodies<const D: usize>(
    maker: &Maker,
    spec: &GrainsSpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    let region = region::<D>(maker, &spec.region, &place.key("region"), problems);
    let sizes = sizes(maker, &spec.sizes, &place.key("sizes"), problems);
    let meshes = match &spec.form {
        Some(FormSpec::Meshes { files, treat }) => meshes(maker, files, *treat, &place.key("form"), problems),
        _ => Some(Vec::new()),
    };
    let (region, sizes, meshes) = (region?, sizes?, meshes?);
    if spec.count.is_some() && spec.solid_fraction.is_some() {
        problems.of_key(&place.key("solid_fraction"), "contradicts count; give one of the two");
        return None;
    }
    if let Some(fraction) = spec.solid_fraction
        && !number(problems, &place.key("solid_fraction"), fraction, Range::Within(1e-9, 1.0))
    {
        return None;
    }
    let form = form(spec.form.as_ref(), meshes.len());
    noted(form.check(D), &place.key("form"), problems)?;
    let grains = packed(maker, spec, &sizes, region.as_ref(), &place.key("packing"), problems)?;
    if grains.is_empty() {
        problems.of(place, ": not one grain fits; take a larger region or smaller grains");
        return None;
    }
    let shaped = form.replace(&grains, maker.sample.seed ^ 0xf0f0);
    let made = |(index, one)| BodySpec { deform: spec.deform.clone(), ..body(maker, index, one, &meshes) };
    Some(shaped.iter().enumerate().map(made).collect())
}

/// Grains at their places.
fn packed<const D: usize>(
    maker: &Maker,
    spec: &GrainsSpec,
    sizes: &GrainSizes,
    region: &dyn Container<D>,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<Grain<D>>> {
    let seed = maker.sample.seed;
    let count = spec.count.map(|count| usize::try_from(count).unwrap_or(usize::MAX).min(MOST));
    let largest = sizes.largest();
    // a slip in a unit is found before the memory is full
    let most = region.volume() / drystone_samples::ball_volume::<D>(sizes.smallest());
    if count.is_none() && (most.is_nan() || most > MOST as f64) {
        problems.of(place, format!(": more than {MOST} grains could fit; give count or larger grains"));
        return None;
    }
    let radii = match (count, spec.solid_fraction) {
        (Some(count), _) => Some(sizes.radii::<D>(count, seed)),
        (_, Some(fraction)) => Some(sizes.radii_of_volume::<D>(fraction * region.volume(), seed)),
        _ => None,
    };
    let grains = match (&spec.packing, radii) {
        (PackingSpec::Lattice { kind, spacing }, radii) => {
            let spacing = spacing.unwrap_or(2.0 * largest);
            lattice(kind_of(*kind), spacing, largest, region)
                .and_then(|places| on_lattice(places, radii, sizes, seed, spacing))
        }
        (PackingSpec::Random { gap, tries }, Some(radii)) => {
            let tries = tries.map_or(10_000, |tries| tries as usize);
            random_sequential(&radii, gap.max(0.0), region, tries, seed)
        }
        (PackingSpec::Deposit { tries }, Some(radii)) => {
            deposit(&radii, region, tries.map_or(1, |tries| tries as usize), seed)
        }
        (PackingSpec::Deposit { tries }, None) => {
            fill_by_deposit(sizes, region, MOST, tries.map_or(1, |tries| tries as usize), seed)
        }
        (PackingSpec::Growth { rounds, clearance }, Some(radii)) => {
            let usual = GrowthParams::default();
            let params = GrowthParams {
                rounds: rounds.map_or(usual.rounds, |rounds| rounds as usize),
                clearance: clearance.unwrap_or(usual.clearance).clamp(1e-9, 0.5),
            };
            grow(&radii, region, &params, seed)
        }
        (PackingSpec::Random { .. } | PackingSpec::Growth { .. }, None) => {
            problems.of(place, "does not know how many grains there are; give count or solid_fraction");
            return None;
        }
    };
    noted(grains, place, problems)
}

fn on_lattice<const D: usize>(
    places: Vec<Vector<D>>,
    radii: Option<Vec<f64>>,
    sizes: &GrainSizes,
    seed: u64,
    spacing: f64,
) -> Result<Vec<Grain<D>>, SampleError> {
    if spacing < 2.0 * sizes.largest() * (1.0 - 1e-12) {
        let allowed = "it must be at least twice the largest radius";
        return Err(SampleError::Number { name: "spacing", found: spacing, allowed });
    }
    let radii = radii.unwrap_or_else(|| sizes.radii::<D>(places.len(), seed));
    if radii.len() > places.len() {
        return Err(SampleError::TooDense {
            placed: places.len(),
            wanted: radii.len(),
            fraction: 0.0,
            advice: "take fewer grains or a larger region",
        });
    }
    Ok(places.into_iter().zip(radii).map(|(position, radius)| Grain { radius, position }).collect())
}

fn kind_of(kind: LatticeKind) -> Lattice {
    match kind {
        LatticeKind::Square => Lattice::Square,
        LatticeKind::Hexagonal => Lattice::Hexagonal,
        LatticeKind::Cubic => Lattice::Cubic,
        LatticeKind::FaceCentred => Lattice::FaceCentred,
    }
}
