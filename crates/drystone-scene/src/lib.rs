//! The scene file: TOML in, a checked [`Scene`] out, and from it a simulation. It refuses whatever it does
//! not know, and says where; it runs nothing.
//!
//! ```
//! let text = r#"
//! dimension = 2
//! time = { step = 1e-3, duration = 1.0 }
//! body = [
//!     { name = "floor", shape.line = {}, fixed = true },
//!     { name = "ball", shape.disk.radius = 0.1, density = 1000, position = [0.0, 1.0] },
//! ]
//! law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
//! "#;
//! let scene = drystone_scene::Scene::parse(text, "ball.toml")?;
//! let simulation = scene.build()?;
//! # Ok::<(), drystone_scene::SceneError>(())
//! ```

mod build;
mod error;
mod files;
mod fingerprint;
mod forecast;
mod from;
mod generate;
mod geometry;
mod laws;
mod loading;
mod materials;
mod pieces;
mod place;
mod reader;
mod report;
mod resolve;
mod scene;
mod schema;
mod slips;
mod source;
pub mod spec;
mod validate;

pub use error::SceneError;
pub use fingerprint::{Changes, Fingerprint};
pub use forecast::writes_surfaces;
pub use from::Origin;
pub use loading::{StageState, end_stage, stage_state, stages_begun};
pub use pieces::DecompositionReport;
pub use report::{CheckReport, OverlapReport, Ratio, check};
pub use scene::Scene;
pub use schema::schema;
pub use spec::{Equilibrium, MeasureSpec, Probe, ProbeTarget, Quantity, SceneSpec, StandingSpec, Time};
