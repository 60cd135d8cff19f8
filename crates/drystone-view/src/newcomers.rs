//! Who is in a frame of a run in which bodies come and go: those of the scene that are left, and newcomers,
//! whose shapes are those of the file of the surfaces. Draws nothing.

use crate::geometry::{V3, add, norm, scale, sub};
use crate::picture::{Form, Item};
use crate::shapes::BodyKind;
use drystone_io::{BodyRecord, StoredColumn, StoredFrame, StoredNumbers, StoredSurfaces};
use std::collections::HashMap;

/// The bodies of a frame, by their rows in it.
pub(crate) struct Cast {
    /// Of each row.
    pub kinds: Vec<BodyKind>,
    /// The row of each body of the scene; none once it has gone.
    pub rows: Vec<Option<u32>>,
    /// Bodies that came after the start.
    pub newcomers: Vec<Item>,
}

impl Cast {
    /// Of a frame whose bodies are those of the scene.
    pub fn unchanged(kinds: &[BodyKind]) -> Cast {
        let rows = (0..kinds.len() as u32).map(Some).collect();
        Cast { kinds: kinds.to_vec(), rows, newcomers: Vec::new() }
    }

    /// Of a frame with bodies of its own; `scene` are the bodies it began with.
    pub fn of(
        frame: &StoredFrame,
        records: &[BodyRecord],
        scene: &[BodyKind],
        dimension: usize,
    ) -> Option<Cast> {
        let [ids, generations, groups] =
            ["id", "generation", "group"].map(|name| words(&frame.bodies, name).unwrap_or_default());
        if [ids.len(), generations.len(), groups.len()] != [records.len(); 3] {
            return None;
        }
        let mut rows = vec![None; scene.len()];
        let mut kinds = Vec::with_capacity(records.len());
        let mut came: HashMap<[u32; 2], u32> = HashMap::new();
        for (row, (&id, &generation)) in (0..).zip(ids.iter().zip(&generations)) {
            match rows.get_mut(id as usize).filter(|_| generation == 0) {
                Some(place) => {
                    *place = Some(row);
                    kinds.push(scene[id as usize]);
                }
                None => {
                    came.insert([id, generation], row);
                    kinds.push(BodyKind { group: groups[row as usize], fixed: false, held: false });
                }
            }
        }
        let mut cast = Cast { kinds, rows, newcomers: Vec::new() };
        if let Some(surfaces) = frame.surfaces.as_ref().filter(|_| !came.is_empty()) {
            cast.add_newcomers(surfaces, &came, records, dimension);
        }
        Some(cast)
    }

    fn add_newcomers(
        &mut self,
        surfaces: &StoredSurfaces,
        came: &HashMap<[u32; 2], u32>,
        records: &[BodyRecord],
        dimension: usize,
    ) {
        let segments = surfaces.segments.chunks_exact(2);
        let triangles = surfaces.triangles.chunks_exact(3);
        let mut cells: Vec<[Vec<&[u32]>; 2]> = vec![Default::default(); records.len()];
        let all = segments.map(|cell| (0, cell)).chain(triangles.map(|cell| (1, cell)));
        for ((kind, cell), owner) in all.zip(&surfaces.owners) {
            if let Some(&row) = came.get(owner) {
                cells[row as usize][kind].push(cell);
            }
        }
        let corner = |&index: &u32| -> Option<V3> {
            let at = 3 * index as usize;
            surfaces.points.get(at..at + 3).map(|point| [point[0], point[1], point[2]])
        };
        let points: Vec<V3> = (0..surfaces.points.len() as u32 / 3).filter_map(|k| corner(&k)).collect();
        for (row, [lines, faces]) in cells.iter().enumerate() {
            let forms = match dimension {
                2 => lines_of(lines, &points).into_iter().chain(flat(faces, &points)).collect::<Vec<_>>(),
                _ => solid(faces, &points),
            };
            for (position, form) in forms {
                self.newcomers.push(Item {
                    body: row as u32,
                    group: self.kinds[row].group,
                    fixed: false,
                    position,
                    // the file has places in the world; the mark on a disk turns with it
                    orientation_wxyz: match form {
                        Form::Ball { .. } => records[row].orientation_wxyz,
                        _ => [1.0, 0.0, 0.0, 0.0],
                    },
                    velocity: records[row].velocity,
                    form,
                });
            }
        }
    }
}

