from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import drystone

FOLDERS = Path(__file__).parent / "datbox"


def test_a_disk_falls_on_a_beam_that_shakes() -> None:
    taken = drystone.from_datbox(FOLDERS / "disk", step=1e-3, duration=0.5)
    assert taken.left_out == [
        "law rod00 of kind ELASTIC_ROD: pairs with it pass through each other; give them a law"
    ]
    assert [(motion.body, motion.axis) for motion in taken.motions] == [("RBDY2 2", "x")]
    sim = taken.build()
    disk, beam = sim["RBDY2 1"], sim["RBDY2 2"]
    assert disk.position == pytest.approx([0.1, 0.2]) and disk.velocity == pytest.approx([0.0, -0.1])
    assert disk.mass == pytest.approx(1000 * math.pi * 0.01)
    sim.run()
    assert disk.position[1] == pytest.approx(0.1, abs=1e-5)
    assert beam.velocity[0] == pytest.approx(0.1 * math.cos(math.pi), rel=1e-6)
    assert disk.contact_force[1] == pytest.approx(disk.mass * 9.81, rel=1e-5)


def test_a_block_that_is_pushed_stays_by_friction() -> None:
    taken = drystone.from_datbox(FOLDERS / "blocks", step=1e-3, duration=0.1)
    assert not taken.left_out and not taken.motions
    sim = taken.build()
    block = sim["RBDY3 1"]
    assert block.mass == pytest.approx(1000.0, rel=1e-6)
    assert block.orientation_wxyz == pytest.approx([math.cos(0.25), 0, 0, math.sin(0.25)], abs=1e-6)
    sim.run()
    assert block.position == pytest.approx([0, 0, 0.5], abs=1e-6)
    assert block.contact_force == pytest.approx([-2000.0, 0.0, 9810.0], rel=1e-5, abs=0.01)
    assert np.abs(sim.velocities).max() < 1e-6


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(drystone.SceneError, match="no folder"):
        drystone.from_datbox(tmp_path / "nothing", step=1e-3, duration=1.0)
    with pytest.raises(drystone.SceneError, match="has no BULK_BEHAV.DAT"):
        drystone.from_datbox(tmp_path, step=1e-3, duration=1.0)
    for name in ("BODIES.DAT", "BULK_BEHAV.DAT", "TACT_BEHAV.DAT"):
        (tmp_path / name).write_text((FOLDERS / "disk" / name).read_text())
    text = (tmp_path / "BODIES.DAT").read_text()
    (tmp_path / "BODIES.DAT").write_text(text.replace("TDURx", "WOODx"))
    with pytest.raises(drystone.SceneError, match="WOODx"):
        drystone.from_datbox(tmp_path, step=1e-3, duration=1.0)
    (tmp_path / "BODIES.DAT").write_text(text.replace("byrd", "bird"))
    with pytest.raises(drystone.SceneError, match="not laid out.*byrd"):
        drystone.from_datbox(tmp_path, step=1e-3, duration=1.0)
    (tmp_path / "BODIES.DAT").write_text("")
    with pytest.raises(drystone.SceneError, match="no rigid body"):
        drystone.from_datbox(tmp_path, step=1e-3, duration=1.0)


def test_bodies_count_in_their_order(tmp_path: Path) -> None:
    # as in files that were written by hand: every body is called 1, and halves of a beam ax1 and ax2
    for file in (FOLDERS / "disk").iterdir():
        text = file.read_text()
        if file.name == "BODIES.DAT":
            text = text.replace("RBDY2      2", "RBDY2      1").replace("axe", " ax")
        (tmp_path / file.name).write_text(text)
    taken = drystone.from_datbox(tmp_path, step=1e-3, duration=0.1)
    again = drystone.from_datbox(FOLDERS / "disk", step=1e-3, duration=0.1)
    assert taken.scene.body_names == ["RBDY2 1", "RBDY2 2"]
    sims = [one.build() for one in (taken, again)]
    for sim in sims:
        sim.run()
    assert sims[0].state_hash == sims[1].state_hash
