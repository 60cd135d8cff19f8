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
    // a wall that goes while another is pressed across it
    let block =
        "[[pressure]]\non = \"block\"\ndirection = \"+y\"\nstress = 1\nacross = [\"floor\", \"floor\"]";
    let gone = "[[stage]]\nname = \"a\"\nremove = [\"floor\"]";
    refused(&format!("{block}\n{gone}"), "remove", "across which \"block\" is pressed");
}

#[test]
fn membranes_and_cohesion_are_refused_where_they_cannot_act() {
    let membrane = "[[membrane]]\non = \"stones\"\npressure = 1";
    refused(&membrane.replace("stones", "stons"), "on = ", "Did you mean \"stones\"?");
    refused(&format!("{membrane}\nball = 0"), "ball", "must be greater than 0");
    refused(&format!("{membrane}\nends = [\"flor\"]"), "ends", "Did you mean \"floor\"?");
    refused(&format!("{membrane}\nends = [\"ground\"]"), "ends", "");
    refused("[[membrane]]\non = \"stones\"", "[[membrane]]", "pressure");
    refused(&format!("{membrane}\n[[load]]\non = \"block\"\nx = 1"), "[[membrane]]", "a load acts as well");
    refused("[[membrane]]\non = \"stones\"\npressure = \"1/t\"", "pressure", "at t = 0 s");
    refused("[[cohesion]]\nbetween = [\"ground\", \"stones\"]\nfactor = 1", "[[cohesion]]", "mohr_coulomb");
    refused("[[cohesion]]\nbetween = [\"ground\", \"sand\"]\nfactor = 1", "between", "names no group");
    refused("[[cohesion]]\nbetween = [\"ground\"]\nfactor = 1", "between", "must name two groups");
}

#[test]
fn shapes_of_a_source_are_refused_where_they_cannot_be() {
    let source =
        "[[source]]\nname = \"grain\"\ndensity = 1\nlower = [0, 2]\nupper = [1, 3]\nrate = 1\ncount = 2\n";
    refused(source, "[[source]]", "needs a radius, or shapes of the scene by name");
    let round = format!("{source}radius = [0.1, 0.2]\n");
    refused(&format!("{round}form.polyhedron.faces = 8"), "form", "");
    refused(&format!("{round}form.regular_polygon.sides = 2"), "form", "");
    refused(&format!("{round}form.meshes.files = [\"a.stl\"]"), "form", "names to the shapes of the source");
    refused(&format!("{round}shapes = [\"chip\"]"), "radius", "contradicts shapes");
    refused(&format!("{source}shapes = [\"chip\"]"), "shapes", "names no shape of the scene");
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
