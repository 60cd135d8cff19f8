//! Bodies that come and go while a run goes on. What they are made of is told by others.
//!
//! Bodies and contactors keep their order: new ones come last, and those behind a removed one move up.
//! Contacts are named by contactor and feature, and renamed as contactors move up, so that they find their
//! impulses and bonds again, with the same side as the candidate.

use crate::simulation::check_bodies;
use crate::{BuildError, ChangeError, Simulation, misfit};
use drystone_contact::{Detection, Ties};
use drystone_geometry::{Contactor, Shape};
use drystone_math::{Orientation, Pose};
use drystone_state::{Bodies, Body, BodyHandle, BodyId, Handles, retain};

/// A body with the shapes it shows to others.
#[derive(Clone, Debug)]
pub struct Newcomer<const D: usize> {
    /// The body.
    pub body: Body<D>,
    /// Its shapes, and where they sit in its frame.
    pub parts: Vec<(Shape<D>, Pose<D>)>,
    /// Turns its principal axes into the axes of its shape.
    pub own_axes: Orientation,
}

impl<const D: usize> Simulation<D> {
    /// The body of the moment that a handle names.
    pub fn body_id(&self, handle: BodyHandle) -> Result<BodyId, ChangeError> {
        self.handles.body(handle).ok_or(ChangeError::NoSuchBody(handle))
    }

    /// The handle of a body of the moment; none where there is no such body.
    pub fn handle(&self, body: BodyId) -> Option<BodyHandle> {
        self.handles.handle(body)
    }

    /// Which handle names which body.
    pub fn handles(&self) -> &Handles {
        &self.handles
    }

    /// Adds a body as it is at this moment. Its kinetic energy is entered as
    /// [`Energy::exchanged`](crate::Energy::exchanged).
    pub fn add(&mut self, newcomer: Newcomer<D>) -> Result<BodyHandle, ChangeError> {
        self.admit(&newcomer)?;
        self.begin_change();
        let Newcomer { body, parts, own_axes } = newcomer;
        let BodyId(index) = self.bodies.push(body);
        self.bodies.own_axes[index as usize] = own_axes;
        let contactors = parts.into_iter().map(|(shape, local)| Contactor { body: index, shape, local });
        self.contactors.extend(contactors);
        self.start.push(self.bodies.pose[index as usize].position);
        self.ledger.exchanged += self.own_kinetic(index as usize);
        self.renew(self.ties.list().to_vec())?;
        Ok(self.handles.push())
    }

    /// Removes bodies, with their contacts, ties and signals. Their kinetic energy, and what contacts and
    /// ties stored, is entered as [`Energy::exchanged`](crate::Energy::exchanged). Where one of them is not
    /// there, none is removed.
    pub fn remove(&mut self, handles: &[BodyHandle]) -> Result<(), ChangeError> {
        let mut kept = vec![true; self.bodies.len()];
        for &handle in handles {
            kept[self.body_id(handle)?.0 as usize] = false;
        }
        if !kept.contains(&false) {
            return Ok(());
        }
        if let Some(body) = self.solids.bodies().next() {
            let body = self.bodies.name[body as usize].clone();
            let why = "no body can be removed while there are deformable ones".to_owned();
            return Err(BuildError::Solid { body, why }.into());
        }
        self.begin_change();
        for body in (0..kept.len()).filter(|&body| !kept[body]) {
            self.ledger.exchanged -= self.own_kinetic(body);
            self.ledger.settled -= self.fallen(body);
        }
        let rank = ranks(&kept);
        let kept_contactors: Vec<bool> = self.contactors.iter().map(|c| kept[c.body as usize]).collect();
        self.forget_contacts(&kept_contactors, &rank);
        self.contactors.iter_mut().for_each(|contactor| contactor.body = rank[contactor.body as usize]);
        retain(&mut self.contactors, &kept_contactors);
        let ties = self.forget_ties(&kept, &rank);
        let is_there = |BodyId(body): BodyId| kept[body as usize];
        self.bonds.retain(|(body, other)| is_there(*body) && other.is_none_or(is_there));
        for (BodyId(body), other) in &mut self.bonds {
            *body = rank[*body as usize];
            *other = other.map(|BodyId(other)| BodyId(rank[other as usize]));
        }
        retain(&mut self.start, &kept);
        self.bodies.retain(&kept);
        self.handles.retain(&kept);
        let handles = &self.handles;
        self.grown.retain(|grown| handles.body(grown.body).is_some());
        self.controls.retain(|body| handles.body(body).is_some());
        self.renew(ties)
    }

