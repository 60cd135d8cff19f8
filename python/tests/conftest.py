"""What the tests share: small scenes, and the command to compare with."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import drystone

ROOT = Path(__file__).resolve().parents[2]


def ball(**more: Any) -> dict[str, Any]:
    """A ball that falls on a floor."""
    return {
        "dimension": 2,
        "time": {"step": 2e-3, "duration": 0.4},
        "body": [
            {"name": "floor", "shape": {"line": {}}, "fixed": True},
            {"name": "ball", "shape": {"disk": {"radius": 0.1}}, "density": 1000, "position": [0, 0.2]},
        ],
        "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.5}}],
        **more,
    }


@pytest.fixture
def scene() -> drystone.Scene:
    return drystone.Scene(ball())


@pytest.fixture
def command() -> str:
    """The command that was built beside the wheel."""
    path = os.environ.get("DRYSTONE_COMMAND", str(ROOT / "target/debug/drystone"))
    if not Path(path).exists():
        pytest.skip("no command to compare with; name it in DRYSTONE_COMMAND")
    return path
