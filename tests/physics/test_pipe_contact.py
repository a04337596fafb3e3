"""Bodies in pipes: they stay in, roll smoothly, stop at caps, leave by open ends."""

import math
import subprocess
import sys
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pytest
from mujoco import rollout

from annelid.errors import SimulationError
from annelid.physics import pipe_contact
from annelid.worlds.pipe import PipeNetwork
from annelid.worlds.tubes import TubeNetwork

G = mujoco.mjtGeom
ELBOW: list[dict[str, Any]] = [
    {"part": "straight", "length_mm": 300},
    {"part": "elbow"},
    {"part": "straight", "length_mm": 300},
]
ALONG_X = (math.sqrt(0.5), 0, math.sqrt(0.5), 0)
SHAPES = {
    "sphere": (G.mjGEOM_SPHERE, [0.012, 0, 0]),
    "capsule": (G.mjGEOM_CAPSULE, [0.0115, 0.012, 0]),
    "cylinder": (G.mjGEOM_CYLINDER, [0.0115, 0.012, 0]),
    "box": (G.mjGEOM_BOX, [0.009, 0.008, 0.014]),
    "ellipsoid": (G.mjGEOM_ELLIPSOID, [0.009, 0.011, 0.016]),
}


def network(parts: list[dict[str, Any]], **fields: Any) -> TubeNetwork:
    return PipeNetwork.parse({"parts": parts, **fields}, where="test").tubes()


def empty(*, gravity: bool = True, timestep: float = 0.001) -> mujoco.MjSpec:
    pipe_contact.install()
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.timestep = timestep
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    if not gravity:
        spec.option.gravity = [0, 0, 0]
    return spec


def add_body(
    spec: Any,
    kind: Any = G.mjGEOM_SPHERE,
    size: Any = (0.015, 0, 0),
    *,
    pos: Any,
    quat: Any = (1, 0, 0, 0),
    **geom: Any,
) -> None:
    body = spec.worldbody.add_body(pos=pos, quat=quat)
    body.add_freejoint()
    geom.setdefault("friction", [0.2, 0.005, 0.0001])
    geom.setdefault("solref", list(pipe_contact.SOLREF))
    geom.setdefault("solimp", list(pipe_contact.SOLIMP))
    body.add_geom(type=kind, size=list(size), mass=0.03, **geom)


def in_pipe(
    net: TubeNetwork,
    kind: Any = G.mjGEOM_SPHERE,
    size: Any = (0.015, 0, 0),
    *,
    pos: Any,
    gravity: bool = True,
    condim: int = 3,
    **body: Any,
) -> tuple[Any, Any]:
    spec = empty(gravity=gravity)
    pipe_contact.add_carrier(spec, net, condim=condim)
    add_body(spec, kind, size, pos=pos, condim=condim, **body)
    model = spec.compile()
    pipe_contact.require_installed(model)
    return model, mujoco.MjData(model)


def rest(model: Any, data: Any, seconds: float = 0.5) -> None:
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)


def test_contact_is_written_as_the_engine_writes_its_own():
    """A ball on the floor of a pipe has the very contact it has on a plane."""
    model, data = in_pipe(network(ELBOW), pos=(0.1, 0, -0.0051))
    spec = empty()
    spec.worldbody.add_geom(type=G.mjGEOM_PLANE, size=[1, 1, 1], pos=[0, 0, -0.02])
    add_body(spec, pos=(0.1, 0, -0.0051))
    plane = spec.compile()
    on_plane = mujoco.MjData(plane)
    mujoco.mj_forward(model, data)
    mujoco.mj_forward(plane, on_plane)
    assert data.ncon == on_plane.ncon == 1
    assert data.contact.dist == pytest.approx(on_plane.contact.dist)
    assert data.contact.pos == pytest.approx(on_plane.contact.pos)
    assert data.contact.frame[0, :3] == pytest.approx(on_plane.contact.frame[0, :3])
    assert data.contact.geom.tolist() == on_plane.contact.geom.tolist()


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_comes_to_rest_on_the_wall(shape):
    kind, size = SHAPES[shape]
    net = network(ELBOW, slope_deg=0)
    model, data = in_pipe(net, kind, size, pos=(0.1, 0, 0), quat=ALONG_X)
    rest(model, data)
    assert np.abs(data.qvel).max() < 0.02
    assert data.ncon >= 1
    assert data.contact.dist.min() > -2e-4
    weight = data.qfrc_constraint[2]
    assert weight == pytest.approx(0.03 * 9.81, rel=0.05)


