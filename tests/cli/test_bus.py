"""``annelid bus`` reads a conversation from a run, whatever the link and the system."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from annelid.cli.main import app
from annelid.errors import MissingFile, UnknownName

TALK = """
from annelid.electronics.i2c import I2cBus
from annelid.electronics.i2c_port import I2cSpec
from annelid.electronics.sync_line import SyncLine, SyncPin
from annelid.kernel import Receive
from annelid.spec import Spec
from annelid.systems import System
from annelid.systems.microtub.protocol import CC, LLC1, decode, describe_frames, encode

class Options(Spec):
    bit_error: float = 0.0

def centre(board):
    port = board.ports["i2c"]
    yield board.sleep(0.1)
    port.send(encode(LLC1.GPS, to=0))
    port.send(encode(LLC1.MS1, 45, to=1))   # behind the other without a gap
    port.send(encode(LLC1.MS2, 30, to=9))
    while True:
        yield board.sleep(1.0)

def module(board, address):
    port = board.ports["i2c"]
    while True:
        frame = yield Receive(port.received)
        said = decode(frame)
        if getattr(said, "command", None) is LLC1.GPS and address == 1:
            board.pins["sout"].drive(True)
            yield port.send(encode(LLC1.PC1, "r", to=CC, sender=address))

def build(options, circuit):
    spec = I2cSpec(bit_error=options.bit_error)
    bus = I2cBus("i2c", circuit.kernel, circuit.sim.streams, spec)
    names = [each.name for each in circuit.sim.robot.modules]
    pins = {name: (SyncPin(f"{name}.sin"), SyncPin(f"{name}.sout")) for name in names}
    for ahead, behind in zip(names, names[1:]):
        ends = {"front": pins[ahead][1], "rear": pins[behind][0]}
        SyncLine(f"sync/{ahead}-{behind}", circuit.kernel, circuit.sim.streams, **ends)
    nodes = [circuit.add("CC", centre)]
    for k, name in enumerate(names, 1):
        nodes.append(circuit.add(name, lambda board, k=k: module(board, k)))
        nodes[-1].board.pins["sout"] = pins[name][1]
    for address, node in zip((CC, *range(1, len(nodes))), nodes):
        node.board.ports["i2c"] = bus.attach(node.name, address)
    circuit.links["i2c"] = bus

TALKING = System("talking", "a few words of MICROTUB", Options, build, describe_frames, framed=True)
"""

SCENARIO = """
name = "talk"
duration_s = 0.3
robot = {{ chain = "RR" }}
world = {{ kind = "open-air" }}

[control]
system = "talking"
options = {{ bit_error = {bit_error} }}
"""


def annelid(*args: str | Path) -> Result:
    """In this process, because starting the command takes longer than what it does here."""
    return CliRunner().invoke(app, [str(each) for each in args])


def said(run: Path, *args: str | Path) -> list[str]:
    """The lines below the heading, with single spaces."""
    ran = annelid("bus", run, *args)
    assert ran.exit_code == 0, ran.exception
    heading, *lines = ran.stdout.splitlines()
    assert heading.split() == ["time", "(s)", "link", "from", "heard", "by", "message"]
    return [" ".join(line.split()) for line in lines]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With two runs of the talking system and one of ErekoBot."""
    place = tmp_path_factory.mktemp("bus")
    (place / "talk.py").write_text(TALK)
    for name, bit_error in (("sound", 0.0), ("noisy", 0.03)):
        (place / f"{name}.toml").write_text(SCENARIO.format(bit_error=bit_error))
        plugin = ("--plugin", place / "talk.py")
        ran = annelid("run", place / f"{name}.toml", *plugin, "--out", place / name, "--no-report")
        assert ran.exit_code == 0, ran.exception
    ran = annelid("run", "erekobot", "--duration", "2", "--out", place / "erekobot", "--no-report")
    assert ran.exit_code == 0, ran.exception
    return place


def test_microtub_is_told_frame_by_frame(folder: Path):
    lines = said(folder / "sound", "--plugin", folder / "talk.py")
    assert lines[0] == "0.100000 i2c CC R1, R2 CC → all: GPS get position start"
    assert any("sync/R1-R2 R1.sout R2.sin high" in line for line in lines)
    words = [line.split(" ", 2)[2] for line in lines if " i2c " in line]
    assert words[1:] == [
        "R1 nobody 1 → CC: PC1 my turn, I am r [arbitration lost]",
        "CC R1 CC → 1: MS1 servo 1 to 45°",
        "CC nobody ? → 9: only the address [nack]",
    ]
    times = [float(line.split()[0]) for line in lines]
    assert times == sorted(times)


@pytest.mark.parametrize(
    ("filters", "commands"),
    [
        (("--from", "CC"), ["GPS", "MS1", "only"]),
        (("--from", "R1"), ["PC1"]),
        (("--from", "1"), ["PC1"]),
        (("--to", "R2", "--link", "i2c"), ["GPS"]),
        (("--to", "9"), ["only"]),
        (("--to", "r1", "--command", "ms1"), ["MS1"]),
        (("--command", "MS2"), []),
        (("--since", "0.1001", "--link", "i2c", "--command", "GPS"), []),
        (("--until", "0.1001", "--link", "i2c"), ["GPS"]),
    ],
)
def test_filters_leave_what_was_asked_for(
    folder: Path, filters: tuple[str, ...], commands: list[str]
):
    lines = said(folder / "sound", "--plugin", folder / "talk.py", *filters)
    assert sorted(line.split(": ")[-1].split()[0] for line in lines) == sorted(commands)


def test_what_arrived_otherwise_is_shown(folder: Path):
    lines = said(folder / "noisy", "--plugin", folder / "talk.py")
    assert any("MS1 servo 1 to 45°; arrived as: CC → 1: bad frame" in line for line in lines)


def test_erekobots_packets_are_told_in_words(folder: Path):
    lines = said(folder / "erekobot", "--from", "host", "--to", "K1")
    assert any("to all: start" in line for line in lines)
    assert said(folder / "erekobot", "--command", "start", "--from", "host")


def test_names_that_never_occur_are_mistakes(folder: Path):
    ran = annelid("bus", folder / "erekobot", "--from", "K9")
    assert isinstance(ran.exception, UnknownName)
    assert str(ran.exception).startswith("unknown sender 'K9'")
    assert "K1, K2" in str(ran.exception)
    assert isinstance(annelid("bus", folder / "nowhere").exception, MissingFile)


def test_a_run_without_electronics_has_said_nothing(folder: Path):
    annelid("run", "snake", "--duration", "0.1", "--out", folder / "snake", "--no-report")
    ran = annelid("bus", folder / "snake")
    assert ran.exit_code == 0
    assert "nothing was sent" in ran.stderr
