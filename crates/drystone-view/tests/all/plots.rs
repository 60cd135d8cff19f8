//! What a plot must show, judged on the text and the pixels of the files.

use drystone_view::{Histogram, Plot, PlotAxis, PolarPlot, RightAxis, Rose, Scale, Series};
use drystone_view::{plot, plot_png, plot_svg, polar_svg};

fn sample(scale: Scale) -> Plot {
    let points = |rate: f64| (0..50).map(|k| [k as f64, 10f64.powf(-rate * k as f64)]).collect();
    Plot {
        title: "Residual <one step>".into(),
        x: PlotAxis { label: "iteration".into(), scale: Scale::Linear },
        y: PlotAxis { label: "residual".into(), scale },
        series: vec![
            Series { name: "first".into(), points: points(0.1) },
            Series { name: "second".into(), points: points(0.2) },
        ],
        ..Plot::default()
    }
}

/// Corners of the lines that hold as many points as a series.
fn curves(text: &str, points: usize) -> Vec<Vec<[f64; 2]>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("<polyline points=\""));
    lines
        .map(|line| {
            let list = line.split('"').next().unwrap();
            let pair = |pair: &str| {
                let (x, y) = pair.split_once(',').unwrap();
                [x.parse().unwrap(), y.parse().unwrap()]
            };
            list.split(' ').map(pair).collect::<Vec<[f64; 2]>>()
        })
        .filter(|curve| curve.len() == points)
        .collect()
}

