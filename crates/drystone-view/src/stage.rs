//! A picture made ready: shapes in world axes, what cannot be drawn left out, the box to show, the scales.
//! Draws nothing.

use crate::geometry::{V2, V3, add, cross, dot, norm, rotation, scale, sub, turn, usable};
use crate::joints::{Carried, carried};
use crate::picture::{Bar, Form, Item, Picture, SolidField, TieSegment};
use crate::style::{Style, View};
use std::collections::BTreeMap;

/// Supports that would make the box larger than this many times the moving bodies are cut at its border.
const DWARFING: f64 = 2.5;

/// The share of the values of a field that are larger than that of the last colour: stress is highest where
/// contacts press, and would hide what it is elsewhere.
const FEW: f64 = 0.02;

/// Axes of the picture in world axes: to the right, up, and towards the viewer.
pub(crate) struct Camera {
    pub right: V3,
    pub up: V3,
    pub towards: V3,
}

/// One item that can be drawn.
pub(crate) struct PlacedItem<'a> {
    pub item: &'a Item,
    /// Columns of the rotation from the shape's axes to the world.
    pub columns: [V3; 3],
    pub outline: Outline<'a>,
    /// Norm of the velocity \[m/s\].
    pub speed: f64,
    /// World box \[m\]; empty for half-spaces.
    low: V3,
    high: V3,
}

/// A shape in world axes.
pub(crate) enum Outline<'a> {
    Ball {
        radius: f64,
    },
    HalfSpace {
        normal: V3,
    },
    Polygon {
        corners: Vec<V3>,
        holes: Vec<Vec<V3>>,
    },
    /// Faces look outwards where it is convex, and otherwise as they are given.
    Solid {
        corners: Vec<V3>,
        faces: &'a [Vec<u32>],
        convex: bool,
    },
    Line {
        corners: Vec<V3>,
    },
    /// All triangles name known corners, each with a value.
    Field {
        corners: Vec<V3>,
        triangles: &'a [[u32; 3]],
        values: &'a [f64],
    },
}

pub(crate) struct Stage<'a> {
    pub dimension: usize,
    pub eye: Camera,
    pub items: Vec<PlacedItem<'a>>,
    /// Weakest first.
    pub contacts: Vec<Carried>,
    pub ties: Vec<TieSegment>,
    /// The box to show, along the first two axes of the eye \[m\].
    pub low: V2,
    pub high: V2,
    /// Middle of what moves, in world axes \[m\], and half the diagonal of its box.
    pub focus: V3,
    pub reach: f64,
    /// Mean diameter of what moves \[m\].
    pub mean_size: f64,
    pub largest_speed: f64,
    /// The value of the last colour: some are larger, see [`FEW`].
    pub largest_value: f64,
    pub field: Option<SolidField>,
    pub largest_force: f64,
    /// Bars on joints and the largest finite force of any.
    pub bars: &'a [Bar],
    pub largest_bar: f64,
    /// How many items could not be drawn.
    pub left_out: usize,
}

impl Camera {
    fn new(dimension: usize, view: View) -> Camera {
        if dimension == 2 {
            return Camera { right: [1.0, 0.0, 0.0], up: [0.0, 1.0, 0.0], towards: [0.0, 0.0, 1.0] };
        }
        let angle =
            |degrees: f64, default: f64| if degrees.is_finite() { degrees } else { default }.to_radians();
        let standard = View::default();
        let azimuth = angle(view.azimuth % 360.0, standard.azimuth);
        let elevation = angle(view.elevation.clamp(-89.0, 89.0), standard.elevation);
        let (level, height) = (elevation.cos(), elevation.sin());
        let towards = [level * azimuth.cos(), level * azimuth.sin(), height];
        let right = [-azimuth.sin(), azimuth.cos(), 0.0];
        Camera { right, up: cross(towards, right), towards }
    }

    /// Coordinates of a world point along the axes of the eye.
    pub fn see(&self, point: V3) -> V3 {
        [dot(self.right, point), dot(self.up, point), dot(self.towards, point)]
    }
}