def roll(net: TubeNetwork, *, seconds: float = 1.2) -> Any:
    model, data = in_pipe(net, pos=(0.02, 0, -0.005), condim=1)
    data.qvel[0] = 0.5
    path = []
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)
        path.append(np.concatenate([data.qpos[:3], data.qvel[:3]]))
    return np.array(path)


def test_a_ball_keeps_its_energy_through_an_elbow_and_feels_no_seam():
    path = roll(network(ELBOW))
    energy = 0.5 * np.sum(path[:, 3:] ** 2, axis=1) + 9.81 * path[:, 2]
    assert energy[-1] == pytest.approx(energy[50], rel=0.02)
    assert path[-1, 1] > 0.2  # it went round
    # in the straight part there is no ripple at all
    straight = path[(path[:, 0] > 0.03) & (path[:, 0] < 0.29)]
    assert np.ptp(straight[:, 3]) < 1e-4
    jerk = np.abs(np.diff(energy))
    assert jerk.max() < 0.005 * energy[50]


def faceted(spec: Any, net: TubeNetwork, facets: int = 32, rings: int = 18) -> None:
    """The same pipe of flat boxes, each touching the bore at its middle."""
    for tube in net.tubes:
        pieces = rings if tube.bent else 1
        for piece in range(pieces):
            along = (piece + 0.5) * tube.length / pieces
            point, tangent, up = tube.frame(along)
            right = np.cross(tangent, up)
            for clock in np.arange(facets) * 2 * math.pi / facets:
                out = math.cos(clock) * up + math.sin(clock) * right
                axes = np.stack([tangent, np.cross(out, tangent), out], axis=1)
                quat = np.empty(4)
                mujoco.mju_mat2Quat(quat, axes.ravel())
                radius = tube.radius_start
                reach = tube.length / pieces / 2
                if tube.bent:
                    reach *= 1 - radius / tube.bend_radius * (out @ np.array(tube.bend_normal))
                spec.worldbody.add_geom(
                    type=G.mjGEOM_BOX,
                    size=[reach, radius * math.tan(math.pi / facets), 0.002],
                    pos=point + (radius + 0.002) * out,
                    quat=quat,
                    contype=2,
                    conaffinity=2,
                    condim=1,
                    friction=[0.2, 0.005, 0.0001],
                    solref=list(pipe_contact.SOLREF),
                    solimp=list(pipe_contact.SOLIMP),
                )


def test_a_ball_takes_the_path_it_takes_in_a_pipe_of_many_facets():
    net = network(ELBOW)
    spec = empty()
    faceted(spec, net)
    add_body(spec, pos=(0.02, 0, -0.005), condim=1, contype=2, conaffinity=2)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qvel[0] = 0.5
    flat = []
    for _ in range(700):  # until the ball has left the elbow
        mujoco.mj_step(model, data)
        flat.append(data.qpos[:3].copy())

    def off(other: TubeNetwork) -> float:
        return float(np.abs(roll(other, seconds=0.7)[:, :3] - np.array(flat)).max())

    assert off(net) < 0.0012
    shifted = [ELBOW[0] | {"length_mm": 290}, *ELBOW[1:]]
    assert off(network(shifted)) > 0.0018
    assert off(network(ELBOW, bore_mm=44)) > 0.0018
    assert off(network([ELBOW[0], {"part": "elbow", "radius_mm": 66}, ELBOW[2]])) > 0.0018


