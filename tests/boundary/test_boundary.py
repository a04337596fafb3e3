"""Whatever comes from outside is refused in one line of ours, or is fit to be used."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.boundary.cost import MODULES_MAX, in_bytes, require_room
from annelid.boundary.environment import ALLOWED, WHOLE, require_environment, settle_environment
from annelid.boundary.files import parse_table, parse_toml, read_bytes, read_toml
from annelid.boundary.plain import DEPTH_MAX, admit
from annelid.boundary.quantities import QUANTITIES
from annelid.boundary.wording import worded
from annelid.electronics.faults import parse_fault
from annelid.errors import AnnelidError, InputError, MissingFile, SpecError
from annelid.offline.study import load_study
from annelid.trial.fields import parse_value
from annelid.trial.load import load, parse
from annelid.trial.plugins import load as load_plugins
from annelid.trial.run import Trial
from annelid.trial.sweep import Sweep
from annelid.trial.vary import parse_vary

PLAIN: dict[str, Any] = {"robot": {"chain": "RR"}, "world": {"kind": "open-air"}}


def refusal(data: Any) -> str:
    with pytest.raises(SpecError) as refused:
        admit(data, "here")
    assert "\n" not in str(refused.value)
    return str(refused.value)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_numbers_are_refused_with_their_unit_and_place():
    assert "world.parts.0.length_mm: expected at most 1,000,000 mm, got 1e+15" in refusal(
        {"world": {"parts": [{"length_mm": 1e15}]}}
    )
    assert "not below -10,000,000 s" in refusal({"at_s": -1e9})
    assert "spring_n_m: expected at most 1,000,000 N/m" in refusal({"spring_n_m": 1e9})
    assert "expected a finite number, got nan" in refusal({"a": {"b": [float("nan")]}})
    assert "18 digits" in refusal({"seed": 10**40})
    assert "mass_g: expected 0 or at least" in refusal({"mass_g": 1e-300})
    admit({"length_mm": 350.0, "mass_g": 0, "at_s": 3, "reading": 1e300}, "here")


def test_what_is_too_deep_or_too_much_is_refused_whatever_it_is():
    admit(nested(DEPTH_MAX), "here")
    assert "tables within each other" in refusal(nested(DEPTH_MAX + 1))
    assert "tables within each other" in refusal(nested(100_000))
    assert "at most 2,000, got 2,001" in refusal({"parts": [{}] * 2001})
    assert "values in all" in refusal({"tables_deg": [0.0] * 600_000})
    assert "lone surrogate" in refusal({"say": "\ud800"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 5000 + "]" * 5000, "open brackets"),
        ("a = " + "9" * 6000, "1000 digits"),
        ("a = 1e400", "expected a finite number, got inf"),
        ("a = ", "not valid TOML"),
        ('a = "' + "\\" * 3, "not valid TOML"),
        ('"""' * 100_001 + "\\", "not valid TOML"),
        ("a" + ".a" * 30_000 + " = 1", "line 1: expected at most 24 parts of a key"),
        ("b = 1\n[" + "a." * 30_000 + "a]", "line 2: expected at most 24 parts of a key"),
        ("\"a.b\" .\t'c'. d-1 . " * 8 + "e = 1", "expected at most 24 parts of a key"),
        ("x = {" + "a." * 24 + "a = 1}", "expected at most 24 parts of a key"),
    ],
    ids=[
        *("nested", "digits", "infinite", "empty", "open text", "quotes", "dots", "heading"),
        *("quoted keys", "inline"),
    ],
)
def test_text_that_would_hurt_a_parser(text: str, said: str):
    with pytest.raises(SpecError, match=said):
        parse_toml(text, "mine.toml")


def test_a_key_of_many_parts_is_refused_before_it_is_parsed():
    """It took 10 s of a parser whose time grows with the square."""
    begun = time.process_time()
    for text in ("a." * 60_000 + "a = 1", '"' + "a" * 60_000, '"a".' * 30_000, "a" * 500_000):
        with pytest.raises(SpecError):
            parse_toml(text, "mine.toml")
    assert time.process_time() - begun < 2.0


