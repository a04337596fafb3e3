"""What tests of several rooms share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from annelid import registry

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
"""A busy machine makes an example slow, not wrong."""


@dataclass(frozen=True)
class Point:
    """An entry point of a package that is not really installed."""

    name: str
    member: Any

    def load(self) -> Any:
        return self.member


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """``installed("annelid.worlds", Ice)``: as if an installed package had brought it."""
    groups: dict[str, list[Point]] = {}

    def install(group: str, *members: Any) -> None:
        groups[group] = [Point(str(k), member) for k, member in enumerate(members)]
        registry.standing.cache_clear()

    monkeypatch.setattr(registry, "entry_points", lambda *, group: groups.get(group, []))
    yield install
    registry.standing.cache_clear()
