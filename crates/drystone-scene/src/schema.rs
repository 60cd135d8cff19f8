//! The JSON schema of the scene file, for editors and other programs. Says no more than the types do.

use crate::SceneSpec;
use serde_json::Value;

/// JSON schema (draft 2020-12) of the scene file: every key with its description, unit and default.
pub fn schema() -> Value {
    let mut value = schemars::schema_for!(SceneSpec).to_value();
    value["title"] = Value::from("Drystone scene");
    unescape(&mut value);
    value
}

/// Descriptions come from comments, where square brackets are escaped.
fn unescape(value: &mut Value) {
    match value {
        Value::String(text) => *text = text.replace("\\[", "[").replace("\\]", "]"),
        Value::Array(items) => items.iter_mut().for_each(unescape),
        Value::Object(entries) => entries.values_mut().for_each(unescape),
        _ => {}
    }
}
