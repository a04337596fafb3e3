"""Fits the parts of a pipe network together, and says what does not fit.

Every refusal names the part, the field, what was expected and what was found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annelid.errors import GeometryError, SpecError, UnknownName
from annelid.spec import Vec3
from annelid.worlds.pipe import (
    BreakSpec,
    Cap,
    Close,
    Cross,
    Elbow,
    PartSpec,
    PipeNetwork,
    Reducer,
    Straight,
    Tee,
)
from annelid.worlds.tubes import Break, Tube, TubeNetwork

SMALLEST_BORE_MM, LARGEST_BORE_MM = 36.0, 200.0
"""Bores the modules are made for (000, section 2)."""

NEAR = 0.001
"""Tubes in balls that are farther apart than this do not overlap, m: facets leave less out."""

CLOSE_LEAST, CLOSE_ASIDE, CLOSE_DEG = 0.001, 0.0002, 0.1
"""How exactly the two ends of a loop have to face each other: m ahead at least, m aside, degrees;
less is not felt by a wheel."""


@dataclass(frozen=True, eq=False)
class _Outlet:
    """An end that waits for a part: where it is, how wide, and what stands behind it."""

    tube: int
    point: Vec3
    tangent: Vec3
    up: Vec3
    radius: float
    along: float


class Fitter:
    """Puts part after part, keeping the list of free outlets."""

    def __init__(
        self,
        spec: PipeNetwork,
        *,
        launch: float = 0.0,
        closed: bool = False,
        bore_factor: float = 1.0,
    ) -> None:
        """``bore_factor``: real bores over nominal ones, which are what a user's limits are for."""
        self.spec = spec
        self.bore_factor = bore_factor
        self.built: list[Tube] = []
        self.free: dict[str, _Outlet] = {}
        self.taken: dict[str, str] = {}
        self.tube_of: dict[str, int] = {}
        self.names: set[str] = set()
        self.bore("bore_mm", "pipe", spec.bore_mm)
        slope, roll = math.radians(spec.slope_deg), math.radians(spec.roll_deg)
        tangent = np.array([math.cos(slope), 0.0, math.sin(slope)])
        upright, right = np.array([-math.sin(slope), 0.0, math.cos(slope)]), np.array([0, -1.0, 0])
        up = math.cos(roll) * upright + math.sin(roll) * right
        behind, bore = -launch * tangent, spec.bore_mm / 2000 * bore_factor
        inlet = _Outlet(-1, _vec(behind), _vec(tangent), _vec(up), bore, -launch)
        self.previous: tuple[str, _Outlet | None] = ("inlet", inlet)
        if launch > 0:
            self.names.add("launch")
            tube = replace(self.piece("launch", inlet, launch), closed_start=closed)
            self.add(tube, "launch", "inlet")

    def network(self) -> TubeNetwork:
        if not self.spec.parts:
            raise SpecError("pipe: parts: expected at least one part, got none")
        counts: dict[str, int] = {}
        for part in self.spec.parts:
            counts[part.part] = counts.get(part.part, 0) + 1
            name = part.name or f"{part.part}{counts[part.part]}"
            if name in self.names or "." in name:
                raise SpecError(f"pipe: part {name!r}: name: expected a new name without a dot")
            self.names.add(name)
            outlet = self.outlet(part, name)
            getattr(self, part.part)(part, name, outlet)
        network = TubeNetwork(tuple(self.built), tuple(map(self.broken, self.spec.breaks)))
        _refuse_overlap(network.tubes)
        return network

    def outlet(self, part: PartSpec, name: str) -> _Outlet:
        """The outlet a part goes on; it is used up by that."""
        if part.at is None:
            before, outlet = self.previous
            if outlet is None:
                raise GeometryError(
                    f"pipe: part {name!r}: nothing fits after {before!r}; set `at` to one of: "
                    f"{', '.join(self.free) or 'no outlet is free'}"
                )
            key = next((key for key, value in self.free.items() if value is outlet), "inlet")
        else:
            key = part.at
            if key not in self.free and f"{key}.run" in (self.free | self.taken):
                key = f"{key}.run"
            if key in self.taken:
                raise GeometryError(
                    f"pipe: part {name!r}: at: outlet {part.at!r} is already used by "
                    f"{self.taken[key]!r}; free: {', '.join(self.free) or 'none'}"
                )
            if key not in self.free:
                raise UnknownName("outlet", part.at, self.free, where=f"pipe: part {name!r}: at")
            outlet = self.free[key]
        self.free.pop(key, None)
        self.taken[key] = name
        return outlet

    def add(self, tube: Tube, name: str, key: str) -> None:
        """Append a tube and leave its end as the free outlet ``key``."""
        self.tube_of.setdefault(name, len(self.built))
        point, tangent, up = tube.frame(tube.length)
        self.free[key] = _Outlet(
            len(self.built),
            _vec(point),
            _vec(tangent),
            _vec(up),
            tube.radius_end,
            tube.along + tube.length,
        )
        self.built.append(tube)
        self.previous = (name, self.free[key])

    def piece(self, name: str, outlet: _Outlet, length: float) -> Tube:
        return Tube(
            part=name,
            start=outlet.point,
            tangent=outlet.tangent,
            up=outlet.up,
            length=length,
            radius_start=outlet.radius,
            radius_end=outlet.radius,
            along=outlet.along,
            parent=outlet.tube,
        )

    def straight(self, part: Straight, name: str, outlet: _Outlet) -> None:
        self.add(
            self.piece(name, outlet, self.length("length_mm", name, part.length_mm)), name, name
        )

    def elbow(self, part: Elbow, name: str, outlet: _Outlet) -> None:
        radius = self.length("radius_mm", name, part.radius_mm)
        if not 0 < part.angle_deg <= 180:
            raise GeometryError(
                f"pipe: part {name!r}: angle_deg: expected more than 0 and at most 180, "
                f"got {part.angle_deg:g}"
            )
        if radius <= outlet.radius:
            raise GeometryError(
                f"pipe: part {name!r}: radius_mm: expected more than half the bore "
                f"({outlet.radius * 1000:g} mm), got {part.radius_mm:g}"
            )
        tube = replace(
            self.piece(name, outlet, radius * math.radians(part.angle_deg)),
            bend_radius=radius,
            bend_normal=_sideways(outlet, part.roll_deg),
        )
        self.add(tube, name, name)

    def tee(self, part: Tee, name: str, outlet: _Outlet) -> None:
        bore = outlet.radius
        if part.branch_bore_mm is not None:
            self.bore("branch_bore_mm", name, part.branch_bore_mm)
            bore = part.branch_bore_mm / 2000 * self.bore_factor
            if bore > outlet.radius * (1 + 1e-9):
                raise GeometryError(
                    f"pipe: part {name!r}: branch_bore_mm: expected at most the bore of the run "
                    f"({outlet.radius * 2000:g} mm), got {part.branch_bore_mm:g}"
                )
        self.branching(part, name, outlet, {"branch": part.roll_deg}, bore)

    def cross(self, part: Cross, name: str, outlet: _Outlet) -> None:
        sides = {"left": part.roll_deg, "right": part.roll_deg + 180.0}
        self.branching(part, name, outlet, sides, outlet.radius)

    def branching(
        self, part: Tee | Cross, name: str, outlet: _Outlet, sides: dict[str, float], bore: float
    ) -> None:
        """A run with a branch of radius ``bore`` to each of ``sides``, in degrees of roll."""
        run = self.length("run_mm", name, part.run_mm)
        branch = self.length("branch_mm", name, part.branch_mm)
        if not 30 <= part.branch_angle_deg <= 150:
            raise GeometryError(
                f"pipe: part {name!r}: branch_angle_deg: expected 30 to 150, "
                f"got {part.branch_angle_deg:g}"
            )
        angle, radius = math.radians(part.branch_angle_deg), outlet.radius
        sine, slant = math.sin(angle), abs(math.cos(angle))
        mouth, neck = (bore + radius * slant) / sine, (radius + bore * slant) / sine
        for field_name, got, least in (("run_mm", run, 2 * mouth), ("branch_mm", branch, neck)):
            if got < least * (1 + 1e-6):
                raise GeometryError(
                    f"pipe: part {name!r}: {field_name}: the mouth of the branch needs more than "
                    f"{least * 1000:.1f} mm, got {got * 1000:g}"
                )
        through, index = self.piece(name, outlet, run), len(self.built)
        self.add(through, name, f"{name}.run")
        onward = self.previous
        forward, up = np.array(outlet.tangent), np.array(outlet.up)
        for key, roll in sides.items():
            side = np.array(_sideways(outlet, roll))
            tangent = math.cos(angle) * forward + math.sin(angle) * side
            turned = math.cos(angle) * side - math.sin(angle) * forward
            axis = np.cross(forward, side)
            away = replace(
                self.piece(f"{name}.{key}", outlet, branch),
                start=_vec(through.frame(run / 2)[0]),
                tangent=_vec(tangent),
                up=_vec((up @ side) * turned + (up @ axis) * axis),
                radius_start=bore,
                radius_end=bore,
                along=outlet.along + run / 2,
                parent=index,
                branch=True,
            )
            self.add(away, f"{name}.{key}", f"{name}.{key}")
        self.previous = onward

    def reducer(self, part: Reducer, name: str, outlet: _Outlet) -> None:
        self.bore("bore_mm", name, part.bore_mm)
        length = self.length("length_mm", name, part.length_mm)
        radius = part.bore_mm / 2000 * self.bore_factor
        tube = replace(self.piece(name, outlet, length), radius_end=radius)
        if abs(tube.radius_end - tube.radius_start) > length:
            raise GeometryError(
                f"pipe: part {name!r}: length_mm: a change of bore from "
                f"{outlet.radius * 2000:g} to {part.bore_mm:g} mm needs at least "
                f"{abs(tube.radius_end - tube.radius_start) * 1000:g} mm, got {part.length_mm:g}"
            )
        self.add(tube, name, name)

    def cap(self, part: Cap, name: str, outlet: _Outlet) -> None:
        if outlet.tube < 0:
            raise GeometryError(f"pipe: part {name!r}: a cap cannot be the first part")
        self.built[outlet.tube] = replace(self.built[outlet.tube], closed_end=True)
        self.previous = (name, None)

    def close(self, part: Close, name: str, outlet: _Outlet) -> None:
        if part.to not in self.free:
            raise UnknownName("outlet", part.to, self.free, where=f"pipe: part {name!r}: to")
        other = self.free[part.to]
        across = np.array(other.point) - np.array(outlet.point)
        ahead = float(across @ np.array(outlet.tangent))
        aside = float(np.linalg.norm(across - ahead * np.array(outlet.tangent)))
        facing = -float(np.array(outlet.tangent) @ np.array(other.tangent))
        turned = math.degrees(math.acos(min(max(facing, -1.0), 1.0)))
        if ahead < CLOSE_LEAST or aside > CLOSE_ASIDE or turned > CLOSE_DEG:
            raise GeometryError(
                f"pipe: part {name!r}: to: {part.to!r} does not face this outlet: it lies "
                f"{ahead * 1000:.1f} mm ahead, {aside * 1000:.1f} mm aside and is turned by "
                f"{turned:.1f}°; expected more than {CLOSE_LEAST * 1000:g} mm ahead, 0 aside, 0°"
            )
        if abs(other.radius - outlet.radius) > CLOSE_ASIDE:
            raise GeometryError(
                f"pipe: part {name!r}: to: a bore of {outlet.radius * 2000:g} mm meets one of "
                f"{other.radius * 2000:g} mm; put a reducer between them"
            )
        here = len(self.built)
        self.add(replace(self.piece(name, outlet, ahead), meets=other.tube), name, name)
        self.built[other.tube] = replace(self.built[other.tube], meets=here)
        for key in (name, part.to):
            del self.free[key]
            self.taken[key] = name
        self.previous = (name, None)

    def broken(self, spec: BreakSpec) -> Break:
        if spec.part not in self.tube_of:
            raise UnknownName("pipe part", spec.part, self.tube_of, where="pipe: breaks: part")
        for field_name in ("size_mm", "width_mm"):
            self.length(field_name, f"break in {spec.part}", getattr(spec, field_name))
        tube = self.built[self.tube_of[spec.part]]
        reach = spec.along_mm / 1000
        half = spec.size_mm / 2000
        if reach - half < 0 or reach + half > tube.length:
            raise GeometryError(
                f"pipe: break in {spec.part!r}: along_mm: expected {half * 1000:g} to "
                f"{(tube.length - half) * 1000:.1f} so that it lies in its part, "
                f"got {spec.along_mm:g}"
            )
        return Break(
            part=tube.part,
            along=reach,
            clock=math.radians(spec.clock_deg),
            shape=spec.shape,
            size=spec.size_mm / 1000,
            width=spec.width_mm / 1000,
        )

    @staticmethod
    def length(field_name: str, name: str, value_mm: float) -> float:
        if not (math.isfinite(value_mm) and value_mm > 0):
            raise GeometryError(
                f"pipe: part {name!r}: {field_name}: expected more than 0 mm, got {value_mm:g}"
            )
        return value_mm / 1000

    @staticmethod
    def bore(field_name: str, name: str, value_mm: float) -> None:
        if not SMALLEST_BORE_MM <= value_mm <= LARGEST_BORE_MM:
            raise GeometryError(
                f"pipe: part {name!r}: {field_name}: expected a bore of {SMALLEST_BORE_MM:g} to "
                f"{LARGEST_BORE_MM:g} mm, got {value_mm:g}"
            )


