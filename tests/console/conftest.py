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

from annelid.console.gate import Gate
from annelid.console.messages import Built, Readings
from annelid.console.page import Page
from annelid.console.session import Session
from annelid.trial.load import load
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
PATIENCE_S = 40.0
"""On a machine that has other things to do."""
SMALL: ViewportSize = {"width": 900, "height": 540}
LARGE: ViewportSize = {"width": 1280, "height": 800}
"""Without a graphics card every pixel costs, so pages are small until they are photographed."""
SLOWEST_MS = 90_000
PICTURES = Path(os.environ.get("ANNELID_PICTURES", "runs/console-pictures"))
"""What the browser saw, kept after the tests; those in the documentation come from here."""


def wait_for(what: Callable[[], Any], why: str, *, within_s: float = PATIENCE_S) -> Any:
    end = monotonic() + within_s
    while not (found := what()):
        if monotonic() > end:
            pytest.fail(f"not within {within_s:g} s: {why}")
        sleep(0.05)
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
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
        """Another scenario, built and paused."""
        overrides = {name.replace("__", "."): value for name, value in changes.items()}
        scenario = load(source, overrides=overrides) if isinstance(source, str) else source
        self.session.open(scenario)
        wait_for(lambda: self.session.readings is not None, "the scenario is built")
        self.tab.get_by_text("paused").wait_for()

    @property
    def readings(self) -> Readings:
        found: Readings = wait_for(lambda: self.session.readings, "readings come")
        return found

    @property
    def built(self) -> Built:
        found: Built = wait_for(lambda: self.session.built, "something is built")
        return found

    def press(self, name: str) -> None:
        self.tab.get_by_role("button", name=name, exact=True).click()

    def go_to(self, tab: str) -> None:
        self.tab.get_by_role("tab", name=tab).click()

    def sees(self, text: str) -> Locator:
        found = self.tab.get_by_text(text).first
        found.wait_for()
        return found

    def field(self, label: str) -> Locator:
        """The input beside a label, on the tab that is shown."""
        said = self.tab.locator("label", has_text=re.compile(f"^{re.escape(label)}$"))
        rows = self.tab.locator(".mantine-Flex-root").filter(has=said).filter(visible=True)
        return rows.last.locator("input:visible, textarea:visible").last

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
        self.tab.wait_for_timeout(500)
        self.tab.screenshot(path=PICTURES / f"{name}.png", timeout=SLOWEST_MS)
        self.tab.set_viewport_size(SMALL)


@pytest.fixture(scope="session")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    session = Session(runs=tmp_path_factory.mktemp("console") / "runs")
    page = Page(session, gate=Gate("127.0.0.1"), port=0)
    threading.Thread(target=page.run, daemon=True).start()
    session.open(load("push"))
    tab = browser.new_page(viewport=SMALL)
    tab.set_default_timeout(PATIENCE_S * 1000)
    tab.goto(page.address)
    tab.get_by_role("button", name="Play", exact=True).wait_for()
    tab.locator(".mantine-Notification-closeButton").first.click()  # "software rendering"
    yield Console(page, session, tab)
    tab.close()
    page.close()


@pytest.fixture
def console(served: Console) -> Iterator[Console]:
    """The same page for all tests; nothing runs on between them."""
    yield served
    served.session.pause()
