//! Where to look for contacts: contactors placed at the middle configuration, each with a margin.

use crate::StepContext;
use crate::matching::id_of;
use drystone_bulk::Bulk;
use drystone_detect::{
    Cell, ContactPoint, Detector, LEVEL_AXES, PeriodicDetector, Spreads, contact_points_with_itself,
    reduce_patches,
};
use drystone_geometry::{Contactor, Shape};
use drystone_math::per_dof::norm;
use drystone_math::{Pose, Vector};
use drystone_state::{Bodies, GroupId};
use rayon::prelude::*;

/// Finds contacts; keeps its buffers from step to step.
pub struct Detection<const D: usize> {
    detector: Detector<D>,
    /// In the place of the other, where there is a cell.
    periodic: Option<PeriodicDetector<D>>,
    /// What pairs that are kept from step to step depend on: whether bodies are driven and their groups, and
    /// those that do not meet. Empty without a skin.
    driven: Vec<(bool, GroupId)>,
    apart: Vec<[u32; 2]>,
    has_skin: bool,
    poses: Vec<Pose<D>>,
    margins: Vec<f64>,
    touches: Vec<ContactPoint<D>>,
}

impl<const D: usize> Detection<D> {
    /// Detection with empty buffers, in a periodic cell if there is one, else with a skin, see
    /// [`Detector::with_skin`].
    pub fn new(cell: Option<Cell<D>>, skin: f64) -> Self {
        Self {
            detector: Detector::with_skin(skin),
            driven: Vec::new(),
            apart: Vec::new(),
            has_skin: skin > 0.0,
            periodic: cell.map(PeriodicDetector::new),
            poses: Vec::new(),
            margins: Vec::new(),
            touches: Vec::new(),
        }
    }

    /// All touches nearer than the alert distance, by increasing identity.
    ///
    /// Two bodies are alert to each other at `alert` times the radius of the smaller, so that a blow passed
    /// on through a cluster finds the next contact waiting, plus the way both can go in one step. A point,
    /// which has no radius, is alert at that of the other body, and to a half-space at the way of the fastest
    /// of all bodies.
    pub fn find(&mut self, step: &StepContext<D>) -> &[ContactPoint<D>] {
        let StepContext { bodies, contactors, laws, .. } = *step;
        let tied = step.ties.apart();
        if self.has_skin {
            self.forget_if_changed(bodies, tied);
        }
        let way: Vec<f64> =
            (0..bodies.len()).into_par_iter().with_min_len(256).map(|body| way(step, body)).collect();
        contactors
            .par_iter()
            .with_min_len(256)
            .map(|contactor| bodies.place(contactor.body as usize, &contactor.local, step.middle))
            .collect_into_vec(&mut self.poses);
        let points = (0..bodies.len()).any(|body| bodies.radius[body] == 0.0 && !bodies.is_driven(body));
        let fastest = if points { way.iter().copied().fold(0.0, f64::max) } else { 0.0 };
        let alert = |body: usize| match bodies.radius[body] {
            radius if radius > 0.0 => step.alert * radius,
            _ => fastest,
        };
        // bodies nothing can move need no margin of their own: the other one brings it, unless it is a point
        let margin = |contactor: &Contactor<D>| {
            let body = contactor.body as usize;
            way[body]
                + match step.is_held(body) {
                    false => alert(body) + step.reach,
                    true if points && bodies.radius[body].is_finite() => alert(body),
                    true => 0.0,
                }
        };
        contactors.par_iter().with_min_len(256).map(margin).collect_into_vec(&mut self.margins);
        let apart = |a: u32, b: u32| !tied.is_empty() && tied.binary_search(&[a.min(b), a.max(b)]).is_ok();
        let may_meet = |a: u32, b: u32| {
            if apart(a, b) {
                return false;
            }
            let (a, b) = (a as usize, b as usize);
            !(step.is_held(a) && step.is_held(b)) && laws.acts(bodies.group[a], bodies.group[b])
        };
        let (poses, margins, touches) = (&self.poses, &self.margins, &mut self.touches);
        match &mut self.periodic {
            None => self.detector.find(contactors, poses, margins, &may_meet, touches),
            Some(periodic) => periodic.find(contactors, poses, margins, &may_meet, touches),
        }
        self.touch_themselves(step, &way);
        self.touches.retain(|touch| {
            let [a, b] = touch.contactors.map(|c| contactors[c as usize].body as usize);
            let alert = match bodies.size_of_pair(a, b) {
                size if size > 0.0 => step.alert * size,
                _ => fastest,
            };
            touch.gap <= alert + way[a] + way[b] + step.reach
        });
        // facets of a skin touch over areas of their own: none of them stands for others
        let soft = step.solids.is_some_and(|solids| !solids.is_empty());
        if let Some(most) = step.patch_points.filter(|_| !soft) {
            reduce_patches(&mut self.touches, most);
        }
        &self.touches
    }

