//! A run in the browser: a small server on this machine with its page embedded, and a run as one page to give
//! away. Draws nothing itself and computes nothing: the page draws what the files hold.
//!
//! The server answers on 127.0.0.1 alone, knows the files of one run and no others, and refuses requests that
//! a page of another site makes (`guard.rs`).
//!
//! | request | answer |
//! |---|---|
//! | `GET /` | the page |
//! | `GET /api/run` | bodies, groups, shapes, each shape once |
//! | `GET /api/frames` | times of the frames |
//! | `GET /api/frame/N` | frame N, packed (`pack.rs`); with `?only=bodies` without its contacts, with `?only=motion` places and velocities alone |
//! | `GET /api/tables`, `GET /api/table/NAME` | the tables of the run, columns of one |
//! | `GET /api/status` | how far the run is |
//! | `POST /api/pause`, `/api/continue`, `/api/stop` | asks a run in progress to wait, go on or end |

mod cache;
mod cost;
mod describe;
mod error;
mod export;
mod guard;
mod http;
mod one_page;
mod pack;
mod page;
mod routes;
mod server;
mod shown;
mod skins;
mod status;
mod tables;
mod vtk;

pub use cache::FrameDepth;
pub use cost::{FrameCost, frame_cost};
pub use error::ServeError;
pub use export::{export_csv, export_xyz};
pub use one_page::{OnePage, export_html};
pub use server::{FIRST_PORT, Server, Stopper};
pub use vtk::export_vtk;
