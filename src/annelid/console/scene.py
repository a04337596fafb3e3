"""Draws the robot and its world in the browser (mjviser) and moves them.

mjviser moves bodies of one shape in one message, so a chain of thirty modules is as smooth as one
of three.
"""

from __future__ import annotations

import threading
from math import cos, radians, sin

import mujoco
import numpy as np
import viser
from mjviser import ViserMujocoScene
from numpy.typing import NDArray

from annelid.physics.view import CameraView, fit

Floats = NDArray[np.float64]

LENS_DEG = 36.0
"""Field of view, across the height of the picture."""
ASPECT = 0.98
"""Of the part of the window that the panel leaves free."""
_FLAT, _STEEP = -35.0, -65.0
"""How far down it looks, degrees."""
SHOWN_GROUPS = 3
"""Groups of geoms that people see; the others are for contact alone."""
LAMPS = (
    ((0.6, -1.0, 0.5), 2.0),
    ((-1.0, -0.6, 0.6), 1.2),
    ((0.3, 1.0, 0.6), 1.2),
    ((0.0, -0.2, -1.0), 0.8),
)
"""Where they stand as seen from the middle, and how bright they are; shadows come from viser's
own."""
GROUND = "/fixed_bodies"
"""mjviser's node of all that stands still; what lies below it stays in its place in the world."""
_FILE = "model.mjb"


class Scene:
    """Shows one model at a time."""

    def __init__(self, server: viser.ViserServer) -> None:
        self._server = server
        self._lock = threading.Lock()
        self._scene: ViserMujocoScene | None = None
        self._model: mujoco.MjModel | None = None
        self._data: mujoco.MjData | None = None
        self._follow = False
        self._asked = False
        """Whether somebody has said how they want to look at it."""
        self._stand: tuple[Floats, Floats] | None = None
        """Where browsers look, and from where."""
        server.initial_camera.fov = radians(LENS_DEG)
        server.on_client_connect(self._aim)

    def show_model(self, saved: bytes, qpos: Floats | None = None) -> None:
        """Another robot or world; ``qpos`` is the pose in which it is looked at first."""
        model = mujoco.MjModel.from_binary_path(_FILE, assets={_FILE: saved})
        with self._lock:
            self._server.scene.reset()
            self._server.scene.set_up_direction("+z")
            self._scene = ViserMujocoScene(self._server, model, 1)
            self._scene.camera_tracking_enabled = False  # it goes with a part, not with the robot
            self._light()
            self._model, self._data = model, mujoco.MjData(model)
            if qpos is not None and len(qpos) == model.nq:
                self._data.qpos[:] = qpos
            mujoco.mj_kinematics(model, self._data)
            if not self._asked:
                self._follow = not _ended(model).any()
            self._update()
        self.look()

    def _light(self) -> None:
        """From all sides.  mjviser's image all round would take a browser without a graphics card
        ten seconds to begin with, and what has no texture it draws as metal, which shows nothing of
        light without a direction."""
        scene = self._server.scene
        scene.configure_environment_map(hdri=None)
        for number, (position, intensity) in enumerate(LAMPS):
            scene.add_light_directional(f"/lamps/{number}", position=position, intensity=intensity)

    def pose(self, qpos: Floats) -> None:
        with self._lock:
            if self._model is None or self._data is None or self._scene is None:
                return
            if len(qpos) != self._model.nq:
                return  # of a model that comes or has gone
            self._data.qpos[:] = qpos
            mujoco.mj_kinematics(self._model, self._data)
            self._update()

    def _update(self) -> None:
        """With the robot in the middle, or with the world where it is."""
        scene, data = self._scene, self._data
        if scene is None or data is None:
            return
        offset = self._offset()
        with self._server.atomic():
            scene.update_from_arrays(data.xpos[None] - offset, data.xmat.reshape(1, -1, 3, 3))
            scene.fixed_bodies_frame.position = -offset

    def _offset(self) -> Floats:
        """What is drawn at the origin: the robot's centre of mass, or the world's own origin."""
        if not self._follow or self._model is None or self._data is None:
            return np.zeros(3)
        mass = self._model.body_mass
        centre: Floats = mass @ self._data.xipos / mass.sum()
        return centre

    def hit(self, origin: Floats, direction: Floats) -> Floats | None:
        """Where a ray from the browser meets the world; None: nowhere."""
        with self._lock:
            if self._model is None or self._data is None:
                return None
            start = np.asarray(origin, float) + self._offset()
            groups = np.array([0, 0, 1, 0, 0, 0], np.uint8)
            along = np.asarray(direction, float)
            found = np.full(1, -1, np.int32)
            far = mujoco.mj_ray(self._model, self._data, start, along, groups, 1, -1, found, None)
        return None if far < 0 else start + far * along

    def follow(self, on: bool) -> None:
        """Go with the robot, or stand still."""
        with self._lock:
            self._follow, self._asked = on, True
            self._update()
        self.look()

    def look(self) -> None:
        """All browsers from the side, near enough."""
        with self._lock:
            if self._model is None or self._data is None:
                return
            points = _points(self._model, self._data, scenery=not self._follow) - self._offset()
            steep = _STEEP if _walled(self._model) else _FLAT
        view = fit(points, fovy=LENS_DEG, aspect=ASPECT, direction=(110.0, steep))
        self._stand = at, position = _camera(view)
        first = self._server.initial_camera
        first.look_at, first.position = at, position
        for client in self._server.get_clients().values():
            self._aim(client)

    def _aim(self, client: viser.ClientHandle) -> None:
        if self._stand is None:
            return
        client.camera.fov = radians(LENS_DEG)
        at, client.camera.position = self._stand
        client.camera.look_at = at  # last, because it goes along with the position


def _camera(view: CameraView) -> tuple[Floats, Floats]:
    """Where it looks, and where it stands."""
    a, e = radians(view.azimuth_deg), radians(view.elevation_deg)
    forward = np.array([cos(e) * cos(a), cos(e) * sin(a), sin(e)])
    at = np.asarray(view.at, dtype=float)
    return at, at - forward * view.distance


def _walled(model: mujoco.MjModel) -> bool:
    """Whether something stands beside the robot that would hide it."""
    fixed = model.geom_bodyid == 0
    upright = (model.geom_type == mujoco.mjtGeom.mjGEOM_BOX) & (model.geom_group < SHOWN_GROUPS)
    return bool((fixed & upright).any())


def _ended(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Scenery that one can see the whole of: a pipe, but no plane."""
    mesh = model.geom_type == mujoco.mjtGeom.mjGEOM_MESH
    seen: NDArray[np.bool_] = mesh & (model.geom_bodyid == 0) & (model.geom_group < SHOWN_GROUPS)
    return seen


def _points(model: mujoco.MjModel, data: mujoco.MjData, *, scenery: bool) -> Floats:
    """What should be in the picture: the robot and, on request, what scenery has an end."""
    moving = model.geom_bodyid > 0
    shown = model.geom_group < SHOWN_GROUPS
    ended = _ended(model)
    clouds = [data.geom_xpos[moving & shown]]
    for geom in np.flatnonzero(ended & scenery):
        mesh = model.geom_dataid[geom]
        first = model.mesh_vertadr[mesh]
        vertices = model.mesh_vert[first : first + model.mesh_vertnum[mesh] : 7]
        clouds.append(vertices @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])
    cloud = np.concatenate(clouds).astype(float)
    around = 0.04 * np.concatenate([np.eye(3), -np.eye(3)])
    return np.concatenate([cloud + side for side in around])