#[test]
fn powers_are_straight_on_a_log_scale() {
    let text = plot_svg(&sample(Scale::Log)).unwrap();
    let curves = curves(&text, 50);
    assert_eq!(curves.len(), 2);
    for curve in curves {
        let slope = (curve[49][1] - curve[0][1]) / (curve[49][0] - curve[0][0]);
        assert!(slope > 0.0);
        for point in &curve {
            assert!((point[1] - curve[0][1] - slope * (point[0] - curve[0][0])).abs() < 0.05);
        }
    }
    for word in ["iteration", "residual", "first", "second", "&lt;one step&gt;", "10⁻⁸"] {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn gaps_interrupt_a_line() {
    let mut plot = sample(Scale::Linear);
    plot.series.truncate(1);
    plot.series[0].points[20][1] = f64::NAN;
    let text = plot_svg(&plot).unwrap();
    assert_eq!((curves(&text, 20).len(), curves(&text, 29).len()), (1, 1));
    // a value alone between two gaps is a dot
    assert!(!text.contains("<circle"));
    plot.series[0].points[22][1] = f64::NAN;
    let text = plot_svg(&plot).unwrap();
    assert_eq!((curves(&text, 27).len(), text.matches("<circle").count()), (1, 1));
}

#[test]
fn long_histories_stay_small_and_keep_their_peaks() {
    let mut points: Vec<[f64; 2]> = (0..200_000).map(|k| [k as f64, (k as f64 * 0.37).sin()]).collect();
    points[123_456][1] = 50.0;
    let plot = Plot { series: vec![Series { name: "x".into(), points }], ..Plot::default() };
    let text = plot_svg(&plot).unwrap();
    assert!(text.len() < 200_000);
    let longest =
        text.lines().filter(|line| line.starts_with("<polyline")).max_by_key(|line| line.len()).unwrap();
    let heights = longest.split('"').nth(1).unwrap().split(' ').map(|pair| pair.split_once(',').unwrap().1);
    let top = heights.map(|height| height.parse::<f64>().unwrap()).fold(f64::INFINITY, f64::min);
    // the peak reaches the top of the frame, up to the slack of the axis
    assert!(top < 50.0, "{top}");
}

#[test]
fn odd_plots_are_drawn() {
    let lists = [
        vec![],
        vec![[0.0, 0.0]],
        vec![[f64::NAN, 1.0], [1.0, f64::INFINITY]],
        vec![[0.0, 5.0], [1.0, 5.0]],
        vec![[-1e300, 1e308], [1e300, -1e308]],
        vec![[1e-300, 1e-300], [2e-300, 3e-300]],
    ];
    for points in lists {
        for scale in [Scale::Linear, Scale::Log] {
            let axis = PlotAxis { label: String::new(), scale };
            let series = vec![Series { name: "a".into(), points: points.clone() }];
            let plot = Plot { series, x: axis.clone(), y: axis, ..Plot::default() };
            let sheet = tiny_skia::Pixmap::decode_png(&plot_png(&plot).unwrap()).unwrap();
            assert_eq!([sheet.width(), sheet.height()], [720, 420]);
            assert!(!plot_svg(&plot).unwrap().contains("NaN"));
        }
    }
    assert!(plot_png(&Plot { width: 3, ..Plot::default() }).is_err());
}

#[test]
fn the_file_type_follows_the_name() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.png", "a.svg"] {
        plot(&sample(Scale::Linear), &folder.path().join(name)).unwrap();
    }
    assert!(std::fs::read(folder.path().join("a.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(plot(&sample(Scale::Linear), &folder.path().join("a")).is_err());
}

/// Corners of all polygons of a colour that fills or strokes them.
fn polygons(text: &str, colour: &str) -> Vec<Vec<[f64; 2]>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("<polygon points=\""));
    let corners = |line: &str| {
        let pair = |pair: &str| pair.split_once(',').map(|(x, y)| [x.parse().unwrap(), y.parse().unwrap()]);
        line.split('"').next().unwrap().split(' ').filter_map(pair).collect::<Vec<[f64; 2]>>()
    };
    lines.filter(|line| line.contains(colour)).map(corners).collect()
}

#[test]
fn columns_of_a_histogram_stand_on_the_axis_and_are_as_high_as_they_should() {
    let heights = vec![1.0, 4.0, 2.0, 0.0];
    let histogram = Histogram { name: "sizes".into(), edges: vec![0.0, 1.0, 2.0, 4.0, 5.0], heights };
    let plot = Plot { histograms: vec![histogram], ..Plot::default() };
    let text = plot_svg(&plot).unwrap();
    let columns: Vec<_> =
        polygons(&text, "stroke=\"#23476f\"").into_iter().filter(|corners| corners.len() == 4).collect();
    // three columns and the sign in the legend
    assert_eq!(columns.len(), 4);
    let size = |corners: &Vec<[f64; 2]>, axis: usize| (corners[2][axis] - corners[0][axis]).abs();
    let [first, second, third] = [&columns[0], &columns[1], &columns[2]];
    assert!((size(second, 1) - 4.0 * size(first, 1)).abs() < 0.1);
    assert!((size(third, 0) - 2.0 * size(first, 0)).abs() < 0.1);
    assert_eq!(first[0][1], second[0][1], "all stand on one line");
    assert!(text.contains(">sizes<"));
}

#[test]
fn a_right_axis_has_its_own_range_and_points_are_not_joined() {
    let line = |name: &str, factor: f64| {
        let points = (0..21).map(|k| [k as f64, factor * (k as f64 - 10.0).powi(2)]).collect();
        Series { name: name.into(), points }
    };
    let right = RightAxis {
        axis: PlotAxis { label: "far larger".into(), scale: Scale::Linear },
        series: vec![line("right", 1e6)],
    };
    let mut plot = Plot { series: vec![line("left", 1.0)], right: Some(right), ..Plot::default() };
    let text = plot_svg(&plot).unwrap();
    // the line on the left keeps its full height, whatever is on the right
    let curve = &curves(&text, 21)[0];
    assert!(curve[10][1] - curve[0][1] > 250.0, "{curve:?}");
    assert!(text.contains("far larger") && text.contains("10⁷") || text.contains("8×10⁷"), "{text}");
    let dashes =
        text.lines().filter(|line| line.starts_with("<polyline") && line.contains("#d1492e")).count();
    assert!(dashes > 20, "{dashes}");
    plot.right = None;
    plot.scatter = vec![line("experiment", 1.0)];
    let text = plot_svg(&plot).unwrap();
    // one ring for each point and one in the legend
    assert_eq!(text.lines().filter(|line| line.starts_with("<circle")).count(), 22);
    let ring = text.lines().find(|line| line.starts_with("<circle")).unwrap();
    let number = |key: &str| -> f64 {
        ring.split(&format!("{key}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    assert_eq!([number("cx"), number("cy")], curves(&text, 21)[0][0]);
}

#[test]
fn roses_reach_as_far_as_their_values() {
    let rose = Rose { name: String::new(), values: vec![2.0, 1.0, 2.0, 1.0] };
    let plot = PolarPlot {
        title: "Normals".into(),
        label: "over even".into(),
        roses: vec![rose],
        ..PolarPlot::default()
    };
    let text = polar_svg(&plot).unwrap();
    let sectors: Vec<_> =
        polygons(&text, "#23476f").into_iter().filter(|corners| corners.len() > 10).collect();
    assert_eq!(sectors.len(), 4);
    let reach = |corners: &Vec<[f64; 2]>| {
        let [x, y] = corners[0];
        corners[1..].iter().map(|p| (p[0] - x).hypot(p[1] - y)).fold(0.0, f64::max)
    };
    assert!((reach(&sectors[0]) / reach(&sectors[1]) - 2.0).abs() < 1e-3);
    // the first sector lies to the right, the second above
    let middle = |corners: &Vec<[f64; 2]>| corners[corners.len() / 2];
    assert!(
        middle(&sectors[0])[0] > sectors[0][0][0] + 50.0 && middle(&sectors[1])[1] < sectors[1][0][1] - 50.0
    );
    for odd in [vec![], vec![f64::NAN, -1.0], vec![0.0; 3]] {
        polar_svg(&PolarPlot { roses: vec![Rose { name: "a".into(), values: odd }], ..PolarPlot::default() })
            .unwrap();
    }
    assert!(polar_svg(&PolarPlot { width: 20, ..PolarPlot::default() }).is_err());
}
