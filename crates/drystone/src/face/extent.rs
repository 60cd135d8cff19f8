//! Who belongs to a name, how far bodies reach, and how far they went. Changes nothing.

use super::{Coordinates, Who, each};
use crate::{AnySimulation, ChangeError, Pose, Shape, Simulation, Vector};
use drystone_detect::touch;
use drystone_geometry::aabb::aabb;
use drystone_state::{BodyHandle, BodyId};

impl<const D: usize> Simulation<D> {
    fn members(&self, name: &str) -> Vec<BodyHandle> {
        let group = self.known_group(name).ok();
        let is = |body: usize| self.bodies.name[body] == name || Some(self.bodies.group[body]) == group;
        let found = (0..self.bodies.len()).filter(|&body| is(body));
        found.filter_map(|body| self.handle(BodyId(body as u32))).collect()
    }

    fn extent(&self, who: Who, axis: usize) -> Result<[f64; 2], ChangeError> {
        let body = self.find(who)?;
        let pose = &self.bodies.pose[body];
        let place = pose.position[axis.min(D - 1)];
        let own = self.contactors.iter().filter(|contactor| contactor.body as usize == body);
        let reach = |[low, high]: [f64; 2], contactor: &crate::Contactor<D>| match contactor.shape {
            Shape::HalfSpace => [low.min(place), high.max(place)],
            ref shape => {
                let around = aabb(shape, &pose.compose(&contactor.local), 0.0);
                [low.min(around.low[axis.min(D - 1)]), high.max(around.high[axis.min(D - 1)])]
            }
        };
        let found = own.fold([f64::INFINITY, f64::NEG_INFINITY], reach);
        Ok(if found[0] <= found[1] { found } else { [place; 2] })
    }

    /// Whether a disk or sphere about this place \[m\] meets none of the balls around the bodies that are not
    /// wholly driven.
    pub fn has_room(&self, place: &[f64], radius: f64) -> bool {
        let bodies = &self.bodies;
        let is_near = |body: usize| {
            let [position, _] = self.centre_of_mass(BodyId(body as u32));
            let square: f64 = place.iter().zip(position.iter()).map(|(a, b)| (a - b) * (a - b)).sum();
            // lines and planes have no end, and what is fixed may be a floor larger than the scene
            bodies.radius[body].is_finite()
                && self.is_movable(BodyId(body as u32))
                && square < (radius + bodies.radius[body]) * (radius + bodies.radius[body])
        };
        !(0..bodies.len()).any(is_near)
    }

    fn free_bodies(&self) -> Vec<(BodyHandle, Coordinates)> {
        let movable = (0..self.bodies.len() as u32).map(BodyId).filter(|&body| self.is_movable(body));
        movable.filter_map(|body| Some((self.handle(body)?, self.centre_of_mass(body)[0].into()))).collect()
    }

    /// The nearest point of a body to a place, no farther from it than `reach`; a place inside has the
    /// nearest point of the surface.
    fn nearest_point(
        &self,
        who: Who,
        place: Vector<D>,
        reach: f64,
    ) -> Result<Option<Vector<D>>, ChangeError> {
        let body = self.find(who)?;
        let pose = &self.bodies.pose[body];
        let mut nearest: Option<(f64, Vector<D>)> = None;
        for contactor in self.contactors.iter().filter(|contactor| contactor.body as usize == body) {
            let own = pose.compose(&contactor.local);
            let shape = (&contactor.shape, &own);
            touch((&Shape::Point, &Pose::at(place)), shape, reach, &mut |_, _, normal, gap| {
                if nearest.is_none_or(|(least, _)| gap < least) {
                    nearest = Some((gap, place - normal * gap));
                }
            });
        }
        Ok(nearest.map(|(_, point)| point))
    }

    fn farthest(&self) -> f64 {
        let bodies = &self.bodies;
        let way = |body: usize| {
            let [centre, _] = self.centre_of_mass(BodyId(body as u32));
            (centre - self.start[body]).norm() / bodies.radius[body]
        };
        let counts = |&body: &usize| self.is_movable(BodyId(body as u32)) && bodies.radius[body] > 0.0;
        (0..bodies.len()).filter(counts).map(way).filter(|way| way.is_finite()).fold(0.0, f64::max)
    }
}

impl AnySimulation {
    /// The body of a name and all bodies of a group of this name, in their order.
    pub fn members(&self, name: &str) -> Vec<BodyHandle> {
        each!(self, simulation => simulation.members(name))
    }

    /// Lowest and highest coordinate of a body along an axis of the world, x being 0 \[m\]; of a line or
    /// plane twice that of its surface where the body is.
    pub fn extent<'a>(&self, body: impl Into<Who<'a>>, axis: usize) -> Result<[f64; 2], ChangeError> {
        let who = body.into();
        each!(self, simulation => simulation.extent(who, axis))
    }

    /// Largest way of a centre of mass from where the body came into the run, relative to the radius of the
    /// body \[-\]; bodies that are wholly driven are left out.
    pub fn farthest(&self) -> f64 {
        each!(self, simulation => simulation.farthest())
    }

    /// Bodies that are not wholly driven, with their centres of mass \[m\], in their order.
    pub fn free_bodies(&self) -> Vec<(BodyHandle, Coordinates)> {
        each!(self, simulation => simulation.free_bodies())
    }

    /// Whether a disk or sphere about this place \[m\] meets none of the balls around the bodies that are not
    /// wholly driven.
    pub fn has_room(&self, place: &[f64], radius: f64) -> bool {
        each!(self, simulation => simulation.has_room(place, radius))
    }

    /// The nearest point of a body to a place, no farther from it than `reach` \[m\]; none where the body is
    /// farther away. A place inside of the body has the nearest point of its surface.
    pub fn nearest_point<'a>(
        &self,
        body: impl Into<Who<'a>>,
        place: impl Into<Coordinates>,
        reach: f64,
    ) -> Result<Option<Coordinates>, ChangeError> {
        let (who, place) = (body.into(), place.into());
        each!(self, simulation => {
            let place = place.vector("a place")?;
            Ok(simulation.nearest_point(who, place, reach)?.map(Into::into))
        })
    }

    /// Gravity along an axis, x being 0 \[m/s²\].
    pub fn gravity_along(&self, axis: usize) -> f64 {
        each!(self, simulation => simulation.settings.gravity.get(axis).copied().unwrap_or(0.0))
    }
}