def _vec(array: NDArray[np.float64]) -> Vec3:
    return float(array[0]), float(array[1]), float(array[2])


def _sideways(outlet: _Outlet, roll_deg: float) -> Vec3:
    """The unit direction ``roll_deg`` from the left towards up."""
    roll, up = math.radians(roll_deg), np.array(outlet.up)
    left = np.cross(up, np.array(outlet.tangent))
    return _vec(math.cos(roll) * left + math.sin(roll) * up)


def _refuse_overlap(tubes: tuple[Tube, ...]) -> None:
    """Tubes that are not joined must not run into one another."""
    skins = [t.wall_points(max(4, int(t.length / t.radius_start * 4)), 24) for t in tubes]
    middles = [skin.reshape(-1, 3).mean(axis=0) for skin in skins]
    reaches = [
        float(np.linalg.norm(skin.reshape(-1, 3) - middle, axis=1).max())
        for skin, middle in zip(skins, middles, strict=True)
    ]
    for one, tube in enumerate(tubes):
        for two, other in enumerate(tubes):
            if np.linalg.norm(middles[one] - middles[two]) > reaches[one] + reaches[two] + NEAR:
                continue
            if one == two or one == other.parent or two in (tube.parent, tube.meets):
                continue
            if tube.branch and other.branch and tube.parent == other.parent:
                continue  # of a cross: what they share lies in the run
            points = np.concatenate([skins[one].reshape(-1, 3), skins[one].mean(axis=1)])
            if other.contains(points, tolerance=1e-6).any():
                raise GeometryError(
                    f"pipe: parts {tube.part!r} and {other.part!r} overlap though they are not "
                    "joined: lengthen what is between them or turn one with roll_deg"
                )
