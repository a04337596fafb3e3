"""Turns scenery into engine geoms: blocks, heights, convex pieces, pipes, lights."""

from __future__ import annotations

from math import log, pi, sqrt

import mujoco
import numpy as np

from annelid.physics import pipe_contact
from annelid.physics.frames import rotate
from annelid.physics.skeleton import FLOOR, GROUND, PIPE
from annelid.robot.body import Touches
from annelid.worlds.scenery import Block, Heights, Scenery, Surface

SOLIMP = (0.0, 0.99, 0.0001, 0.5, 2.0)
"""Impedance that starts at nothing: no chatter of light contacts (LAB)."""

_SHAPES = {
    "plane": mujoco.mjtGeom.mjGEOM_PLANE,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
}

_MEETS = {Touches.PIPE: PIPE, Touches.GROUND: GROUND, Touches.ALL: PIPE | GROUND}
"""The skins that a mesh's pieces meet."""

SCENERY_GROUP = 2

GRID = "grid"
GRID_SIZE = 0.1
"""Side of the squares drawn on floors, so that people can judge distances, m."""


def solref(surface: Surface) -> tuple[float, float]:
    """The engine's contact spring: its time constant, and the damping that gives ``restitution``.

    A damped rebound keeps ``e = exp(-πζ/√(1-ζ²))`` of its speed.
    """
    if surface.restitution <= 0:
        return surface.softness_ms / 1000, 1.0
    loss = -log(surface.restitution)
    return surface.softness_ms / 1000, loss / sqrt(pi**2 + loss**2)


def classes(scenery: Scenery) -> int:
    """The contact classes there is something of in this world: what a robot could touch nothing
    with is left out of its model."""
    found = _MEETS[scenery.meets] if scenery.solids else 0
    for block in scenery.blocks:
        found |= _class(block)
    if scenery.heights is not None:
        found |= GROUND
    if scenery.tubes is not None:
        found |= PIPE
    return found


def _class(block: Block) -> int:
    if not block.solid:
        return 0
    return FLOOR if block.shape == "plane" else GROUND


def add_scenery(spec: mujoco.MjSpec, scenery: Scenery, surface: Surface) -> None:
    for block in scenery.blocks:
        _block(spec, block, surface)
    if scenery.heights is not None:
        _heights(spec, scenery.heights, surface)
    for number, solid in enumerate(scenery.solids):
        spec.add_mesh(name=f"solid{number}", uservert=solid.points.ravel())
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_MESH,
            meshname=f"solid{number}",
            contype=_MEETS[scenery.meets],
            conaffinity=0,
            friction=[surface.friction * surface.grip, 0, 0],
            group=5,
        )
    for number, looks in enumerate(scenery.looks):
        spec.add_mesh(
            name=f"looks{number}",
            uservert=np.ascontiguousarray(looks.vertices, dtype=np.float64).ravel(),
            userface=np.ascontiguousarray(looks.faces, dtype=np.int32).ravel(),
            inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
        )
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_MESH,
            meshname=f"looks{number}",
            contype=0,
            conaffinity=0,
            rgba=looks.colour,
            group=SCENERY_GROUP,
        )
    if scenery.tubes is None:
        spec.lights[0].castshadow = True  # a robot in a pipe would stand in the pipe's own shadow
    else:
        pipe_contact.add_carrier(
            spec,
            scenery.tubes,
            contype=PIPE,
            conaffinity=0,
            friction=(surface.friction * surface.grip, 0.0, 0.0),
            solref=solref(surface),
            solimp=SOLIMP,
        )


def _block(spec: mujoco.MjSpec, block: Block, surface: Surface) -> None:
    size = [*block.size, 0.0, 0.0, 0.0][:3]
    if block.shape == "plane":
        size[2] = 0.1
        for lamp in spec.lights:  # they hang above it, whichever way it looks
            lamp.pos = rotate(block.turn, np.asarray(lamp.pos))
            lamp.dir = rotate(block.turn, np.asarray(lamp.dir))
    colour = block.colour or (block.grey, block.grey, block.grey)
    spec.worldbody.add_geom(
        name=block.name,
        type=_SHAPES[block.shape],
        size=size,
        pos=block.at,
        quat=block.turn,
        contype=_class(block),
        conaffinity=0,
        friction=[surface.friction * surface.grip, 0, 0],
        rgba=[*colour, block.alpha],
        material=GRID if block.shape == "plane" else "",
        group=SCENERY_GROUP,
    )


def _heights(spec: mujoco.MjSpec, heights: Heights, surface: Surface) -> None:
    low, high = float(heights.grid.min()), float(heights.grid.max())
    span = max(high - low, 1e-6)
    rows, columns = heights.grid.shape
    spec.add_hfield(
        name="ground",
        nrow=rows,
        ncol=columns,
        size=[heights.half_x, heights.half_y, span, heights.depth],
        userdata=((heights.grid - low) / span).ravel(),
    )
    spec.worldbody.add_geom(
        name="ground",
        type=mujoco.mjtGeom.mjGEOM_HFIELD,
        hfieldname="ground",
        pos=[0, 0, low],
        contype=GROUND,
        conaffinity=0,
        friction=[surface.friction * surface.grip, 0, 0],
        rgba=[0.55, 0.50, 0.42, 1.0],
        group=SCENERY_GROUP,
    )


def add_light(spec: mujoco.MjSpec) -> None:
    """Sky, two lamps and a headlight: for people only, the control's camera has its own light.

    Few shades and a narrow lens: a picture of a small machine on a bench, fit to be printed.
    """
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.98, 0.985, 0.99],
        rgb2=[0.80, 0.85, 0.90],
        width=64,
        height=64,
    )
    spec.add_texture(
        name="grid",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_FLAT,
        mark=mujoco.mjtMark.mjMARK_EDGE,
        rgb1=[1.0, 1.0, 1.0],
        markrgb=[0.72, 0.74, 0.78],
        width=256,
        height=256,
    )
    grid = spec.add_material(
        name=GRID, texrepeat=[1 / GRID_SIZE, 1 / GRID_SIZE], texuniform=True, specular=0.1
    )
    grid.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "grid"
    for at, strength in (((0.6, -1.2, 2.4), 0.55), ((-1.0, 1.0, 1.5), 0.25)):
        spec.worldbody.add_light(
            pos=at,
            dir=[-at[0], -at[1], -at[2]],
            diffuse=[strength] * 3,
            specular=[0.25] * 3,
            type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
            castshadow=False,
        )
    spec.visual.headlight.ambient = [0.38, 0.38, 0.38]
    spec.visual.headlight.diffuse = [0.25, 0.25, 0.25]
    spec.visual.headlight.specular = [0.1, 0.1, 0.1]
    spec.visual.quality.shadowsize = 2048
    spec.visual.global_.fovy = 28.0
    spec.visual.global_.offwidth = 1280
    spec.visual.global_.offheight = 720
    spec.visual.map.znear = 0.005
