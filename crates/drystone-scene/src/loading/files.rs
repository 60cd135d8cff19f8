//! Tables and accelerograms that a scene names, put into the scene itself, so that a run needs no other file.
//! Opens none: it is given a reader.

use crate::files::Read;
use crate::place::{Place, Problems, shorten};
use crate::spec::{AccelerationUnit, CurveSpec, SceneSpec, SignalSpec};

/// Most points of a table.
const MOST: usize = 10_000_000;

/// Puts the contents of all tables into the scene.
pub(crate) fn embed(spec: &mut SceneSpec, read: Read, problems: &mut Problems) {
    super::for_each_signal_mut(spec, &mut |place: &Place, signal: &mut SignalSpec| {
        let SignalSpec::Curve(curve) = signal else { return };
        if curve.table.is_some() {
            return;
        }
        let (key, name) = match (&curve.file, &curve.accelerogram) {
            (Some(name), _) => ("file", name.clone()),
            (None, Some(name)) => ("accelerogram", name.clone()),
            (None, None) => return,
        };
        let text = read(&name).and_then(|bytes| {
            String::from_utf8(bytes).map_err(|_| format!("{:?} is not UTF-8 text", shorten(&name, 60)))
        });
        let points = text.and_then(|text| {
            contents(curve, &name, &text).map_err(|error| format!("{:?}, {error}", shorten(&name, 60)))
        });
        match points {
            Ok(points) => curve.table = Some(points),
            Err(text) => problems.at(&place.key(key), text),
        }
    });
}

/// The points of a file; accelerations in m/s².
fn contents(curve: &mut CurveSpec, name: &str, text: &str) -> Result<Vec<Vec<f64>>, String> {
    if curve.accelerogram.is_none() {
        return csv(text, curve.column as usize);
    }
    let is_peer = name.to_lowercase().ends_with(".at2");
    let mut points = if is_peer { at2(text)? } else { csv(text, curve.column as usize)? };
    let unit = curve.unit.unwrap_or(AccelerationUnit::Gravity).size();
    points.iter_mut().for_each(|point| point[1] *= unit);
    curve.unit = Some(AccelerationUnit::Si);
    Ok(points)
}

/// Times and values of a CSV file, a heading allowed; a sentence with the line where something is wrong.
fn csv(text: &str, column: usize) -> Result<Vec<Vec<f64>>, String> {
    let mut points: Vec<Vec<f64>> = Vec::new();
    let mut seen = false;
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let separator = |c: char| if line.contains(';') { c == ';' } else { c == ',' || c == '\t' };
        let fields: Vec<&str> = line.split(separator).map(str::trim).collect();
        let parse = |field: &str| field.parse::<f64>().ok().filter(|x| x.is_finite());
        let found = |index: usize| fields.get(index).and_then(|field| parse(field));
        let is_heading =
            !std::mem::replace(&mut seen, true) && fields.iter().all(|field| parse(field).is_none());
        if is_heading {
            continue;
        }
        let (Some(time), Some(value)) = (found(0), found(column - 1)) else {
            return Err(format!("line {number}: numbers expected in the columns 1 (time) and {column}"));
        };
        if points.last().is_some_and(|last| time <= last[0]) {
            return Err(format!("line {number}: the time {time} is not after that of the line before"));
        }
        if points.len() == MOST {
            return Err(format!("line {number}: there are more than {MOST} points"));
        }
        points.push(vec![time, value]);
    }
    if points.len() < 2 {
        Err(format!("it has {} points, at least 2 are needed", points.len()))
    } else {
        Ok(points)
    }
}

