//! All cases on one screen.

use super::{
    Case, cohesion, drift, energy, flight, friction, inconsistency, limits, patches, peers, percussions,
    seams, shocks, standing, ties,
};

/// Every case: its name, where the reference comes from, what runs it.
pub const CASES: &[Case] = &[
    Case { name: "fall", reference: "closed form, exact for theta = 1/2", run: flight::projectile },
    Case { name: "tumble", reference: "Euler's top: invariants and elliptic period", run: flight::tumble },
    Case { name: "zeno", reference: "sum of a geometric series", run: shocks::zeno },
    Case { name: "chain", reference: "Moreau's law for touching and separate balls", run: shocks::chain },
    Case { name: "spheres", reference: "Moreau, Jean 1996, section 5", run: shocks::two_spheres },
    Case { name: "sticking", reference: "rigid-body dynamics, arm of one radius", run: peers::sticking },
    Case { name: "ridge", reference: "mirror symmetry; setting of LMGC90, PRPRx", run: peers::ridge },
    Case { name: "peers", reference: "closed forms; settings of other programs", run: peers::others },
    Case { name: "rocking", reference: "Housner 1963", run: shocks::rocking },
    Case { name: "incline", reference: "Coulomb: sticks iff tan(slope) <= mu", run: friction::incline },
    Case { name: "slide", reference: "exact Coulomb: no lift, isotropic", run: friction::slide },
    Case { name: "at-rest", reference: "Coulomb at rest: mu_static m g", run: friction::at_rest },
    Case { name: "roll", reference: "rigid-body dynamics", run: friction::roll },
    Case { name: "seams", reference: "one slab: nothing is lost", run: seams::plane_tiles },
    Case { name: "seams-space", reference: "one slab: nothing is lost", run: seams::space_tiles },
    Case {
        name: "spinning-box",
        reference: "equations of motion, least-norm pressure",
        run: patches::spinning_box,
    },
    Case { name: "energy", reference: "no gain for 1/2 <= theta <= 1/(1+e)", run: energy::theta_scheme },
    Case { name: "painleve", reference: "Painleve 1895: finite impulse", run: energy::painleve },
    Case { name: "corner", reference: "Alart, Renouf 2018, eq. 10", run: inconsistency::corner },
    Case { name: "two-disks", reference: "Alart, Renouf 2018, section 3.2", run: inconsistency::two_disks },
    Case { name: "memory", reference: "Alart, Renouf 2018, fig. 6 and 7", run: inconsistency::memory },
    Case {
        name: "three-disks",
        reference: "Alart, Renouf 2018, fig. 8 and 9",
        run: inconsistency::three_disks,
    },
    Case { name: "wall", reference: "linear program on the joints", run: standing::wall },
    Case { name: "cantilever", reference: "moment of a rigid arm, closed form", run: cohesion::cantilever },
    Case { name: "plank", reference: "sinks at (R - e) h w^2/2 without correction", run: drift::plank },
    Case { name: "bowl", reference: "pendulum of length 3(R - r)/2, elliptic integral", run: drift::bowl },
    Case { name: "pendulum", reference: "elliptic integral", run: ties::pendulum },
    Case { name: "mechanisms", reference: "closed form of the loops", run: ties::mechanisms },
    Case { name: "springs", reference: "closed form of the oscillator", run: ties::springs },
    Case { name: "catenary", reference: "closed form of the hanging rope", run: ties::catenary },
    Case { name: "wires", reference: "a load let go pulls twice", run: ties::wires },
    Case { name: "gears", reference: "reduced inertia", run: ties::gears },
    Case { name: "joints", reference: "steady precession, elliptic integral", run: ties::space_joints },
    Case { name: "limits", reference: "simplex on the drawing, closed form", run: limits::limits },
    Case { name: "percussion", reference: "A-CD2: e = (2K - m)/(2K + m)", run: percussions::collisions },
    Case { name: "atomised", reference: "A-CD2: constant forces, creep", run: percussions::sliding },
];
