"""Ctrl-C and SIGTERM are not lost where something swallows what is raised in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SIGNALS_ITSELF = "import os, signal; os.kill(os.getpid(), signal.{name})"

SWALLOWED = {
    "import": """
try:
    {signal}
    sum(range(10))
except BaseException:  # as compiled modules do
    pass
def act(): pass
""",
    "destructor": """
class Falls:
    def __del__(self):
        {signal}
        sum(range(10))
act = Falls
""",
}

SCRIPT = """
import signal, sys, time
sys.path.insert(0, sys.argv[1])
from annelid.trial.interrupt import Interrupts
interrupts = Interrupts()
if sys.argv[2] == "ours":
    interrupts.install()
else:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
try:
    import swallows
    swallows.act()
    signal.sigtimedwait([signal.SIGUSR1], 10.0 if sys.argv[2] == "ours" else 0.0)
    print("lost")
except KeyboardInterrupt:
    print("SIGTERM" if interrupts.terminated else "came", signal.getitimer(signal.ITIMER_REAL))
"""


def _said(folder: Path, *, where: str, name: str, handler: str) -> str:
    text = SWALLOWED[where].format(signal=SIGNALS_ITSELF.format(name=name))
    (folder / "swallows.py").write_text(text)
    words = [sys.executable, "-c", SCRIPT, str(folder), handler]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("where", SWALLOWED)
def test_an_interrupt_that_was_swallowed_comes_again_once(tmp_path: Path, where: str) -> None:
    assert _said(tmp_path, where=where, name="SIGINT", handler="ours") == "came (0.0, 0.0)"
    assert _said(tmp_path, where=where, name="SIGTERM", handler="ours") == "SIGTERM (0.0, 0.0)"
    assert _said(tmp_path, where=where, name="SIGINT", handler="Python's") == "lost"


def test_an_import_that_never_ends_can_be_interrupted(tmp_path: Path) -> None:
    """Such as a plugin's with an endless loop."""
    (tmp_path / "swallows.py").write_text(
        SIGNALS_ITSELF.format(name="SIGINT") + "\nwhile True: sum(range(10))"
    )
    words = [sys.executable, "-c", SCRIPT, str(tmp_path), "ours"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.startswith("came")
