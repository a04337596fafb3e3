"""Checks the environment variables that libraries below us fail over."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from annelid.errors import InputError

ALLOWED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "MUJOCO_GL": (
            *("", "egl", "osmesa", "glfw", "glx", "wgl", "cgl"),
            *("0", "1", "true", "false", "on", "off", "enable", "enabled", "disable", "disabled"),
        )
    }
)


WHOLE: Final = ("NUMBA_NUM_THREADS",)


def require_environment(environment: Mapping[str, str]) -> None:
    """Refuse a value that the engine does not know, before it is imported."""
    for name, allowed in ALLOWED.items():
        if (got := environment.get(name, "")).lower().strip() not in allowed:
            known = ", ".join(word for word in allowed if word)
            raise InputError(f"{name}: expected one of {known}, or unset, got {got!r}")
    for name in WHOLE:
        if (got := environment.get(name, "1")) and not (got.isascii() and got.isdigit()):
            raise InputError(f"{name}: expected a whole number, or unset, got {got!r}")
