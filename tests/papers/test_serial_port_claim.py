"""E8 in small: one profile, a few seconds; `make reproduce` runs all four."""

from __future__ import annotations

import pytest

from annelid.papers import Bench, e08_serial_port


@pytest.mark.realtime
def test_two_processes_crawl_as_far_as_the_simulated_line_does():
    outcome = e08_serial_port.experiment(Bench(workers=1, quick=True))
    assert outcome.passed, outcome
    assert outcome.values["crawled_mm_profile_3"] > 30
