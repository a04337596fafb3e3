"""A robot as the user writes it: a chain string, a list of modules, or modules and docks.

::

    chain = "TRRHRRVP"                       # head first

    [[robot.modules]]                        # or one by one, with parameters
    type = "R"
    angle_deg = 90                           # docking angle to the module before it
    mass_g = 25

    [[robot.docks]]                          # or any tree or loop of faces
    a = "R1.back"
    b = "R2.front"

``assemble`` resolves the letters against a shelf and checks that everything fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees, radians
from typing import Any, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator

from annelid.boundary.cost import MODULES_MAX, require_at_most
from annelid.errors import InputError, SpecError, UnknownName
from annelid.robot.body import Body
from annelid.robot.module import ModuleType
from annelid.robot.shell import shelled
from annelid.spec import Spec, Vec3, describe

Shelf = Mapping[str, type[ModuleType]]
"""Module types by letter."""


class ModuleUse(Spec):
    """One module of the list; fields beyond these are parameters of its type."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: str
    """Its letter, as in ``annelid modules``."""
    name: str | None = Field(default=None, pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")
    """None: the letter and a number.  No dots, commas or stars: names stand in ``R1.yaw`` and in
    selectors."""
    angle_deg: float = 0.0
    """Turn about the chain axis relative to the module it docks to."""
    at_mm: Vec3 | None = None
    """Where a piece begins that is not docked to the rest: the front of its first module, ahead,
    to the left and above the robot's start; None: there."""

    @property
    def parameters(self) -> dict[str, Any]:
        return dict(self.model_extra or {})


class Dock(Spec):
    """Face ``a`` against face ``b``, each written ``module.face``."""

    a: str
    """A face, ``R1.back``."""
    b: str
    """The face docked to it."""
    angle_deg: float = 0.0
    """Turn of the second about the common axis."""


class RobotSpec(Spec):
    chain: str | None = None
    """The modules as letters, head first: ``TRRH``."""
    modules: tuple[ModuleUse, ...] = ()
    """The modules one by one, instead of a chain."""
    docks: tuple[Dock, ...] | None = None
    """None: each module's front docks to the back of the one before it."""
    each: Mapping[str, Mapping[str, Any]] = Field(default_factory=dict)
    """Parameters for every module of a letter: ``[robot.each.R] mass_g = 45``."""
    roll_deg: float = Field(default=0.0, ge=-180, le=180)
    """How the robot lies at first, turned about its own axis: 90 is on its side."""

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.chain is None) == (not self.modules):
            raise ValueError(
                'give either chain = "TRRH…" or a list of modules, and not an empty one'
            )
        require_at_most("modules", len(self.chain or self.modules), MODULES_MAX, where="robot")
        if self.chain is not None and not self.chain.strip():
            raise ValueError('chain is empty: a robot needs at least one module, e.g. "TRRH"')
        return self

    def uses(self) -> tuple[ModuleUse, ...]:
        if self.chain is None:
            return self.modules
        return tuple(ModuleUse(type=letter) for letter in self.chain if not letter.isspace())


@dataclass(frozen=True)
class Placed:
    """A module in its robot."""

    name: str
    type: ModuleType
    body: Body
    at: Vec3 = (0.0, 0.0, 0.0)
    """Where its piece begins if it is the first of one, from the robot's start, m."""


@dataclass(frozen=True)
class Joined:
    """Two faces held together at ``angle`` (rad) about their common normal."""

    a: tuple[str, str]
    b: tuple[str, str]
    angle: float


@dataclass(frozen=True)
class Robot:
    """Resolved: every module with its body, every dock checked."""

    modules: tuple[Placed, ...]
    docks: tuple[Joined, ...]
    roll: float = 0.0
    """About its own axis when it is put down, rad."""

    def __getitem__(self, name: str) -> Placed:
        for module in self.modules:
            if module.name == name:
                return module
        raise UnknownName("module", name, [m.name for m in self.modules])

    def pieces(self) -> list[list[str]]:
        """Names of the modules that hang together, each piece in the order of the list."""
        piece = {module.name: place for place, module in enumerate(self.modules)}
        for dock in self.docks:
            one, other = sorted((piece[dock.a[0]], piece[dock.b[0]]))
            piece = {name: one if where == other else where for name, where in piece.items()}
        return [
            [n for n, where in piece.items() if where == p] for p in dict.fromkeys(piece.values())
        ]

    @property
    def letters(self) -> str:
        return "".join(module.type.letter for module in self.modules)

    @property
    def mass(self) -> float:
        return sum(module.body.mass for module in self.modules)

    @property
    def length(self) -> float:
        return sum(module.type.length for module in self.modules)


