//! Small pictures and ways to look at them, shared by the tests of this crate.

use drystone_view::{ForceSegment, Form, Item, Picture, Show, Status, Style, render_png};
use tiny_skia::Pixmap;

pub const SHOWS: [Show; 4] = [Show::Bodies, Show::Velocities, Show::Forces, Show::All];

pub fn item(body: u32, position: [f64; 3], form: Form) -> Item {
    Item {
        body,
        group: body % 3,
        fixed: false,
        position,
        orientation_wxyz: [1.0, 0.0, 0.0, 0.0],
        velocity: [0.1 * body as f64, -0.2, 0.0],
        form,
    }
}

pub fn cube(side: f64) -> Form {
    let sign = |corner: usize, axis: usize| {
        if corner >> axis & 1 == 1 { 0.5 * side } else { -0.5 * side }
    };
    let vertices = (0..8).map(|corner| [0, 1, 2].map(|axis| sign(corner, axis))).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Form::Polyhedron { vertices, faces: faces.map(|face| face.to_vec()).to_vec() }
}

/// Two balls, an angular body and the ground, with one force between the balls.
pub fn sample(dimension: usize) -> Picture {
    let angular = match dimension {
        2 => Form::Polygon {
            vertices: vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]],
            holes: Vec::new(),
        },
        _ => cube(1.0),
    };
    let up = |height: f64| {
        if dimension == 2 { [0.0, height, 0.0] } else { [0.0, 0.0, height] }
    };
    let mut angular = item(2, up(0.5), angular);
    angular.position[0] = 2.0;
    let ground = Item { fixed: true, ..item(3, [0.0; 3], Form::HalfSpace) };
    let balls = [0.5, 1.5].map(up);
    let contact = ForceSegment {
        bodies: [1, 0],
        point: up(1.0),
        normal: up(1.0),
        force: up(40.0),
        centres: [balls[1], balls[0]].map(Some),
        status: Status::Stick,
    };
    let ball = Form::Ball { radius: 0.5 };
    let items = vec![item(0, balls[0], ball.clone()), item(1, balls[1], ball), angular, ground];
    Picture {
        dimension,
        title: "A < B & \"C\"\u{7}".into(),
        time: 1.5,
        items,
        contacts: vec![contact],
        ties: Vec::new(),
        bars: Vec::new(),
        field: None,
    }
}

pub fn pixels(picture: &Picture, style: &Style) -> Pixmap {
    Pixmap::decode_png(&render_png(picture, style).unwrap()).unwrap()
}

pub fn is_paper(sheet: &Pixmap, x: u32, y: u32) -> bool {
    let pixel = sheet.pixel(x, y).unwrap();
    [pixel.red(), pixel.green(), pixel.blue()] == [255; 3]
}

/// Tags open and close in order, attributes are quoted, and no number is missing.
pub fn check_well_formed(text: &str) {
    let mut open = Vec::new();
    for piece in text.split('<').skip(1) {
        let (tag, after) = piece.split_once('>').expect("a tag ends");
        assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
        assert!(!after.contains('>') && tag.matches('"').count() % 2 == 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty());
}