/// A record of the PEER data base: four lines of heading, the last with the number of points and the time
/// between them, then the accelerations in g.
fn at2(text: &str) -> Result<Vec<Vec<f64>>, String> {
    let mut lines = text.lines();
    let heading = lines.by_ref().take(4).last().unwrap_or("");
    let (count, spacing) = at2_heading(heading).ok_or_else(|| {
        let found = shorten(heading.trim(), 60);
        format!("line 4: \"NPTS= …, DT= …\" expected, the number of points and the time between them in s, found {found:?}")
    })?;
    let mut points = Vec::with_capacity(count.min(MOST));
    for (index, line) in lines.enumerate() {
        for word in line.split_whitespace() {
            let Some(value) = word.parse::<f64>().ok().filter(|x| x.is_finite()) else {
                return Err(format!(
                    "line {}: an acceleration in g expected, found {:?}",
                    index + 5,
                    shorten(word, 30)
                ));
            };
            points.push(vec![points.len() as f64 * spacing, value]);
        }
    }
    match points.len() == count {
        true => Ok(points),
        false => Err(format!("line 4: {count} points announced, {} found", points.len())),
    }
}

/// Number of points and time between them: `NPTS= 4000, DT= .0100 SEC`, or `4000 0.0100 NPTS, DT`.
fn at2_heading(line: &str) -> Option<(usize, f64)> {
    let upper = line.to_uppercase();
    let after = |key: &str| -> Option<f64> {
        let rest = upper.split(key).nth(1)?.trim_start().strip_prefix('=')?.trim_start();
        let end = rest.find(|c: char| !(c.is_ascii_digit() || ".+-E".contains(c))).unwrap_or(rest.len());
        rest[..end].trim_end_matches('E').parse().ok()
    };
    let mut words = upper.split_whitespace().map(|word| word.parse::<f64>().ok());
    let (count, spacing) = match (after("NPTS"), after("DT")) {
        (Some(count), Some(spacing)) => (count, spacing),
        _ if upper.contains("NPTS") && upper.contains("DT") => (words.next()??, words.next()??),
        _ => return None,
    };
    let fine = count >= 2.0 && count <= MOST as f64 && count.fract() == 0.0 && spacing > 0.0 && spacing < 1e6;
    fine.then_some((count as usize, spacing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_the_data_base_are_read_or_refused_by_line() {
        let good = "PEER\nEVENT\nACCELERATION IN UNITS OF G\nNPTS=   3, DT=   .0100 SEC\n 1.E-3 -.2\n .3\n";
        let points = at2(good).unwrap();
        assert_eq!(points, [vec![0.0, 1e-3], vec![0.01, -0.2], vec![0.02, 0.3]]);
        assert_eq!(at2_heading("  4000   0.0100   NPTS, DT"), Some((4000, 0.01)));
        assert_eq!(at2_heading("NPTS=  7997, DT=   .0050 SEC,"), Some((7997, 0.005)));
        let cases = [
            (good.replace("NPTS=   3", "NPTS=   4"), "line 4: 4 points announced, 3 found"),
            (good.replace("NPTS", "POINTS"), "line 4: \"NPTS= "),
            (good.replace("DT=   .0100", "DT=   0"), "line 4: \"NPTS= "),
            (good.replace("-.2", "x"), "line 5: an acceleration in g expected, found \"x\""),
            ("PEER\n".to_owned(), "line 4: "),
            (String::new(), "line 4: "),
        ];
        for (text, words) in cases {
            let error = at2(&text).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn tables_are_read_or_refused_by_line() {
        assert_eq!(csv("# a\ntime,x,y\n0,1,2\n1,3,4\n", 3).unwrap(), [vec![0.0, 2.0], vec![1.0, 4.0]]);
        assert_eq!(csv("0;1\n0.5;2\n", 2).unwrap(), [vec![0.0, 1.0], vec![0.5, 2.0]]);
        for (text, words) in [
            ("0,1\n0,2\n", "line 2: the time 0"),
            ("t,x\n0,1\n1,a\n", "line 3: numbers expected"),
            ("0,1\n", "1 points"),
            ("t,x\nu,y\n", "line 2: numbers"),
        ] {
            let error = csv(text, 2).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
