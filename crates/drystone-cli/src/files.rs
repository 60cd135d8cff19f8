//! Which files a scene may name. Reads nothing but the scene.

use drystone_scene::{Scene, SceneError};
use std::path::Path;

/// Which files a scene may name.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct SceneFiles {
    /// Let the scene name files outside of its folder. Only for a scene you trust: it is told what is in
    /// them.
    #[arg(long)]
    allow_outside: bool,
}

impl SceneFiles {
    /// The option as it was given.
    pub fn word(&self) -> Option<&'static str> {
        self.allow_outside.then_some("--allow-outside")
    }

    /// Whether the scene is trusted.
    pub fn trusted(&self) -> bool {
        self.allow_outside
    }

    /// Reads a scene.
    pub fn read(&self, path: &Path) -> Result<Scene, SceneError> {
        match self.allow_outside {
            true => Scene::from_trusted_file(path),
            false => Scene::from_file(path),
        }
    }
}
