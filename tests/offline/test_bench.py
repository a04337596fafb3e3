"""The rows of the bench about searching say what was measured; the numbers are the bench's."""

from __future__ import annotations

from tests.offline.small import study

from annelid.offline import bench
from annelid.offline.study import Study


def test_a_search_is_timed_beside_its_simulations_and_on_two_cores(monkeypatch):
    def small(name: str, *, changes: dict[str, object]) -> Study:
        assert name == bench.STUDY
        return study(budget={"generations": changes["budget.generations"]})

    monkeypatch.setattr(bench, "load_study", small)
    overhead, busy = bench.search_overhead(quick=True), bench.cores_busy(quick=True)
    assert 0 < overhead.value < 100
    assert 0 < busy.value <= 105, "CPU time within wall time"
    assert busy.above


def test_the_gpu_s_time_is_that_of_the_kept_landscape():
    row = bench.landscape_on_gpu()
    assert row.value > 0
    assert "H200" in row.detail
