//! As much of HTTP/1.1 as a page on the same machine needs: requests without a body in, whole answers out.
//! Everything else is refused with its number; knows nothing of what is asked for.

use crate::cache::SharedBytes;
use std::io::{self, BufRead, Read, Write};

/// Longest request line and headers together \[byte\].
const LONGEST: usize = 16 * 1024;

/// Longest body that is read and thrown away \[byte\].
const LONGEST_BODY: u64 = 4096;

/// A request, its body thrown away.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HttpRequest {
    pub method: String,
    /// Without the query; escapes resolved.
    pub path: String,
    /// Names and values of the query, escapes resolved.
    pub query: Vec<(String, String)>,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    /// Whether the connection stays open.
    pub keep: bool,
}

impl HttpRequest {
    /// A header, if it is there once; two of a name that decides are as good as none.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let first = found.next();
        first.filter(|_| found.next().is_none()).map(|(_, value)| value.as_str())
    }

    /// Whether a header is there at all.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }

    /// All values of a name in the query.
    pub fn asked<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.query.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub status: u16,
    pub kind: &'static str,
    pub body: SharedBytes,
    /// Whether the body is packed with gzip.
    pub zipped: bool,
}

impl Reply {
    pub fn new(status: u16, kind: &'static str, body: impl Into<SharedBytes>) -> Self {
        Self { status, kind, body: body.into(), zipped: false }
    }

    pub fn json(value: &serde_json::Value) -> Self {
        Self::new(200, "application/json", value.to_string().into_bytes())
    }

    /// A refusal, with its reason for people.
    pub fn refusal(status: u16, reason: impl ToString) -> Self {
        let body = serde_json::json!({ "error": reason.to_string() }).to_string();
        Self::new(status, "application/json", body.into_bytes())
    }
}

/// Why there is no request.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The other side has gone or says nothing.
    Gone,
    /// It says something that cannot be answered otherwise.
    Refused(u16, &'static str),
}

impl From<io::Error> for Broken {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// Reads one request.
pub(crate) fn read(input: &mut impl BufRead) -> Result<HttpRequest, Broken> {
    let mut left = LONGEST;
    let first = line(input, &mut left)?;
    if first.is_empty() {
        return Err(Broken::Refused(400, "no request line"));
    }
    let mut words = first.split(' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Broken::Refused(400, "the request line is not METHOD TARGET VERSION"));
    };
    if !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        return Err(Broken::Refused(505, "only HTTP/1.1 is spoken here"));
    }
    let mut headers = Vec::new();
    loop {
        let text = line(input, &mut left)?;
        if text.is_empty() {
            break;
        }
        let Some((name, value)) = text.split_once(':').filter(|(name, _)| is_name(name)) else {
            return Err(Broken::Refused(400, "a header is not NAME: VALUE"));
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let (path, query) = split(target).ok_or(Broken::Refused(400, "the target is no path"))?;
    let mut request =
        HttpRequest { method: method.to_owned(), path, query, headers, keep: version == "HTTP/1.1" };
    request.keep &= !request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    skip_body(input, &request)?;
    Ok(request)
}

/// No request here has a body worth reading, but one that is there must not be taken for the next request.
fn skip_body(input: &mut impl BufRead, request: &HttpRequest) -> Result<(), Broken> {
    if request.has("transfer-encoding") {
        return Err(Broken::Refused(411, "a body needs its length"));
    }
    if !request.has("content-length") {
        return Ok(());
    }
    let length = request.header("content-length").and_then(|text| text.parse::<u64>().ok());
    match length {
        None => Err(Broken::Refused(400, "the length of the body is no number")),
        Some(length) if length > LONGEST_BODY => Err(Broken::Refused(413, "nothing here takes a body")),
        Some(length) => {
            let skipped = io::copy(&mut input.take(length), &mut io::sink())?;
            if skipped < length { Err(Broken::Gone) } else { Ok(()) }
        }
    }
}

/// A line without its end; what is longer than all may be together is refused.
fn line(input: &mut impl BufRead, left: &mut usize) -> Result<String, Broken> {
    let mut bytes = Vec::new();
    let read = input.take(*left as u64).read_until(b'\n', &mut bytes)?;
    *left -= read;
    if bytes.last() != Some(&b'\n') {
        return Err(if *left == 0 { Broken::Refused(431, "the headers are too long") } else { Broken::Gone });
    }
    bytes.pop();
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control));
    text.ok_or(Broken::Refused(400, "the request is not plain text"))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Path and query of a target.
#[allow(clippy::type_complexity)]
fn split(target: &str) -> Option<(String, Vec<(String, String)>)> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = resolve(path)?;
    if !path.starts_with('/') {
        return None;
    }
    let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((resolve(name)?, resolve(&value.replace('+', " "))?))
    });
    Some((path, pairs.collect::<Option<_>>()?))
}

/// A text with its %XX resolved.
fn resolve(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| (byte? as char).to_digit(16);
        bytes.push((16 * digit(rest.next())? + digit(rest.next())?) as u8);
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control))
}

/// Writes an answer; `bare` leaves the body out.
pub(crate) fn write(output: &mut impl Write, reply: &Reply, keep: bool, bare: bool) -> io::Result<()> {
    let words = match reply.status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        410 => "Gone",
        503 => "Service Unavailable",
        _ => "Error",
    };
    let (encoding, connection) = (
        if reply.zipped { "Content-Encoding: gzip\r\n" } else { "" },
        if keep { "keep-alive" } else { "close" },
    );
    // a page that another site puts in a frame, or scripts from elsewhere, have no business here
    let head = format!(
        "HTTP/1.1 {} {words}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{encoding}Connection: {connection}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n\
         Content-Security-Policy: default-src 'self' 'unsafe-inline' data: blob:\r\n\r\n",
        reply.status,
        reply.kind,
        reply.body.len()
    );
    output.write_all(head.as_bytes())?;
    if !bare {
        output.write_all(&reply.body)?;
    }
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(text: &str) -> Result<HttpRequest, u16> {
        read(&mut text.as_bytes()).map_err(|broken| match broken {
            Broken::Gone => 0,
            Broken::Refused(status, _) => status,
        })
    }

    #[test]
    fn requests_are_read_and_nonsense_is_refused() {
        let request =
            ask("GET /api/table/a%20b.csv?column=1&column=x+y HTTP/1.1\r\nHost: h\r\n\r\n").unwrap();
        assert_eq!(request.path, "/api/table/a b.csv");
        assert_eq!(request.asked("column").collect::<Vec<_>>(), ["1", "x y"]);
        assert!(request.keep && request.header("host") == Some("h"));
        let refused = [
            ("", 0),
            ("\r\n", 400),
            ("GET /\r\n\r\n", 400),
            ("GET / HTTP/2\r\n\r\n", 505),
            ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
            ("GET /%zz HTTP/1.1\r\n\r\n", 400),
            ("GET /%00 HTTP/1.1\r\n\r\n", 400),
            ("GET http://x/ HTTP/1.1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
            ("GET / HTTP/1.1\r\nHost: h", 0),
        ];
        for (text, status) in refused {
            assert_eq!(ask(text).unwrap_err(), status, "{text:?}");
        }
        let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(2 * LONGEST));
        assert_eq!(ask(&long).unwrap_err(), 431);
        assert!(read(&mut &b"GET /\xff HTTP/1.1\r\n\r\n"[..]).is_err());
    }

    #[test]
    fn two_headers_of_a_name_that_decides_are_none() {
        let request = ask("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").unwrap();
        assert!(request.header("host").is_none() && request.has("host"));
    }
}