impl<'a> Stage<'a> {
    pub fn new(picture: &'a Picture, style: &Style) -> Stage<'a> {
        let eye = Camera::new(picture.dimension, style.view);
        let items: Vec<PlacedItem> =
            picture.items.iter().filter_map(|item| place(item, picture.dimension)).collect();
        let sound = |tie: &&TieSegment| tie.ends.iter().all(|end| usable(*end));
        let ties = picture.ties.iter().filter(sound).copied().collect();
        let largest_speed =
            items.iter().filter(|placed| !placed.item.fixed).map(|p| p.speed).fold(0.0, f64::max);
        let largest_value = largest_value(&items);
        let mut stage = Stage {
            dimension: picture.dimension,
            eye,
            left_out: picture.items.len() - items.len(),
            items,
            contacts: Vec::new(),
            ties,
            low: [-0.5; 2],
            high: [0.5; 2],
            focus: [0.0; 3],
            reach: 0.9,
            mean_size: 0.1,
            largest_speed,
            largest_value,
            field: picture.field,
            largest_force: 0.0,
            bars: &picture.bars,
            largest_bar: largest_bar(&picture.bars),
        };
        stage.fit();
        stage.contacts = carried(picture, &radii(&stage.items), stage.mean_size);
        stage.largest_force = stage.contacts.last().map_or(0.0, |contact| contact.force);
        stage
    }

    /// Chooses the box to show: what moves, supports that do not dwarf it, and half-spaces that are near.
    fn fit(&mut self) {
        let bounded = |p: &&PlacedItem| !matches!(p.outline, Outline::HalfSpace { .. });
        let mut subjects: Vec<&PlacedItem> =
            self.items.iter().filter(bounded).filter(|p| !p.item.fixed).collect();
        if subjects.is_empty() {
            subjects = self.items.iter().filter(bounded).collect();
        }
        if subjects.is_empty() {
            if let Some(first) = self.items.first() {
                self.focus = first.item.position;
                let [x, y, _] = self.eye.see(self.focus);
                (self.low, self.high) = ([x - 0.5, y - 0.5], [x + 0.5, y + 0.5]);
            }
            return;
        }
        let sizes = subjects.iter().map(|p| p.size());
        self.mean_size = sizes.sum::<f64>() / subjects.len() as f64;
        let seen: Vec<(V2, V2)> = subjects.iter().map(|p| p.seen_box(&self.eye)).collect();
        for axis in 0..2 {
            let ends = seen.iter().map(|(low, high)| (low[axis], high[axis]));
            (self.low[axis], self.high[axis]) = common_range(ends, self.mean_size);
        }
        let mut half = [0.0; 3];
        for axis in 0..3 {
            let (low, high) =
                common_range(subjects.iter().map(|p| (p.low[axis], p.high[axis])), self.mean_size);
            self.focus[axis] = 0.5 * low + 0.5 * high;
            half[axis] = 0.5 * (high - low);
        }
        self.reach = norm(half).max(self.mean_size);
        self.widen();
        self.reach_ties();
    }

    /// Ends of ties on the ground are shown as far as they do not dwarf the rest.
    fn reach_ties(&mut self) {
        let (low, high) = (self.low, self.high);
        let extent = (high[0] - low[0]).max(high[1] - low[1]).max(self.mean_size);
        let margin = 0.02 * extent;
        for end in self.ties.iter().flat_map(|tie| tie.ends) {
            let seen = self.eye.see(end);
            let near =
                |axis: usize| (low[axis] - seen[axis]).max(seen[axis] - high[axis]) < DWARFING * extent;
            if near(0) && near(1) {
                for axis in 0..2 {
                    self.low[axis] = self.low[axis].min(seen[axis] - margin);
                    self.high[axis] = self.high[axis].max(seen[axis] + margin);
                }
            }
        }
    }

    fn widen(&mut self) {
        let (low, high) = (self.low, self.high);
        let extent = (high[0] - low[0]).max(high[1] - low[1]);
        for placed in self.items.iter().filter(|placed| placed.item.fixed || placed.is_half_space()) {
            let (seen_low, seen_high, allowed) = match placed.outline {
                Outline::HalfSpace { normal } => {
                    let height = dot(sub(self.focus, placed.item.position), normal);
                    let [x, y, _] = self.eye.see(sub(self.focus, scale(normal, height)));
                    ([x, y], [x, y], 1.6)
                }
                _ => {
                    let (low, high) = placed.seen_box(&self.eye);
                    (low, high, DWARFING)
                }
            };
            let wide = |axis: usize| high[axis].max(seen_high[axis]) - low[axis].min(seen_low[axis]);
            if wide(0) <= allowed * extent && wide(1) <= allowed * extent {
                for axis in 0..2 {
                    self.low[axis] = self.low[axis].min(seen_low[axis]);
                    self.high[axis] = self.high[axis].max(seen_high[axis]);
                }
            }
        }
    }
}

impl PlacedItem<'_> {
    pub fn is_half_space(&self) -> bool {
        matches!(self.outline, Outline::HalfSpace { .. })
    }

