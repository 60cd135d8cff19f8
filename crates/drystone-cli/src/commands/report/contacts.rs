//! The contacts of the last frame in a report: those that bear most, how forces are spread, where normals
//! point.

use super::page::HtmlPage;
use super::sections::{RunReport, short};
use crate::commands::plot::{Directions, Whose, directed, edges, histogram, sample};
use crate::failure::Failure;
use drystone_measure::{ContactView, FrameView};
use drystone_view::{Plot, PlotAxis, PolarPlot, Rose, Scale, Series};

/// Most rows of a table of contacts.
const CONTACTS: usize = 10;

impl RunReport {
    /// The contacts that bear most and those that overlap most, how forces are spread and where they point.
    pub(super) fn contacts(&self, page: &mut HtmlPage, view: &FrameView) -> Result<(), Failure> {
        let mut loaded: Vec<&ContactView> =
            view.contacts.iter().filter(|contact| contact.is_loaded()).collect();
        if loaded.is_empty() {
            return Ok(());
        }
        page.section("Contacts of the last frame");
        let row = |contact: &&ContactView| {
            let name = |body: usize| view.names.get(body).cloned().unwrap_or_else(|| format!("body {body}"));
            let point: Vec<String> =
                (0..view.dimension).map(|axis| format!("{:.4}", contact.point[axis])).collect();
            vec![
                contact.bodies.map(name).join(" – "),
                format!("{:?}", contact.status).to_lowercase(),
                point.join(", "),
                short(contact.normal_force()),
                short(contact.tangential_force().norm()),
                format!("{:.2e}", contact.gap),
            ]
        };
        let header = ["bodies", "state", "point [m]", "normal force [N]", "tangential force [N]", "gap [m]"];
        loaded.sort_by(|a, b| b.normal_force().total_cmp(&a.normal_force()));
        page.line(&format!("{} contacts under load. Those that bear most:", loaded.len()));
        page.table(&header, 3, &loaded.iter().take(CONTACTS).map(row).collect::<Vec<_>>());
        loaded.sort_by(|a, b| a.gap.total_cmp(&b.gap));
        loaded.retain(|contact| contact.gap < 0.0);
        if !loaded.is_empty() {
            page.line("Those that overlap most:");
            page.table(&header, 3, &loaded.iter().take(CONTACTS).map(row).collect::<Vec<_>>());
        }
        self.spreads(page)
    }

    fn spreads(&self, page: &mut HtmlPage) -> Result<(), Failure> {
        let whose = Whose { frame: -1, group: None };
        let mut forces = sample(&self.columns, "contacts.normal_force", &whose)?;
        // of a few contacts there is no distribution
        if forces.values.len() < 30 {
            return Ok(());
        }
        let mean = forces.values.iter().sum::<f64>() / forces.values.len() as f64;
        forces.values.iter_mut().for_each(|force| *force /= mean);
        if let Some(edges) = edges([&forces].into_iter(), 30, Scale::Linear) {
            let plot = Plot {
                x: PlotAxis { label: "normal force, over the mean [-]".into(), ..PlotAxis::default() },
                y: PlotAxis { label: "probability density".into(), scale: Scale::Log },
                histograms: vec![histogram(String::new(), &forces, &edges)],
                width: 520,
                height: 400,
                ..Plot::default()
            };
            self.draw(page, &plot, "Normal forces.");
        }
        let axes = if self.scene.dimension == 2 { [0, 1] } else { [0, 2] };
        if let Ok(found) = directed(&self.columns, Directions::Normals, axes, 36, &whose) {
            let rose = PolarPlot {
                label: Directions::Normals.title().into(),
                curves: vec![Series { name: String::new(), points: found.curve() }],
                axes: axes.map(|axis| ["x", "y", "z"][axis].to_owned()),
                width: 420,
                roses: vec![Rose { name: String::new(), values: found.values.clone() }],
                ..PolarPlot::default()
            };
            let caption = format!(
                "Directions of normals; the curve is 1 + {:.3} cos 2(θ − {:.0}°).",
                found.anisotropy,
                found.direction.to_degrees()
            );
            if let Ok(svg) = drystone_view::polar_svg(&rose) {
                page.drawing(&svg, &caption);
            }
        }
        Ok(())
    }
}
