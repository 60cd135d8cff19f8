//! Laws without bonds: their ranges and what they build.

use super::{LawTable, numbers};
use crate::place::{Place, Problems};
use crate::spec::{NoneSpec, PercussionSpec, UnilateralSpec, ViscoelasticSpec};
use crate::validate::numbers::{Range, number, optional, vector};
use drystone::{
    Capillary, Device, Friction, Inelastic, Law, Orowan, Percussion, Poisson, Restitution, Rolling,
    Threshold, Tresca,
};

impl LawTable for NoneSpec {
    fn check(&self, _problems: &mut Problems, _place: &Place) {}

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        None
    }
}

impl LawTable for Inelastic {
    fn check(&self, problems: &mut Problems, place: &Place) {
        numbers(problems, place, Range::NotNegative, &[("friction", self.friction)]);
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(*self))
    }
}

impl LawTable for Restitution {
    fn check(&self, problems: &mut Problems, place: &Place) {
        let parts = [("normal", self.normal), ("tangential", self.tangential)];
        numbers(problems, place, Range::Within(0.0, 1.0), &parts);
        numbers(problems, place, Range::NotNegative, &[("friction", self.friction)]);
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(*self))
    }
}

impl LawTable for Poisson {
    fn check(&self, problems: &mut Problems, place: &Place) {
        numbers(problems, place, Range::Within(0.0, 1.0), &[("normal", self.normal)]);
        numbers(problems, place, Range::NotNegative, &[("friction", self.friction)]);
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(*self))
    }
}

impl UnilateralSpec {
    /// The frictions that are given.
    fn frictions(&self) -> Vec<Option<Friction>> {
        let table = |points: &Option<Vec<Vec<f64>>>| {
            let pairs = points.as_ref()?.iter().map(|point| Some([*point.first()?, *point.get(1)?]));
            drystone::Table::new(pairs.collect::<Option<Vec<_>>>()?)
        };
        let mut given = Vec::new();
        if let Some(mu) = self.friction {
            given.push(Some(Friction::Constant(mu)));
        }
        if self.friction_static.is_some() || self.friction_dynamic.is_some() {
            let both = self.friction_static.zip(self.friction_dynamic);
            given.push(both.map(|(rest, sliding)| Friction::StaticDynamic { rest, sliding }));
        }
        if self.friction_by_slip.is_some() {
            given.push(table(&self.friction_by_slip).map(Friction::BySlip));
        }
        if self.friction_by_time.is_some() {
            given.push(table(&self.friction_by_time).map(Friction::ByTime));
        }
        if self.stick {
            given.push(Some(Friction::Stick));
        }
        given
    }
}

impl LawTable for UnilateralSpec {
    fn check(&self, problems: &mut Problems, place: &Place) {
        number(problems, &place.key("gap_offset"), self.gap_offset, Range::Any);
        let plain = [
            ("friction", self.friction),
            ("friction_static", self.friction_static),
            ("friction_dynamic", self.friction_dynamic),
        ];
        for (key, value) in plain {
            optional(problems, &place.key(key), value, Range::NotNegative);
        }
        let tables =
            [("friction_by_slip", &self.friction_by_slip), ("friction_by_time", &self.friction_by_time)];
        for (key, table) in tables {
            let place = place.key(key);
            let rows = table.iter().flatten().enumerate();
            let mut fine = true;
            for (row, point) in rows {
                fine &= vector(problems, &place.item(row), point, 2, Range::NotNegative);
            }
            let increasing = |points: &Vec<Vec<f64>>| points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
            if fine && table.as_ref().is_some_and(|points| points.is_empty() || !increasing(points)) {
                problems.of(&place, "must have points whose first numbers increase");
            }
        }
        if self.friction_static.is_some() != self.friction_dynamic.is_some() {
            problems.of(place, "needs friction_static and friction_dynamic together");
        }
        if self.frictions().len() != 1 {
            let text = "must have one of friction, friction_static with friction_dynamic, friction_by_slip, \
                        friction_by_time and stick = true";
            problems.of(place, text);
        }
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        let friction = self.frictions().into_iter().next()??;
        let Self { level, gap_offset, from_start, .. } = *self;
        Some(Box::new(drystone::Unilateral { level, gap_offset, from_start, friction }))
    }
}

impl LawTable for Orowan {
    fn check(&self, problems: &mut Problems, place: &Place) {
        numbers(problems, place, Range::NotNegative, &[("friction", self.friction)]);
        optional(problems, &place.key("threshold"), self.threshold, Range::NotNegative);
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(*self))
    }
}

impl LawTable for Tresca {
    fn check(&self, problems: &mut Problems, place: &Place) {
        let values = [("threshold", self.threshold), ("stress", self.stress)];
        numbers(problems, place, Range::NotNegative, &values);
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(*self))
    }
}

impl LawTable for PercussionSpec {
    fn check(&self, problems: &mut Problems, place: &Place) {
        let values = [("normal", self.normal), ("tangential", self.tangential)];
        numbers(problems, place, Range::NotNegative, &values);
        optional(problems, &place.key("friction"), self.friction, Range::NotNegative);
        optional(problems, &place.key("threshold"), self.threshold, Range::NotNegative);
        if self.friction.is_some() && self.threshold.is_some() {
            problems.of(place, "must have either friction or a threshold");
        }
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        let Self { normal, tangential, friction, threshold } = *self;
        let threshold = match threshold {
            Some(force) => Threshold::Tresca(force),
            None => Threshold::Coulomb(friction.unwrap_or(0.0)),
        };
        Some(Box::new(Percussion { normal, tangential, threshold }))
    }
}

impl LawTable for ViscoelasticSpec {
    fn check(&self, problems: &mut Problems, place: &Place) {
        let values = [("friction", self.friction), ("viscosity", self.viscosity)];
        numbers(problems, place, Range::NotNegative, &values);
        optional(problems, &place.key("period"), self.period, Range::Within(1.0, 1e9));
        optional(problems, &place.key("stiffness"), self.stiffness, Range::Positive);
        if self.period.is_some() == self.stiffness.is_some() {
            problems.of(place, "must have either a period, in time steps, or a stiffness");
        }
        if self.period.is_some() && self.viscosity != 0.0 {
            problems.of_key(&place.key("viscosity"), "is for a stiffness; a period has the critical one");
        }
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        let given = |stiffness| Device::KelvinVoigt { stiffness, viscosity: self.viscosity };
        let device = self.period.map(Device::Period).or(self.stiffness.map(given))?;
        Some(Box::new(drystone::Viscoelastic { device, friction: self.friction }))
    }
}

impl LawTable for Rolling {
    fn check(&self, problems: &mut Problems, place: &Place) {
        let values = [("friction", self.friction), ("rolling", self.rolling), ("twisting", self.twisting)];
        numbers(problems, place, Range::NotNegative, &values);
        optional(problems, &place.key("normal"), self.normal, Range::Within(0.0, 1.0));
        numbers(problems, place, Range::Within(0.0, 1.0), &[("tangential", self.tangential)]);
        if self.normal.is_none() && self.tangential != 0.0 {
            problems
                .of_key(&place.key("tangential"), "is for a rebound; give normal as well, or leave it out");
        }
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(*self))
    }
}

impl LawTable for Capillary {
    fn check(&self, problems: &mut Problems, place: &Place) {
        let values = [("friction", self.friction), ("force", self.force)];
        numbers(problems, place, Range::NotNegative, &values);
        number(problems, &place.key("rupture"), self.rupture, Range::Positive);
        optional(problems, &place.key("decay"), self.decay, Range::Positive);
    }

    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(*self))
    }
}
