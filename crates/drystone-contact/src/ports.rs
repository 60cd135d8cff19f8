//! Where contacts and ties hold deformable bodies: which nodes, with which compliance, and what impulses on
//! them are to the nodes. How a mesh answers is the body's business.

use crate::StepContext;
use crate::impact::poses_of;
use crate::matching::is_own;
use crate::spread_touches::{each_with_spread, of_one_pair};
use drystone_bulk::Port;
use drystone_detect::{
    ContactPoint, FacetPlace, SkinFeature, SpreadSides, Spreads, shares, skin_area, skin_feature,
};
use drystone_geometry::Shape;
use drystone_math::columns::dot;
use drystone_math::{Columns, Matrix, Vector, rigid_dofs};
use drystone_problem::Condensed;
use drystone_state::BodyId;

/// The ports of a step.
///
/// A deformable body is one body of the operator, its generalised velocities those of its rigid line and
/// behind them those of its ports, each in the frame of its contact.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ports<const D: usize> {
    /// For every touch; empty where no body is deformable.
    touches: Vec<[Option<SidePort<D>>; 2]>,
    /// For every tie; empty where none ends in a mesh. Their frames are the axes of the world.
    ties: Vec<[Option<SidePort<D>>; 2]>,
    /// Bodies that have any, increasing.
    bodies: Vec<HeldBody<D>>,
}

/// A deformable body and its ports.
#[derive(Clone, Debug)]
struct HeldBody<const D: usize> {
    body: u32,
    /// Each with the axes of its contact in those of the body, as columns.
    ports: Vec<(Port<D>, Matrix<D, D>)>,
    /// Compliance over them, row after row \[1/kg\].
    compliance: Vec<f64>,
}

/// One side of a touch that is held by a port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SidePort<const D: usize> {
    /// Where the port is in the body's frame, not deformed \[m\].
    pub spot: Vector<D>,
    /// Place of the body among those that have ports, and of the port among those of the body.
    place: u32,
    number: u32,
    /// Part of the relative velocity by deformation, in the frame: at the beginning of the step, and at its
    /// end without contacts \[m/s\].
    pub begin: Vector<D>,
    pub free: Vector<D>,
    /// What the deformation adds to the diagonal block \[1/kg\].
    pub block: Matrix<D, D>,
}

impl<const D: usize> Ports<D> {
    /// The ports of all touches, numbered in their order, and the area of each of them \[m²\]: of those on
    /// skins always, of others, their shares in the patches of their pairs, where laws ask for it. No areas
    /// where nobody asks.
    pub fn new(
        step: &StepContext<D>,
        touches: &[ContactPoint<D>],
        spreads: Option<&Spreads>,
    ) -> (Self, Vec<f64>) {
        let mut own = Self::default();
        let mut areas: Vec<f64> = match step.laws.want_area() {
            true => touches.chunk_by(of_one_pair).flat_map(shares).collect(),
            false => Vec::new(),
        };
        let Some(solids) = step.solids.filter(|solids| !solids.is_empty()) else { return (own, areas) };
        areas.resize(touches.len(), 0.0);
        let mut place = vec![u32::MAX; step.bodies.len()];
        for touch in touches {
            for contactor in touch.contactors {
                let body = step.contactors[contactor as usize].body;
                if solids.is_soft(body as usize) {
                    place[body as usize] = 0;
                }
            }
        }
        let tied = step.ties.list().iter().flat_map(|tie| tie.bodies.iter().zip(&tie.meshes));
        for (BodyId(body), _) in tied.filter_map(|(body, end)| Some(((*body)?, end.as_ref()?))) {
            place[body as usize] = 0;
        }
        for (body, place) in (0..).zip(&mut place).filter(|(_, place)| **place == 0) {
            *place = own.bodies.len() as u32;
            own.bodies.push(HeldBody { body, ports: Vec::with_capacity(8), compliance: Vec::new() });
        }
        own.touches.reserve(touches.len());
        each_with_spread(step, touches, spreads, |number, touch, spread| {
            let seen = (touch, spread);
            let sides = match is_own(touch) {
                true => [own.add_own(step, &place, seen), None],
                false => [0, 1].map(|side| own.add(step, &place, seen, side)),
            };
            own.touches.push(sides);
            let contactors = touch.contactors.map(|contactor| &step.contactors[contactor as usize]);
            if contactors.iter().any(|contactor| step.is_soft(contactor.body as usize)) {
                let shapes = contactors.map(|contactor| &contactor.shape);
                areas[number] = spread.map_or_else(|| skin_area(shapes, touch), |spread| spread.area);
            }
        });
        own.add_ties(step, &place);
        // one after the other: columns of the compliance are made here
        for held in &mut own.bodies {
            held.compliance = solids.port_compliance(held.body as usize, &held.ports);
        }
        for side in own.touches.iter_mut().chain(&mut own.ties).flatten().flatten() {
            let held = &own.bodies[side.place as usize];
            let (size, first) = (held.ports.len() * D, side.number as usize * D);
            side.block = Matrix::from_fn(|i, j| held.compliance[(first + i) * size + first + j]);
        }
        (own, areas)
    }

