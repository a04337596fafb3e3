"""Contact with pipe walls: analytic, called by the engine as a collision function.

One static geom, the *carrier*, stands for a whole network: a heightfield as large as the
network's box, invisible, with a magic number among its user values and the network's table as
custom numeric data.  Heightfield pairs are the ones that may return 50 contacts (LAB), and the
engine lets anyone replace their collision function.  Ours knows its carriers by the magic number
and passes every other heightfield on to the function that was there before.

The table belongs to the process: a worker that has not called ``install`` would see a real
heightfield, silently.  Code that steps a model calls ``require_installed`` first.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
from numba import cfunc, types

from annelid.errors import SimulationError
from annelid.physics import contact_kernels, edge_kernels, native, shape_kernels
from annelid.physics.native import field, floats, ints, scratch
from annelid.physics.shape_kernels import collide, turn_back
from annelid.spec import Vec3
from annelid.worlds import tube_kernels, tube_table
from annelid.worlds.tube_table import H_KEY, MAGIC
from annelid.worlds.tubes import WALL, TubeNetwork

HFIELD = int(mujoco.mjtGeom.mjGEOM_HFIELD)
TYPES = int(mujoco.mjtGeom.mjGEOM_SDF) + 1
PARTNERS = range(HFIELD + 1, TYPES)
"""Geom types that come second in a pair with a heightfield."""

MESH = int(mujoco.mjtGeom.mjGEOM_MESH)

SOLREF = (0.004, 1.0)
SOLIMP = (0.0, 0.99, 0.0001, 0.5, 2.0)
"""Stiffness of a pipe's wall (LAB).  Impedance that begins at nothing lets a lying body keep all
its contacts; at 0.95 they come and go at every other step."""

_convex: Any = types.ExternalFunction("annelid_hfield_convex", native.COLLISION)
_sdf: Any = types.ExternalFunction("annelid_hfield_sdf", native.COLLISION)
"""The engine's own functions, linked by name so that the compiled code can be cached."""


def add_carrier(
    spec: mujoco.MjSpec,
    network: TubeNetwork,
    *,
    name: str = "pipe",
    contype: int = 1,
    conaffinity: int = 1,
    friction: Sequence[float] = (0.2, 0.005, 0.0001),
    solref: Sequence[float] = SOLREF,
    solimp: Sequence[float] = SOLIMP,
    condim: int = 3,
    pos: Vec3 = (0.0, 0.0, 0.0),
) -> Any:
    """Put a network into a model under construction; returns its geom.  ``pos`` moves the inlet."""
    low, high = network.bounding_box()
    middle = 0.5 * (low + high)
    half = 0.5 * (high - low) + 2 * WALL
    table = network.to_array((float(middle[0]), float(middle[1]), float(middle[2])))
    spec.add_numeric(name=f"{name}_tubes", data=table, size=len(table))
    spec.add_hfield(
        name=name,
        nrow=2,
        ncol=2,
        size=[half[0], half[1], half[2], half[2]],
        userdata=[0.0, 1.0, 0.0, 1.0],
    )
    if 0 <= spec.nuser_geom < 2:
        spec.nuser_geom = 2
    return spec.worldbody.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_HFIELD,
        hfieldname=name,
        pos=middle + np.array(pos),
        rgba=[0.0, 0.0, 0.0, 0.0],
        contype=contype,
        conaffinity=conaffinity,
        friction=list(friction),
        solref=list(solref),
        solimp=list(solimp),
        condim=condim,
        solmix=1e6,  # the wall's stiffness counts, not its mean with a body's
        userdata=[MAGIC, table[H_KEY]],
    )


def carriers(model: mujoco.MjModel) -> list[int]:
    """Ids of the geoms that stand for a pipe network."""
    if model.nuser_geom < 2:
        return []
    marked = (model.geom_type == HFIELD) & (model.geom_user[:, 0] == MAGIC)
    return [int(geom) for geom in np.flatnonzero(marked)]


def install() -> None:
    """Make this process's engine feel pipes; calling it again does nothing."""
    table = _collision_table()
    ours = _compiled().address
    for partner in PARTNERS:
        table[HFIELD * TYPES + partner] = ours


def installed() -> bool:
    table = _collision_table()
    ours = _originals.get("ours")
    return ours is not None and all(table[HFIELD * TYPES + p] == ours for p in PARTNERS)


