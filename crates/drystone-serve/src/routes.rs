//! Which request gets which answer. Knows no bytes of the connection and no file but through `Shown`.

use crate::cache::FrameDepth;
use crate::guard;
use crate::http::{HttpRequest, Reply};
use crate::shown::Shown;
use crate::{ServeError, page, status, tables};
use drystone_io::IoError;
use serde_json::{Value, json};

/// The answer to a request.
pub(crate) fn answer(shown: &Shown, request: &HttpRequest) -> Reply {
    if let Some(reason) = guard::refusal(request) {
        return Reply::refusal(403, reason);
    }
    let rest = request.path.strip_prefix("/api/");
    let answer = match (request.method.as_str(), rest) {
        ("GET" | "HEAD", None) if matches!(request.path.as_str(), "/" | "/index.html") => {
            Ok(the_page(request))
        }
        ("GET" | "HEAD", Some(what)) => read(shown, request, what),
        ("POST", Some(what @ ("pause" | "continue" | "stop"))) => ask(shown, what),
        ("GET" | "HEAD" | "POST", _) => Ok(nothing(&request.path)),
        _ => Ok(Reply::refusal(405, "only GET, HEAD and POST are answered")),
    };
    answer.unwrap_or_else(|error| refusal(&error))
}

fn nothing(path: &str) -> Reply {
    Reply::refusal(404, format!("there is nothing at {path}"))
}

fn the_page(request: &HttpRequest) -> Reply {
    let kind = "text/html; charset=utf-8";
    if request.header("accept-encoding").is_some_and(|ways| ways.contains("gzip")) {
        return Reply { zipped: true, ..Reply::new(200, kind, page::ZIPPED.to_vec()) };
    }
    match page::text() {
        Ok(text) => Reply::new(200, kind, text.into_bytes()),
        Err(error) => Reply::refusal(500, error),
    }
}

fn read(shown: &Shown, request: &HttpRequest, what: &str) -> Result<Reply, ServeError> {
    let (what, rest) = what.split_once('/').unwrap_or((what, ""));
    match (what, rest) {
        ("run", "") => Ok(Reply::new(200, "application/json", shown.description()?.bytes.clone())),
        ("frames", "") => {
            let times: Vec<Value> = shown.times()?.into_iter().map(|time| json!(time)).collect();
            Ok(Reply::json(&json!({ "times": times, "version": shown.version() })))
        }
        ("frame", number) => match number.parse::<u32>() {
            Ok(number) => {
                let depth = match request.asked("only").next() {
                    None => FrameDepth::All,
                    Some("bodies") => FrameDepth::Bodies,
                    Some("motion") => FrameDepth::Motion,
                    Some(_) => return Ok(Reply::refusal(400, "only=bodies or only=motion")),
                };
                let bytes = shown.frame(number as usize, depth)?;
                Ok(Reply::new(200, "application/octet-stream", bytes))
            }
            Err(_) => Ok(Reply::refusal(404, format!("{number:?} is no number of a frame"))),
        },
        ("tables", "") => {
            let list = if shown.run()?.is_some() { tables::list(shown.path()) } else { Vec::new() };
            let one = |(name, columns): (String, Vec<String>)| json!({ "name": name, "columns": columns });
            Ok(Reply::json(&list.into_iter().map(one).collect()))
        }
        ("table", name) => table(shown, request, name),
        ("status", "") => {
            let mut found = match shown.run()? {
                Some(run) => status::status(&run),
                None => json!({ "frames": 1, "running": false, "scene": true }),
            };
            found["version"] = json!(shown.version());
            Ok(Reply::json(&found))
        }
        _ => Ok(nothing(&request.path)),
    }
}

fn table(shown: &Shown, request: &HttpRequest, name: &str) -> Result<Reply, ServeError> {
    if shown.run()?.is_none() {
        return Err(ServeError::NoTable(name.to_owned()));
    }
    let columns: Result<Vec<usize>, _> = request.asked("column").map(str::parse).collect();
    let most = request.asked("most").next().map_or(Ok(tables::ROWS), str::parse);
    match (columns, most) {
        (Ok(columns), Ok(most)) if !columns.is_empty() && columns.len() <= 64 => {
            Ok(Reply::json(&tables::columns(shown.path(), name, &columns, most)?))
        }
        _ => Ok(Reply::refusal(400, "column=N, from 1 to 64 of them, and most=ROWS are numbers from 0")),
    }
}

fn ask(shown: &Shown, what: &str) -> Result<Reply, ServeError> {
    match shown.run()? {
        Some(run) => status::ask(&run, what).map(|()| Reply::json(&json!({ "asked": what }))),
        None => Ok(Reply::refusal(409, "this is a scene, not a run")),
    }
}

/// An error as an answer: not there, gone meanwhile, no time for it, or a fault of ours.
fn refusal(error: &ServeError) -> Reply {
    let status = match error {
        ServeError::Run(IoError::NoFrame { .. }) | ServeError::NoTable(_) => 404,
        ServeError::Run(IoError::Missing(_) | IoError::NotARun { .. }) => 410,
        ServeError::Run(_) | ServeError::Scene(_) => 503,
        ServeError::Table { .. } => 400,
        ServeError::NotRunning(_) => 409,
        _ => 500,
    };
    Reply::refusal(status, error)
}