    fn add(
        &mut self,
        step: &StepContext<D>,
        place: &[u32],
        seen: (&ContactPoint<D>, Option<SpreadSides>),
        side: usize,
    ) -> Option<SidePort<D>> {
        let (port, axes) = port_of(step, seen, side)?;
        let body = step.contactors[seen.0.contactors[side] as usize].body;
        self.push(step, place, body as usize, (port, axes), if side == 0 { 1.0 } else { -1.0 })
    }

    /// A contact of a body with itself is one port: the motion of one side less that of the other, so that
    /// its compliance has what each of them does to the other. As a whole the body cannot part from itself.
    fn add_own(
        &mut self,
        step: &StepContext<D>,
        place: &[u32],
        seen: (&ContactPoint<D>, Option<SpreadSides>),
    ) -> Option<SidePort<D>> {
        let ((one, axes), (two, _)) = (port_of(step, seen, 0)?, port_of(step, seen, 1)?);
        let body = step.contactors[seen.0.contactors[0] as usize].body;
        self.push(step, place, body as usize, (one.less(&two), axes), 1.0)
    }

    /// The ends of ties in meshes, each in the axes of the world.
    fn add_ties(&mut self, step: &StepContext<D>, place: &[u32]) {
        let ties = step.ties.list();
        if ties.iter().all(|tie| tie.meshes.iter().all(Option::is_none)) {
            return;
        }
        for tie in ties {
            let held = std::array::from_fn(|side| {
                let (BodyId(body), end) = (tie.bodies[side]?, tie.meshes[side].as_ref()?);
                let axes = step.middle[body as usize].rotation().transpose();
                self.push(step, place, body as usize, (end.port.clone(), axes), 1.0)
            });
            self.ties.push(held);
        }
    }

    fn push(
        &mut self,
        step: &StepContext<D>,
        place: &[u32],
        body: usize,
        (port, axes): (Port<D>, Matrix<D, D>),
        sign: f64,
    ) -> Option<SidePort<D>> {
        let [begin, free] = step.solids?.port_velocities(body, &port).map(|v| axes.tr_mul(&v) * sign);
        let place = *place.get(body).filter(|place| **place != u32::MAX)?;
        let ports = &mut self.bodies[place as usize].ports;
        let spot = port.place;
        ports.push((port, axes));
        let number = ports.len() as u32 - 1;
        Some(SidePort { spot, place, number, begin, free, block: Matrix::zeros() })
    }

    /// The ports of the two sides of a touch.
    #[inline]
    pub fn at(&self, touch: usize) -> [Option<&SidePort<D>>; 2] {
        self.touches.get(touch).map_or([None; 2], |sides| sides.each_ref().map(Option::as_ref))
    }

    /// The ports of the two ends of a tie.
    pub fn of_tie(&self, tie: usize) -> [Option<&SidePort<D>>; 2] {
        self.ties.get(tie).map_or([None; 2], |sides| sides.each_ref().map(Option::as_ref))
    }

    /// Bodies that have any, increasing, each with its compliance over them, row after row \[1/kg\].
    pub fn compliances(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.bodies.iter().map(|held| (held.body as usize, &held.compliance[..]))
    }

    /// Whether no body has any.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Rows of H with the columns of ports behind those of the rigid lines.
    pub fn widen(
        &self,
        h: [Columns<D>; 2],
        bodies: [u32; 2],
        held: [Option<&SidePort<D>>; 2],
    ) -> [Columns<D>; 2] {
        if self.is_empty() {
            return h;
        }
        let [one, two] = h;
        if bodies[0] == bodies[1] {
            // the other side is in the port of the first
            return [self.widen_side(one, bodies[0], held[0], 1.0), Columns::zeros(0)];
        }
        [self.widen_side(one, bodies[0], held[0], 1.0), self.widen_side(two, bodies[1], held[1], -1.0)]
    }

    fn widen_side(&self, h: Columns<D>, body: u32, held: Option<&SidePort<D>>, sign: f64) -> Columns<D> {
        let Ok(place) = self.bodies.binary_search_by_key(&body, |held| held.body) else { return h };
        let few = h.len();
        let mut wide = Columns::zeros(few + self.bodies[place].ports.len() * D);
        wide[..few].copy_from_slice(&h);
        for (held, axis) in held.into_iter().flat_map(|held| (0..D).map(move |axis| (held, axis))) {
            wide[few + held.number as usize * D + axis][axis] = sign;
        }
        wide
    }

