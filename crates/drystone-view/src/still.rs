//! Pictures of a structure that does not move in time: where its bodies stand or would go, its forces, bars
//! on its joints. Reads no run folder.

use crate::picture::{Form, Item, Picture};
use crate::shapes::{Attached, kinds, shapes, three};
use drystone::{PerDof, Pose, Simulation, Vector};

/// The bodies of a simulation at given poses with given velocities, without contacts and without a time. With
/// `ghosts` the outlines of polygons where the simulation has them lie under them.
pub fn still<const D: usize>(
    simulation: &Simulation<D>,
    title: &str,
    poses: &[Pose<D>],
    velocities: &[PerDof<D>],
    ghosts: bool,
) -> Picture {
    let kinds = kinds(simulation);
    let attached = shapes(simulation);
    let item = |shape: &Attached, pose: &Pose<D>, velocity: [f64; 3]| {
        let body = Pose { position: Vector::from(three(&pose.position)), orientation: pose.orientation };
        let place = body.compose(&shape.local);
        let kind = kinds[shape.body as usize];
        Item {
            body: shape.body,
            group: kind.group,
            fixed: kind.fixed,
            position: place.position.into(),
            orientation_wxyz: place.orientation_wxyz(),
            velocity,
            form: shape.form.clone(),
        }
    };
    let mut items = Vec::new();
    if ghosts {
        for shape in attached.iter().filter(|shape| !kinds[shape.body as usize].fixed) {
            if let Form::Polygon { vertices, .. } = &shape.form {
                let mut ghost = item(shape, &simulation.bodies().pose[shape.body as usize], [0.0; 3]);
                ghost.form = Form::Line { vertices: vertices.clone(), closed: true };
                items.push(ghost);
            }
        }
    }
    for shape in &attached {
        let body = shape.body as usize;
        let velocity = velocities.get(body).map_or([0.0; 3], |velocity| {
            std::array::from_fn(|axis| if axis < D { velocity[axis] } else { 0.0 })
        });
        items.push(item(shape, &poses[body], velocity));
    }
    Picture { dimension: D, title: title.to_owned(), time: f64::NAN, items, ..Picture::default() }
}
