//! What a picture must show, judged on the pixels and on the text of the files.

use drystone_view::{ColourBy, ForceSegment, Form, Item, Picture, Show, Status, Style, ViewError};
use drystone_view::{render, render_png, render_svg};
use tiny_skia::Pixmap;

const SHOWS: [Show; 4] = [Show::Bodies, Show::Velocities, Show::Forces, Show::All];

fn item(body: u32, position: [f64; 3], form: Form) -> Item {
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

fn cube(side: f64) -> Form {
    let sign = |corner: usize, axis: usize| {
        if corner >> axis & 1 == 1 {
            0.5 * side
        } else {
            -0.5 * side
        }
    };
    let vertices = (0..8)
        .map(|corner| [0, 1, 2].map(|axis| sign(corner, axis)))
        .collect();
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    Form::Polyhedron {
        vertices,
        faces: faces.map(|face| face.to_vec()).to_vec(),
    }
}

/// Two balls, an angular body and the ground, with one force between the balls.
fn sample(dimension: usize) -> Picture {
    let angular = match dimension {
        2 => Form::Polygon {
            vertices: vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]],
        },
        _ => cube(1.0),
    };
    let up = |height: f64| {
        if dimension == 2 {
            [0.0, height, 0.0]
        } else {
            [0.0, 0.0, height]
        }
    };
    let mut angular = item(2, up(0.5), angular);
    angular.position[0] = 2.0;
    let ground = Item {
        fixed: true,
        ..item(3, [0.0; 3], Form::HalfSpace)
    };
    let balls = [0.5, 1.5].map(up);
    let contact = ForceSegment {
        point: up(1.0),
        normal: up(1.0),
        force: up(40.0),
        centres: balls.map(Some),
        status: Status::Stick,
    };
    let ball = Form::Ball { radius: 0.5 };
    let items = vec![
        item(0, balls[0], ball.clone()),
        item(1, balls[1], ball),
        angular,
        ground,
    ];
    Picture {
        dimension,
        title: "A < B & \"C\"\u{7}".into(),
        time: 1.5,
        items,
        contacts: vec![contact],
    }
}

fn pixels(picture: &Picture, style: &Style) -> Pixmap {
    Pixmap::decode_png(&render_png(picture, style).unwrap()).unwrap()
}

fn is_paper(sheet: &Pixmap, x: u32, y: u32) -> bool {
    let pixel = sheet.pixel(x, y).unwrap();
    [pixel.red(), pixel.green(), pixel.blue()] == [255; 3]
}

#[test]
fn a_disk_lies_where_it_should() {
    let style = Style {
        width: 400,
        height: Some(400),
        colour_by: ColourBy::None,
        ..Style::default()
    };
    let ball = item(0, [7.0, -3.0, 0.0], Form::Ball { radius: 0.01 });
    for dimension in [2, 3] {
        let picture = Picture {
            dimension,
            items: vec![ball.clone()],
            ..Picture::default()
        };
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
    let style = Style {
        width: 400,
        height: Some(400),
        ..Style::default()
    };
    let ball = item(0, [0.0, 1.0, 0.0], Form::Ball { radius: 1.0 });
    let ground = item(1, [0.0; 3], Form::HalfSpace);
    let picture = Picture {
        dimension: 2,
        items: vec![ball, ground],
        ..Picture::default()
    };
    let sheet = pixels(&picture, &style);
    let bottom = (0..400).rev().find(|y| !is_paper(&sheet, 3, *y)).unwrap();
    assert!(bottom > 350 && is_paper(&sheet, 3, 200));
}

#[test]
fn a_force_colours_the_line_between_centres() {
    let style = Style {
        width: 400,
        show: Show::Forces,
        ..Style::default()
    };
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
            let text = render_svg(
                &picture,
                &Style {
                    show,
                    ..Style::default()
                },
            )
            .unwrap();
            check_well_formed(&text);
            assert_eq!(text.matches("<g class=\"item\">").count(), picture.items.len());
            assert_eq!(text.matches("<circle").count(), 2);
            assert!(text.contains("A &lt; B &amp; &quot;C&quot; ") && text.contains("t = 1.5 s"));
        }
    }
}

