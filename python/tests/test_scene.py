from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, ball

import drystone


def test_a_scene_survives_text_dict_and_pickle(scene: drystone.Scene) -> None:
    assert drystone.Scene.from_toml(scene.to_toml()) == scene
    assert drystone.Scene(scene.to_dict()) == scene
    again = pickle.loads(pickle.dumps(scene))
    assert again == scene and again.as_written() == scene.as_written()
    assert copy.deepcopy(scene) == scene
    assert scene != scene.replace({"time.step": 1e-3})
    assert scene != "a scene"


def test_what_numpy_gives_is_taken(scene: drystone.Scene) -> None:
    spec = ball()
    spec["body"][1]["position"] = np.array([0.0, 0.2])
    spec["body"][1]["density"] = np.float32(1000)
    spec["body"][0]["fixed"] = np.bool_(True)
    spec["dimension"] = np.int64(2)
    spec["title"] = None
    assert drystone.Scene(spec) == scene


def test_files_are_found_beside_the_scene(tmp_path: Path) -> None:
    found = drystone.Scene.load(ROOT / "scenes/arch.toml")
    found.save(tmp_path / "copy.toml")
    assert drystone.Scene.load(tmp_path / "copy.toml") == found


def test_what_is_wrong_is_told_in_a_sentence(scene: drystone.Scene) -> None:
    with pytest.raises(drystone.SceneError, match="densty.*density"):
        scene.replace({"body.1.densty": 3.0})
    with pytest.raises(drystone.SceneError, match="nan"):
        scene.replace({"body.1.density": float("nan")})
    with pytest.raises(drystone.SceneError, match="cannot be read"):
        drystone.Scene.load("/no/such/scene.toml")
    with pytest.raises(drystone.SceneError, match="none of 0 to 1"):
        scene.replace({"body.7.density": 3.0})
    with pytest.raises(drystone.SceneError, match="no table"):
        scene.replace({"title.x": 3.0, "time.step.x": 1})
    with pytest.raises(TypeError, match="body\\[1\\].density is of type object"):
        scene.replace({"body.1.density": object()})
    with pytest.raises(TypeError, match="allowed are texts"):
        drystone.Scene({1: 2})  # type: ignore[dict-item]
    for wrong in (None, [1], "text"):
        with pytest.raises(TypeError, match="a scene cannot be made of"):
            drystone.Scene(wrong)  # type: ignore[arg-type]
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested deeper"):
        drystone.Scene({"body": endless})
    with pytest.raises(ValueError, match="64 bits"):
        drystone.Scene({"dimension": 2**80})


def test_a_sample_stays_a_sample_in_what_was_written() -> None:
    scene = drystone.Scene.load(ROOT / "scenes/samples/wall.toml")
    assert len(scene.body_names) == len(scene.to_dict()["body"]) > 10
    assert "sample" in scene.as_written() and "sample" not in scene.to_dict()
    again = pickle.loads(pickle.dumps(scene))
    assert again == scene and "sample" in again.as_written()