/// Segments that follow each other as one line each.
fn lines_of(segments: &[&[u32]], points: &[V3]) -> Vec<(V3, Form)> {
    let mut lines: Vec<Vec<u32>> = Vec::new();
    for ends in segments {
        match lines.last_mut().filter(|line| line.last() == Some(&ends[0])) {
            Some(line) => line.push(ends[1]),
            None => lines.push(ends.to_vec()),
        }
    }
    let form = |line: Vec<u32>| Form::Line { vertices: planar(&line, points), closed: false };
    lines.into_iter().map(|line| ([0.0; 3], form(line))).collect()
}

/// Fans of triangles as the polygons they were cut from; those of many corners about a middle are disks.
fn flat(triangles: &[&[u32]], points: &[V3]) -> Vec<(V3, Form)> {
    let mut fans: Vec<Vec<u32>> = Vec::new();
    for corners in triangles {
        let goes_on = |fan: &&mut Vec<u32>| fan[0] == corners[0] && fan.last() == Some(&corners[1]);
        match fans.last_mut().filter(goes_on) {
            Some(fan) => fan.push(corners[2]),
            None => fans.push(corners.to_vec()),
        }
    }
    let form = |fan: Vec<u32>| {
        let corners: Vec<V3> =
            fan.iter().filter_map(|&corner| points.get(corner as usize).copied()).collect();
        match round(&corners).filter(|_| corners.len() > 24) {
            Some((middle, radius)) => (middle, Form::Ball { radius }),
            None => ([0.0; 3], Form::Polygon { vertices: planar(&fan, points), holes: Vec::new() }),
        }
    };
    fans.into_iter().map(form).collect()
}

fn planar(corners: &[u32], points: &[V3]) -> Vec<[f64; 2]> {
    corners
        .iter()
        .filter_map(|&corner| points.get(corner as usize))
        .map(|point| [point[0], point[1]])
        .collect()
}

/// Faces and corners of the spheres that surfaces are drawn with.
const SPHERES: [(usize, usize); 2] = [(320, 162), (80, 42)];

/// Triangles of one body: those that are spheres as balls, the rest as one surface.
fn solid(triangles: &[&[u32]], points: &[V3]) -> Vec<(V3, Form)> {
    let (mut forms, mut rest, mut next) = (Vec::new(), Vec::new(), 0);
    while next < triangles.len() {
        let sphere = SPHERES.iter().find_map(|&(faces, corners)| {
            let used = triangles.get(next..next + faces)?.iter().flat_map(|face| face.iter().copied());
            let (first, last) = used.fold((u32::MAX, 0), |(low, high), k| (low.min(k), high.max(k)));
            let own = points.get(first as usize..=last as usize)?;
            let (middle, radius) = round(own).filter(|_| own.len() == corners)?;
            Some((faces, middle, radius))
        });
        match sphere {
            Some((faces, middle, radius)) => {
                forms.push((middle, Form::Ball { radius }));
                next += faces;
            }
            None => {
                rest.push(triangles[next]);
                next += 1;
            }
        }
    }
    if !rest.is_empty() {
        forms.push(([0.0; 3], surface(&rest, points)));
    }
    forms
}

fn surface(triangles: &[&[u32]], points: &[V3]) -> Form {
    let mut places: HashMap<u32, u32> = HashMap::new();
    let mut vertices = Vec::new();
    let mut own = |&corner: &u32| {
        *places.entry(corner).or_insert_with(|| {
            vertices.push(points.get(corner as usize).copied().unwrap_or([f64::NAN; 3]));
            vertices.len() as u32 - 1
        })
    };
    let faces = triangles.iter().map(|face| face.iter().map(&mut own).collect()).collect();
    Form::Surface { vertices, faces }
}

/// Middle and radius of points that lie on a circle or a sphere about their mean.
fn round(points: &[V3]) -> Option<(V3, f64)> {
    let first = points.first()?;
    let sum = points.iter().fold([0.0; 3], |sum, point| add(sum, sub(*point, *first)));
    let middle = add(*first, scale(sum, 1.0 / points.len() as f64));
    let radius = norm(sub(*first, middle));
    // surfaces are stored with seven digits
    let even = |point: &V3| (norm(sub(*point, middle)) - radius).abs() < 1e-3 * radius;
    points.iter().all(even).then_some((middle, radius))
}

fn words(columns: &[StoredColumn], name: &str) -> Option<Vec<u32>> {
    match &columns.iter().find(|column| column.name == name)?.numbers {
        StoredNumbers::Words(words) => Some(words.clone()),
        _ => None,
    }
}
