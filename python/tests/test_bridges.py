from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import drystone
from drystone import masonry, meshes


def wedge(inner: float, outer: float, first: float, last: float) -> tuple[list[list[float]], list[list[int]]]:
    """A voussoir of an arch in the plane of x and z, 0.5 m deep."""
    corners = [
        [radius * np.cos(angle), depth, radius * np.sin(angle)]
        for depth in (0.0, 0.5)
        for angle in (first, last)
        for radius in (inner, outer)
    ]
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return corners, faces


def arch(count: int = 9) -> list[tuple[list[list[float]], list[list[int]]]]:
    angles = np.linspace(np.pi, 0.0, count + 1)
    return [wedge(1.0, 1.3, angles[k + 1], angles[k]) for k in range(count)]


def test_an_arch_of_blocks_stands_and_pushes_its_supports() -> None:
    blocks = arch()
    scene = masonry.scene_from_blocks(blocks, supports=[0, len(blocks) - 1], duration=0.02)
    found = drystone.stability(scene)
    assert found.stands
    sim = scene.build()
    sim.run()
    free = [one for one in sim if one.name not in ("block 0", f"block {len(blocks) - 1}")]
    weight = sum(one.mass for one in free) * 9.81
    carried = [sim[name].contact_force for name in ("block 0", f"block {len(blocks) - 1}")]
    assert carried[0][2] + carried[1][2] == pytest.approx(-weight, rel=1e-3)
    assert carried[0][0] == pytest.approx(-carried[1][0], rel=1e-2) and carried[0][0] < 0
    with pytest.raises(ValueError, match="there is no block 99"):
        masonry.scene_from_blocks(blocks, supports=[99])


def test_meshes_of_trimesh_and_pyvista_are_bodies() -> None:
    trimesh = pytest.importorskip("trimesh")
    body = meshes.body_from_mesh(trimesh.creation.box((1, 2, 3)), "box", density=10.0)
    scene = drystone.Scene({"dimension": 3, "time": {"step": 1e-3, "duration": 1}, "body": [body]})
    assert scene.build()["box"].mass == pytest.approx(60.0)
    pyvista = pytest.importorskip("pyvista")
    body = meshes.body_from_mesh(pyvista.Cube(x_length=2.0, clean=True), "box", density=10.0)
    assert drystone.Scene({**scene.as_written(), "body": [body]}).build()["box"].mass == pytest.approx(20.0)
    # two tetrahedra with a face in common, as meshio gives what gmsh wrote
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=float)
    cells = {"tetra": np.array([[0, 1, 2, 3], [1, 2, 3, 4]]), "triangle": np.array([[0, 1, 2]])}
    body = meshes.body_from_mesh(SimpleNamespace(points=points, cells_dict=cells), "two", density=6.0)
    assert len(meshes.vertices_and_faces(SimpleNamespace(points=points, cells_dict=cells))[1]) == 6
    assert drystone.Scene({**scene.as_written(), "body": [body]}).build()["two"].mass == pytest.approx(3.0)
    with pytest.raises(ValueError, match="cells line"):
        meshes.body_from_mesh(SimpleNamespace(points=points, cells_dict={"line": []}), "line")
    with pytest.raises(TypeError, match="is no mesh"):
        meshes.body_from_mesh(3, "three")
    with pytest.raises(ValueError, match="n × 3"):
        meshes.body_from_mesh(([[0, 0]], [[0]]), "flat")


def test_compas_gets_forces_and_blocks_back() -> None:
    datastructures: Any = pytest.importorskip("compas.datastructures")
    blocks = [datastructures.Mesh.from_vertices_and_faces(*block) for block in arch(5)]
    scene = masonry.scene_from_blocks(blocks, supports=[0, 4], duration=0.01)
    sim = scene.build()
    sim.run()
    found = masonry.forces(sim)
    # what acts at the supports carries the weight of the others
    up = sum(
        one.force.z * (1 if one.blocks[1] in ("block 0", "block 4") else -1)
        for one in found
        if ("block 0" in one.blocks) != ("block 4" in one.blocks)
    )
    weight = sum(sim[f"block {k}"].mass for k in (1, 2, 3)) * 9.81
    assert up == pytest.approx(weight, rel=1e-3)
    after = masonry.moved(sim, blocks)
    assert np.allclose(after[0].vertices_attributes("xyz"), blocks[0].vertices_attributes("xyz"), atol=1e-9)
    still = masonry.forces(drystone.stability(scene), scene.body_names)
    assert still
    # each joint is the rectangle where two voussoirs meet, and its resultant the sum of the forces at it
    joints = masonry.joints(sim)
    assert len(joints) == 4
    for joint in joints:
        assert joint.polygon.area == pytest.approx(0.3 * 0.5, rel=1e-6)
        parts = [one.force for one in found if one.blocks == joint.blocks]
        assert [sum(part[k] for part in parts) for k in range(3)] == pytest.approx(list(joint.force))
        assert 1.0 <= np.hypot(joint.point.x, joint.point.z) <= 1.3
    assert len(masonry.joints(drystone.stability(scene), scene.body_names)) == 4
    with pytest.raises(ValueError, match="give the names"):
        masonry.joints(drystone.stability(scene))


