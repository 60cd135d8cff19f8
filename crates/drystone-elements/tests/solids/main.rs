//! Deformable solids against closed forms, finite differences and what is published.

mod abreast;
mod bodies;
mod finite;
mod frequencies;
mod meshes;
mod modes;
mod motion;
mod newton;
mod patch;
mod statics;
mod structures;
