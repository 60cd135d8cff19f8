//! What a picture must show, judged on the pixels and on the text of the files.

use crate::common::{SHOWS, check_well_formed, cube, is_paper, item, pixels, sample};
use drystone_view::{
    ColourBy, ForceSegment, Form, Item, Picture, Show, SolidField, Status, Style, View, render_png,
    render_svg,
};
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

/// A joint along x from −0.5 to 0.5 at height 0, between two bodies of one metre, that bears these forces at
/// its ends.
fn joint(left: f64, right: f64) -> Picture {
    let square = || Form::Polygon {
        vertices: vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]],
        holes: Vec::new(),
    };
    let centres = [[0.0, 0.5, 0.0], [0.0, -0.5, 0.0]];
    let contact = |x: f64, force: f64| ForceSegment {
        bodies: [0, 1],
        point: [x, 0.0, 0.0],
        normal: [0.0, 1.0, 0.0],
        force: [0.0, force, 0.0],
        centres: centres.map(Some),
        status: Status::Stick,
    };
    Picture {
        dimension: 2,
        items: vec![item(0, centres[0], square()), item(1, centres[1], square())],
        contacts: vec![contact(-0.5, left), contact(0.5, right)],
        ..Picture::default()
    }
}

#[test]
fn a_joint_has_one_bar_at_its_centre_of_pressure() {
    let style = Style { width: 400, height: Some(800), show: Show::Forces, ..Style::default() };
    for (left, right) in [(10.0, 10.0), (30.0, 10.0), (0.0, 10.0)] {
        let text = render_svg(&joint(left, right), &style).unwrap();
        let forces =
            text.split("<g class=\"forces\">").nth(1).and_then(|rest| rest.split("</g>").next()).unwrap();
        assert_eq!(forces.matches("<polyline").count(), 1, "{forces}");
        let points = forces.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let places: Vec<Vec<f64>> =
            points.split(' ').map(|p| p.split(',').map(|x| x.parse().unwrap()).collect()).collect();
        let (first, last) = (&places[0], &places[places.len() - 1]);
        // the squares are as wide as the sheet but for its margins: their middle is that of the sheet
        let sheet = pixels(&joint(left, right), &Style { show: Show::Bodies, ..style.clone() });
        let drawn: Vec<u32> = (0..400).filter(|x| !is_paper(&sheet, *x, 300)).collect();
        let (low, high) = (f64::from(drawn[0]), f64::from(drawn[drawn.len() - 1]));
        let at = (right - left) / (right + left) / 2.0;
        let wanted = 0.5 * (low + high) + at * (high - low);
        for place in [first, last] {
            let one = left > 0.0;
            assert!(!one || (place[0] - wanted).abs() < 2.0, "{place:?}, the resultant passes at {wanted}");
        }
    }
}

/// A square of two triangles whose value grows from 0 on the left to 1 on the right, upright in space.
fn field(dimension: usize, values: [f64; 4]) -> Picture {
    let corner = |x: f64, y: f64| if dimension == 2 { [x, y, 0.0] } else { [x, 0.0, y] };
    let vertices = vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
    let form = Form::Field { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], values: values.to_vec() };
    let field = Some(SolidField::VonMises);
    Picture { dimension, items: vec![item(0, [0.0; 3], form)], field, ..Picture::default() }
}

#[test]
fn a_field_goes_through_the_colours_from_its_low_to_its_high_end() {
    let view = View { azimuth: -90.0, elevation: 0.0 };
    let style = Style { width: 400, height: Some(400), view, ..Style::default() };
    let colour = |sheet: &Pixmap, x: u32| {
        let pixel = sheet.pixel(x, 200).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    };
    let apart =
        |a: [u8; 3], b: [u8; 3]| (0..3).map(|k| i32::from(a[k]).abs_diff(i32::from(b[k]))).sum::<u32>();
    for dimension in [2, 3] {
        let sheet = pixels(&field(dimension, [0.0, 1e6, 1e6, 0.0]), &style);
        let inside: Vec<u32> = (0..400).filter(|x| !is_paper(&sheet, *x, 200)).collect();
        let (left, right) = (inside[10], inside[inside.len() - 11]);
        let [low, middle, high] = [left, (left + right) / 2, right].map(|x| colour(&sheet, x));
        assert!(
            apart(low, high) > 150 && apart(low, middle) > 60 && apart(middle, high) > 60,
            "{dimension}D"
        );
        // one value has one colour, and it is that of the high end
        let even = pixels(&field(dimension, [1e6; 4]), &style);
        let [one, other] = [left, right].map(|x| colour(&even, x));
        assert!(apart(one, other) < 6, "{dimension}D: {one:?} {other:?}");
        assert!(apart(one, high) < 60, "{dimension}D: {one:?} {high:?}");
        let text = render_svg(&field(dimension, [0.0, 1e6, 1e6, 0.0]), &style).unwrap();
        check_well_formed(&text);
        assert!(text.contains("von Mises stress") && text.contains("Pa and more"), "{text}");
    }
    // a value for every corner, or it is not drawn
    let mut wrong = field(2, [1.0; 4]);
    let Form::Field { values, .. } = &mut wrong.items[0].form else { panic!() };
    values.pop();
    assert!(render_svg(&wrong, &style).unwrap().contains("not drawn: 1"));
}

#[test]
fn a_hole_shows_what_is_behind() {
    let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
    let ring = Form::Polygon { vertices: square(1.0), holes: vec![square(0.5)] };
    let picture = Picture { dimension: 2, items: vec![item(0, [0.0; 3], ring)], ..Picture::default() };
    let style = Style { width: 400, height: Some(400), ..Style::default() };
    let sheet = pixels(&picture, &style);
    let middle = (0..400).filter(|x| !is_paper(&sheet, *x, 200)).collect::<Vec<u32>>();
    let wide = f64::from(middle[middle.len() - 1] - middle[0]);
    assert!(is_paper(&sheet, 200, 200) && (0.45..0.56).contains(&(middle.len() as f64 / wide)), "{wide}");
    let text = render_svg(&picture, &style).unwrap();
    check_well_formed(&text);
    assert!(text.contains("fill-rule=\"evenodd\""));
}

#[test]
fn a_terrain_has_lines_of_equal_height() {
    // a slope of one metre in x
    let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]];
    let slope = Form::Surface { vertices, faces: vec![vec![0, 1, 2], vec![0, 2, 3]] };
    let dark = |fixed: bool| {
        let slope = Item { fixed, ..item(0, [0.0; 3], slope.clone()) };
        let picture = Picture { dimension: 3, items: vec![slope], ..Picture::default() };
        let view = View { azimuth: -90.0, elevation: 80.0 };
        let sheet = pixels(
            &picture,
            &Style { width: 400, height: Some(400), view, colour_by: ColourBy::None, ..Style::default() },
        );
        let row: Vec<i32> = (0..400).map(|x| sheet.pixel(x, 200).unwrap().red().into()).collect();
        // darker than both neighbours three pixels away
        (3..397).filter(|&x| row[x] + 20 < row[x - 3] && row[x] + 20 < row[x + 3]).count()
    };
    // both have edges; nine lines lie between 0 and 1 m, one every 0.1 m
    let (terrain, body) = (dark(true), dark(false));
    assert!(terrain >= body + 9, "{terrain} dark pixels on a terrain, {body} on a body that moves");
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
