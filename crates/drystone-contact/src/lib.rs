//! The interaction handler: shape pairs become anonymous interactions, are matched with the last step, and
//! become the condensed problem. Solves nothing and moves nothing.

mod assembly;
mod bonding;
mod compression;
mod context;
mod detection;
mod even;
mod growth;
mod impact;
mod interaction;
mod laws;
mod matching;
mod moving;
mod outcome;
mod passing;
mod patches;
mod ports;
mod positions;
mod rows;
mod section;
mod spread_touches;
mod ties;

pub use assembly::{Assembly, Owner, assemble, compliances};
pub use bonding::Bonding;
pub use compression::Compression;
pub use context::{GrowthRates, StepContext, Tolerances};
pub use detection::Detection;
pub use interaction::{Interaction, Status};
pub use laws::{LawError, Laws};
pub use outcome::{ContactSums, keep_contacts};
pub use positions::{Position, positions};
pub use ties::{Elasticity, Joint, Kind, MeshEnd, Rubbing, Stops, Tie, TieError, TieRow, TieView, Ties};
