//! Deformable bodies that cannot be.

use drystone_scene::Scene;

const SOFT: &str = r#"dimension = 2
time = { step = 1e-3, duration = 1.0 }
[materials.rubber]
density = 1000
young = 1e6
poisson = 0.3
[[body]]
name = "soft"
material = "rubber"
shape.box.size = [0.4, 0.1]
[body.deform]
size = 0.1
hold = [{ group = "left" }]
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
"#;

#[test]
fn what_cannot_deform_is_refused_at_its_line() {
    Scene::parse(SOFT, "soft.toml").unwrap().build().unwrap();
    let cases: &[(&str, &str, usize, &str)] = &[
        ("poisson = 0.3", "poisson = 0.5", 6, "greater than -1 and less than 0.5, found 0.5"),
        ("young = 1e6", "young = -1.0", 5, "materials.rubber.young must be greater than 0"),
        ("young = 1e6\n", "", 10, "needs young and poisson in materials.rubber"),
        ("size = 0.1\nhold", "size = 0\nhold", 12, "greater than 0"),
        ("size = 0.1\nhold", "size = 1e-5\nhold", 12, "at most 1000000 are allowed"),
        ("group = \"left\"", "group = \"lift\"", 13, "\"left\""),
        ("{ group = \"left\" }", "{ group = \"left\", axes = [\"z\"] }", 13, "names no axis"),
        (
            "hold = [{ group = \"left\" }]",
            "hold = [{ group = \"left\" }, { group = \"right\" }, { group = \"top\" }, { group = \"bottom\" }]",
            13,
            "leaves no node free",
        ),
        (
            "shape.box.size = [0.4, 0.1]",
            "shape.capsule = { length = 1, radius = 1 }",
            11,
            "allowed shapes: disk, box",
        ),
        ("material = \"rubber\"\nshape", "density = 1.0\nshape", 9, "contradicts deform"),
        ("size = 0.1\nhold", "size = 0.1\nelement = \"H8\"\nhold", 13, "does not exist in 2D"),
        ("shape.box", "fixed = true\nshape.box", 10, "contradicts deform"),
        ("duration = 1.0", "duration = 1.0, drift = \"projection\"", 11, "not projected"),
        ("hold = [{ group = \"left\" }]", "load = [{ group = \"top\" }]", 13, "loads nothing"),
        ("density = 1000", "density = 1000\nretardation = -1", 5, "0 or greater"),
        ("inelastic.friction", "restitution.normal = 0.5\nrestitution.friction", 14, "gives restitution"),
    ];
    for (from, to, line, words) in cases {
        let text = SOFT.replacen(from, to, 1);
        assert_ne!(&text, SOFT, "{from}");
        let error = Scene::parse(&text, "soft.toml").err().unwrap_or_else(|| panic!("accepted: {to}"));
        assert!(error.to_string().contains(words), "{to}: {error}");
        assert_eq!(error.line, Some(*line), "{to}: {error}");
    }
}
