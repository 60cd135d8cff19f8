//! Laws with bonds: their ranges and what they build.

use super::{LawTable, numbers};
use crate::place::{Place, Problems};
use crate::spec::{BilinearSpec, ExponentialSpec, MacSpec, TrapezoidalSpec};
use crate::validate::numbers::{Range, number};
use drystone::{Bilinear, Cohesive, Exponential, Law, Mac, MohrCoulomb, Softening, Trapezoidal};

impl LawTable for MohrCoulomb {
    fn check(&self, problems: &mut Problems, place: &Place) {
        let values = [
            ("friction", self.friction),
            ("normal_force", self.normal_force),
            ("tangential_force", self.tangential_force),
            ("normal_stress", self.normal_stress),
            ("tangential_stress", self.tangential_stress),
        ];
        numbers(problems, place, Range::NotNegative, &values);
        let pairs = [
            ("tangential_force", self.tangential_force, self.normal_force),
            ("tangential_stress", self.tangential_stress, self.normal_stress),
        ];
        for (key, tangential, normal) in pairs {
            // beyond rounding, since a file may hold the product in decimals
            if tangential < self.friction * normal * (1.0 - 1e-9) {
                let text = "must be at least friction times the strength in tension: Mohr's cone ends there";
                problems.of(&place.key(key), text);
            }
        }
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(*self))
    }
}

/// What all cohesive zones share.
fn common(problems: &mut Problems, place: &Place, friction: f64, late: (&str, f64), point_area: f64) {
    let values = [("friction", friction), late, ("point_area", point_area)];
    numbers(problems, place, Range::NotNegative, &values);
}

fn cohesive<const D: usize, S: Softening + 'static>(
    softening: S,
    friction: f64,
    point_area: f64,
) -> Option<Box<dyn Law<D>>> {
    Some(Box::new(Cohesive { softening, friction, point_area }))
}

impl LawTable for MacSpec {
    fn check(&self, problems: &mut Problems, place: &Place) {
        common(problems, place, self.friction, ("viscosity", self.viscosity), self.point_area);
        let values = [
            ("energy", self.energy),
            ("normal_stiffness", self.normal_stiffness),
            ("tangential_stiffness", self.tangential_stiffness),
        ];
        numbers(problems, place, Range::Positive, &values);
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        let Self { friction, energy, normal_stiffness, tangential_stiffness, viscosity, point_area } = *self;
        cohesive(Mac { energy, normal_stiffness, tangential_stiffness, viscosity }, friction, point_area)
    }
}

impl LawTable for BilinearSpec {
    fn check(&self, problems: &mut Problems, place: &Place) {
        common(problems, place, self.friction, ("relaxation", self.relaxation), self.point_area);
        let values = [
            ("normal_strength", self.normal_strength),
            ("tangential_strength", self.tangential_strength),
            ("normal_energy", self.normal_energy),
            ("tangential_energy", self.tangential_energy),
            ("normal_stiffness", self.normal_stiffness),
        ];
        numbers(problems, place, Range::Positive, &values);
        let least = 0.5 * self.normal_strength.powi(2) / self.normal_energy;
        if self.normal_stiffness <= least {
            let text = "must be greater than the square of the strength over twice the energy";
            problems.of(&place.key("normal_stiffness"), text);
        }
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        let softening = Bilinear {
            normal_strength: self.normal_strength,
            tangential_strength: self.tangential_strength,
            normal_energy: self.normal_energy,
            tangential_energy: self.tangential_energy,
            normal_stiffness: self.normal_stiffness,
            relaxation: self.relaxation,
        };
        cohesive(softening, self.friction, self.point_area)
    }
}

impl LawTable for TrapezoidalSpec {
    fn check(&self, problems: &mut Problems, place: &Place) {
        common(problems, place, self.friction, ("relaxation", self.relaxation), self.point_area);
        let values = [
            ("strength", self.strength),
            ("normal_opening", self.normal_opening),
            ("tangential_opening", self.tangential_opening),
        ];
        numbers(problems, place, Range::Positive, &values);
        if number(problems, &place.key("rise"), self.rise, Range::Between(0.0, 1.0)) {
            number(problems, &place.key("fall"), self.fall, Range::Within(self.rise, 1.0));
        }
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        let Self { strength, normal_opening, tangential_opening, rise, fall, relaxation, .. } = *self;
        let softening = Trapezoidal { strength, normal_opening, tangential_opening, rise, fall, relaxation };
        cohesive(softening, self.friction, self.point_area)
    }
}

impl LawTable for ExponentialSpec {
    fn check(&self, problems: &mut Problems, place: &Place) {
        common(problems, place, self.friction, ("relaxation", self.relaxation), self.point_area);
        let values =
            [("strength", self.strength), ("energy", self.energy), ("shear_ratio", self.shear_ratio)];
        numbers(problems, place, Range::Positive, &values);
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        let Self { friction, strength, energy, shear_ratio, relaxation, point_area } = *self;
        cohesive(Exponential { strength, energy, shear_ratio, relaxation }, friction, point_area)
    }
}