/// Tags open and close in order, attributes are quoted, and no number is missing.
fn check_well_formed(text: &str) {
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

#[test]
fn the_same_picture_gives_the_same_bytes() {
    for dimension in [2, 3] {
        let style = Style {
            show: Show::All,
            colour_by: ColourBy::Speed,
            ..Style::default()
        };
        let (first, second) = (sample(dimension), sample(dimension));
        assert_eq!(
            render_png(&first, &style).unwrap(),
            render_png(&second, &style).unwrap()
        );
        assert_eq!(
            render_svg(&first, &style).unwrap(),
            render_svg(&second, &style).unwrap()
        );
    }
}

#[test]
fn the_picture_does_not_depend_on_the_unit_of_length() {
    let style = Style {
        width: 300,
        show: Show::Forces,
        ..Style::default()
    };
    let ball = |scale: f64| {
        item(
            0,
            [0.3 * scale, 0.1 * scale, 0.0],
            Form::Ball { radius: 0.7 * scale },
        )
    };
    let picture = |scale: f64| Picture {
        dimension: 2,
        items: vec![ball(scale)],
        ..Picture::default()
    };
    let [metre, kilometre] = [1.0, 1024.0].map(|scale| pixels(&picture(scale), &style));
    let body = |sheet: &Pixmap| sheet.pixels()[..300 * 250].to_vec();
    assert!(body(&metre) == body(&kilometre));
}

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
            far.items
                .iter_mut()
                .for_each(|item| item.position = item.position.map(|x| x + number));
            far.contacts[0].point = [number; 3];
            far.items[3].fixed = false;
            for picture in [&picture, &far] {
                let style = Style {
                    width: 200,
                    show: SHOWS[k % 4],
                    colour_by: ColourBy::Speed,
                    ..Style::default()
                };
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
                if dimension == 2 {
                    [0.0, height, 0.0]
                } else {
                    [0.0, 0.0, height]
                }
            };
            let planet = Item {
                fixed: true,
                ..item(1, up(-size), Form::Ball { radius: size })
            };
            let ball = item(0, up(0.5), Form::Ball { radius: 0.5 });
            let picture = Picture {
                dimension,
                items: vec![planet, ball],
                ..Picture::default()
            };
            let style = Style {
                width: 300,
                height: Some(300),
                ..Style::default()
            };
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
        let mut picture = Picture {
            dimension,
            ..Picture::default()
        };
        render_png(&picture, &Style::default()).unwrap();
        picture.items.push(item(0, [0.0; 3], Form::HalfSpace));
        render_png(&picture, &Style::default()).unwrap();
        picture.items.push(item(
            0,
            [0.0; 3],
            Form::Polygon {
                vertices: vec![[0.0; 2]; 5],
            },
        ));
        picture
            .items
            .push(item(0, [0.0; 3], Form::Polygon { vertices: vec![] }));
        let faces = vec![vec![0, 1, 99], vec![], vec![0, 0, 0], vec![2, 1, 0]];
        let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        picture
            .items
            .push(item(0, [0.0; 3], Form::Polyhedron { vertices, faces }));
        render_png(&picture, &Style::default()).unwrap();
        check_well_formed(&render_svg(&picture, &Style::default()).unwrap());
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_a_reason() {
    let picture = sample(2);
    let flat = Picture {
        dimension: 1,
        ..picture.clone()
    };
    assert!(matches!(
        render_png(&flat, &Style::default()),
        Err(ViewError::Dimension { found: 1 })
    ));
    for (width, height) in [
        (0, None),
        (10, None),
        (u32::MAX, None),
        (500, Some(0)),
        (8000, Some(8000)),
    ] {
        let style = Style {
            width,
            height,
            ..Style::default()
        };
        assert!(
            matches!(render_png(&picture, &style), Err(ViewError::Size { .. })),
            "{width} {height:?}"
        );
        assert!(
            matches!(render_svg(&picture, &style), Err(ViewError::Size { .. })),
            "{width} {height:?}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let error = render(&picture, &Style::default(), &folder.path().join("a.jpg"))
        .unwrap_err()
        .to_string();
    assert!(error.contains(".png") && error.contains(".svg"));
    let missing = folder.path().join("missing").join("a.png");
    assert!(matches!(
        render(&picture, &Style::default(), &missing),
        Err(ViewError::Write { .. })
    ));
    let path = folder.path().join("a.SVG");
    render(&picture, &Style::default(), &path).unwrap();
    assert!(std::fs::read_to_string(path).unwrap().starts_with("<svg"));
}
