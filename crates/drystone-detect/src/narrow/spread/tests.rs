use super::*;
use crate::{Detector, SkinFeature, contact_points_of_pair, skin_feature};
use drystone_geometry::Contactor;

/// A box with its faces cut, as a skin; `cuts` along x in the plane, along x and y in space.
fn plane_box(cuts: u32) -> Shape<2> {
    let at = |k: u32, y: f64| Vector::<2>::new(f64::from(k) / f64::from(cuts) - 0.5, y);
    let lower = (0..=cuts).map(|k| at(k, 0.0));
    let vertices = lower.chain((0..=cuts).rev().map(|k| at(k, 1.0))).collect::<Vec<_>>();
    let count = vertices.len() as u32;
    SkinShape::new(vertices, (0..count).map(|k| [k, (k + 1) % count, 0]).collect()).unwrap().into()
}

fn space_box(cuts: u32) -> Shape<3> {
    let (mut vertices, mut facets) = (Vec::new(), Vec::new());
    let along = |k: u32| f64::from(k) / f64::from(cuts) - 0.5;
    for (level, z) in [0.0, 1.0].into_iter().enumerate() {
        let first = vertices.len() as u32;
        for (i, j) in (0..=cuts).flat_map(|i| (0..=cuts).map(move |j| (i, j))) {
            vertices.push(Vector::<3>::new(along(i), along(j), z));
        }
        for (i, j) in (0..cuts).flat_map(|i| (0..cuts).map(move |j| (i, j))) {
            let at = |i: u32, j: u32| first + i * (cuts + 1) + j;
            let square = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
                facets.push([
                    square[a],
                    square[if level == 0 { b } else { c }],
                    square[if level == 0 { c } else { b }],
                ]);
            }
        }
    }
    SkinShape::new(vertices, facets).unwrap().into()
}

/// A uniform pressure of one: what it loads the vertices of both sides with is their share of the faces.
fn uniform<const D: usize>(upper: &Shape<D>, lower: &Shape<D>, lift: Vector<D>) {
    let (above, below) = (Pose::at(lift), Pose::identity());
    let mut buffers = SkinBuffers::default();
    let mut pair = SkinPair::new((upper, &above), (lower, &below), 1.0, &mut buffers).unwrap();
    let (Shape::Skin(skin), under) = (upper, lower) else { panic!() };
    let mut loads = [vec![0.0; skin.vertices().len()], vec![0.0; 1000]];
    let mut area = 0.0;
    for spread in (0..skin.sheets().len() as u32).filter_map(|sheet| pair.spread(sheet)) {
        assert!((spread.gap - 0.1).abs() < 1e-14, "{}", spread.gap);
        assert!((spread.points.iter().map(|point| point.share).sum::<f64>() - 1.0).abs() < 1e-14);
        area += spread.area;
        for point in &spread.points {
            for rank in 0..D {
                let vertex = skin.facets()[point.own.facet as usize][rank] as usize;
                loads[0][vertex] += spread.area * point.share * point.own.weights[rank];
                if let (Shape::Skin(under), Some(other)) = (under, point.other) {
                    let vertex = under.facets()[other.facet as usize][rank] as usize;
                    loads[1][vertex] += spread.area * point.share * other.weights[rank];
                }
            }
        }
    }
    assert!((area - 1.0).abs() < 1e-14, "{area}");
    let sides = [(upper, -1.0), (lower, 1.0)];
    for ((shape, way), loads) in sides.into_iter().zip(&loads) {
        let Shape::Skin(skin) = shape else { continue };
        let mut expected = vec![0.0; loads.len()];
        let facing = |facet: &usize| skin.normal(*facet)[D - 1] * way > 0.5;
        for facet in (0..skin.facet_count()).filter(facing) {
            let share = skin.area(facet) / D as f64;
            (0..D).for_each(|rank| expected[skin.facets()[facet][rank] as usize] += share);
        }
        assert!(loads.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14), "{loads:?}");
    }
}

#[test]
fn a_uniform_pressure_loads_both_sides_uniformly() {
    let up = Vector::<2>::new(0.0, 1.1);
    uniform(&plane_box(7), &plane_box(5), up);
    uniform(&plane_box(4), &plane_box(4), up);
    uniform(&plane_box(3), &Shape::HalfSpace, Vector::<2>::new(0.0, 0.1));
    let up = Vector::<3>::new(0.0, 0.0, 1.1);
    uniform(&space_box(3), &space_box(2), up);
    uniform(&space_box(2), &Shape::HalfSpace, Vector::<3>::new(0.0, 0.0, 0.1));
}

/// A disk of so many facets, in places with a dent.
fn disk(count: u32, radius: f64) -> Shape<2> {
    let at = |k: u32| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(count)).sin_cos();
        Vector::<2>::new(cos, sin) * radius * if k.is_multiple_of(5) { 0.98 } else { 1.0 }
    };
    SkinShape::new((0..count).map(at).collect(), (0..count).map(|k| [k, (k + 1) % count, 0]).collect())
        .unwrap()
        .into()
}

