//! Who may ask: pages that this server gave out, and programs on this machine. A page of another site can
//! make a browser send requests here, even under a name of its own that leads to this machine (DNS
//! rebinding).

use crate::http::HttpRequest;

/// Why a request is refused, if it is.
pub(crate) fn refusal(request: &HttpRequest) -> Option<&'static str> {
    let Some(host) = request.header("host").filter(|host| is_this_machine(host)) else {
        return Some("this server answers as localhost, 127.0.0.1 or [::1] only");
    };
    let same = |origin: &str| origin.strip_prefix("http://") == Some(host);
    if request.has("origin") && !request.header("origin").is_some_and(same) {
        return Some("pages of other sites are not answered");
    }
    // following a link to the page is all that another site may cause
    let link = request.path == "/"
        && request.method == "GET"
        && request.header("sec-fetch-mode") == Some("navigate");
    let site = request.header("sec-fetch-site").unwrap_or("none");
    if request.has("sec-fetch-site") && !matches!(site, "none" | "same-origin") && !link {
        return Some("pages of other sites are not answered");
    }
    // a form can send a POST without asking first, but not this header
    if request.method == "POST" && request.header("x-drystone") != Some("1") {
        return Some("a request that changes something needs the header X-Drystone: 1");
    }
    None
}

/// Whether a host, with or without a port, is a name of this machine for itself. Any port will do: over SSH
/// the page is seen through another one.
fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name.to_ascii_lowercase().as_str(), "127.0.0.1" | "localhost" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(method: &str, path: &str, headers: &str) -> bool {
        let text = format!("{method} {path} HTTP/1.1\r\n{headers}\r\n");
        refusal(&crate::http::read(&mut text.as_bytes()).unwrap()).is_none()
    }

    #[test]
    fn only_this_machine_and_its_own_page_are_answered() {
        let host = "Host: 127.0.0.1:8737\r\n";
        let with = |more: &str| format!("{host}{more}\r\n");
        assert!(verdict("GET", "/api/run", host));
        assert!(verdict("GET", "/api/run", "Host: localhost:9000\r\n"), "a tunnel");
        assert!(verdict("GET", "/api/run", "Host: [::1]:8737\r\n"));
        assert!(verdict("GET", "/api/run", &with("Origin: http://127.0.0.1:8737")));
        assert!(verdict("GET", "/", &with("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate")));
        assert!(verdict("POST", "/api/stop", &with("X-Drystone: 1")));
        for odd in [
            "",
            "Host: example.org\r\n",
            "Host: 127.0.0.1.example.org\r\n",
            "Host: localhost@example.org\r\n",
            "Host: 127.0.0.1\r\nHost: example.org\r\n",
        ] {
            assert!(!verdict("GET", "/", odd), "{odd}");
        }
        assert!(!verdict("GET", "/api/run", &with("Origin: http://example.org")));
        assert!(!verdict("GET", "/api/run", &with("Origin: null")));
        assert!(
            !verdict("GET", "/api/run", &with("Origin: http://127.0.0.1:3000")),
            "another page of this machine"
        );
        assert!(!verdict("GET", "/api/run", &with("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors")));
        assert!(!verdict("GET", "/api/run", &with("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate")));
        assert!(!verdict("POST", "/api/stop", host));
    }
}