def test_an_assembly_of_compas_keeps_its_supports_and_gets_interfaces() -> None:
    structures: Any = pytest.importorskip("compas_assembly.datastructures")
    templates: Any = pytest.importorskip("compas_assembly.geometry")
    template = templates.Arch(rise=3, span=10, thickness=0.5, depth=0.5, n=8)
    assembly = structures.Assembly.from_template(template)
    nodes = list(assembly.nodes())
    assembly.set_boundary_conditions([nodes[0], nodes[-1]])
    scene = masonry.scene_from_blocks(assembly, duration=0.01)
    held = [bool(body.get("fixed")) for body in scene.to_dict()["body"]]
    assert held == [True] + [False] * 6 + [True]
    sim = scene.build()
    sim.run()
    edges = masonry.add_interfaces(assembly, sim)
    interfaces = list(assembly.interfaces())
    assert len(edges) == len(interfaces) == assembly.number_of_interfaces() == 7
    # the file of the assembly keeps them
    again = structures.Assembly.from_jsonstring(assembly.to_jsonstring())
    assert again.number_of_interfaces() == 7
    joints = masonry.joints(sim)
    for joint, interface in zip(joints, interfaces):
        assert interface.size == pytest.approx(0.25, rel=1e-6)
        axes = np.array([interface.frame.xaxis, interface.frame.yaxis, interface.frame.zaxis])
        parts = np.array([[one["c_u"], one["c_v"], one["c_np"] - one["c_nn"]] for one in interface.forces])
        assert parts.sum(axis=0) @ axes == pytest.approx(list(joint.force), rel=1e-9, abs=1e-6)
        assert all(one["c_nn"] == 0.0 for one in interface.forces)
        assert np.linalg.norm(np.subtract(interface.resultantpoint, joint.point)) < 0.05
    # the same from limit analysis, and the blocks where they are
    assert len(masonry.add_interfaces(assembly, drystone.stability(scene), scene.body_names)) == 7
    meshes_now = masonry.moved(sim, assembly)
    assert len(meshes_now) == 8
    first = assembly.node_block(nodes[0]).vertices_attributes("xyz")
    assert np.allclose(meshes_now[0].vertices_attributes("xyz"), first, atol=1e-9)


def thrust(found: drystone.Stability | drystone.Simulation, body: int) -> float:
    """Horizontal force of the others on a body [N]."""
    if isinstance(found, drystone.Simulation):
        return float(found.contact_forces[body, 0])
    first, second = found.bodies.T
    return float(found.force[first == body, 0].sum() - found.force[second == body, 0].sum())


def test_an_arch_of_compas_dem_has_the_thrust_of_its_scene_file() -> None:
    models: Any = pytest.importorskip("compas_dem.models")
    templates: Any = pytest.importorskip("compas_dem.templates")
    template = templates.ArchTemplate(rise=3, span=10, thickness=0.5, depth=0.5, n=20)
    model = models.BlockModel.from_template(template)
    for number in (0, 19):
        model.add_support(number)
    theirs = masonry.scene_from_blocks(model, duration=0.02)
    assert theirs.to_dict()["body"][19]["fixed"]
    arch = {"span": 10.0, "rise": 3.0, "thickness": 0.5, "depth": 0.5, "voussoirs": 20}
    spec = theirs.as_written() | {
        "sample": [{"name": "a", "density": 2000, "masonry": {"arch": arch}}],
        "body": [],
    }
    ours: Any = drystone.Scene(spec).to_dict()
    for number in (0, 19):
        ours["body"][number]["fixed"] = True
    scenes = [theirs, drystone.Scene(ours)]
    # forces of rigid stones are not unique, those that spare the joints most are; neither is the largest push
    found = [drystone.stability(scene, push=[1, 0, 0]) for scene in scenes]
    assert found[0].multiplier == pytest.approx(found[1].multiplier, rel=1e-9)
    assert abs(thrust(found[0], 0)) == pytest.approx(abs(thrust(found[1], 0)), rel=1e-6)
    # a run finds one of the admissible thrusts, about that of a parabola under this weight
    for scene in scenes:
        sim = scene.build()
        sim.run()
        weight = float(sim.masses[1:19].sum()) * 9.81
        assert sim.contact_forces[[0, 19], 2].sum() == pytest.approx(-weight, rel=1e-3)
        assert thrust(sim, 0) == pytest.approx(-thrust(sim, 19), rel=1e-6)
        assert abs(thrust(sim, 0)) == pytest.approx(abs(thrust(found[0], 0)), rel=0.1)
        assert abs(thrust(sim, 0)) == pytest.approx(weight * 10 / (8 * 3.25), rel=0.25)


def test_a_dome_of_compas_dem_stands() -> None:
    models: Any = pytest.importorskip("compas_dem.models")
    templates: Any = pytest.importorskip("compas_dem.templates")
    model = models.BlockModel.from_template(templates.DomeTemplate())
    scene = masonry.scene_from_blocks(model, supports=lowest(model), duration=0.003)
    sim = scene.build()
    sim.run()
    held = [bool(body.get("fixed")) for body in scene.to_dict()["body"]]
    weight = float(sim.masses[~np.array(held)].sum()) * 9.81
    assert sim.contact_forces[held, 2].sum() == pytest.approx(-weight, rel=1e-2)


def lowest(model: Any) -> list[int]:
    """Numbers of the blocks that stand on the ground."""
    heights = [min(point[2] for point in meshes.vertices_and_faces(block)[0]) for block in meshes_of(model)]
    return [number for number, height in enumerate(heights) if height < min(heights) + 1e-6]


def meshes_of(model: Any) -> list[Any]:
    return [element.modelgeometry for element in model.elements()]
