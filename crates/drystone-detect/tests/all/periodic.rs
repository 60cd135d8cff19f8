//! A periodic cell against every pair of contactors in every image.

use crate::common::*;
use drystone_detect::{Cell, ContactPoint, Detector, PeriodicDetector};
use drystone_geometry::{Contactor, Polytope, Shape, Surface};
use drystone_math::{Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

struct Scene<const D: usize> {
    cell: Cell<D>,
    contactors: Vec<Contactor<D>>,
    poses: Vec<Pose<D>>,
    margins: Vec<f64>,
}

impl<const D: usize> Scene<D> {
    fn find(&self) -> Vec<ContactPoint<D>> {
        let mut touches = Vec::new();
        let meet = |a: u32, b: u32| !(a + b).is_multiple_of(7);
        PeriodicDetector::new(self.cell).find(
            &self.contactors,
            &self.poses,
            &self.margins,
            &meet,
            &mut touches,
        );
        touches
    }

    /// The candidate where it is, the antagonist in all images that may reach it, two by two.
    fn brute_force(&self) -> Vec<ContactPoint<D>> {
        let mut all = Vec::new();
        for a in 0..self.contactors.len() {
            for b in a + 1..self.contactors.len() {
                let bodies = [a, b].map(|index| self.contactors[index].body);
                if bodies[0] != bodies[1] && !(bodies[0] + bodies[1]).is_multiple_of(7) {
                    self.images_of_pair(a, b, &mut all);
                }
            }
        }
        all.sort_by_key(|touch| (touch.contactors, touch.image, touch.feature));
        all
    }

    fn images_of_pair(&self, a: usize, b: usize, all: &mut Vec<ContactPoint<D>>) {
        let endless = [a, b].map(|index| matches!(self.contactors[index].shape, Shape::HalfSpace));
        // the detector makes a half-space the antagonist
        let (a, b) = if endless[0] { (b, a) } else { (a, b) };
        let near = self.cell.nearest(&self.poses[b].position, &self.poses[a].position);
        let range = |axis: usize| {
            let repeats = !endless[0] && !endless[1] && self.cell.periods().any(|(other, _)| other == axis);
            if repeats { near[axis] - 2..=near[axis] + 2 } else { 0..=0 }
        };
        for x in range(0) {
            for y in range(1) {
                let mut moved = self.poses[b];
                moved.position += self.cell.shift([x, y]);
                let two = [&self.contactors[a], &self.contactors[b]].map(Clone::clone);
                let margins = [self.margins[a], self.margins[b]];
                let mut touches = Vec::new();
                Detector::new().find(&two, &[self.poses[a], moved], &margins, &|_, _| true, &mut touches);
                all.extend(touches.into_iter().map(|touch| {
                    let contactors = touch.contactors.map(|index| [a, b][index as usize] as u32);
                    ContactPoint { contactors, image: [x, y], ..touch }
                }));
            }
        }
    }
}

/// The same contacts up to rounding, some of which may go by another name: round shapes are named by what is
/// nearest.
#[track_caller]
fn assert_same<const D: usize>(found: &[ContactPoint<D>], expected: &[ContactPoint<D>], shift: &Vector<D>) {
    let name = |touch: &ContactPoint<D>| (touch.contactors, touch.image, touch.feature);
    assert!(found.is_sorted_by(|a, b| name(a) < name(b)), "names are unique and sorted");
    let mut renamed = 0;
    for one in expected {
        let near = |other: &&ContactPoint<D>| {
            let error = (other.gap - one.gap).abs()
                + (other.point - one.point - shift).norm()
                + (other.normal - one.normal).norm();
            error < 1e-7
        };
        let named = found.binary_search_by_key(&name(one), name).ok().map(|index| &found[index]);
        if named.filter(near).is_none() {
            let pair =
                |other: &&ContactPoint<D>| (other.contactors, other.image) == (one.contactors, one.image);
            assert!(found.iter().filter(pair).any(|other| near(&other)), "{one:?}");
            renamed += 1;
        }
    }
    assert_eq!(found.len(), expected.len());
    assert!(renamed <= expected.len() / 100, "{renamed} of {}", expected.len());
}

fn check<const D: usize>(scene: &Scene<D>) {
    let found = scene.find();
    let expected = scene.brute_force();
    assert!(expected.len() > 300, "{}", expected.len());
    assert!(expected.iter().filter(|touch| touch.image != [0; 2]).count() > 100);
    assert_same(&found, &expected, &Vector::zeros());
    // wherever the seam is
    let shift = Vector::<D>::from_fn(|axis, _| 0.37 + 0.211 * axis as f64);
    let poses = scene.poses.iter().map(|pose| Pose { position: pose.position + shift, ..*pose }).collect();
    let moved = Scene {
        cell: scene.cell,
        contactors: scene.contactors.clone(),
        poses,
        margins: scene.margins.clone(),
    };
    assert_same(&moved.find(), &found, &shift);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| scene.find()), found, "{threads} threads");
    }
}

