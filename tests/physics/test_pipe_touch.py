"""Whatever pokes out of the bore is touched, and nothing else is: random poses, brute force."""

import math

import mujoco
import numpy as np
import pytest

from annelid.physics import pipe_contact
from annelid.worlds.pipe import PipeNetwork

G = mujoco.mjtGeom
SHAPES = {
    "sphere": (G.mjGEOM_SPHERE, [0.012, 0, 0]),
    "capsule": (G.mjGEOM_CAPSULE, [0.010, 0.012, 0]),
    "cylinder": (G.mjGEOM_CYLINDER, [0.0115, 0.012, 0]),
    "box": (G.mjGEOM_BOX, [0.009, 0.008, 0.014]),
    "ellipsoid": (G.mjGEOM_ELLIPSOID, [0.009, 0.011, 0.016]),
}
PARTS = [
    {"part": "straight", "length_mm": 40},
    {"part": "tee", "roll_deg": 30, "branch_angle_deg": 60, "run_mm": 110, "branch_mm": 100},
    {"part": "elbow"},
    {"part": "reducer", "length_mm": 30, "bore_mm": 50},
    {"part": "straight", "length_mm": 40},
    {"part": "reducer", "length_mm": 20, "bore_mm": 40},
    {"part": "straight", "length_mm": 30},
    {"part": "cap"},
    {"part": "cap", "at": "tee1.branch"},
]


def surface(shape: str, size: list[float], rng: np.random.Generator) -> np.ndarray:
    """Points on a shape, most of them where it touches first: rims, corners, edges."""
    count = 800
    ball = rng.normal(size=(count, 3))
    ball /= np.linalg.norm(ball, axis=1)[:, None]
    clock = rng.uniform(0, 2 * math.pi, count)
    ring = np.stack([np.cos(clock), np.sin(clock), 0 * clock], axis=1) * size[0]
    up = np.array([0, 0, size[1]])
    level = rng.uniform(-1, 1, (count, 1))
    if shape == "sphere":
        return ball * size[0]
    if shape == "ellipsoid":
        return ball * size
    if shape == "capsule":
        return np.concatenate([ball * size[0] + np.sign(ball[:, 2:]) * up, ring + level * up])
    if shape == "cylinder":
        return np.concatenate([ring + np.sign(level) * up, ring + level * up])
    edges = rng.uniform(-1, 1, (count, 3))
    free = rng.integers(0, 3, count)
    corners = np.sign(edges)
    edges_only = corners.copy()
    edges_only[np.arange(count), free] = edges[np.arange(count), free]
    return np.concatenate([corners, edges_only]) * size


@pytest.mark.parametrize("shape", SHAPES)
def test_what_pokes_out_is_touched_and_nothing_else(shape):
    kind, size = SHAPES[shape]
    rng = np.random.default_rng(5)
    net = PipeNetwork.parse({"parts": PARTS}, where="test").tubes()
    pipe_contact.install()
    spec = mujoco.MjSpec()
    pipe_contact.add_carrier(spec, net)
    body = spec.worldbody.add_body()
    body.add_freejoint()
    body.add_geom(type=kind, size=size)
    model = spec.compile()
    data = mujoco.MjData(model)
    skin = surface(shape, size, rng)
    low, high = net.bounding_box()
    places = rng.uniform(low, high, (20_000, 3))
    free = touching = 0
    for place in places[net.clearance(places) > 0.006][:400]:
        data.qpos[:3] = place
        data.qpos[3:] = rng.normal(size=4)
        data.qpos[3:] /= np.linalg.norm(data.qpos[3:])
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        points = place + skin @ data.geom_xmat[1].reshape(3, 3).T
        if points[:, 0].min() < 0.001:
            continue  # sticks out of the inlet, where there is no wall
        out = -net.clearance(points).min()
        felt = -data.contact.dist.min() if data.ncon else 0.0
        if out < 0:
            free += 1
            assert felt < 1e-3  # an edge of the wall may reach in between the points
        elif 0.0005 < out < 0.003:
            touching += 1
            assert felt > 0.5 * out
    assert free > 20
    assert touching > 20
