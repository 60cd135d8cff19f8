//! What a picture must show, judged on the pixels and on the text of the files.

mod common;

use common::{SHOWS, check_well_formed, cube, is_paper, item, pixels, sample};
use drystone_view::{ColourBy, Form, Item, Picture, Show, Status, Style, View, render_png, render_svg};
use tiny_skia::Pixmap;

#[test]
fn a_disk_lies_where_it_should() {
    let style = Style { width: 400, height: Some(400), colour_by: ColourBy::None, ..Style::default() };
    let ball = item(0, [7.0, -3.0, 0.0], Form::Ball { radius: 0.01 });
    for dimension in [2, 3] {
        let picture = Picture { dimension, items: vec![ball.clone()], ..Picture::default() };
        let sheet = pixels(&picture, &style);
        assert_eq!([sheet.width(), sheet.height()], [400, 400]);
        // the only body fills the middle of the sheet, and the corners around the disk stay empty
        assert!(!is_paper(&sheet, 203, 190), "{dimension}D");
        for (x, y) in [(30, 60), (370, 60), (30, 340), (370, 340)] {
            assert!(is_paper(&sheet, x, y), "{dimension}D at {x}, {y}");
        }
        // as wide as it is high
        let drawn = |x: u32, y: u32| !is_paper(&sheet, x, y);
        let wide = (0..400).filter(|x| drawn(*x, 199)).count() as i64;
        let high = (30..365).filter(|y| drawn(200, *y)).count() as i64;
        assert!(wide > 250 && (wide - high).abs() < 8, "{wide} by {high}");
    }
}

#[test]
fn the_ground_is_below() {
    let style = Style { width: 400, height: Some(400), ..Style::default() };
    let ball = item(0, [0.0, 1.0, 0.0], Form::Ball { radius: 1.0 });
    let ground = item(1, [0.0; 3], Form::HalfSpace);
    let picture = Picture { dimension: 2, items: vec![ball, ground], ..Picture::default() };
    let sheet = pixels(&picture, &style);
    let bottom = (0..400).rev().find(|y| !is_paper(&sheet, 3, *y)).unwrap();
    assert!(bottom > 350 && is_paper(&sheet, 3, 200));
}

#[test]
fn a_force_colours_the_line_between_centres() {
    let style = Style { width: 400, show: Show::Forces, ..Style::default() };
    let blue = |picture: &Picture| {
        let sheet = pixels(picture, &style);
        // the legend has a blue patch too, in the lower band
        let high = sheet.height() as usize - 40;
        let is_blue =
            |p: &&tiny_skia::PremultipliedColorU8| p.blue() > p.red().saturating_add(50) && p.red() < 60;
        sheet.pixels()[..high * 400].iter().filter(is_blue).count()
    };
    let mut picture = sample(2);
    assert!(blue(&picture) > 500);
    picture.contacts[0].status = Status::Slip;
    assert_eq!(blue(&picture), 0);
}

#[test]
fn every_item_has_its_shape_in_the_text() {
    for dimension in [2, 3] {
        for show in SHOWS {
            let picture = sample(dimension);
            let text = render_svg(&picture, &Style { show, ..Style::default() }).unwrap();
            check_well_formed(&text);
            assert_eq!(text.matches("<g class=\"item\">").count(), picture.items.len());
            assert_eq!(text.matches("<circle").count(), 2);
            assert!(text.contains("A &lt; B &amp; &quot;C&quot; ") && text.contains("t = 1.5 s"));
        }
    }
}

#[test]
fn the_same_picture_gives_the_same_bytes() {
    for dimension in [2, 3] {
        let style = Style { show: Show::All, colour_by: ColourBy::Speed, ..Style::default() };
        let (first, second) = (sample(dimension), sample(dimension));
        assert_eq!(render_png(&first, &style).unwrap(), render_png(&second, &style).unwrap());
        assert_eq!(render_svg(&first, &style).unwrap(), render_svg(&second, &style).unwrap());
    }
}

#[test]
fn the_picture_does_not_depend_on_the_unit_of_length() {
    let style = Style { width: 300, show: Show::Forces, ..Style::default() };
    let ball = |scale: f64| item(0, [0.3 * scale, 0.1 * scale, 0.0], Form::Ball { radius: 0.7 * scale });
    let picture = |scale: f64| Picture { dimension: 2, items: vec![ball(scale)], ..Picture::default() };
    let [metre, kilometre] = [1.0, 1024.0].map(|scale| pixels(&picture(scale), &style));
    let body = |sheet: &Pixmap| sheet.pixels()[..300 * 250].to_vec();
    assert!(body(&metre) == body(&kilometre));
}

#[test]
fn a_wall_in_front_does_not_hide_what_moves() {
    let view = View { azimuth: -90.0, elevation: 0.0 };
    let style = Style { width: 300, height: Some(300), view, ..Style::default() };
    let ball = item(0, [0.0; 3], Form::Ball { radius: 1.0 });
    let wall = |side: f64| Item { fixed: true, ..item(1, [0.0, 3.0 * side, 0.0], cube(2.2)) };
    let sandstone = |items: Vec<Item>| {
        let sheet = pixels(&Picture { dimension: 3, items, ..Picture::default() }, &style);
        let pixel = sheet.pixel(150, 140).unwrap();
        pixel.red() > pixel.blue().saturating_add(30)
    };
    // the viewer stands at negative y; a wall behind the ball is hidden by it in either order
    assert!(sandstone(vec![ball.clone(), wall(-1.0)]));
    assert!(sandstone(vec![ball.clone(), wall(1.0)]) && sandstone(vec![wall(1.0), ball.clone()]));
    let moving_wall = Item { fixed: false, ..wall(-1.0) };
    assert!(!sandstone(vec![ball, moving_wall]));
}