fn scene<const D: usize>(
    rng: &mut Pcg64,
    cell: Cell<D>,
    count: usize,
    form: &dyn Fn(&mut Pcg64, usize, f64) -> Shape<D>,
) -> Scene<D> {
    let mut scene = Scene { cell, contactors: Vec::new(), poses: Vec::new(), margins: Vec::new() };
    for index in 0..count {
        let size = 10f64.powf(rng.random_range(-1.5..-0.5));
        let shape = form(rng, index, size);
        let level = matches!(shape, Shape::HalfSpace);
        scene.contactors.push(Contactor { body: (index * 4 / 5) as u32, shape, local: Pose::identity() });
        // many periods away on either side
        let mut pose = pose::<D>(rng, 1.0);
        cell.periods().for_each(|(axis, _)| pose.position[axis] *= 4.0);
        if level {
            pose.orientation = drystone_math::Orientation::identity();
        }
        scene.poses.push(pose);
        scene.margins.push(0.1 * size);
    }
    scene
}

#[test]
fn all_shapes_of_the_plane_meet_across_the_seam() {
    let rng = &mut random(21);
    let cell = Cell::new(Vector::<2>::new(-0.3, 0.0), [Some(1.3), None]).unwrap();
    let form = |rng: &mut Pcg64, index: usize, size: f64| match index % 6 {
        0 => polygon(rng, size).into(),
        1 => Shape::capsule(size, 0.4 * size).unwrap(),
        2 => Shape::rounded(polygon(rng, size), 0.2 * size).unwrap(),
        3 if index < 20 => Shape::HalfSpace,
        4 if index < 40 => {
            let line = (0..7).map(|k| Vector::<2>::new(0.65 - 0.2 * k as f64, 0.1 * (k % 2) as f64));
            Surface::polyline(line.collect()).unwrap().into()
        }
        5 if index < 20 => Shape::hollow_disk(0.6).unwrap(),
        _ => Shape::ball(size).unwrap(),
    };
    check(&scene(rng, cell, 130, &form));
}

#[test]
fn all_shapes_of_space_meet_across_both_seams() {
    let rng = &mut random(22);
    let form = |rng: &mut Pcg64, index: usize, size: f64| match index % 8 {
        0 => polyhedron(rng, size).into(),
        1 => Shape::capsule(size, 0.4 * size).unwrap(),
        2 => Shape::rounded(polyhedron(rng, size), 0.2 * size).unwrap(),
        3 => Shape::cylinder(0.5 * size, size).unwrap(),
        4 if index < 20 => Shape::HalfSpace,
        5 if index < 20 => Shape::hollow_cylinder(0.5, 0.8).unwrap(),
        6 if index < 20 => {
            let heights: Vec<f64> = (0..36).map(|_| rng.random_range(-0.1..0.1)).collect();
            Surface::height_field([-0.6, -0.6], 0.24, 6, &heights).unwrap().into()
        }
        _ => Shape::ball(size).unwrap(),
    };
    for periods in [[Some(1.3), Some(1.7)], [Some(1.3), None], [None, Some(1.2)]] {
        let cell = Cell::new(Vector::<3>::new(-0.3, 0.4, 0.0), periods).unwrap();
        check(&scene(rng, cell, 110, &form));
    }
}

/// A ball that is larger than half the period touches another from both sides, which are two contacts.
#[test]
fn two_images_of_one_body_are_two_contacts() {
    let cell = Cell::new(Vector::<2>::zeros(), [Some(1.0), None]).unwrap();
    let ball =
        |body, radius| Contactor { body, shape: Shape::ball(radius).unwrap(), local: Pose::identity() };
    let place = |x: f64| Pose::at(Vector::<2>::new(x, 0.0));
    for shift in [0.0, 0.3, 7.7, -1e3] {
        let scene = Scene {
            cell,
            contactors: vec![ball(1, 0.3), ball(2, 0.2)],
            poses: vec![place(0.1 + shift), place(5.6 + shift)],
            margins: vec![1e-6; 2],
        };
        let touches = scene.find();
        assert_eq!(
            touches.iter().map(|touch| touch.image).collect::<Vec<_>>(),
            [[-6, 0], [-5, 0]],
            "{shift}"
        );
        for (touch, normal) in touches.iter().zip([1.0, -1.0]) {
            assert!((touch.normal[0] - normal).abs() < 1e-12);
            assert!(touch.gap.abs() < 1e-12 && (touch.point[0] - shift - 0.1 + 0.3 * normal).abs() < 1e-12);
        }
    }
}

/// Wherever a pair is as it passes through the seam, its contact has one name.
#[test]
fn a_contact_keeps_its_name_through_the_seam() {
    let rng = &mut random(23);
    let cell = Cell::new(Vector::<2>::zeros(), [Some(1.0), None]).unwrap();
    let shapes: [Shape<2>; 2] =
        [Polytope::rectangle([0.2, 0.1]).unwrap().into(), Polytope::rectangle([0.3, 0.1]).unwrap().into()];
    let contactors: Vec<_> = shapes
        .into_iter()
        .zip(1..)
        .map(|(shape, body)| Contactor { body, shape, local: Pose::identity() })
        .collect();
    let mut first = Vec::new();
    for k in 0..200 {
        let x = -1.0 + 0.01 * k as f64 + rng.random_range(0.0..0.005);
        let poses = vec![Pose::at(Vector::<2>::new(x, 0.1)), Pose::at(Vector::<2>::new(x + 4.02, 0.0))];
        let scene = Scene { cell, contactors: contactors.clone(), poses, margins: vec![1e-3; 2] };
        let names: Vec<_> = scene.find().iter().map(|touch| (touch.image, touch.feature)).collect();
        assert_eq!(names.len(), 2);
        if first.is_empty() {
            first = names.clone();
        }
        assert_eq!(names, first);
    }
}
