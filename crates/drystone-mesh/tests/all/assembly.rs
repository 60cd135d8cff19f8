//! Assemblies of COMPAS are read whole, as every major version of it writes them.

use drystone_mesh::{Surface, read_assembly};

/// A cube of side 1 upon the height z, as the table of a mesh.
fn cube(z: f64) -> String {
    let vertices: Vec<String> = (0..8)
        .map(|k| {
            let [x, y, up] = [k / 4, k / 2 % 2, k % 2];
            format!("\"{k}\": {{\"x\": {x}, \"y\": {y}, \"z\": {}}}", z + f64::from(up))
        })
        .collect();
    let faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let faces: Vec<String> = faces.iter().enumerate().map(|(k, face)| format!("\"{k}\": {face:?}")).collect();
    format!("{{\"vertex\": {{{}}}, \"face\": {{{}}}}}", vertices.join(", "), faces.join(", "))
}

/// Eleven cubes, of which that of node 10 comes before that of node 2 in the file and is a support.
fn nodes(wrapped: impl Fn(String) -> String) -> String {
    let order = [10, 0, 2, 1, 3, 4, 5, 6, 7, 8, 9];
    let node = |k: &i32| {
        let support = if *k == 10 { "true" } else { "false" };
        let block = wrapped(cube(f64::from(*k)));
        format!("\"{k}\": {{\"x\": 0.5, \"block\": {block}, \"is_support\": {support}}}")
    };
    order.iter().map(node).collect::<Vec<_>>().join(", ")
}

#[test]
fn assemblies_of_all_versions_hold_the_same_blocks() {
    // as compas_assembly of COMPAS 2 writes them, of COMPAS 0.17 to 1, and before
    let second = format!(
        "{{\"dtype\": \"compas_assembly.datastructures/Assembly\", \"data\": {{\"attributes\": {{}}, \"graph\": \
         {{\"dtype\": \"compas.datastructures/Graph\", \"data\": {{\"default_node_attributes\": \
         {{\"block\": null, \"is_support\": false}}, \"node\": {{{}}}}}}}}}}}",
        nodes(|mesh| format!("{{\"dtype\": \"compas_assembly.datastructures/Block\", \"data\": {mesh}}}"))
    );
    let first = format!(
        "{{\"dtype\": \"compas_assembly.datastructures/Assembly\", \"value\": {{\"data\": {{\"node\": {{{}}}}}}}}}",
        nodes(|mesh| format!("{{\"dtype\": \"a/Block\", \"value\": {{\"data\": {mesh}}}}}"))
    );
    let cubes: Vec<String> = (0..11).map(|k| format!("\"{k}\": {}", cube(f64::from(k)))).collect();
    let early = format!(
        "{{\"assembly\": {{\"vertex\": {{\"10\": {{\"is_support\": true}}}}}}, \"blocks\": {{{}}}}}",
        cubes.join(", ")
    );
    for text in [second, first, early] {
        let blocks = read_assembly(text.as_bytes()).unwrap();
        assert_eq!(blocks.len(), 11);
        for (k, block) in blocks.iter().enumerate() {
            assert_eq!((block.name.as_str(), block.is_support), (k.to_string().as_str(), k == 10));
            let surface = Surface::new(&block.polygons.vertices, &block.polygons.faces).unwrap();
            let found = surface.mass_properties();
            assert!((found.volume - 1.0).abs() < 1e-12, "{}", found.volume);
            assert!((found.centroid[2] - (k as f64 + 0.5)).abs() < 1e-12);
        }
    }
}

#[test]
fn a_list_of_meshes_is_an_assembly_without_supports() {
    let text =
        format!("[{}, {{\"dtype\": \"compas.datastructures/Mesh\", \"data\": {}}}]", cube(0.0), cube(1.0));
    let blocks = read_assembly(text.as_bytes()).unwrap();
    assert_eq!(blocks.iter().map(|block| block.name.as_str()).collect::<Vec<_>>(), ["0", "1"]);
    assert!(blocks.iter().all(|block| !block.is_support));
}

#[test]
fn what_is_no_assembly_says_so() {
    let say = |text: &str| read_assembly(text.as_bytes()).unwrap_err().to_string();
    assert!(say("{").contains("not JSON"));
    assert!(say("[]").contains("no block"));
    assert!(say(&cube(0.0)).contains("a list of meshes is allowed"));
    assert!(say("{\"node\": {\"3\": {\"block\": null}}}").contains("node \"3\": found no block"));
    let spoiled = format!("[{}, {}]", cube(0.0), cube(1.0).replace("\"x\": 1", "\"x\": null"));
    assert!(say(&spoiled).contains("block \"1\", vertex \"4\": found \"null\" for x"), "{}", say(&spoiled));
}
