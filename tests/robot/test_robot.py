"""Robots as users write them: chain strings, lists, trees, loops, and every way to get it wrong."""

from __future__ import annotations

import tomllib
from math import pi
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError, SpecError, UnknownName
from annelid.modules import shelf
from annelid.modules.shells import back, front, shell
from annelid.robot import Capabilities, ModuleType, Robot, RobotSpec, assemble, chain
from annelid.robot.body import Body, Face, Part

SHELF = shelf()


def robot(toml: str) -> Robot:
    return assemble(RobotSpec.parse(tomllib.loads(toml)["robot"], where="robot"), SHELF)


def test_a_chain_string_is_docked_back_to_front_and_numbered_from_the_head() -> None:
    made = assemble(chain("TRRH"), SHELF)
    assert [module.name for module in made.modules] == ["T1", "R1", "R2", "H1"]
    assert [(dock.a, dock.b) for dock in made.docks] == [
        (("T1", "back"), ("R1", "front")),
        (("R1", "back"), ("R2", "front")),
        (("R2", "back"), ("H1", "front")),
    ]
    assert made.letters == "TRRH"
    assert made.mass == pytest.approx(0.012 + 2 * 0.022 + 0.050)
    assert made.length == pytest.approx(0.028 + 2 * 0.034 + 0.032)


def test_spaces_in_a_chain_are_for_the_eye() -> None:
    assert assemble(chain("T RR H"), SHELF).letters == "TRRH"


@given(st.text(alphabet=sorted(SHELF), min_size=1, max_size=62))
def test_any_word_over_the_shelf_is_a_robot_with_distinct_names(letters: str) -> None:
    made = assemble(chain(letters), SHELF)
    assert made.letters == letters
    assert len({module.name for module in made.modules}) == len(letters)
    assert len(made.docks) == len(letters) - 1
    assert made.mass == pytest.approx(sum(module.type.mass for module in made.modules))


def test_a_list_gives_parameters_names_and_docking_angles() -> None:
    made = robot("""
        [[robot.modules]]
        type = "T"
        name = "nose"
        [[robot.modules]]
        type = "R"
        angle_deg = 90
        mass_g = 25
    """)
    assert [module.name for module in made.modules] == ["nose", "R1"]
    assert made["R1"].body.mass == pytest.approx(0.025)
    assert made.docks[0].angle == pytest.approx(pi / 2)


def test_each_sets_a_parameter_of_all_modules_of_a_letter_and_a_module_overrides_it() -> None:
    made = robot("""
        [robot.each.R]
        mass_g = 45
        [[robot.modules]]
        type = "R"
        [[robot.modules]]
        type = "R"
        mass_g = 50
    """)
    assert [module.type.mass_g for module in made.modules] == [45, 50]


def test_a_loop_is_docks_that_close() -> None:
    n = 8
    docks = [{"a": f"R{k}.back", "b": f"R{k % n + 1}.front"} for k in range(1, n + 1)]
    spec = RobotSpec.parse({"chain": "R" * n, "docks": docks}, where="robot")
    made = assemble(spec, SHELF)
    assert len(made.docks) == n
    assert made.docks[-1].b == ("R1", "front")


class Hub(ModuleType):
    """A cross piece, to grow trees from."""

    letter: ClassVar[str] = "X"
    wire_id: ClassVar[str] = "x"
    title: ClassVar[str] = "hub"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of()
    length_mm: float = 30.0
    mass_g: float = 10.0

    def body(self) -> Body:
        hull = shell(0.0, -self.length, mass=self.mass, colour=(1.0, 1.0, 1.0, 1.0))
        side = Face(
            name="left", part="front", at=(-0.015, 0.0135, 0.0), turn=(0.7071, 0, 0, 0.7071)
        )
        return Body(
            parts=(Part(name="front", geoms=hull),),
            faces=(front(), back("front", (-self.length, 0.0, 0.0)), side),
        )


