"""The manners of the command: one message, the right exit code, no traceback unless asked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from annelid import __version__

PROBE = """
import sys
from annelid.cli.main import app, run

@app.command()
def probe() -> None:
    {body}

sys.argv = ["annelid", *sys.argv[1:]]
run()
"""


def annelid(*args: str, body: str = "pass") -> subprocess.CompletedProcess[str]:
    """Run the command with an extra subcommand ``probe`` that does ``body``."""
    command = [sys.executable, "-c", PROBE.format(body=body), *args]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_version():
    ran = annelid("--version")
    assert (ran.returncode, ran.stdout) == (0, f"annelid {__version__}\n")


def test_a_terminal_that_knows_only_ascii_is_told_in_ascii():
    command = [sys.executable, "-m", "annelid", "gaits", "wave"]
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(command, capture_output=True, env=env, check=False)
    assert ran.returncode == 0, ran.stderr
    assert b"amplitude_deg" in ran.stdout


def test_unknown_command_is_a_usage_error():
    ran = annelid("dance")
    assert ran.returncode == 2
    assert "dance" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        (
            "from annelid.errors import SpecError; raise SpecError('a.toml: bore: too small')",
            2,
            "annelid: a.toml: bore: too small\n",
        ),
        (
            "raise OSError(28, 'No space left on device', 'trace')",
            2,
            "annelid: trace: No space left on device\n",
        ),
        ("raise KeyboardInterrupt", 130, "annelid: interrupted\n"),
        ("raise KeyboardInterrupt('kept in runs/1')", 130, "annelid: kept in runs/1\n"),
    ],
)
def test_failure_is_one_message(body: str, code: int, message: str):
    ran = annelid("probe", body=body)
    assert (ran.returncode, ran.stdout, ran.stderr) == (code, "", message)


def test_bug_is_reported_without_a_traceback():
    ran = annelid("probe", body="raise ValueError('odd')")
    assert ran.returncode == 1
    assert "internal error: ValueError: odd" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_debug_shows_the_traceback():
    ran = annelid("--debug", "probe", body="raise ValueError('odd')")
    assert ran.returncode == 1
    assert "Traceback" in ran.stderr


@pytest.mark.parametrize("amount", [1, 100_000])
def test_reader_that_goes_away_is_met_with_silence(amount: int):
    body = f"input(); print('wave ' * {amount})"
    command = [sys.executable, "-c", PROBE.format(body=body), "probe"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b"it has gone\n")
        process.stdin.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_and_sigterm(number: signal.Signals, code: int):
    body = "import time; print('ready', flush=True); time.sleep(60)"
    command = [sys.executable, "-c", PROBE.format(body=body), "probe"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        _, said = process.communicate(timeout=300)
    assert (process.returncode, said) == (code, "annelid: interrupted\n")
