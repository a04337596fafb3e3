"""A report shows how modules with cycles of their own fell into step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annelid.report.in_step import phase_section, settled_s
from annelid.report.recording import Recording
from annelid.systems.conro.phases import phases
from annelid.systems.conro.spec import ConroSpec
from annelid.trial.load import parse
from annelid.trial.run import Trial


def recorded(folder: Path, **options: Any) -> Recording:
    scenario = {
        "name": "crawl",
        "duration_s": 3.0,
        "robot": {"chain": "CCCC"},
        "world": {"kind": "open-air"},
        "physics": {"timestep_ms": 2.0, "servo": "quasi-static"},
        "control": {"system": "conro", "options": {"period": 45, **options}},
    }
    return Recording(Trial(parse(scenario)).run(folder).folder)


def test_a_chain_falls_into_step_module_by_module(tmp_path: Path) -> None:
    recording = recorded(tmp_path / "roles")
    section = phase_section(recording)
    assert section is not None
    assert "behind C1 (cycles)" in section
    assert "4 modules; from 0." in section
    wire = [event.detail for event in recording.run.events("wire")]
    found = phases(ConroSpec(period=45), 4, wire)
    assert found is not None
    ends = [found.behind[f"C{k}"][1][-1] for k in range(1, 5)]
    assert ends == pytest.approx([0.0, 0.2, 0.4, 0.6], abs=3 / 45)  # a step may pass at each
    first = found.behind["C4"][0][0]
    assert first == pytest.approx(4 * found.cycle_s / 5, abs=0.1)
    assert settled_s(found) == pytest.approx(first)


def test_hormones_have_no_cycles_of_their_own(tmp_path: Path) -> None:
    assert phase_section(recorded(tmp_path / "hormone", method="hormone")) is None


def test_legs_that_never_signal_begin_their_cycle_when_they_hear_one() -> None:
    """A spine's signal to its right leg leaves at a quarter of its cycle."""
    signal = {"from": "C1.right", "to": ["C2.back"], "outcome": "delivered", "bytes": "0001"}
    wire = [{**signal, "start_ns": k * 3_960_000_000, "end_ns": k * 3_960_000_000} for k in (1, 2)]
    found = phases(ConroSpec(role="walker"), 2, wire)
    assert found is not None
    assert found.first == "C1"
    assert found.behind["C2"][1].tolist() == pytest.approx([0.25, 0.25])