    /// Middle of the world box \[m\].
    pub fn middle(&self) -> V3 {
        add(scale(self.low, 0.5), scale(self.high, 0.5))
    }

    /// Mean side of the world box, over the sides that are not flat \[m\].
    pub fn size(&self) -> f64 {
        let sides = sub(self.high, self.low);
        let count = sides.iter().filter(|side| **side > 0.0).count().max(1);
        sides.iter().sum::<f64>() / count as f64
    }

    /// Half the diagonal of the world box \[m\].
    pub fn half_diagonal(&self) -> f64 {
        0.5 * norm(sub(self.high, self.low))
    }

    fn seen_box(&self, eye: &Camera) -> (V2, V2) {
        match &self.outline {
            Outline::Polygon { corners, .. }
            | Outline::Solid { corners, .. }
            | Outline::Line { corners }
            | Outline::Field { corners, .. } => {
                let (low, high) = box_of(corners.iter().map(|corner| eye.see(*corner)));
                ([low[0], low[1]], [high[0], high[1]])
            }
            Outline::Ball { radius } => {
                let [x, y, _] = eye.see(self.item.position);
                ([x - radius, y - radius], [x + radius, y + radius])
            }
            Outline::HalfSpace { .. } => ([0.0; 2], [0.0; 2]),
        }
    }
}

/// The value of which all but [`FEW`] are less; where these are all there is, the largest.
fn largest_value(items: &[PlacedItem]) -> f64 {
    let values = |placed: &PlacedItem| match placed.outline {
        Outline::Field { values, .. } => values.to_vec(),
        _ => Vec::new(),
    };
    let mut all: Vec<f64> = items.iter().flat_map(values).filter(|value| value.is_finite()).collect();
    all.sort_by(f64::total_cmp);
    let place = ((1.0 - FEW) * all.len().saturating_sub(1) as f64).round() as usize;
    let most = all.get(place).copied().unwrap_or(0.0);
    if most > 0.0 { most } else { all.last().copied().unwrap_or(0.0).max(0.0) }
}

/// The largest finite force of any bar \[N\].
fn largest_bar(bars: &[Bar]) -> f64 {
    let finite = bars.iter().flat_map(|bar| bar.between).filter(|force| force.is_finite());
    finite.fold(0.0, |largest: f64, force| largest.max(force.abs()))
}

/// The range of most intervals; the few that fled far from the others do not count.
fn common_range(ends: impl Iterator<Item = (f64, f64)>, smallest: f64) -> (f64, f64) {
    let (mut lows, mut highs): (Vec<f64>, Vec<f64>) = ends.unzip();
    lows.sort_by(f64::total_cmp);
    highs.sort_by(f64::total_cmp);
    let last = lows.len() - 1;
    let trim = lows.len() / 50;
    let (low, high) = (lows[trim], highs[last - trim]);
    let extent = (high - low).max(smallest);
    (lows[0].max(low - extent), highs[last].min(high + extent))
}

