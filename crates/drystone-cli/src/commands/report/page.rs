//! A page of HTML in pieces: headings, tables, figures. Whatever comes from outside is escaped; knows nothing
//! of runs.

use std::fmt::Write;

/// The look of the page; calm, and fit for paper.
const STYLE: &str = "\
:root{color:#2b2d33;background:#fff;font:16px/1.5 system-ui,sans-serif}\
body{max-width:66rem;margin:2.5rem auto;padding:0 1.25rem}\
h1{font-size:1.7rem;margin:0 0 .25rem}h2{font-size:1.2rem;margin:2.4rem 0 .6rem;border-bottom:1px solid #e4e6ea}\
p.sub{color:#6b6f78;margin:.1rem 0}\
.answer{display:inline-block;padding:.1rem .6rem;border-radius:.3rem;background:#e9eef4;color:#23476f;font-weight:600}\
.answer.bad{background:#fae9e5;color:#a8351d}\
table{border-collapse:collapse;margin:.4rem 0;font-variant-numeric:tabular-nums}\
th,td{text-align:left;padding:.18rem 1.1rem .18rem 0;vertical-align:top;border-bottom:1px solid #eef0f2}\
th{font-weight:600;color:#50545d}td.n,th.n{text-align:right}\
figure{margin:1rem .5% 1rem 0;display:inline-block;vertical-align:top;width:49%;min-width:20rem}\
figure svg,figure img{max-width:100%;height:auto;display:block}\
figcaption{color:#6b6f78;font-size:.9rem;margin-top:.2rem}\
pre{background:#f6f7f8;padding:.8rem;overflow:auto;font-size:.82rem;max-height:32rem}\
nav{margin:.8rem 0;font-size:.95rem}nav a{color:#23476f;margin-right:1rem}\
@media print{nav{display:none}pre{max-height:none}h2{break-after:avoid}figure{break-inside:avoid}}";

/// A page being written.
pub struct HtmlPage {
    title: String,
    /// Headings with their anchors.
    sections: Vec<(String, String)>,
    body: String,
}

/// Text in which nothing can be taken for markup.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

impl HtmlPage {
    /// An empty page.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), sections: Vec::new(), body: String::new() }
    }

    /// A line under the title, or between parts.
    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p class=\"sub\">{}</p>", escaped(text));
    }

    /// A word that stands out.
    pub fn answer(&mut self, word: &str, is_bad: bool) {
        let class = if is_bad { "answer bad" } else { "answer" };
        let _ = writeln!(self.body, "<p><span class=\"{class}\">{}</span></p>", escaped(word));
    }

    /// Begins a section.
    pub fn section(&mut self, heading: &str) {
        let anchor = format!("s{}", self.sections.len() + 1);
        let _ = writeln!(self.body, "<h2 id=\"{anchor}\">{}</h2>", escaped(heading));
        self.sections.push((anchor, heading.to_owned()));
    }

    /// A table with a header; columns from `numbers` on are numbers. Nothing where it has no row.
    pub fn table(&mut self, header: &[&str], numbers: usize, rows: &[Vec<String>]) {
        if rows.is_empty() {
            return;
        }
        let class = |column: usize| if column >= numbers { " class=\"n\"" } else { "" };
        self.body.push_str("<table>\n");
        if !header.is_empty() {
            let cell = |(k, word): (usize, &&str)| format!("<th{}>{}</th>", class(k), escaped(word));
            let cells: String = header.iter().enumerate().map(cell).collect();
            let _ = writeln!(self.body, "<tr>{cells}</tr>");
        }
        for row in rows {
            let cell = |(k, word): (usize, &String)| match k == 0 && header.is_empty() {
                true => format!("<th>{}</th>", escaped(word)),
                false => format!("<td{}>{}</td>", class(k), escaped(word)),
            };
            let cells: String = row.iter().enumerate().map(cell).collect();
            let _ = writeln!(self.body, "<tr>{cells}</tr>");
        }
        self.body.push_str("</table>\n");
    }

    /// A drawing as SVG, which must be sound.
    pub fn drawing(&mut self, svg: &str, caption: &str) {
        let caption = escaped(caption);
        let _ = writeln!(self.body, "<figure>{svg}<figcaption>{caption}</figcaption></figure>");
    }

    /// A picture as PNG.
    pub fn picture(&mut self, png: &[u8], caption: &str) {
        let (data, caption) = (base64(png), escaped(caption));
        let _ = writeln!(
            self.body,
            "<figure><img alt=\"{caption}\" src=\"data:image/png;base64,{data}\"><figcaption>{caption}</figcaption></figure>"
        );
    }

    /// A text that is folded away.
    pub fn folded(&mut self, heading: &str, text: &str) {
        let (heading, text) = (escaped(heading), escaped(text));
        let _ = writeln!(self.body, "<details><summary>{heading}</summary><pre>{text}</pre></details>");
    }

    /// The whole page. It may load nothing and run nothing.
    pub fn text(&self) -> String {
        let title = escaped(&self.title);
        let link =
            |(anchor, heading): &(String, String)| format!("<a href=\"#{anchor}\">{}</a>", escaped(heading));
        let links: String = self.sections.iter().map(link).collect();
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <title>{title}</title>\n<style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n<nav>{links}</nav>\n{}</body></html>\n",
            self.body
        )
    }
}

/// Bytes as base64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for piece in bytes.chunks(3) {
        let part = |k: usize| u32::from(piece.get(k).copied().unwrap_or(0));
        let word = part(0) << 16 | part(1) << 8 | part(2);
        for k in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * k) & 63) as usize];
            out.push(if k <= piece.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        // the examples of RFC 4648
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn strangers_write_no_markup() {
        let mut page = HtmlPage::new("<script>");
        page.section("\"><img src=x>");
        page.table(&["a"], 1, &[vec!["<b>\u{1b}".into()]]);
        let text = page.text();
        assert!(!text.contains("<script>") && !text.contains("<img") && !text.contains("<b>"));
        assert!(text.contains("&lt;b&gt;\u{fffd}"));
    }
}