def chain(letters: str, **each: Mapping[str, Any]) -> RobotSpec:
    """``chain("TRRH", R={"mass_g": 45})``"""
    return RobotSpec.parse({"chain": letters, "each": each}, where="robot")


def assemble(spec: RobotSpec, shelf: Shelf, *, context: Mapping[str, Any] | None = None) -> Robot:
    """Look every module up on the shelf and dock them; ``context`` is for the validation of their
    parameters (``annelid.registry.PLUGINS``)."""
    uses = spec.uses()
    for letter in spec.each:
        if letter not in shelf:
            raise UnknownName("module letter", letter, shelf, where="robot.each", brought=True)
    counts: Counter[str] = Counter()
    modules: list[Placed] = []
    for place, use in enumerate(uses):
        where = f"robot.modules[{place}]" if spec.chain is None else f"robot.chain[{place}]"
        if use.type not in shelf:
            raise UnknownName("module letter", use.type, shelf, where=where, brought=True)
        counts[use.type] += 1
        name = use.name or f"{use.type}{counts[use.type]}"
        if any(name == other.name for other in modules):
            raise SpecError(f"{where}.name: {name!r} is taken; names must differ")
        parameters = {**spec.each.get(use.type, {}), **use.parameters}
        at_fault = f"{where} ({use.type})"
        module = shelf[use.type].parse(parameters, where=at_fault, context=context)
        x, y, z = use.at_mm or (0.0, 0.0, 0.0)
        at = (x / 1000, y / 1000, z / 1000)
        placed = Placed(name, module, _body(module, where=at_fault), at)
        _check_start(placed, where=where)
        modules.append(placed)
    docks = _docks(spec, uses, tuple(modules))
    robot = Robot(tuple(modules), docks, roll=radians(spec.roll_deg))
    _check_pieces(uses, robot)
    return robot


def _check_pieces(uses: tuple[ModuleUse, ...], robot: Robot) -> None:
    """Only the first module of a piece can be put somewhere; the others follow."""
    firsts = {piece[0] for piece in robot.pieces()}
    for place, (use, module) in enumerate(zip(uses, robot.modules, strict=True)):
        if use.at_mm is not None and module.name not in firsts:
            raise SpecError(
                f"robot.modules[{place}].at_mm: {module.name} is docked to a module before it; "
                f"pieces begin at {', '.join(sorted(firsts))}"
            )


def _body(module: ModuleType, *, where: str) -> Body:
    """Parameters that are allowed one by one may still contradict each other."""
    try:
        body = module.body()
    except ValidationError as error:
        raise SpecError(
            describe(error, f"{where}: these parameters do not go together: body")
        ) from None
    if module.shell is None:
        return body
    try:
        return shelled(body, module.shell)
    except InputError as error:
        error.args = (f"{where}: {error}",)
        raise


def _check_start(module: Placed, *, where: str) -> None:
    for joint, value in module.type.start.items():
        found = module.body.joint(joint, where=f"{where}.start")
        if found.range is not None:
            scale = 1000 if found.kind == "slide" else degrees(1)
            low, high = (edge * scale for edge in found.range)
            if not low <= value <= high:
                raise SpecError(
                    f"{where}.start.{joint}: expected {low:.1f} to {high:.1f}, got {value}"
                )


def _docks(
    spec: RobotSpec, uses: tuple[ModuleUse, ...], modules: tuple[Placed, ...]
) -> tuple[Joined, ...]:
    if spec.docks is None:
        return tuple(
            Joined((before.name, "back"), (after.name, "front"), radians(use.angle_deg))
            for before, after, use in zip(modules, modules[1:], uses[1:], strict=False)
        )
    for place, use in enumerate(uses):
        if use.angle_deg:
            raise SpecError(
                f"robot.modules[{place}].angle_deg: has no meaning beside a list of docks; "
                f"give the dock its angle_deg"
            )
    bodies = {module.name: module.body for module in modules}
    taken: set[tuple[str, str]] = set()
    docks = []
    for place, dock in enumerate(spec.docks):
        ends = []
        for field in ("a", "b"):
            where = f"robot.docks[{place}].{field}"
            name, _, face = getattr(dock, field).partition(".")
            if name not in bodies:
                raise UnknownName("module", name, bodies, where=where)
            faces = [f.name for f in bodies[name].faces]
            if face not in faces:
                raise UnknownName("face", face, faces, where=where)
            if (name, face) in taken:
                raise SpecError(f"{where}: face {name}.{face} is already docked")
            taken.add((name, face))
            ends.append((name, face))
        if ends[0][0] == ends[1][0]:
            raise SpecError(f"robot.docks[{place}]: {ends[0][0]} cannot dock to itself")
        docks.append(Joined(ends[0], ends[1], radians(dock.angle_deg)))
    return tuple(docks)