    /// Adds the touches of skins that touch themselves.
    fn touch_themselves(&mut self, step: &StepContext<D>, way: &[f64]) {
        let (contactors, bodies) = (step.contactors, step.bodies);
        let folds = |place: &usize| {
            let contactor = &contactors[*place];
            let group = bodies.group[contactor.body as usize];
            let may = matches!(&contactor.shape, Shape::Skin(skin) if skin.own_depth().is_some());
            may && step.laws.acts(group, group)
        };
        let places: Vec<usize> = (0..contactors.len()).filter(folds).collect();
        if places.is_empty() {
            return;
        }
        let found = |&place: &usize| {
            let (contactor, body) = (&contactors[place], contactors[place].body as usize);
            let alert = step.alert * bodies.size_of_pair(body, body) + 2.0 * way[body] + step.reach;
            let like = ContactPoint {
                contactors: [place as u32; 2],
                image: [0; LEVEL_AXES],
                feature: 0,
                point: Vector::zeros(),
                normal: Vector::zeros(),
                gap: 0.0,
            };
            contact_points_with_itself((&contactor.shape, &self.poses[place]), alert, &like)
        };
        let found: Vec<Vec<ContactPoint<D>>> = places.par_iter().map(found).collect();
        self.touches.extend(found.into_iter().flatten());
        self.touches.sort_unstable_by_key(id_of);
    }

    /// The touches of the last call without those of bodies that only pass each other: they meet neither on
    /// the way they go by their velocities at the beginning of the step, nor, at edges and corners, on the
    /// way along the normal, deeper than `grazing` times the radius of the smaller. Zero leaves none out.
    pub fn without_passed(&mut self, step: &StepContext<D>) -> &[ContactPoint<D>] {
        step.leave_out_passed(&mut self.touches);
        &self.touches
    }

    /// The touches of the last call, less those that were left out since, with how they are spread over
    /// skins; none where there is a cell.
    pub fn spread_touches(&self) -> (&[ContactPoint<D>], Option<&Spreads>) {
        (&self.touches, self.periodic.is_none().then(|| self.detector.spreads()))
    }

    /// The touches of the last call, less those that were left out since.
    pub fn touches(&self) -> &[ContactPoint<D>] {
        &self.touches
    }

    /// Whether the last call looked for near pairs, rather than taking those it had.
    pub fn has_looked(&self) -> bool {
        self.periodic.is_some() || self.detector.has_looked()
    }

    /// Forgets the pairs that were near if others may meet now.
    fn forget_if_changed(&mut self, bodies: &Bodies<D>, apart: &[[u32; 2]]) {
        let driven = || (0..bodies.len()).map(|body| (bodies.is_driven(body), bodies.group[body]));
        if apart != self.apart || !driven().eq(self.driven.iter().copied()) {
            self.detector.forget();
            self.driven.clear();
            self.driven.extend(driven());
            self.apart.clear();
            self.apart.extend_from_slice(apart);
        }
    }
}

/// The farthest any point of a body can go in one step.
fn way<const D: usize>(step: &StepContext<D>, body: usize) -> f64 {
    let (bodies, free) = (step.bodies, step.free);
    let reach = if bodies.radius[body].is_finite() { bodies.radius[body] } else { 0.0 };
    let speed = |v: &[f64]| norm(&v[..D]) + norm(&v[D..]) * reach;
    let grown = step.growth_of(body) * reach;
    let rigid = step.h * (speed(&bodies.velocity[body]).max(speed(&free[body])) + grown);
    match step.solids {
        Some(solids) if solids.is_soft(body) => rigid + step.h * solids.speed(body),
        _ => rigid,
    }
}