def test_a_capsule_touches_the_inner_wall_of_a_bend_with_its_middle():
    net = network(ELBOW)
    tube = net.tube("elbow1")
    point, _, _ = tube.frame(tube.length / 2)
    inward = np.array([-1, 1, 0]) / math.sqrt(2)
    half = 0.018
    model, data = in_pipe(
        net,
        G.mjGEOM_CAPSULE,
        (0.01, half, 0),
        pos=point + 0.0101 * inward,
        quat=(math.sqrt(0.5), *(math.sqrt(0.5) * np.array([-1, 1, 0]) / math.sqrt(2))),
    )
    mujoco.mj_forward(model, data)
    assert abs(data.geom_xmat[1].reshape(3, 3)[:, 2] @ inward) < 1e-9
    assert data.ncon == 1
    assert data.contact.dist[0] == pytest.approx(-0.0001, abs=1e-7)
    assert data.contact.frame[0, :3] == pytest.approx(-inward, abs=1e-5)


def test_a_cap_stops_a_ball_and_an_open_end_lets_it_go():
    parts = [{"part": "straight", "length_mm": 200}]
    model, data = in_pipe(network([*parts, {"part": "cap"}]), pos=(0.05, 0, -0.005))
    data.qvel[0] = 1.0
    rest(model, data)
    assert 0.05 < data.qpos[0] < 0.2 - 0.015 + 1e-4
    model, data = in_pipe(network(parts), pos=(0.05, 0, -0.005))
    data.qvel[0] = 1.0
    rest(model, data)
    assert data.qpos[0] > 0.25
    assert data.qpos[2] < -0.1


def closed_tee(angle: float) -> TubeNetwork:
    net = network(
        [
            {"part": "tee", "branch_angle_deg": angle, "run_mm": 140, "roll_deg": -90},
            {"part": "cap"},
            {"part": "cap", "at": "tee1.branch"},
        ]
    )
    return replace(net, tubes=(replace(net.tubes[0], closed_start=True), *net.tubes[1:]))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("angle", [90, 60])
def test_nothing_leaks_from_a_tee(shape, angle):
    kind, size = SHAPES[shape]
    deepest = 0.0045 if shape == "ellipsoid" else 0.003  # at 1 m/s and 20 rad/s
    net = closed_tee(angle)
    rng = np.random.default_rng(angle)
    model, data = in_pipe(net, kind, size, pos=(0.07, 0, 0), gravity=False)
    for _ in range(12):
        mujoco.mj_resetData(model, data)
        data.qpos[0] = rng.uniform(0.03, 0.11)
        data.qpos[3:7] = ALONG_X
        data.qvel[:3] = rng.normal(size=3)
        data.qvel[:3] /= np.linalg.norm(data.qvel[:3])
        data.qvel[3:] = rng.normal(size=3) * 20
        for _ in range(250):
            mujoco.mj_step(model, data)
            assert net.clearance(data.qpos[:3])[0] > 0.005
            assert data.ncon == 0 or data.contact.dist.min() > -deepest


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_sticks_out_of_bends_and_reducers(shape):
    kind, size = SHAPES[shape]
    net = network(
        [
            {"part": "straight", "length_mm": 40},
            {"part": "elbow", "radius_mm": 40},
            {"part": "reducer", "length_mm": 15, "bore_mm": 56},
            {"part": "straight", "length_mm": 40},
            {"part": "reducer", "length_mm": 15, "bore_mm": 40},
            {"part": "elbow", "roll_deg": 90, "angle_deg": 120, "radius_mm": 50},
            {"part": "cap"},
        ]
    )
    net = replace(net, tubes=(replace(net.tubes[0], closed_start=True), *net.tubes[1:]))
    rng = np.random.default_rng(8)
    model, data = in_pipe(net, kind, size, pos=(0, 0, 0), gravity=False)
    for start in np.linspace(0.03, net.length() - 0.03, 12):
        mujoco.mj_resetData(model, data)
        point, tangent, _ = net.frame_at(start)
        data.qpos[:3] = point
        mujoco.mju_quatZ2Vec(data.qpos[3:7], tangent)
        data.qvel[:3] = rng.normal(size=3)
        data.qvel[:3] /= np.linalg.norm(data.qvel[:3])
        data.qvel[3:] = rng.normal(size=3) * 20
        for _ in range(250):
            mujoco.mj_step(model, data)
            assert net.clearance(data.qpos[:3])[0] > 0.005
            assert data.ncon == 0 or data.contact.dist.min() > -0.003


