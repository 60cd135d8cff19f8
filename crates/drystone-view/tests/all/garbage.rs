//! Numbers and shapes that no sound state holds: drawn without them, or refused with a reason.

use crate::common::{SHOWS, check_well_formed, is_paper, item, pixels, sample};
use drystone_view::{ColourBy, Form, Item, Picture, Style, ViewError, render, render_png, render_svg};
use tiny_skia::Pixmap;

#[test]
fn no_number_can_break_a_picture() {
    let numbers = [
        0.0,
        -1.0,
        1.0,
        1e-300,
        1e-12,
        1e9,
        1e15,
        1e38,
        1e150,
        1e308,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    for dimension in [2, 3] {
        for (k, number) in numbers.into_iter().enumerate() {
            let mut picture = sample(dimension);
            picture.time = number;
            picture.items[0].position[k % dimension] = number;
            picture.items[1].form = Form::Ball { radius: number };
            picture.items[1].velocity = [number; 3];
            picture.items[2].orientation_wxyz = [number; 4];
            picture.contacts[0].force = [number; 3];
            picture.contacts[0].centres[0] = Some([number; 3]);
            let mut far = sample(dimension);
            far.items.iter_mut().for_each(|item| item.position = item.position.map(|x| x + number));
            far.contacts[0].point = [number; 3];
            far.items[3].fixed = false;
            for picture in [&picture, &far] {
                let style =
                    Style { width: 200, show: SHOWS[k % 4], colour_by: ColourBy::Speed, ..Style::default() };
                Pixmap::decode_png(&render_png(picture, &style).unwrap()).unwrap();
                check_well_formed(&render_svg(picture, &style).unwrap());
            }
        }
    }
}

#[test]
fn a_support_that_dwarfs_the_rest_is_cut() {
    for dimension in [2, 3] {
        for size in [1e2, 1e6, 1e12] {
            let up = |height: f64| {
                if dimension == 2 { [0.0, height, 0.0] } else { [0.0, 0.0, height] }
            };
            let planet = Item { fixed: true, ..item(1, up(-size), Form::Ball { radius: size }) };
            let ball = item(0, up(0.5), Form::Ball { radius: 0.5 });
            let picture = Picture { dimension, items: vec![planet, ball], ..Picture::default() };
            let style = Style { width: 300, height: Some(300), ..Style::default() };
            let sheet = pixels(&picture, &style);
            let support = |x: u32, y: u32| {
                let pixel = sheet.pixel(x, y).unwrap();
                !is_paper(&sheet, x, y) && pixel.red().abs_diff(pixel.blue()) < 30
            };
            assert!(support(4, 270), "{dimension}D, {size}");
            assert!(is_paper(&sheet, 4, 100) || dimension == 3, "{dimension}D, {size}");
        }
    }
}

#[test]
fn empty_and_broken_scenes_are_drawn() {
    for dimension in [2, 3] {
        let mut picture = Picture { dimension, ..Picture::default() };
        render_png(&picture, &Style::default()).unwrap();
        picture.items.push(item(0, [0.0; 3], Form::HalfSpace));
        render_png(&picture, &Style::default()).unwrap();
        picture.items.push(item(
            0,
            [0.0; 3],
            Form::Polygon { vertices: vec![[0.0; 2]; 5], holes: vec![vec![[0.0; 2]; 3]] },
        ));
        picture.items.push(item(0, [0.0; 3], Form::Polygon { vertices: vec![], holes: vec![] }));
        let faces = vec![vec![0, 1, 99], vec![], vec![0, 0, 0], vec![2, 1, 0]];
        let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        picture.items.push(item(0, [0.0; 3], Form::Polyhedron { vertices, faces }));
        render_png(&picture, &Style::default()).unwrap();
        check_well_formed(&render_svg(&picture, &Style::default()).unwrap());
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_a_reason() {
    let picture = sample(2);
    let flat = Picture { dimension: 1, ..picture.clone() };
    assert!(matches!(render_png(&flat, &Style::default()), Err(ViewError::Dimension { found: 1 })));
    for (width, height) in [(0, None), (10, None), (u32::MAX, None), (500, Some(0)), (8000, Some(8000))] {
        let style = Style { width, height, ..Style::default() };
        assert!(matches!(render_png(&picture, &style), Err(ViewError::Size { .. })), "{width} {height:?}");
        assert!(matches!(render_svg(&picture, &style), Err(ViewError::Size { .. })), "{width} {height:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let error = render(&picture, &Style::default(), &folder.path().join("a.jpg")).unwrap_err().to_string();
    assert!(error.contains(".png") && error.contains(".svg"));
    let missing = folder.path().join("missing").join("a.png");
    assert!(matches!(render(&picture, &Style::default(), &missing), Err(ViewError::Write { .. })));
    let path = folder.path().join("a.SVG");
    render(&picture, &Style::default(), &path).unwrap();
    assert!(std::fs::read_to_string(path).unwrap().starts_with("<svg"));
}