def test_dots_outside_of_keys_are_no_parts_of_them():
    text = 'a = [1.5, 2.5]\n# a.b.c.d\nb = "' + "x." * 500 + '"\n' + ".".join("k" * 23) + " = 1"
    assert parse_toml(text, "mine.toml")["b"].count(".") == 500


def test_a_line_of_json_is_an_object_without_harm():
    assert parse_table('{"data": "' + "0" * 5000 + '"}', "port")["data"].startswith("000")
    for line in ("[" * 100_000, '"' + '\\"' * 200_000, "9" * 5000, "[1]", '{"a": "\\ud800"}', ""):
        with pytest.raises(SpecError):
            parse_table(line, "port")


@given(st.text() | st.binary())
def test_no_text_is_an_error_of_somebody_elses(tmp_path_factory: Any, text: str | bytes):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    data = text if isinstance(text, bytes) else text.encode("utf-8", errors="surrogatepass")
    path.write_bytes(data)
    with suppress(AnnelidError):
        read_toml(path)


def test_places_that_are_no_files(tmp_path: Path):
    for path in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(MissingFile):
            read_toml(path)
    for name in ("/dev/zero", "a\x00b", "x" * 5000):
        with pytest.raises(InputError):
            read_toml(Path(name))


def test_what_is_no_file_says_what_it_is(tmp_path: Path):
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    (tmp_path / "folder.toml").mkdir()
    os.mkfifo(tmp_path / "pipe.toml")
    for name, said in (
        ("loop", "expected a scenario file: Too many levels of symbolic links"),
        ("folder", "is a folder, expected a scenario file"),
        ("pipe", "expected a scenario file, got a device or a pipe"),
        ("none", "no such scenario file"),
        ("x" * 5000, "expected a scenario file: File name too long"),
    ):
        with pytest.raises(InputError, match=said):
            load(tmp_path / f"{name}.toml")


@pytest.mark.parametrize(
    "table",
    [
        {"world": {"kind": "mesh", "file": "{}.stl"}},
        {"robot": {"chain": "P", "each": {"P": {"shell": "{}.stl"}}}},
        {"control": {"policy": "{}.safetensors"}},
    ],
    ids=["mesh", "shell", "policy"],
)
@pytest.mark.parametrize("name", ["loop", "a\0b", "x" * 5000], ids=["loop", "null", "long"])
def test_a_name_that_no_file_can_have_is_one_line(table: dict[str, Any], name: str, tmp_path: Path):
    """``Path.resolve`` raises a RuntimeError over a loop, ``is_file`` an OSError over the rest."""
    for suffix in ("stl", "safetensors", "py"):
        (tmp_path / f"loop.{suffix}").symlink_to(f"loop.{suffix}")
    given = json.loads(json.dumps(table).replace("{}", json.dumps(name)[1:-1]))
    with pytest.raises(InputError) as refused:
        Trial(parse({**PLAIN, **given}, folder=tmp_path))
    assert "\n" not in str(refused.value)
    with pytest.raises(MissingFile, match="symbolic links"):
        load_plugins([tmp_path / "loop.py"])


@pytest.mark.parametrize(
    "fields",
    [
        {"robot.each.R.mass_g": 22, "robot.each.R.mass_g.a.b": 1},
        {"robot": [1], "robot.chain": "RR"},
        {"control": 1, "control.system": "conro"},
        {"control.gaits": [], "control.gaits.0.level": 1},
        {"faults": "x", "faults.0.fault": "x"},
    ],
)
def test_fields_that_leave_no_room_for_each_other_are_one_line(fields: dict[str, Any]):
    with pytest.raises(InputError, match="scenario") as refused:
        load(PLAIN, overrides=fields)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("space.genes.x.low", "unknown place 'x'. Available: 0, 1"),
        ("space.genes.9.low", "unknown place '9'"),
        ("space.genes.-1", "unknown place '-1'"),
        ("name.a.b", "name.a.b: name has no fields below it"),
    ],
)
def test_a_field_of_a_study_that_leads_nowhere_is_one_line(field: str, said: str):
    with pytest.raises(InputError, match=said):
        load_study("open-air", changes={field: 1})


