"""A console and a browser, once for all tests that look at it as a person does."""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, ViewportSize, sync_playwright
from playwright.sync_api import Page as Tab

from annelid.console.gate import AccessGate
from annelid.console.messages import Built, Readings
from annelid.console.page import Page
from annelid.console.session import Session
from annelid.trial.load import load
from annelid.trial.plugins import load as load_plugins
from annelid.trial.scenario import Scenario

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE_S = 90.0
"""On a machine that has other things to do."""
SMALL: ViewportSize = {"width": 900, "height": 540}
LARGE: ViewportSize = {"width": 1280, "height": 800}
"""Without a graphics card every pixel costs, so pages are small until they are photographed."""
SLOWEST_MS = 90_000
SLOWEST_S = 400.0
"""Of a whole test."""
LEAVING_S = 15.0
PICTURES = Path(os.environ.get("ANNELID_PICTURES", "runs/console-pictures"))
"""What the browser saw, kept after the tests; those in the documentation come from here."""
PLUGIN = """
from annelid.modules.rotation import Rotation


class Stiff(Rotation):
    letter = "W"
    wire_id = "w"
    title = "stiff rotation"
"""
LAMP = Path(__file__).parents[1] / "plugins" / "lamp.py"
"""A system with a form, a table and plots of its own."""

DASK = ("IO loop", "Profile", "Dask")
"""Threads that a client of a cluster keeps for the next one, where its tests ran meanwhile."""


def wait_for(what: Callable[[], Any], why: str, *, within_s: float = PATIENCE_S) -> Any:
    end = monotonic() + within_s
    while not (found := what()):
        if monotonic() > end:
            pytest.fail(f"not within {within_s:g} s: {why}")
        sleep(0.05)
    return found


@pytest.fixture(scope="package", autouse=True)
def threads_end() -> Iterator[None]:
    """What these tests start, they stop: a server that lives on would disturb the tests of others
    (its pings draw from ``random``, which hypothesis does not forgive)."""
    before = set(threading.enumerate())
    yield
    end = monotonic() + LEAVING_S
    while left := [
        each
        for each in threading.enumerate()
        if each not in before and not each.name.startswith(DASK)
    ]:
        if monotonic() > end:
            pytest.fail(f"threads live on: {', '.join(each.name for each in left)}")
        sleep(0.05)


@pytest.fixture(scope="package")
def browser(threads_end: None) -> Iterator[Browser]:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        missing = "no browser: install Debian's chromium (scripts/system-packages --browser)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Console:
    """The page that is served, and a tab of a browser on it."""

    page: Page
    session: Any
    """A :class:`Session`, or a playback where nothing is asked of it."""
    tab: Tab

    def open(self, source: str | Scenario, **changes: Any) -> None:
        """Another scenario, built, paused and on the page, at real time."""
        overrides = {name.replace("__", "."): value for name, value in changes.items()}
        scenario = load(source, overrides=overrides) if isinstance(source, str) else source
        self.session.set_speed(1.0)
        self.session.open(scenario)
        wait_for(lambda: self.session.readings is not None, "the scenario is built")
        self.sees(scenario.name)
        self.sees("paused")

    @property
    def readings(self) -> Readings:
        found: Readings = wait_for(lambda: self.session.readings, "readings come")
        return found

    @property
    def built(self) -> Built:
        found: Built = wait_for(lambda: self.session.built, "something is built")
        return found

    def happened(self, kind: str, source: str | None = None, **detail: Any) -> bool:
        """Whether the run has told such an event."""
        return any(
            each.kind == kind
            and source in (None, each.source)
            and detail.items() <= each.detail.items()
            for each in self.session.events
        )

    def press(self, name: str) -> None:
        self.tab.get_by_role("button", name=name, exact=True).filter(visible=True).first.click()

    def go_to(self, tab: str) -> None:
        self.tab.get_by_role("tab", name=tab).click()

    def unfold(self, title: str) -> None:
        """Open a folder that is closed."""
        self.tab.get_by_text(title, exact=True).filter(visible=True).last.click()

    def sees(self, text: str | re.Pattern[str]) -> Locator:
        found = self.tab.get_by_text(text).filter(visible=True).first
        found.wait_for()
        return found

    def field(self, label: str, place: int = -1) -> Locator:
        """The input beside a label, on the tab that is shown; ``place`` where there are more."""
        said = self.tab.locator("label", has_text=re.compile(f"^{re.escape(label)}$"))
        rows = self.tab.locator(".mantine-Flex-root").filter(has=said).filter(visible=True)
        return rows.last.locator("input:visible, textarea:visible").nth(place)

    def enter(self, label: str, value: str, place: int = -1) -> None:
        """A value into a field, and the key that ends it."""
        self.field(label, place).fill(value)
        self.tab.keyboard.press("Enter")

    def enter_until(self, label: str, value: str, there: Callable[[], Any], why: str) -> None:
        """Again and again, as a person does: on a busy machine the page may be drawn anew between
        the value and the key."""
        end = monotonic() + PATIENCE_S
        while not there():
            if monotonic() > end:
                pytest.fail(f"not within {PATIENCE_S:g} s: {why}")
            self.enter(label, value)
            seen = monotonic() + 3.0
            while not there() and monotonic() < seen:
                sleep(0.05)

    def choose(self, label: str, option: str) -> None:
        self.field(label).click()
        self.tab.get_by_role("option", name=option, exact=True).click()

    def scene(self) -> bytes:
        """A picture of where the robot is."""
        middle: FloatRect = {"x": 40, "y": 80, "width": 440, "height": 380}
        return self.tab.screenshot(clip=middle, timeout=SLOWEST_MS)

    def photograph(self, name: str) -> None:
        """For people: larger than what the tests need."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.tab.set_viewport_size(LARGE)
        self.tab.screenshot(path=PICTURES / f"{name}.png", timeout=SLOWEST_MS)
        self.tab.set_viewport_size(SMALL)


def visit(browser: Browser, page: Page) -> Tab:
    """A browser comes to the page."""
    tab = browser.new_page(viewport=SMALL)
    tab.set_default_timeout(PATIENCE_S * 1000)
    tab.goto(page.address)
    tab.get_by_role("button", name="Play", exact=True).wait_for()
    return tab


@pytest.fixture(scope="package")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    folder = tmp_path_factory.mktemp("console")
    (folder / "stiff.py").write_text(PLUGIN, encoding="utf-8")
    shutil.copy(LAMP, folder)
    files = [folder / "stiff.py", folder / LAMP.name]
    session = Session(runs=folder / "runs", plugins=[str(file) for file in files])
    plugins = load_plugins(files)
    page = Page(session, gate=AccessGate("127.0.0.1"), port=0, plugins=plugins)
    page.start()
    session.open(load("push"))
    tab = visit(browser, page)
    # What viser says of a browser without a graphics card.
    tab.locator(".mantine-Notification-closeButton").first.click()
    yield Console(page, session, tab)
    tab.close()
    page.close()


@pytest.fixture
def console(served: Console) -> Iterator[Console]:
    """The same page for all tests; nothing runs on between them."""
    yield served
    served.session.pause()
