//! Loads, tables and stages that cannot be.

use drystone_scene::Scene;

const SCENE: &str = r#"dimension = 2
time = { step = 1e-3, duration = 2.0 }
[[body]]
name = "floor"
group = "ground"
shape.line = {}
fixed = true
[[body]]
name = "block"
group = "stones"
shape.box.size = [1, 1]
mass = 2.0
position = [0, 0.5]
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
"#;

/// The scene with these lines is refused at the line that says `at`, in these words.
#[track_caller]
fn refused(lines: &str, at: &str, words: &str) {
    let text = format!("{SCENE}{lines}\n");
    let error = match Scene::parse(&text, "test.toml") {
        Ok(_) => panic!("accepted: {lines}"),
        Err(error) => error,
    };
    let shown = error.to_string();
    assert!(shown.contains(words), "{shown}");
    let line = error.line.and_then(|line| text.lines().nth(line - 1)).unwrap_or("");
    assert!(line.contains(at), "at {line:?}: {shown}");
}

#[test]
fn signals_are_refused_where_they_stand() {
    refused(
        "[[load]]\non = \"block\"\nx = \"2*sine(t)\"",
        "x = ",
        "at character 3 of the formula: unknown name",
    );
    refused("[[load]]\non = \"block\"\nx = \"1/(t - 1)\"", "x = ", "at t = 1 s");
    refused("[[load]]\non = \"blok\"\nx = 1", "on = ", "Did you mean \"block\"?");
    refused("[[load]]\non = \"block\"\nz = 1", "z = ", "does not exist in 2D");
    refused("[[load]]\non = \"block\"", "[[load]]", "sets nothing");
    refused("[[load]]\non = \"block\"\nx = true", "x = ", "a number, a formula");
    refused("[[load]]\non = \"block\"\nx = { tabel = [] }", "x = ", "unknown key \"tabel\"");
    refused("[[load]]\non = \"block\"\nx = {}", "x = ", "give one of table, file, accelerogram");
    refused("[[drive]]\non = \"block\"\nx = { table = [[0, 1], [0, 2]] }", "x = ", "must come later");
    refused(
        "[[drive]]\non = \"block\"\nx = { table = [[0, 1], [1, 2]] }",
        "x = ",
        "say what follows: after = ",
    );
    refused("[[drive]]\non = \"block\"\nx = { file = \"none.csv\" }", "x = ", "cannot be read");
    refused("[[drive]]\non = \"block\"\nx = { accelerogram = \"a.csv\" }", "x = ", "needs the unit");
    refused(
        "[[load]]\non = \"block\"\nx = { accelerogram = \"a.AT2\" }",
        "x = ",
        "is a motion of the ground",
    );
    refused("[[friction]]\nbetween = [\"ground\", \"sand\"]\nvalue = 1", "between", "names no group");
    refused("[gravity_in_time]\nz = 1", "z = ", "does not exist in 2D");
}

#[test]
fn pressure_is_refused_where_nothing_can_move() {
    let wall = "[[pressure]]\non = \"floor\"\ndirection = \"+y\"\nstress = 1";
    refused(&format!("{wall}\narea = 1"), "[[pressure]]", "no mass");
    refused(wall, "[[pressure]]", "needs an area");
    refused(&format!("{wall}\narea = 1\nacross = [\"floor\", \"block\"]"), "across", "contradicts area");
    refused(&wall.replace("+y", "up"), "direction", "allowed: +x");
}

#[test]
fn stages_are_refused_that_never_end_or_never_begin() {
    let two = "[[stage]]\nname = \"a\"\nduration = 3\n[[stage]]\nname = \"b\"\nduration = 1";
    refused(two, "[[stage]]", "can never begin: the stages before it last 3 s, the run 2 s");
    let endless = "[[stage]]\nname = \"a\"\n[[stage]]\nname = \"b\"\nduration = 1";
    refused(endless, "[[stage]]", "never ends, and others come after it");
    refused("[[stage]]\nname = \"a\"\nuntil = {}", "until", "says nothing");
    let reaches = "[[stage]]\nname = \"a\"\nuntil.reaches = ";
    refused(&format!("{reaches}{{ quantity = \"force\", above = 1 }}"), "until", "needs the body");
    refused(
        &format!("{reaches}{{ quantity = \"force\", body = \"block\" }}"),
        "until",
        "one of above and below",
    );
    refused("[[stage]]\nname = \"a\"\nremove = [\"gate\"]", "remove", "names no body and no group");
    refused(
        "[[stage]]\nname = \"a\"\nrelease = [{ on = \"floor\" }]",
        "release",
        "has no mass or no inertia",
    );
    refused("[[stage]]\nname = \"a\"\nduration = 1\n[equilibrium]", "[equilibrium]", "until.equilibrium");
}
