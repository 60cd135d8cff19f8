//! What of the loading only the finished bodies and laws can tell: masses of what is let go, principal axes,
//! laws without friction. Changes nothing.

use super::of_whole_run;
use crate::place::{Place, Problems};
use crate::spec::{SceneSpec, StageSpec, Strategy};
use drystone::{Bodies, GroupId, Law, Laws, Orientation, rigid_dofs, rigid_turns};

/// The bodies and laws of a scene as they are built.
pub(crate) struct Possible<'a, const D: usize> {
    pub(crate) spec: &'a SceneSpec,
    pub(crate) bodies: &'a Bodies<D>,
    pub(crate) laws: &'a Laws<D>,
    pub(crate) groups: &'a [String],
}

impl<const D: usize> Possible<'_, D> {
    /// Notes what cannot be done.
    pub(crate) fn check(&self, problems: &mut Problems) {
        let root = Place::ROOT;
        let spec = self.spec;
        self.stage(problems, &root, &of_whole_run(spec), 0);
        let list = root.key("stage");
        for (index, stage) in spec.stages.iter().enumerate() {
            self.stage(problems, &list.item(index), stage, index + 1);
        }
    }

    /// One stage, before which or in which so many stages have set their laws.
    fn stage(&self, problems: &mut Problems, at: &Place, stage: &StageSpec, stages: usize) {
        let list = at.key("drive");
        for (index, drive) in stage.drives.iter().enumerate() {
            let turns = drive.entries().any(|(key, _)| key.starts_with("spin"));
            let skew = |body: &usize| self.bodies.own_axes[*body] != Orientation::identity();
            let found = self.members(drive.on.as_slice()).into_iter().find(skew);
            if let (true, true, Some(body)) = (turns, rigid_turns(D) > 1, found) {
                let name = &self.bodies.name[body];
                let text = format!(
                    "turns {name:?}, but the axes of its shape are not principal; give the shape in its principal axes"
                );
                problems.of(&list.item(index), text);
            }
        }
        let list = at.key("friction");
        for (index, friction) in stage.frictions.iter().enumerate() {
            let has = |law: &dyn Law<D>| law.with_friction(0.0).is_some();
            let text = "speaks of groups between which no law with a coefficient of friction acts";
            if !self.has_law(&friction.between, stages, has) {
                problems.of(&list.item(index), text);
            }
        }
        let list = at.key("cohesion");
        for (index, cohesion) in stage.cohesions.iter().enumerate() {
            let has = |law: &dyn Law<D>| law.with_cohesion(1.0).is_some();
            let text = "speaks of groups between which no law with a cohesion that may change acts; those are mohr_coulomb and capillary";
            if !self.has_law(&cohesion.between, stages, has) {
                problems.of(&list.item(index), text);
            }
        }
        let list = at.key("pressure");
        for (index, pressure) in stage.pressures.iter().enumerate() {
            let (axis, _) = pressure.direction.parts();
            self.mass(problems, &list.item(index), std::slice::from_ref(&pressure.on), &[axis]);
        }
        let list = at.key("release");
        for (index, release) in stage.release.iter().enumerate() {
            let keys: &[&str] = match D {
                2 => &["x", "y", "spin"],
                _ => &["x", "y", "z", "spin_x", "spin_y", "spin_z"],
            };
            let is_meant =
                |key: &&str| release.axes.as_ref().is_none_or(|axes| axes.iter().any(|one| one == key));
            let meant: Vec<usize> =
                (0..rigid_dofs(D)).filter(|&component| is_meant(&keys[component])).collect();
            self.mass(problems, &list.item(index), release.on.as_slice(), &meant);
        }
        let list = at.key("law");
        for (index, law) in stage.laws.iter().enumerate() {
            let is_none = law.law::<D>().is_some_and(|law| law.atomised().is_none());
            if self.spec.time.strategy == Strategy::Acd2 && is_none {
                problems.of(&list.item(index), "is no law of the strategy \"acd2\"");
            }
        }
    }

    fn members(&self, names: &[String]) -> Vec<usize> {
        let is = |body: usize| {
            let group = self.groups.get(self.bodies.group[body].0 as usize);
            names.iter().any(|name| *name == self.bodies.name[body] || Some(name) == group)
        };
        (0..self.bodies.len()).filter(|&body| is(body)).collect()
    }

    fn mass(&self, problems: &mut Problems, place: &Place, names: &[String], components: &[usize]) {
        for body in self.members(names) {
            let mass = |component: &usize| self.bodies.mass[body].get(*component).copied().unwrap_or(0.0);
            if !components.iter().all(|component| mass(component) > 0.0 && mass(component).is_finite()) {
                let name = &self.bodies.name[body];
                let text =
                    format!("lets {name:?} move, which has no mass or no inertia there; give it a mass");
                return problems.of(place, text);
            }
        }
    }

    /// Whether a law between two groups has what is to be changed, once so many stages have set their laws.
    fn has_law(&self, between: &[String], stages: usize, has: impl Fn(&dyn Law<D>) -> bool) -> bool {
        let fits = |between: &[String], i: usize, j: usize| {
            let is = |name: &String, group: usize| name == "*" || self.groups[group] == *name;
            matches!(between, [a, b] if is(a, i) && is(b, j) || is(a, j) && is(b, i))
        };
        let acts = |i: usize, j: usize| {
            let mut found = self.laws.law(GroupId(i as u32), GroupId(j as u32)).is_some_and(&has);
            for law in self.spec.stages.iter().take(stages).flat_map(|stage| &stage.laws) {
                if fits(&law.between, i, j) {
                    found = law.law::<D>().is_some_and(|law| has(&*law));
                }
            }
            found
        };
        let count = self.groups.len();
        between.len() != 2 || (0..count).any(|i| (0..=i).any(|j| fits(between, i, j) && acts(i, j)))
    }
}
