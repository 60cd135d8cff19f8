//! What a plot must show, judged on the text and the pixels of the files.

use drystone_view::{Plot, PlotAxis, Scale, Series, plot, plot_png, plot_svg};

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