    /// Rows of a tie with the columns of ports behind those of the rigid lines: what a row takes of the
    /// velocity of a body it takes of that of the port, since both are in the axes of the world.
    pub fn widen_tie(&self, h: [Columns<D>; 2], bodies: [u32; 2], tie: usize) -> [Columns<D>; 2] {
        let held = self.of_tie(tie);
        let [one, two] = h;
        [(one, 0), (two, 1)].map(|(h, side)| {
            let ways: Vec<[f64; D]> = h.iter().take(D).copied().collect();
            let few = h.len();
            let mut wide = self.widen_side(h, bodies[side], None, 1.0);
            if let Some(held) = held[side] {
                wide[few + held.number as usize * D..][..D].copy_from_slice(&ways);
            }
            wide
        })
    }

    /// What impulses of the rows are on ports, in the axes of the bodies; those of nothing are left out.
    pub fn impulses(
        &self,
        w: &Condensed<D>,
        impulses: &[Vector<D>],
    ) -> Vec<(u32, Vec<(Port<D>, Vector<D>)>)> {
        let few = rigid_dofs(D);
        let mut sums: Vec<Vec<f64>> =
            self.bodies.iter().map(|held| vec![0.0; held.ports.len() * D]).collect();
        for (row, r) in w.pairs().zip(impulses) {
            for side in 0..2 {
                let found = self.bodies.binary_search_by_key(&row.bodies[side], |held| held.body);
                let Ok(place) = found else { continue };
                for (sum, column) in sums[place].iter_mut().zip(&row.h[side][few..]) {
                    *sum += dot(column, r);
                }
            }
        }
        let turned = |held: &HeldBody<D>, sums: Vec<f64>| {
            let part = |((port, axes), sum): (&(Port<D>, Matrix<D, D>), &[f64; D])| {
                let pushes = sum.iter().any(|p| *p != 0.0);
                pushes.then(|| (port.clone(), axes * Vector::from(*sum)))
            };
            (held.body, held.ports.iter().zip(sums.as_chunks::<D>().0).filter_map(part).collect())
        };
        self.bodies.iter().zip(sums).map(|(held, sums)| turned(held, sums)).collect()
    }
}

/// The columns of a row of H where the ports of its sides begin, and their signs.
pub(crate) fn columns_of_ports<const D: usize>(
    bodies: [u32; 2],
    held: [Option<&SidePort<D>>; 2],
) -> [Option<(usize, f64)>; 2] {
    let column = |side: &SidePort<D>| rigid_dofs(D) + side.number as usize * D;
    // of a body with itself the other side is in the port of the first
    let two = held[1].filter(|_| bodies[0] != bodies[1]);
    [held[0].map(|side| (column(side), 1.0)), two.map(|side| (column(side), -1.0))]
}

/// The port of one side of a touch, with the axes of the contact in those of the body as columns.
fn port_of<const D: usize>(
    step: &StepContext<D>,
    (touch, spread): (&ContactPoint<D>, Option<SpreadSides>),
    side: usize,
) -> Option<(Port<D>, Matrix<D, D>)> {
    let solids = step.solids?;
    let contactor = &step.contactors[touch.contactors[side] as usize];
    let (body, Shape::Skin(skin)) = (contactor.body as usize, &contactor.shape) else { return None };
    let pose = poses_of(step, touch, 0.0)[side];
    let port = match skin_feature(touch.feature, side) {
        SkinFeature::Vertex(vertex) => solids.port_at_vertex(body, vertex as usize)?,
        SkinFeature::Facet(facet) if (facet as usize) < skin.facet_count() => {
            let weights = skin.weights(facet as usize, &pose.to_local(&touch.point));
            solids.port_on_facet(body, facet as usize, weights)?
        }
        SkinFeature::Facet(_) => return None,
        SkinFeature::Sheet(_) => {
            let points = spread?.points.iter();
            solids.port_over(body, points.map(|point| placed(&point.own, point.share)))?
        }
        SkinFeature::Under => {
            let points = spread?.points.iter();
            let places = points.filter_map(|point| Some(placed(&point.other?, point.share)));
            solids.port_over(body, places)?
        }
    };
    Some((port, pose.rotation().tr_mul(&touch.frame())))
}

fn placed(place: &FacetPlace, share: f64) -> (usize, [f64; 3], f64) {
    (place.facet as usize, place.weights, share)
}