def test_what_would_make_a_reader_wait_is_refused_at_once(tmp_path: Path):
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/tty"), Path("/dev/zero")):
        with pytest.raises(InputError) as refused:
            read_toml(path)
        assert "\n" not in str(refused.value)
    waits, feeds = os.pipe()  # with a writer, which does not write
    with pytest.raises(InputError, match="a device or a pipe"):
        read_toml(Path(f"/dev/fd/{waits}"))
    os.close(waits)
    os.close(feeds)


def test_a_file_of_the_kernel_that_waits_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """As /proc/kmsg, which not everybody may open: regular by its mode, without a size."""
    path = tmp_path / "kmsg"
    path.write_text("")
    waits, feeds = os.pipe()
    os.set_blocking(waits, False)
    monkeypatch.setattr(os, "open", lambda *_: os.dup(waits))
    empty = path.stat()
    monkeypatch.setattr(os, "fstat", lambda _: empty)
    with pytest.raises(InputError, match="the kernel's that waits"):
        read_bytes(path)
    os.close(waits)
    os.close(feeds)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"robot.chain": "R" * (MODULES_MAX + 1)}, "at most 500 modules, got 501"),
        ({"world.gravity": 1e7}, "world.gravity: expected at most 1,000 m/s²"),
        ({"robot.each.R.length_mm": 1e15}, "robot.each.R.length_mm: expected at most"),
        ({"robot.each.R.mass_g": "9" * 6000}, "mass_g"),
        ({"world.kind": "[" * 3000}, "unknown world"),
    ],
)
def test_a_scenario_beyond_all_bounds_is_one_line(fields: dict[str, Any], said: str):
    with pytest.raises(InputError, match=said) as refused:
        load(PLAIN, overrides=fields)
    assert len(str(refused.value)) < 20_000


@pytest.mark.parametrize("ends", ["0:9:1e999", "1e999:1e999:1", "-1e308:1e308:0.1"])
def test_a_range_of_numbers_that_nobody_can_count_is_one_line(ends: str):
    """``9:0:99…9`` with hundreds of digits reads as infinity."""
    with pytest.raises(InputError, match="numbers of a usual size"):
        parse_vary(f"seed={ends}")


def test_cost_is_known_before_it_is_paid(tmp_path: Path):
    with pytest.raises(InputError, match="at most 200,000 trials, got 100,000,000"):
        Sweep(PLAIN, [parse_vary("seed=1")], repeats=100_000_000)
    grid = [parse_vary("seed=0:99999:1"), parse_vary("duration_s=1:99999:1")]
    with pytest.raises(InputError, match="at most 200,000 settings"):
        Sweep(PLAIN, grid)
    with pytest.raises(InputError, match=r"would write about 1,000,000\.0 GB; .* are free"):
        require_room(tmp_path / "runs" / "new", 1e15, what="mine")
    assert [in_bytes(size) for size in (0, 999, 12_345, 7e6)] == (
        ["0 bytes", "999 bytes", "12.3 kB", "7.0 MB"]
    )
    require_room(tmp_path / "runs" / "new", 1e3, what="mine")


def test_a_value_on_the_command_line_is_read_or_taken_as_a_word():
    assert parse_value("40") == 40
    assert parse_value("[" * 5000) == "[" * 5000
    assert parse_value("9" * 6000) == "9" * 6000


