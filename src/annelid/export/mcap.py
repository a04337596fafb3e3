"""A run as MCAP, for Foxglove and other players: transforms, joint states, readings, events, and
what the cameras see.

Messages are JSON with Foxglove's schemas where there is one; times are those of the simulation.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from annelid.boundary.files import write_file, writing
from annelid.errors import needing
from annelid.export import rows
from annelid.physics.camera import Picture
from annelid.trial.replay import Run

WORLD: Final = "world"

PICTURES_HZ: Final = 5
"""Of each camera; not more often than states were recorded."""

Message = tuple[int, str, dict[str, Any]]
"""Time (ns), topic, content."""

SCHEMAS: Final[Mapping[str, str]] = {
    "/tf": "foxglove.FrameTransforms",
    "/joint_states": "foxglove.JointStates",
    "/robot": "annelid.Numbers",
    "/sensors": "annelid.Numbers",
    "/events": "foxglove.Log",
}

PICTURE: Final = "foxglove.CompressedImage"
"""The schema of every camera's topic, ``/T1/camera``."""


def write_mcap(run: Run, out: Path) -> Path:
    with needing("export", "mcap"):
        from mcap.writer import Writer
    write_file(out, b"")
    with writing(out), out.open("wb") as file:
        writer: Any = Writer(file)
        writer.start(profile="", library="annelid")
        channels = {topic: _channel(writer, topic, name) for topic, name in SCHEMAS.items()}
        for number, (time_ns, topic, content) in enumerate(sorted_messages(run)):
            if topic not in channels:
                channels[topic] = _channel(writer, topic, PICTURE)
            writer.add_message(
                channels[topic], time_ns, json.dumps(content).encode(), time_ns, number
            )
        writer.finish()
    return out


def _channel(writer: Any, topic: str, name: str) -> int:
    schema = writer.register_schema(name, "jsonschema", b'{"type": "object"}')
    return int(writer.register_channel(topic, "json", schema))


def sorted_messages(run: Run) -> list[Message]:
    found = [*_transforms(run), *_joint_states(run), *_numbers(run), *_events(run)]
    found += _pictures(run)
    return sorted(found, key=lambda message: message[0])


def _transforms(run: Run) -> Iterator[Message]:
    poses = rows.poses(run)
    for k, time_ns in enumerate(poses.times_ns.tolist()):
        each = []
        for name, table in poses.values.items():
            x, y, z, qw, qx, qy, qz = table[k].tolist()
            each.append(
                {
                    "timestamp": _time(time_ns),
                    "parent_frame_id": WORLD,
                    "child_frame_id": name,
                    "translation": {"x": x, "y": y, "z": z},
                    "rotation": {"x": qx, "y": qy, "z": qz, "w": qw},
                }
            )
        yield time_ns, "/tf", {"transforms": each}


def _joint_states(run: Run) -> Iterator[Message]:
    """Positions alone: no speed and no torque was recorded."""
    joints = rows.joints(run)
    for k, time_ns in enumerate(joints.times_ns.tolist()):
        each = [
            {"name": name, "position": float(table[k, 0])} for name, table in joints.values.items()
        ]
        yield time_ns, "/joint_states", {"timestamp": _time(time_ns), "joints": each}


def _numbers(run: Run) -> Iterator[Message]:
    for table in ("robot", "sensors"):
        found = rows.numbers(run, table)
        for k, time_ns in enumerate(found.times_ns.tolist()):
            content = {name: float(values[k]) for name, values in found.values.items()}
            yield time_ns, f"/{table}", content


def _events(run: Run) -> Iterator[Message]:
    for event in run.events():
        content = {
            "timestamp": _time(event.time_ns),
            "level": 2,
            "name": event.source,
            "message": f"{event.kind} {json.dumps(event.detail, ensure_ascii=False)}",
        }
        yield event.time_ns, "/events", content


def _pictures(run: Run) -> Iterator[Message]:
    """What each camera saw, made again from the recorded states: with the same noise, as a camera
    that works, in the world as it was at the beginning."""
    for states in run.states():
        due_ns = 0
        for frame, time_ns in enumerate(states.times_ns.tolist()):
            if time_ns < due_ns or not states.sim.sensors.cameras:
                continue
            due_ns = time_ns + 1_000_000_000 // PICTURES_HZ
            sim = states.show(frame)
            sim.steps = time_ns // sim.step_ns
            for name in sim.sensors.cameras:
                content = {
                    "timestamp": _time(time_ns),
                    "frame_id": name.partition(".")[0],
                    "format": "png",
                    "data": base64.b64encode(_png(sim.sensors.picture(name))).decode(),
                }
                yield time_ns, f"/{name.replace('.', '/')}", content


def _png(picture: Picture) -> bytes:
    from PIL import Image

    with BytesIO() as file:
        Image.fromarray(picture).save(file, "png")
        return file.getvalue()


def _time(time_ns: int) -> dict[str, int]:
    seconds, rest = divmod(time_ns, 1_000_000_000)
    return {"sec": seconds, "nsec": rest}