/// What is near is found among all sheets and all of the other side, with the same bits.
fn near_is_all<const D: usize>(a: &Shape<D>, b: &Shape<D>, poses: impl Iterator<Item = Pose<D>>) -> [u32; 2] {
    let Shape::Skin(skin) = a else { panic!() };
    let (alert, below) = (0.01, Pose::identity());
    let bits = |sheet: u32, found: &SheetTouch<D>| {
        (sheet, found.point.map(f64::to_bits), found.normal.map(f64::to_bits), found.gap.to_bits())
    };
    let mut counts = [0; 2];
    // the buffers of one pair after the other
    let (mut buffers, mut everywhere) = (SkinBuffers::default(), SkinBuffers::default());
    for pose in poses {
        let mut whole = SkinPair::new((a, &pose), (b, &below), 1e3, &mut everywhere).unwrap();
        let all = (0..skin.sheets().len() as u32)
            .filter_map(|sheet| Some((sheet, whole.touch(sheet).filter(|found| found.gap <= alert)?)));
        let expected: Vec<_> = all.map(|(sheet, found)| bits(sheet, &found)).collect();
        let mut found = Vec::new();
        if let Some(mut pair) = SkinPair::new((a, &pose), (b, &below), alert, &mut buffers) {
            counts[1] += u32::from(pair.buffers.near.len() < skin.sheets().len());
            pair.each_touch(|sheet, touch| {
                let touches = touch.gap <= alert;
                if touches {
                    found.push(bits(sheet, touch));
                }
                touches
            });
        }
        assert_eq!(found, expected, "{pose:?}");
        counts[0] += u32::from(!found.is_empty());
        // the same again, given how far they are
        let gaps = found.iter().map(|one| f64::from_bits(one.3));
        let mut again = SkinPair::new((a, &pose), (b, &below), gaps.fold(0.0, f64::max), &mut buffers);
        let touch = |pair: &mut SkinPair<D>, sheet: u32| Some(bits(sheet, &pair.touch(sheet)?));
        let again = found.iter().filter_map(|one| touch(again.as_mut()?, one.0));
        assert_eq!(again.collect::<Vec<_>>(), found, "{pose:?}");
        // and the same sheets alone
        let gaps = found.iter().map(|one| f64::from_bits(one.3));
        let (reach, sheets) = (gaps.fold(0.0, f64::max), found.iter().map(|one| one.0));
        let mut alone = SkinPair::of_sheets((a, &pose), (b, &below), reach, sheets, &mut buffers);
        let alone = found.iter().filter_map(|one| touch(alone.as_mut()?, one.0));
        assert_eq!(alone.collect::<Vec<_>>(), found, "{pose:?}");
    }
    counts
}

#[test]
fn sheets_that_are_left_out_do_not_touch() {
    let around = |apart: f64| {
        (0..200).map(move |k| {
            let (sin, cos) = (0.7 * f64::from(k)).sin_cos();
            let mut pose = Pose::<2>::at(Vector::<2>::new(cos, sin) * (apart + 5e-4 * f64::from(k % 60)));
            pose.orientation = Pose::<2>::orientation_from_wxyz([cos, 0.0, 0.0, sin]);
            pose
        })
    };
    let [found, fewer] = near_is_all(&disk(31, 0.1), &disk(40, 0.15), around(0.235));
    assert!(found > 100 && found < 200 && fewer > 150, "{found} {fewer}");
    near_is_all(&plane_box(7), &disk(40, 0.15), around(0.9));
    let above =
        |k: i32| Pose::<3>::at(Vector::<3>::new(0.01 * f64::from(k), 0.4, 0.99 + 1e-3 * f64::from(k)));
    let [found, _] = near_is_all(&space_box(3), &space_box(2), (0..40).map(above));
    assert!(found > 15 && found < 25, "{found}");
}

/// What a search keeps of how contacts are spread is what is found again pair by pair.
#[test]
fn spreads_that_a_search_keeps_are_those_found_again() {
    let shapes = [disk(31, 0.1), disk(40, 0.15), disk(23, 0.12), Shape::HalfSpace, plane_box(7)];
    let places = [[0.0, 0.149], [0.24, 0.152], [0.1, 0.34], [0.0, 0.0], [1.0, 0.004]];
    let contactors: Vec<_> = (0..)
        .zip(&shapes)
        .map(|(body, shape)| Contactor { body, shape: shape.clone(), local: Pose::identity() })
        .collect();
    let poses = places.map(|[x, y]| Pose::<2>::at(Vector::<2>::new(x, y)));
    let (mut detector, mut touches) = (Detector::new(), Vec::new());
    // a second time, nothing of the first is left
    for lift in [0.05, 0.0] {
        let mut poses = poses;
        poses[2].position[1] += lift;
        detector.find(&contactors, &poses, &[0.01; 5], &|_, _| true, &mut touches);
        let (mut kept, mut seen) = (0, 0);
        for (a, b) in (0..5usize).flat_map(|a| (0..5).map(move |b| (a, b))) {
            kept += (0..200)
                .filter(|&sheet| detector.spreads().of([a as u32, b as u32], sheet).is_some())
                .count();
        }
        for touch in &touches {
            let [a, b] = touch.contactors.map(|contactor| contactor as usize);
            let both = [a, b].map(|k| (&shapes[k], poses[k]));
            assert!(contact_points_of_pair(both[0], both[1], 0.02, touch).contains(touch));
            for side in 0..2 {
                let SkinFeature::Sheet(sheet) = skin_feature(touch.feature, side) else { continue };
                let [one, other] = [side, 1 - side].map(|side| (both[side].0, &both[side].1));
                let mut buffers = SkinBuffers::default();
                let again = SkinPair::new(one, other, 0.02, &mut buffers).unwrap().spread(sheet).unwrap();
                assert_eq!(detector.spreads().of(touch.contactors, sheet), Some(again.sides()));
                seen += 1;
            }
        }
        assert!(kept == seen && seen >= 8, "{kept} {seen}");
    }
}
