//! The bodies at rest where they stand, as a structure: contacts that touch, what they can carry, weights and
//! loads. Answers nothing: the programmes are in `drystone_diagnose::statics`.

use crate::Simulation;
use drystone_bulk::{advance, row_in_body_axes};
use drystone_contact::{Assembly, Detection, Interaction, Owner, StepContext, assemble};
use drystone_diagnose::statics::{Hold, Loads, StaticsError, Structure};
use drystone_math::{PerDof, Pose};
use drystone_problem::Set;
use drystone_state::BodyId;

/// Gap at which two bodies still touch, relative to the radius of the smaller, unless told otherwise.
pub const TOUCHING: f64 = 1e-6;

/// Two contacts of a pair belong to one joint if their normals differ by less \[rad\] and their points lie in
/// one plane to this share of the smaller radius.
const FLAT: f64 = 1e-3;

/// A structure at rest and what loads it.
#[derive(Clone, Debug)]
pub struct Statics<const D: usize> {
    /// Rows of H, sets with thresholds in \[N\], joints, supports.
    pub structure: Structure<D>,
    /// The contacts, in the order of the first rows; their impulses and velocities mean nothing here.
    pub contacts: Vec<Interaction<D>>,
    /// Weight of every body \[N\].
    pub weight: Loads<D>,
    /// Given force and moment on every body, conjugate to its velocity \[N, N m\].
    pub loads: Loads<D>,
}

impl<const D: usize> Statics<D> {
    /// Weights and given loads together.
    pub fn dead(&self) -> Loads<D> {
        self.weight.iter().zip(&self.loads).map(|(weight, load)| weight + load).collect()
    }

    /// Whether admissible forces balance weights and loads.
    pub fn stands_alone(&self) -> Result<bool, StaticsError> {
        self.structure.stands(&self.dead())
    }

    /// The bodies of a joint; `None` for a tie to the ground.
    pub fn bodies(&self, joint: usize) -> [u32; 2] {
        self.structure.joints[joint].first().map_or([u32::MAX; 2], |&row| self.structure.rows[row].bodies)
    }

    /// Whether forces on all rows can be scaled together: no cohesion, no thresholds of their own.
    pub fn is_homogeneous(&self) -> bool {
        self.structure.holds.iter().all(|hold| {
            let bounded = match hold.set {
                Set::Orowan { .. } => true,
                Set::Tresca { cap } => cap > 0.0 && hold.follows.is_none(),
                Set::Coulomb { .. } | Set::Bilateral { .. } | Set::Rolling { .. } => false,
                Set::Bearing { base, .. } => base > 0.0,
            };
            !bounded && hold.offset.iter().all(|&x| x == 0.0)
        })
    }
}

impl<const D: usize> Simulation<D> {
    /// The structure as the bodies stand now, at rest: contacts with a gap of at most `touching` times the
    /// radius of the smaller body.
    pub fn statics(&self, touching: f64) -> Statics<D> {
        self.statics_at(&self.bodies.pose, touching)
    }

    /// The poses of all bodies once they have gone along these velocities for so long \[s\].
    pub fn moved(&self, velocities: &[PerDof<D>], time: f64) -> Vec<Pose<D>> {
        let pose = |(pose, velocity): (&Pose<D>, &PerDof<D>)| advance(pose, velocity, time);
        self.bodies.pose.iter().zip(velocities).map(pose).collect()
    }

    /// The structure with the bodies elsewhere.
    pub fn statics_at(&self, poses: &[Pose<D>], touching: f64) -> Statics<D> {
        let mut bodies = self.bodies.clone();
        bodies.pose = poses.to_vec();
        bodies.velocity.flat_mut().fill(0.0);
        let mut detection = Detection::new(self.settings.cell, 0.0);
        // nothing moves, so that the step takes nobody anywhere
        let step = StepContext {
            tie_memory: &self.tie_memory,
            memory: &self.memory,
            h: self.settings.step,
            theta: self.settings.theta,
            time: self.time(),
            alert: touching,
            patch_points: self.settings.patch_points,
            bonding: self.bonding(),
            mean_normal: self.mean_normal,
            tolerances: self.settings.tolerances,
            ..StepContext::standing(&bodies, &self.contactors, &self.laws, &self.ties, self.settings.cell)
        };
        let assembly = assemble(&step, detection.find(&step));
        let mut fixed: Vec<PerDof<D, bool>> =
            bodies.inverse_mass.iter().map(|m| PerDof::from_fn(|i| m[i] > 0.0)).collect();
        fixed.resize(assembly.problem.w.bodies().len().max(fixed.len()), PerDof::default());
        let holds = (0..assembly.problem.sets.len()).map(|row| hold(&assembly, row, self.settings.step));
        let structure = Structure {
            rows: assembly.problem.w.pairs().map(|row| row.to_pair()).collect(),
            holds: holds.collect(),
            joints: joints(&assembly, |BodyId(body)| bodies.radius[body as usize]),
            free: fixed,
        };
        let weight = |body: usize| {
            PerDof::from_fn(|i| if i < D { bodies.mass[body][i] * self.settings.gravity[i] } else { 0.0 })
        };
        Statics {
            structure,
            weight: (0..bodies.len()).map(weight).collect(),
            loads: (0..bodies.len()).map(|body| row_in_body_axes(&bodies.load[body], &poses[body])).collect(),
            contacts: assembly.interactions,
        }
    }
}

/// What the law of a row leaves of its force \[N\].
fn hold<const D: usize>(assembly: &Assembly<D>, row: usize, h: f64) -> Hold<D> {
    let change = assembly.change(row);
    let set = match assembly.problem.sets[row] {
        Set::Orowan { mu, cap } => Set::Orowan { mu, cap: cap / h },
        Set::Tresca { cap } => Set::Tresca { cap: cap / h },
        other => other,
    };
    let follows = match assembly.owner(row) {
        Owner::Contact(contact) if change.follows > 0.0 => Some((contact, change.follows)),
        _ => None,
    };
    Hold { set, offset: change.impulse / h, follows }
}

/// Rows by joints: the contacts of a pair of bodies that lie in one plane, with the branches of their laws;
/// ties one by one.
fn joints<const D: usize>(assembly: &Assembly<D>, radius: impl Fn(BodyId) -> f64) -> Vec<Vec<usize>> {
    let contacts = &assembly.interactions;
    let mut joints: Vec<Vec<usize>> = Vec::new();
    let mut of_contact = vec![0; contacts.len()];
    let mut of_tie = std::collections::BTreeMap::new();
    for row in 0..assembly.problem.sets.len() {
        let joint = match assembly.owner(row) {
            Owner::Contact(contact) if contact == row => {
                let this = &contacts[contact];
                let size = this.bodies.map(&radius).into_iter().fold(f64::INFINITY, f64::min);
                let same = |joint: &Vec<usize>| {
                    contacts.get(joint[0]).is_some_and(|other| {
                        let normal = this.frame.column(0);
                        other.bodies == this.bodies
                            && (normal - other.frame.column(0)).norm() < FLAT
                            && (this.point - other.point).dot(&normal).abs() < FLAT * size
                    })
                };
                // those of one pair follow each other
                let from = joints.len().saturating_sub(8);
                let known = joints[from..].iter().position(same).map(|k| k + from);
                of_contact[contact] = known.unwrap_or(joints.len());
                of_contact[contact]
            }
            Owner::Contact(contact) => of_contact[contact],
            Owner::Tie(tie) => *of_tie.entry(tie).or_insert(joints.len()),
        };
        if joint == joints.len() {
            joints.push(Vec::new());
        }
        joints[joint].push(row);
    }
    joints
}