fn box_of(points: impl Iterator<Item = V3>) -> (V3, V3) {
    points.fold(([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]), |(low, high), p| {
        (std::array::from_fn(|i| low[i].min(p[i])), std::array::from_fn(|i| high[i].max(p[i])))
    })
}

/// Radius of each body that is drawn and has an end \[m\]: that of its largest item.
fn radii(items: &[PlacedItem]) -> BTreeMap<u32, f64> {
    let mut radii: BTreeMap<u32, f64> = BTreeMap::new();
    for placed in items.iter().filter(|placed| !placed.is_half_space()) {
        let own = match placed.outline {
            Outline::Ball { radius } => radius,
            _ => placed.half_diagonal(),
        };
        let radius = radii.entry(placed.item.body).or_default();
        *radius = radius.max(own);
    }
    radii
}

/// The item in world axes; none where a number is not finite, or the form is not of this dimension.
fn place(item: &Item, dimension: usize) -> Option<PlacedItem<'_>> {
    let columns = rotation(item.orientation_wxyz)?;
    if !usable(item.position) {
        return None;
    }
    let to_world = |local: V3| add(item.position, turn(&columns, local));
    let (outline, low, high) = match &item.form {
        Form::Ball { radius } => {
            let side = [*radius; 3];
            let sound = *radius > 0.0 && usable(side);
            sound.then(|| {
                (Outline::Ball { radius: *radius }, sub(item.position, side), add(item.position, side))
            })?
        }
        Form::Point => (Outline::Ball { radius: 0.0 }, item.position, item.position),
        Form::HalfSpace => (
            Outline::HalfSpace { normal: columns[if dimension == 2 { 1 } else { 2 }] },
            item.position,
            item.position,
        ),
        Form::Polygon { vertices, holes } if dimension == 2 && vertices.len() > 2 => {
            let placed = |line: &Vec<V2>| line.iter().map(|v| to_world([v[0], v[1], 0.0])).collect();
            let (corners, holes): (Vec<V3>, Vec<Vec<V3>>) =
                (placed(vertices), holes.iter().map(placed).collect());
            let (low, high) = box_of(corners.iter().copied());
            let sound = corners.iter().chain(holes.iter().flatten()).all(|c| usable(*c));
            sound.then_some((Outline::Polygon { corners, holes }, low, high))?
        }
        Form::Line { vertices, closed } if dimension == 2 && vertices.len() > 1 => {
            let around = vertices.iter().chain(vertices.first().filter(|_| *closed));
            let corners: Vec<V3> = around.map(|v| to_world([v[0], v[1], 0.0])).collect();
            let (low, high) = box_of(corners.iter().copied());
            corners.iter().all(|c| usable(*c)).then_some((Outline::Line { corners }, low, high))?
        }
        Form::Field { vertices, triangles, values } if vertices.len() > 2 => {
            let flat = |v: &V3| if dimension == 2 { [v[0], v[1], 0.0] } else { *v };
            let corners: Vec<V3> = vertices.iter().map(|v| to_world(flat(v))).collect();
            let (low, high) = box_of(corners.iter().copied());
            let known = triangles.iter().flatten().all(|&corner| (corner as usize) < corners.len());
            let sound = known && values.len() == corners.len() && corners.iter().all(|c| usable(*c));
            sound.then_some((Outline::Field { corners, triangles, values }, low, high))?
        }
        Form::Polyhedron { vertices, faces } | Form::Surface { vertices, faces }
            if dimension == 3 && vertices.len() > 2 =>
        {
            let corners: Vec<V3> = vertices.iter().map(|v| to_world(*v)).collect();
            let (low, high) = box_of(corners.iter().copied());
            let convex = matches!(item.form, Form::Polyhedron { .. });
            let outline = Outline::Solid { corners, faces, convex };
            let Outline::Solid { corners, .. } = &outline else { return None };
            corners.iter().all(|c| usable(*c)).then_some((outline, low, high))?
        }
        _ => return None,
    };
    let speed = if usable(item.velocity) { norm(item.velocity) } else { 0.0 };
    Some(PlacedItem { item, columns, outline, speed, low, high })
}