    /// Whether a body may come.
    pub(crate) fn admit(&self, newcomer: &Newcomer<D>) -> Result<(), ChangeError> {
        let mut alone = Bodies::new();
        alone.push(newcomer.body.clone());
        check_bodies(&alone)?;
        if let Some(cell) = &self.settings.cell {
            let own = |(shape, local): &(Shape<D>, Pose<D>)| Contactor {
                body: 0,
                shape: shape.clone(),
                local: *local,
            };
            let own: Vec<Contactor<D>> = newcomer.parts.iter().map(own).collect();
            if let Some((_, misfit)) = misfit(cell, &alone, &own) {
                return Err(BuildError::Cell { body: newcomer.body.name.clone(), misfit }.into());
            }
        }
        Ok(())
    }

    /// Fits what depends on the number of bodies, and forgets what was found of their neighbours.
    fn renew(&mut self, ties: Vec<drystone_contact::Tie<D>>) -> Result<(), ChangeError> {
        if !ties.is_empty() || !self.ties.is_empty() {
            self.ties = Ties::new(ties, self.bodies.len()).map_err(BuildError::from)?;
        }
        self.detection = Detection::new(self.settings.cell, self.settings.skin);
        Ok(())
    }

    /// Drops the contacts of contactors that go, and renames the others.
    fn forget_contacts(&mut self, kept: &[bool], rank: &[u32]) {
        let renamed = ranks(kept);
        let stays = |contactors: [u32; 2]| contactors.iter().all(|&contactor| kept[contactor as usize]);
        let stored: f64 = self.memory.iter().filter(|m| !stays(m.id.contactors)).map(|m| m.stored).sum();
        self.ledger.stored -= stored;
        self.ledger.exchanged -= stored;
        self.memory.retain(|contact| stays(contact.id.contactors));
        self.interactions.retain(|contact| stays(contact.id.contactors));
        let rename = |contactors: [u32; 2]| contactors.map(|contactor| renamed[contactor as usize]);
        self.memory.iter_mut().for_each(|contact| contact.id.contactors = rename(contact.id.contactors));
        for contact in &mut self.interactions {
            contact.id.contactors = rename(contact.id.contactors);
            contact.bodies = contact.bodies.map(|BodyId(body)| BodyId(rank[body as usize]));
        }
    }

    /// The ties that stay, their bodies renamed; drops the state of the others.
    fn forget_ties(&mut self, kept: &[bool], rank: &[u32]) -> Vec<drystone_contact::Tie<D>> {
        let stays = |bodies: &[Option<BodyId>; 2]| bodies.iter().flatten().all(|body| kept[body.0 as usize]);
        let mut ties = self.ties.list().to_vec();
        let kept_ties: Vec<bool> = ties.iter().map(|tie| stays(&tie.bodies)).collect();
        let gone = self.tie_memory.iter().zip(&kept_ties).filter(|(_, kept)| !**kept);
        let stored: f64 = gone.map(|(memory, _)| memory.stored).sum();
        self.ledger.stored -= stored;
        self.ledger.exchanged -= stored;
        retain(&mut self.tie_memory, &kept_ties);
        retain(&mut ties, &kept_ties);
        for tie in &mut ties {
            tie.bodies = tie.bodies.map(|body| body.map(|BodyId(body)| BodyId(rank[body as usize])));
        }
        ties
    }
}

/// The index that each item has once those that are not kept are gone.
fn ranks(kept: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let mut rank = |kept: &bool| {
        let own = next;
        next += u32::from(*kept);
        own
    };
    kept.iter().map(&mut rank).collect()
}