def test_threads_give_the_same_bits_as_a_loop():
    net = network(ELBOW)
    model, data = in_pipe(net, G.mjGEOM_CAPSULE, (0.012, 0.01, 0), pos=(0.2, 0, 0), quat=ALONG_X)
    count, steps = 6, 300
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    starts = np.empty((count, size))
    for k in range(count):
        mujoco.mj_resetData(model, data)
        data.qvel[0] = 0.2 + 0.2 * k
        mujoco.mj_getState(model, data, starts[k], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    one, _ = rollout.rollout(model, [mujoco.MjData(model)], starts, nstep=steps)
    two, _ = rollout.rollout(
        model, [mujoco.MjData(model), mujoco.MjData(model)], starts, nstep=steps
    )
    assert np.array_equal(one, two)
    for k in (0, count - 1):
        mujoco.mj_resetData(model, data)
        mujoco.mj_setState(model, data, starts[k], mujoco.mjtState.mjSTATE_FULLPHYSICS)
        rest(model, data, steps * model.opt.timestep)
        end = np.empty(size)
        mujoco.mj_getState(model, data, end, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        assert np.array_equal(end, one[k, -1])


def test_a_moved_and_turned_carrier_is_felt_where_it_is():
    spec = empty()
    net = network([{"part": "straight", "length_mm": 200}])
    geom = pipe_contact.add_carrier(spec, net, pos=(0, 0, 0))
    geom.pos, geom.quat = [5, 5, 5], [math.cos(0.4), 0, 0, math.sin(0.4)]
    add_body(spec, pos=(5, 5, 5))
    model = spec.compile()
    data = mujoco.MjData(model)
    rest(model, data)
    assert data.qpos[2] == pytest.approx(5 - 0.005, abs=2e-4)
    assert data.qpos[:2] == pytest.approx([5, 5], abs=2e-3)


def test_a_mesh_that_would_fall_through_is_refused():
    spec = empty()
    pipe_contact.add_carrier(spec, network(ELBOW))
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * 0.01
    spec.add_mesh(name="wedge", uservert=corners.ravel())
    body = spec.worldbody.add_body()
    body.add_freejoint()
    body.add_geom(name="hull", type=G.mjGEOM_MESH, meshname="wedge")
    with pytest.raises(SimulationError, match="'hull' is a mesh"):
        pipe_contact.require_installed(spec.compile())


PROGRAM = """
import sys, mujoco
from annelid.errors import SimulationError
from annelid.physics import pipe_contact
from annelid.worlds.pipe import PipeNetwork

spec = mujoco.MjSpec()
heights = [((i * 7) % 5) / 4 for i in range(64)]
spec.add_hfield(name="h", nrow=8, ncol=8, size=[1, 1, 0.2, 0.1], userdata=heights)
spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="h")
net = PipeNetwork.parse({"parts": [{"part": "straight", "length_mm": 200}]}, where="t").tubes()
pipe_contact.add_carrier(spec, net, pos=(0, 0, 50))
for k, kind in enumerate(("SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")):
    body = spec.worldbody.add_body(pos=[0.3 * k - 0.6, 0.1 * k, 0.5])
    body.add_freejoint()
    kind = getattr(mujoco.mjtGeom, "mjGEOM_" + kind)
    body.add_geom(type=kind, size=[0.05, 0.06, 0.07])
model = spec.compile()
if sys.argv[1] == "with":
    pipe_contact.install()
    pipe_contact.install()
    pipe_contact.require_installed(model)
else:
    try:
        pipe_contact.require_installed(model)
    except SimulationError as error:
        print(error, file=sys.stderr)
data = mujoco.MjData(model)
for _ in range(500):
    mujoco.mj_step(model, data)
print(data.qpos.tobytes().hex(), data.ncon)
"""


def test_real_heightfields_are_untouched_and_the_guard_refuses():
    runs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True
        )
        for how in ("with", "without")
    ]
    assert runs[0].stdout == runs[1].stdout
    assert int(runs[0].stdout.split()[-1]) > 0
    assert "install()" in runs[1].stderr
    assert not runs[0].stderr