def test_a_tree_uses_side_faces() -> None:
    docks = [
        {"a": "X1.front", "b": "R1.back"},
        {"a": "X1.back", "b": "R2.front"},
        {"a": "X1.left", "b": "R3.front", "angle_deg": 45},
    ]
    spec = RobotSpec.parse({"chain": "XRRR", "docks": docks}, where="robot")
    made = assemble(spec, shelf(Hub))
    assert made.docks[2].a == ("X1", "left")
    assert made.docks[2].angle == pytest.approx(pi / 4)


def test_an_unknown_letter_names_its_place_and_the_choices() -> None:
    with pytest.raises(UnknownName, match=r"robot\.chain\[1\]: unknown module letter 'X'") as error:
        assemble(chain("TXR"), SHELF)
    assert error.value.available == sorted(SHELF)


def test_a_small_letter_suggests_the_capital() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'R'"):
        assemble(chain("Tr"), SHELF)


@pytest.mark.parametrize("letters", ["", "  "])
def test_an_empty_chain_is_refused(letters: str) -> None:
    with pytest.raises(SpecError, match="empty"):
        chain(letters)


def test_a_robot_may_have_more_modules_than_a_bus_has_addresses() -> None:
    assert len(assemble(chain("R" * 200), SHELF).modules) == 200


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "either chain"),
    ({"modules": []}, "either chain"),
    ({"chain": "R", "modules": [{"type": "R"}]}, "either chain"),
    ({"chian": "R"}, "chian"),
    (
        {"modules": [{"type": "R", "name": "a"}, {"type": "T", "name": "a"}]},
        r"modules\[1\]\.name: 'a' is taken",
    ),
    ({"modules": [{"type": "R", "name": "a.b"}]}, "name"),
    ({"modules": [{"type": "R", "mass_g": -3}]}, r"modules\[0\] \(R\): mass_g.*more than 0"),
    ({"chain": "R", "each": {"R": {"mass_g": -3}}}, r"chain\[0\] \(R\): mass_g.*got -3"),
    ({"chain": "R", "each": {"R": {"masss": 3}}}, "masss"),
    ({"chain": "R", "each": {"Q": {}}}, "robot.each: unknown module letter 'Q'"),
    ({"chain": "RR", "docks": [{"a": "R1.back", "b": "R3.front"}]}, r"docks\[0\]\.b.*'R3'"),
    ({"chain": "RR", "docks": [{"a": "R1.top", "b": "R2.front"}]}, r"docks\[0\]\.a.*face 'top'"),
    (
        {
            "chain": "RRR",
            "docks": [{"a": "R1.back", "b": "R2.front"}, {"a": "R1.back", "b": "R3.front"}],
        },
        r"docks\[1\]\.a: face R1\.back is already docked",
    ),
    ({"chain": "R", "docks": [{"a": "R1.back", "b": "R1.front"}]}, "itself"),
    (
        {
            "modules": [{"type": "R"}, {"type": "R", "angle_deg": 90}],
            "docks": [{"a": "R1.back", "b": "R2.front"}],
        },
        r"modules\[1\]\.angle_deg",
    ),
    (
        {"modules": [{"type": "R"}, {"type": "R", "at_mm": (0, 100, 0)}]},
        r"modules\[1\]\.at_mm: R2 is docked .* pieces begin at R1",
    ),
    ({"chain": "H", "each": {"H": {"mass_g": 5}}}, r"chain\[0\] \(H\).*mass"),
    ({"chain": "R", "each": {"R": {"length_mm": 5}}}, r"chain\[0\] \(R\)"),
    ({"chain": "R", "each": {"R": {"servo": "mega"}}}, "unknown servo 'mega'"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_bad_robots_get_one_message_that_names_the_place(
    data: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message) as error:
        assemble(RobotSpec.parse(data, where="robot"), SHELF)
    assert str(error.value).startswith("robot")


def test_a_module_that_is_not_there_is_answered_with_those_that_are() -> None:
    with pytest.raises(UnknownName, match="R1, R2"):
        assemble(chain("RR"), SHELF)["R9"]
