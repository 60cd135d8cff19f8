from __future__ import annotations

import math
from pathlib import Path
from typing import Any

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


def write(folder: Path, **files: str) -> Path:
    """A DATBOX folder of these files; gravity and a material are the same in all."""
    for name, text in files.items():
        suffix = {"DOF": "INI", "vx": "txt"}.get(name, "DAT")
        (folder / f"{name}.{suffix}").write_text(text)
    return folder


BULK = """! File BULK_BEHAV

$gravy
                   grv1= 0.0000000D+00  grv2=-0.9810000D+01  grv3= 0.0000000D+00
$behav  lawty
 TDURx  RIGID                            Umas= 0.2500000D+04   ! of the walls
 PLEXx  RIGID                            Umas= 0.1000000D+04
"""

TACT = """$behav  lawty
 iqsc0  IQS_CLB                          fric= 0.3000000D+00
 gapc0  GAP_SGR_CLB                      fric= 0.5000000D+00
 rstc0  RST_DS_CLB                       rstn= 0.9000000D+00  rstt= 0.0000000D+00
                                         stfr= 0.6000000D+00  dyfr= 0.5000000D+00
 coupl  COUPLED_DOF
$seety
 cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol
 RBDY2  DISKx  BLUEx  iqsc0  RBDY2  xKSID  VERTx
                             halo= 0.1000000D-01

 RBDY2  DISKb  BLUEx  gapc0  RBDY2  xKSID  VERTx
                             halo= 0.1000000D-01
 RBDY2  DISKx  BLUEx  wrong  RBDY2  DISKb  BLUEx
                             halo= 0.1000000D-01
"""


def disk(number: int, height: float, contactors: str, behav: str = "PLEXx", avrd: float = 0.1) -> str:
    return (
        f"$bdyty\n RBDY2{number:7d}\n$blmty\n"
        f" PLAIN      1  behav  {behav}  avrd={avrd:14.7E}  gyrd= 0.7071068D-01\n"
        f"$nodty\n NO3xx      1                coo1= 0.0000000D+00  coo2={height:14.7E}  coo3= 0.1234567-100\n"
        f"$tacty\n{contactors}$$$$$$\n"
    )


def test_drums_clusters_and_points_with_what_is_not_known(tmp_path: Path) -> None:
    drum = " xKSID      1  color  VERTx  byrd= 0.1000000D+01\n"
    round_one = " DISKx      1  color  BLUEx  byrd= 0.1000000D+00\n"
    # a point of measurement comes first and touches nothing; two disks beside the centre follow
    cluster = (
        " PT2Dx      1  color  MARKx  coo1= 0.0000000D+00  coo2= 0.5000000D-01\n"
        " DISKb      1  color  BLUEx  byrd= 0.1000000D+00\n"
        "                             coo1=-0.1000000D+00  coo2= 0.0000000D+00\n"
        " DISKb      2  color  BLUEx  byrd= 0.1000000D+00\n"
        "                             coo1= 0.1000000D+00coo2= 0.0000000D+00\n"
        " ALPxx      3  color  BLUEx\n"
    )
    bodies = disk(1, 0.0, drum, "TDURx", 0.0) + disk(2, -0.5, round_one) + disk(3, -0.89, cluster)
    folder = write(tmp_path, BODIES="# by hand\n\n" + bodies, BULK_BEHAV=BULK, TACT_BEHAV=TACT)
    still = " 0.0000000D+00" * 4 + " 0.1000000D+01 0.0000000D+00\n"
    held = "".join(f" vlocy{k:7d}{still}" for k in (2, 3))
    drive = f"$bdyty\n RBDY2      1\n$nodty\n NO3xx      1\n$dofty\n vlocy      1  evolution  vx.txt\n{held}"
    state = "$steps      0                time= 0.0000000D+00\n$bdyty\n RBDY2      9\n$nodty\n NO3xx      1\n"
    write(folder, DRV_DOF=drive, DOF=state, vx="0.0 0.0\n0.1D+00 0.2D-02\n")
    taken = drystone.from_datbox(folder, step=1e-3, duration=0.2)
    assert taken.left_out == [
        "law rstc0 of kind RST_DS_CLB: friction at rest is that of motion",
        "law coupl of kind COUPLED_DOF: pairs with it pass through each other; give the bodies a tie",
        "contactor ALPxx: not known",
        "DOF.INI: RBDY2 9 is not in BODIES.DAT",
        "law wrong: it is not in TACT_BEHAV.DAT",
    ]
    tables: Any = taken.scene.to_dict()
    assert [body["group"] for body in tables["body"]] == ["xKSID VERTx", "DISKx BLUEx", "DISKb BLUEx"]
    assert len(tables["body"][2]["shape"]["cluster"]["shapes"]) == 2
    assert tables["law"][2]["unilateral"]["level"] == "position"
    sim = taken.build()
    assert sim["RBDY2 3"].mass == pytest.approx(1000 * math.pi * 0.01)
    sim.run()
    # the drum has the speed of the end of its table, the cluster lies in it on both disks
    assert sim["RBDY2 1"].velocity[0] == pytest.approx(0.002)
    assert {tuple(sorted(pair)) for pair in sim.contacts.bodies.tolist()} <= {(0, 1), (0, 2)}
    way = np.linalg.norm(sim["RBDY2 3"].position - sim["RBDY2 1"].position)
    assert way == pytest.approx(math.sqrt(0.9**2 - 0.1**2), abs=2e-3)


