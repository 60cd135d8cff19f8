from __future__ import annotations

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


def test_an_arch_of_compas_dem_has_the_thrust_of_its_scene_file() -> None:
    models: Any = pytest.importorskip("compas_dem.models")
    templates: Any = pytest.importorskip("compas_dem.templates")
    template = templates.ArchTemplate(rise=3, span=10, thickness=0.5, depth=0.5, n=20)
    model = models.BlockModel.from_template(template)
    for number in (0, 19):
        model.add_support(number)
    scene = masonry.scene_from_blocks(model, duration=0.02)
    assert scene.to_dict()["body"][19]["fixed"]
    thrusts = []
    for one in (scene, drystone.Scene.from_toml(scene.to_toml())):
        sim = one.build()
        sim.run()
        thrusts.append(float(abs(sim["block 0"].contact_force[0])))
    assert thrusts[0] == thrusts[1]
    weight = sum(sim[f"block {k}"].mass for k in range(1, 19)) * 9.81
    up = sum(float(sim[f"block {k}"].contact_force[2]) for k in (0, 19))
    assert up == pytest.approx(-weight, rel=1e-3)
    # a parabola under this weight thrusts by w l / 8 f, with the weight over the span between the supports
    assert thrusts[0] == pytest.approx(weight * 10 / (8 * 3.25), rel=0.25)
