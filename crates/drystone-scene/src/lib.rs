//! The scene file: parse, check, build. Refuses what it does not know, and says where.

mod error;
mod place;
mod reader;
mod source;
pub mod spec;

pub use error::SceneError;
pub use spec::SceneSpec;

#[doc(hidden)]
pub fn read_spec(text: &str) -> Result<SceneSpec, SceneError> {
    let source = source::Source {
        file: "x".into(),
        text: text.into(),
    };
    let root = toml::de::DeTable::parse(text)
        .map_err(|error| source.error(error.span().unwrap_or(0..0), error.message()))?;
    let root = toml::de::DeValue::Table(root.into_inner());
    reader::read(&root).map_err(|e| {
        let p = place::Problem {
            path: e.path,
            on_key: false,
            wording: e.wording,
        };
        source.error(e.span.unwrap_or(0..0), source::say(&p, Some(&root)))
    })
}