@pytest.mark.parametrize(
    "wrong, right, told",
    [
        ("byrd= 0.1000000D+00", "byrd=**************", "RBDY2 1: byrd= .* is no number"),
        ("byrd= 0.1000000D+00", "byrd=           NaN", "RBDY2 1: byrd= NaN is no number"),
        ("byrd= 0.1000000D+00", "", "RBDY2 1: DISKx has no byrd"),
        ("DISKx      1  color  BLUEx", "POLYG      1  color  BLUEx", "POLYG has 0 vertices"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, wrong: str, right: str, told: str) -> None:
    text = disk(1, 0.0, " DISKx      1  color  BLUEx  byrd= 0.1000000D+00\n")
    write(tmp_path, BODIES=text.replace(wrong, right), BULK_BEHAV=BULK, TACT_BEHAV=TACT)
    with pytest.raises(drystone.SceneError, match=told):
        drystone.from_datbox(tmp_path, step=1e-3, duration=0.1)


def test_frames_of_space_turn_bodies_and_contactors(tmp_path: Path) -> None:
    """A plank along its own x stands upright by the frame of DOF.INI; a plane on it leans by its own."""
    head = "$bdyty\n RBDY3      1\n$blmty\n PLAIN      1  behav  PLEXx  avrd= 0.1000000D+00\n"
    inertia = "                             I1  = 0.1D-02  I2  = 0.2D-02  I3  = 0.3D-02\n"
    node = "$nodty\n NO6xx      1                coo1= 0.0  coo2= 0.0  coo3= 0.5\n"
    plank = " PLANx      1  color  BLUEx  axe1= 0.5  axe2= 0.1  axe3= 0.05\n"
    leaning = (
        " PLANx      2  color  BLUEx  axe1= 0.1  axe2= 0.1  axe3= 0.1\n"
        "             localframe      alp1= 0.0  alp2= 1.0  alp3= 0.0\n"
        "                             bet1=-1.0  bet2= 0.0  bet3= 0.0\n"
        "                             gam1= 0.0  gam2= 0.0  gam3= 1.0\n"
        "                             coo1= 0.3  coo2= 0.0  coo3= 0.0\n"
    )
    state = (
        "$bdyty\n RBDY3      1\n$nodty\n NO6xx      1                X(1)= 0.0  X(2)= 0.0  X(3)= 0.25\n"
        "                             V(4)= 1.0  V(5)= 0.0  V(6)= 0.0\n"
        "                             a(1)= 0.0  a(2)= 0.0  a(3)= 1.0\n"
        "                             b(1)= 0.0  b(2)= 1.0  b(3)= 0.0\n"
        "                             g(1)=-1.0  g(2)= 0.0  g(3)= 0.0\n"
    )
    write(tmp_path, BODIES=head + inertia + node + "$tacty\n" + plank + leaning, DOF=state)
    write(tmp_path, BULK_BEHAV=BULK, TACT_BEHAV=TACT)
    taken = drystone.from_datbox(tmp_path, step=1e-3, duration=0.1)
    tables: Any = taken.scene.to_dict()
    body = tables["body"][0]
    assert body["inertia"] == pytest.approx([1.0, 2.0, 3.0])
    assert body["shape"]["cluster"]["shapes"][1]["position"] == [0.3, 0.0, 0.0]
    half = math.sqrt(0.5)
    assert body["shape"]["cluster"]["shapes"][1]["orientation_wxyz"] == pytest.approx([half, 0, 0, half])
    sim = taken.build()
    one = sim["RBDY3 1"]
    # its own x is up: it spins about the axis of least inertia, in space about z
    assert one.orientation_wxyz == pytest.approx([half, 0, -half, 0])
    assert one.spin == pytest.approx([0, 0, 1.0], abs=1e-12)
    (tmp_path / "DOF.INI").write_text(state.replace("a(3)= 1.0", "a(3)= 2.0"))
    with pytest.raises(drystone.SceneError, match="DOF.INI, RBDY3 1: .* no three axes at right angles"):
        drystone.from_datbox(tmp_path, step=1e-3, duration=0.1)


def test_stones_that_are_not_convex_are_cut(tmp_path: Path) -> None:
    """A prism over an L of three unit squares: its hull would have half a square more."""
    corners = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    points = [(x, y, z) for z in (0, 1) for x, y in corners]
    caps = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4)]
    faces = [*caps, *[tuple(6 + k for k in reversed(face)) for face in caps]]
    for k in range(6):
        after = (k + 1) % 6
        faces += [(k, after, 6 + after), (k, 6 + after, 6 + k)]
    stone = f" POLYR      1  color  BLUEx  nb_vertex={12:7d}    nb_faces={len(faces):7d}\n"
    stone += "".join(" " * 29 + "  ".join(f"coo{k + 1}={p[k]:14.7E}" for k in range(3)) + "\n" for p in points)
    stone += "".join(" " * 29 + "  ".join(f"ver{k + 1}={f[k] + 1:7d}" for k in range(3)) + "\n" for f in faces)
    text = "$bdyty\n RBDY3      1\n$blmty\n PLAIN      1  behav  PLEXx  avrd= 0.0D+00\n"
    text += "$nodty\n NO6xx      1                coo1= 0.0D+00  coo2= 0.0D+00  coo3= 0.0D+00\n$tacty\n"
    write(tmp_path, BODIES=text + stone, BULK_BEHAV=BULK, TACT_BEHAV=TACT)
    taken = drystone.from_datbox(tmp_path, step=1e-3, duration=0.1)
    assert taken.build()["RBDY3 1"].mass == pytest.approx(3000.0)
    wrong = (text + stone).replace("ver1=      1", "ver1=     13", 1)
    write(tmp_path, BODIES=wrong)
    with pytest.raises(drystone.SceneError, match="RBDY3 1: POLYR has a face with vertices that are not 1 to 12"):
        drystone.from_datbox(tmp_path, step=1e-3, duration=0.1)
