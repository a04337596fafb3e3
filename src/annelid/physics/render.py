"""Renders pictures for people, also on a machine without a screen.

The engine decides which OpenGL to use from ``MUJOCO_GL`` at the moment it is imported, and takes a
window by default; by the time a report is drawn that moment has long passed.  ``Painter`` therefore
makes its own context: EGL on Linux, whatever the engine has chosen elsewhere.  The variable is
still obeyed where the user has set it.

No part of a run depends on this file: where it cannot draw, ``available`` says in one line what to
install, and everything else works.
"""

from __future__ import annotations

import functools
import os
import platform
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Self

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.errors import MissingDependency
from annelid.physics.view import CameraView

Image = NDArray[np.uint8]
"""(height, width, 3), top row first."""

Floats = NDArray[np.float64]

INSTALL = (
    "no pictures: headless OpenGL (EGL) is missing; on Debian and Ubuntu: "
    "apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri"
)
SWITCHED_OFF = "no pictures: MUJOCO_GL={} switches them off; unset it, or set it to egl"
WRONG_WISH = "no pictures: MUJOCO_GL={} does not work on this machine; unset it, or set it to egl"
WRONG_VALUE = "no pictures: {}={!r} does not work on this machine; unset it"
NAMED = ("MUJOCO_EGL_DEVICE_ID", "PYOPENGL_PLATFORM")
"""Variables of the environment that make headless OpenGL fail where it is installed."""

_OFF = ("disable", "disabled", "off", "false", "0")
_FONT_SCALE = 100
_MOST_SHAPES = 10_000
_GHOST_ALPHA = 0.28


def available() -> str | None:
    """None where pictures can be drawn, else one line that says what to install."""
    return _fault(os.environ.get("MUJOCO_GL", "").lower().strip())


@functools.cache
def _fault(wish: str) -> str | None:
    if wish in _OFF:
        return SWITCHED_OFF.format(wish)
    model = mujoco.MjSpec().compile()
    try:
        Painter(model, width=16, height=16).close()
    except MissingDependency as error:
        return str(error)
    return None


class Painter:
    """Draws states of one model; a context manager, because graphics memory must be given back.

    Joint positions are enough: nothing is stepped and no contact is computed.
    """

    def __init__(self, model: Any, *, width: int = 1280, height: int = 720) -> None:
        self.model = model
        self.width, self.height = width, height
        self._gl, self._context = _open(model)
        mujoco.mjr_resizeOffscreen(width, height, self._context)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, self._context)
        self._scene = mujoco.MjvScene(model=model, maxgeom=_MOST_SHAPES)
        self._option = mujoco.MjvOption()
        self._data = mujoco.MjData(model)
        self._rect = mujoco.MjrRect(0, 0, width, height)

    def frame(self, qpos: Floats, view: CameraView, *, ghosts: Sequence[Floats] = ()) -> Image:
        """The robot at ``qpos``; ``ghosts`` are other moments of it, drawn faint."""
        self._place(qpos)
        camera = mujoco.MjvCamera()
        camera.lookat[:] = view.at
        camera.distance = view.distance
        camera.azimuth, camera.elevation = view.azimuth_deg, view.elevation_deg
        everything = mujoco.mjtCatBit.mjCAT_ALL.value
        mujoco.mjv_updateScene(
            self.model, self._data, self._option, None, camera, everything, self._scene
        )
        moving = mujoco.mjtCatBit.mjCAT_DYNAMIC.value
        for ghost in ghosts:
            self._place(ghost)
            first = self._scene.ngeom
            mujoco.mjv_addGeoms(
                self.model, self._data, self._option, mujoco.MjvPerturb(), moving, self._scene
            )
            for shape in self._scene.geoms[first : self._scene.ngeom]:
                shape.rgba[3] *= _GHOST_ALPHA
        self._gl.make_current()
        picture = np.empty((self.height, self.width, 3), np.uint8)
        mujoco.mjr_render(self._rect, self._scene, self._context)
        mujoco.mjr_readPixels(picture, None, self._rect, self._context)
        return picture[::-1]

    def _place(self, qpos: Floats) -> None:
        self._data.qpos[:] = qpos
        mujoco.mj_kinematics(self.model, self._data)
        mujoco.mj_camlight(self.model, self._data)

    def close(self) -> None:
        if self._context is not None:
            self._gl.make_current()
            self._context.free()
            self._gl.free()
            self._context = None

    def __del__(self) -> None:
        # Left to itself the engine would free its resources in whichever context is current.
        if getattr(self, "_context", None) is not None and not sys.is_finalizing():
            self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _open(model: Any) -> tuple[Any, Any]:
    """A current OpenGL context and the engine's resources in it, from the first back end that
    works; drivers fail in every way there is, and all of them mean the same to the user."""
    wish = os.environ.get("MUJOCO_GL", "").lower().strip()
    if wish in _OFF:
        raise MissingDependency(SWITCHED_OFF.format(wish))
    os.environ.setdefault("EGL_LOG_LEVEL", "fatal")  # the one line is ours to say
    blamed = ""
    for back_end in _back_ends(wish):
        try:
            gl = back_end()(model.vis.global_.offwidth, model.vis.global_.offheight)
            gl.make_current()
            return gl, mujoco.MjrContext(model, _FONT_SCALE)
        except _failures() as error:
            named = [n for n in NAMED if n in os.environ and n in str(error)]
            blamed = blamed or next(iter(named), "")
    if blamed:
        raise MissingDependency(WRONG_VALUE.format(blamed, os.environ[blamed]))
    raise MissingDependency(INSTALL if wish in ("", "egl") else WRONG_WISH.format(wish))


def _back_ends(wish: str) -> list[Callable[[], Any]]:
    def of(name: str) -> Callable[[], Any]:
        return lambda: import_module(f"mujoco.{name}").GLContext

    if platform.system() != "Linux":
        return [lambda: mujoco.gl_context.GLContext]
    if wish in ("osmesa", "glfw", "glx"):
        return [of("osmesa" if wish == "osmesa" else "glfw")]
    screen = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return [of("egl"), of("glfw")] if screen else [of("egl")]


def _failures() -> tuple[type[Exception], ...]:
    """How a missing driver shows; the OpenGL binding, which has its own errors, may be absent."""
    usual = (
        *(ImportError, AttributeError, OSError, TypeError, ValueError, RuntimeError),
        mujoco.FatalError,
    )
    try:
        return (*usual, import_module("OpenGL.error").Error)
    except ImportError:
        return usual
