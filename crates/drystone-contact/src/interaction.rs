//! A contact as everybody but the solver sees it.

use drystone_laws::Dissipated;
use drystone_math::{Matrix, Vector};
use drystone_problem::Set;
use drystone_state::{BRANCHES, BodyId, ContactId, LAW_MEMORY};

/// What a contact does at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// No impulse, but for that of a bond.
    Open,
    /// The bodies push each other and do not slide: the impulse is inside the friction cone, or on it at
    /// rest.
    Stick,
    /// The bodies push each other and slide, with the impulse on the friction cone.
    Slip,
}

/// One contact of the last step.
#[doc(alias = "contact")]
#[doc(alias = "manifold point")]
#[derive(Clone, Copy, Debug)]
pub struct Interaction<const D: usize> {
    /// Identity, persistent over steps.
    pub id: ContactId,
    /// Candidate and antagonist.
    pub bodies: [BodyId; 2],
    /// Contact point in world axes \[m\].
    pub point: Vector<D>,
    /// Columns: unit normal from antagonist to candidate, then tangents.
    pub frame: Matrix<D, D>,
    /// Signed distance at the middle configuration \[m\].
    pub gap: f64,
    /// Share in the patch where the bodies touch \[m²\]; 0 where no law asks for it.
    pub area: f64,
    /// Size that tolerances are relative to: the radius of the smaller body that has one \[m\].
    pub size: f64,
    /// Relative velocity at the beginning of the step, in the frame \[m/s\].
    pub u_begin: Vector<D>,
    /// Relative velocity at the end of the step, in the frame \[m/s\].
    pub u: Vector<D>,
    /// Impulse on the candidate over the step, in the frame, compression positive \[N s\]. All branches of
    /// the law that push or pull are in it, moments are not.
    pub r: Vector<D>,
    /// Impulses of the branches beside the first one, in the frame \[N s\], of moments \[N m s\].
    pub beside: [Vector<D>; BRANCHES],
    /// Energy stored in the contact \[J\].
    pub stored: f64,
    /// What the way of dealing with overlaps keeps of the gap \[m\].
    pub mark: f64,
    /// Where the work of the contact in this step went.
    pub spent: Dissipated,
    /// Internal variables of the law.
    pub internal: [f64; LAW_MEMORY],
    /// Open, stick or slip.
    pub status: Status,
}

impl<const D: usize> Interaction<D> {
    /// What lies where a contact will be filled in.
    pub(crate) fn blank() -> Self {
        let (zero, id) = (Vector::zeros(), ContactId { contactors: [0; 2], image: [0; 2], feature: 0 });
        Self {
            id,
            bodies: [BodyId(0); 2],
            point: zero,
            frame: Matrix::zeros(),
            gap: 0.0,
            area: 0.0,
            size: 0.0,
            u_begin: zero,
            u: zero,
            r: zero,
            beside: [zero; BRANCHES],
            stored: 0.0,
            mark: 0.0,
            spent: Dissipated::default(),
            internal: [0.0; LAW_MEMORY],
            status: Status::Open,
        }
    }

    /// Reads the status off the first branch in the variables of its set, velocity and impulse. The border of
    /// the cone has a width, since projections round, and so has a velocity of zero, `still` \[m/s\]: where
    /// several contacts share a friction, an impulse may lie on the border of one of them though nothing
    /// slides. What is held sticks, pushed or pulled.
    pub(crate) fn judge(&mut self, set: &Set, u: &Vector<D>, r: &Vector<D>, still: f64) {
        let tangents = set.tangential::<D>();
        let tangential = r.rows_range(tangents.clone()).norm();
        let slides = u.rows_range(tangents).norm() > still;
        self.status = if r[0] <= 0.0 && !matches!(set, Set::Bilateral { .. }) {
            Status::Open
        } else if !slides || tangential < set.threshold(r[0]) * (1.0 - 1e-9) {
            Status::Stick
        } else {
            Status::Slip
        };
    }
}