def test_what_the_engine_would_fail_over_is_refused_before_it_is_imported():
    for good in ({}, {"MUJOCO_GL": "EGL"}, {"MUJOCO_GL": ""}, {"NUMBA_NUM_THREADS": "2"}):
        require_environment(good)
    for name in (*ALLOWED, *WHOLE):
        with pytest.raises(InputError, match=f"{name}: expected .* got 'nonsense'"):
            require_environment({name: "nonsense"})
    for name, got in [
        ("NUMBA_NUM_THREADS", "0"),
        ("NUMBA_NUM_THREADS", ""),
        ("SOURCE_DATE_EPOCH", "99999999999999999"),
        ("TERMINAL_WIDTH", "0"),
        ("MUJOCO_EGL_DEVICE_ID", "-1"),
        ("NUMBA_TRACE", "9" * 5000),
        ("NUMBA_TRACE", "\u00b2"),
    ]:
        with pytest.raises(InputError, match=f"{name}: expected a whole number from ") as told:
            require_environment({name: got})
        assert len(str(told.value)) < 250


def test_a_terminal_of_no_width_is_one_of_unknown_width():
    environment = {"COLUMNS": "0", "LINES": "\u00b2", "TERM": "0"}
    settle_environment(environment)
    assert environment == {"TERM": "0"}
    settle_environment(known := {"COLUMNS": "80"})
    assert known == {"COLUMNS": "80"}


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([{"part": "straight", "length_mm": 100}] * 201, "at most 200 parts, got 201"),
        ([{"part": "straight", "length_mm": 900_000}], "at most 100,000 mm of pipe"),
    ],
)
def test_a_pipe_that_would_take_minutes_to_fit_is_refused(parts: list[Any], said: str):
    with pytest.raises(InputError, match=said):
        parse({**PLAIN, "world": {"kind": "pipe", "parts": parts}})


def test_a_table_with_many_faults_is_told_in_a_few_lines():
    obstacles = [{"shape": "ball"}] * 1000
    with pytest.raises(SpecError, match="faults more") as refused:
        parse({**PLAIN, "world": {"kind": "open-air", "obstacles": obstacles}})
    assert len(str(refused.value).splitlines()) < 12


def test_a_link_cannot_be_noisier_than_it_can_be_simulated():
    fault = {"fault": "noisy_link", "link": "bus", "noise_hz": 1e8}
    with pytest.raises(SpecError, match="noise_hz"):
        parse_fault(fault)
    assert parse_fault({**fault, "noise_hz": 1e5}).fault == "noisy_link"


def test_shipped_limits_leave_room_for_what_is_real():
    """The control: a scenario at the edge of what people build passes."""
    far = {"robot": {"chain": "R" * 60}, "world": {"kind": "open-air", "gravity": 24.8}}
    assert parse(far).world.gravity == 24.8
    assert all(each.largest >= 1e3 for each in QUANTITIES.values())


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"record.rate_hz": 5000}, "record.rate_hz: expected at most 2000 (got 5000)"),
        ({"physics.timestep_ms": 2.0}, "physics: timestep_ms = 2.0: the dcmotor servo needs"),
        ({"seed": "seven"}, "seed: expected a whole number (got 'seven')"),
        ({"duration_s": 0}, "duration_s: expected more than 0 (got 0)"),
        ({"faults": [{"fault": "none"}]}, "faults.0: unknown fault 'none'. Available: clock_drift"),
        ({"events": [{"do": "fly"}]}, "events.0: 'do': expected 'cut', 'join'; got 'fly'"),
        ({"robot.chain": ["R"]}, "robot.chain: expected text"),
        ({"control.gaits": "push"}, "control.gaits: expected a list (got 'push')"),
        ({"name": ""}, "name: expected text that fits ^[A-Za-z0-9]"),
    ],
)
def test_a_field_at_fault_is_told_in_words_of_ours(fields: dict[str, Any], said: str):
    with pytest.raises(SpecError) as refused:
        load(PLAIN, overrides=fields)
    told = str(refused.value)
    assert f": {said}" in told
    for theirs in ("(whole)", "Value error", "Input should", "Input tag", "valid"):
        assert theirs not in told
    assert "\n" not in told


def test_what_has_no_words_of_ours_is_told_as_it_is():
    assert worded("url_type", "URL input should be a string", {}) == "URL input should be a string"
    assert worded("greater_than", "Input should be more", {}) == "Input should be more"
    assert worded("greater_than", "", {"gt": 0.0}) == "expected more than 0"
