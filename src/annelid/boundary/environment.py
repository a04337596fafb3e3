"""Checks the environment variables that libraries below us fail over."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from types import MappingProxyType
from typing import Final

from annelid.boundary.plain import shortened
from annelid.errors import InputError

ALLOWED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "MUJOCO_GL": (
            *("", "egl", "osmesa", "glfw", "glx", "wgl", "cgl"),
            *("0", "1", "true", "false", "on", "off", "enable", "enabled", "disable", "disabled"),
        ),
        "NUMBA_OPT": ("", "0", "1", "2", "3", "max"),
    }
)

LARGEST: Final = 2**31 - 1
LATEST_S: Final = 253_402_300_799
"""The end of the year 9999: no date is later."""
FLAGS: Final = ("DISABLE_JIT", "DEBUG", "DEBUG_JIT", "DEBUG_CACHE", "DEVELOPER_MODE", "TRACE")
"""Of numba; it takes any whole number, and shows a traceback for anything else."""
WHOLE: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "NUMBA_NUM_THREADS": (1, LARGEST),
        **{f"NUMBA_{flag}": (0, LARGEST) for flag in FLAGS},
        "NUMBA_BOUNDSCHECK": (0, LARGEST),
        "NUMBA_FULL_TRACEBACKS": (0, LARGEST),
        "NUMBA_LOOP_VECTORIZE": (0, LARGEST),
        "NUMBA_SLP_VECTORIZE": (0, LARGEST),
        "NUMBA_ENABLE_AVX": (0, LARGEST),
        "NUMBA_DISABLE_INTEL_SVML": (0, LARGEST),
        "NUMBA_FUNCTION_CACHE_SIZE": (0, LARGEST),
        "MUJOCO_EGL_DEVICE_ID": (0, LARGEST),
        "SOURCE_DATE_EPOCH": (0, LATEST_S),
        "TERMINAL_WIDTH": (1, 10_000),
    }
)
"""From and to."""
DIGITS_MAX: Final = 18
SIZES: Final = ("COLUMNS", "LINES")
"""Of a terminal.  Some programs set them to 0, which stands for unknown."""


def require_environment(environment: Mapping[str, str]) -> None:
    """Refuse a value that a library does not know, before it is imported."""
    for name, allowed in ALLOWED.items():
        if (got := environment.get(name, "")).lower().strip() not in allowed:
            known = ", ".join(word for word in allowed if word)
            raise InputError(f"{name}: expected one of {known}, or unset, got {shortened(got)!r}")
    for name, (least, most) in WHOLE.items():
        if name not in environment or least <= _whole(got := environment[name]) <= most:
            continue
        upto = f"to {most}" if most != LARGEST else "upwards"
        raise InputError(
            f"{name}: expected a whole number from {least} {upto}, or unset, got {shortened(got)!r}"
        )


def settle_environment(environment: MutableMapping[str, str]) -> None:
    """Take out what no terminal can be: nothing would be printed in 0 columns."""
    for name in SIZES:
        if name in environment and _whole(environment[name]) < 1:
            del environment[name]


def _whole(text: str) -> int:
    """-1: it is none that anybody needs."""
    digits = text.strip()
    return (
        int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS_MAX else -1
    )
