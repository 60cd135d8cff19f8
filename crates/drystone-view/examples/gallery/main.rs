//! Draws a few pictures from made-up states, to look at the drawing itself: `gallery FOLDER`.

mod states;

use drystone_view::{ColourBy, Picture, Plot, PlotAxis, Scale, Series, Show, Style, View, plot, render};
use states::{arch, column, many, pile};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let forces = Style { show: Show::Forces, width: 800, ..Style::default() };
    let both = |picture: &Picture, style: &Style, name: &str| -> Result<(), Box<dyn std::error::Error>> {
        for extension in ["png", "svg"] {
            render(picture, style, &folder.join(name).with_extension(extension))?;
        }
        Ok(())
    };
    let column = column(300);
    both(&column, &forces, "column")?;
    both(
        &column,
        &Style { colour_by: ColourBy::Speed, show: Show::Bodies, ..forces.clone() },
        "column-speed",
    )?;
    both(&column, &Style { colour_by: ColourBy::None, show: Show::All, ..forces.clone() }, "column-all")?;
    both(&arch(17), &Style { width: 900, ..forces.clone() }, "arch")?;
    let view = View { azimuth: -52.0, elevation: 24.0 };
    both(&pile(), &Style { view, width: 900, ..Style::default() }, "pile")?;
    both(
        &pile(),
        &Style { view, width: 900, colour_by: ColourBy::None, show: Show::Forces, ..Style::default() },
        "pile-forces",
    )?;
    plot(&histories(), &folder.join("residual.png"))?;
    plot(&histories(), &folder.join("residual.svg"))?;
    for (dimension, count) in [(2, 5_000), (3, 20_000)] {
        let many = many(dimension, count);
        for extension in ["png", "svg"] {
            let start = std::time::Instant::now();
            render(&many, &Style::default(), &folder.join(format!("many-{dimension}d.{extension}")))?;
            println!("{count} balls in {dimension}D as {extension}: {:.2} s", start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

fn histories() -> Plot {
    let series = |name: &str, rate: f64| Series {
        name: name.into(),
        points: (0..400)
            .map(|k| [k as f64, 10f64.powf(-rate * (k as f64).sqrt()) * (1.2 + (0.3 * k as f64).sin())])
            .collect(),
    };
    Plot {
        title: "Residual of one step".into(),
        x: PlotAxis { label: "iteration".into(), ..PlotAxis::default() },
        y: PlotAxis { label: "residual".into(), scale: Scale::Log },
        series: vec![
            series("Gauss–Seidel", 0.42),
            series("conjugate projected gradient", 0.25),
            series("Jacobi", 0.12),
        ],
        ..Plot::default()
    }
}
