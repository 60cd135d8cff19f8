"""Packages that not everybody has."""

from __future__ import annotations

import importlib
from typing import Any


def package(name: str, what: str) -> Any:
    """A package, or an error that says what it is needed for."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        wanted = name.split(".")[0]
        raise ImportError(f"{what} needs {wanted}; install it: pip install {wanted} ({error})") from None