def require_installed(model: mujoco.MjModel) -> None:
    """Refuse a model whose pipes would not be felt, or not by all of its bodies."""
    found = carriers(model)
    if not found:
        return
    if not installed():
        raise SimulationError(
            f"the model has a pipe ({model.geom(found[0]).name!r}) but this process does not feel "
            "pipes: call annelid.physics.pipe_contact.install() before stepping"
        )
    keys = {float(model.numeric_data[adr + H_KEY]) for adr in _tables(model)}
    for carrier in found:
        if float(model.geom_user[carrier, 1]) not in keys:
            raise SimulationError(
                f"pipe {model.geom(carrier).name!r}: its table is missing from the model's numerics"
            )
        masked = (model.geom_contype & model.geom_conaffinity[carrier]) | (
            model.geom_conaffinity & model.geom_contype[carrier]
        )
        blind = np.flatnonzero((model.geom_type >= MESH) & (masked != 0))
        if len(blind):
            raise SimulationError(
                f"geom {model.geom(int(blind[0])).name!r} is a mesh and cannot touch a pipe; give "
                "the body spheres, capsules, cylinders, boxes or ellipsoids to collide with, and "
                "the mesh contype = conaffinity = 0"
            )


def _tables(model: mujoco.MjModel) -> list[int]:
    """Addresses of network tables among the model's numeric data."""
    return [
        int(adr)
        for adr, size in zip(model.numeric_adr, model.numeric_size, strict=True)
        if size > H_KEY and model.numeric_data[adr] == MAGIC
    ]


@functools.cache
def _collision_table() -> Any:
    return (ctypes.c_void_p * (TYPES * TYPES)).in_dll(native.library(), "mjCOLLISIONFUNC")


_originals: dict[str, int] = {}
"""Addresses of this process: the engine's two heightfield functions and our own."""


@functools.cache
def _compiled() -> Any:
    """The collision function, from numba's cache or compiled anew (some seconds, once)."""
    table = _collision_table()
    _originals["convex"] = table[HFIELD * TYPES + HFIELD + 1]
    _originals["sdf"] = table[HFIELD * TYPES + TYPES - 1]
    native.define_symbol("annelid_hfield_convex", _originals["convex"])
    native.define_symbol("annelid_hfield_sdf", _originals["sdf"])
    sources = (contact_kernels, edge_kernels, shape_kernels, tube_kernels, tube_table, native)
    function = _make(native.layout(), native.stamp(*(str(s.__file__) for s in sources)))
    _originals["ours"] = function.address
    return function


def _make(layout: native.StructLayout, stamp: int) -> Any:
    geom_user, per_geom = layout["model.geom_user"], layout["model.nuser_geom"]
    geom_type, geom_size = layout["model.geom_type"], layout["model.geom_size"]
    numerics, numeric_adr = layout["model.nnumeric"], layout["model.numeric_adr"]
    numeric_data = layout["model.numeric_data"]
    geom_xpos, geom_xmat = layout["data.geom_xpos"], layout["data.geom_xmat"]

    @cfunc(native.COLLISION, cache=True, error_model="numpy")
    def pipe_contact(m: int, d: int, con: int, g1: int, g2: int, margin: float) -> int:
        kind = ints(field(m, geom_type))[g2]
        width = field(m, per_geom)
        user = floats(field(m, geom_user))
        if width < 2 or user[g1 * width] != MAGIC or stamp < 0:
            if kind == TYPES - 1:
                return int(_sdf(m, d, con, g1, g2, margin))
            return int(_convex(m, d, con, g1, g2, margin))
        key, address = user[g1 * width + 1], 0
        starts, data = ints(field(m, numeric_adr)), field(m, numeric_data)
        for k in range(field(m, numerics)):
            head = floats(data + 8 * starts[k])
            if head[0] == MAGIC and head[H_KEY] == key:
                address = data + 8 * starts[k]
                break
        if address == 0 or kind >= MESH:
            return 0
        mat, pose = scratch(12), scratch(15)
        carrier, shape = (
            floats(field(d, geom_xmat) + 72 * g1),
            floats(field(d, geom_xmat) + 72 * g2),
        )
        origin, place = floats(field(d, geom_xpos) + 24 * g1), floats(field(d, geom_xpos) + 24 * g2)
        size = floats(field(m, geom_size) + 24 * g2)
        straight = carrier[0] == 1.0 and carrier[4] == 1.0 and carrier[8] == 1.0
        for k in range(9):
            mat[k] = carrier[k]
            pose[k] = shape[k]
        for k in range(3):
            mat[9 + k] = origin[k]
            pose[9 + k], pose[12 + k] = place[k] - origin[k], size[k]
        if not straight:
            turn_back(carrier, shape, pose)
        return int(collide(floats(address), floats(con), mat, pose, kind, margin))

    return pipe_contact
