"""A run as a recording for Rerun: modules that move, curves of joints, readings and progress."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from annelid.boundary.files import write_file
from annelid.errors import needing
from annelid.export import rows
from annelid.export.shapes import body_mesh
from annelid.trial.load import resolve
from annelid.trial.replay import Run


def write_rerun(run: Run, out: Path) -> Path:
    with needing("export", "rerun"):
        import rerun
    write_file(out, b"")
    with rerun.RecordingStream(f"annelid-{run.scenario.name}") as recording:
        recording.save(out)
        _modules(rerun, recording, run)
        for motor, table in rows.joints(run).values.items():
            _curve(rerun, recording, f"joints/{motor}", rows.joints(run).times_ns, table[:, 0])
        for name in ("robot", "sensors"):
            found = rows.numbers(run, name)
            for column, values in found.values.items():
                _curve(rerun, recording, f"{name}/{column}", found.times_ns, values)
        recording.flush()
    return out


def _modules(rerun: Any, recording: Any, run: Run) -> None:
    robot, _ = resolve(run.scenario, run.plugins)
    poses = rows.poses(run)
    time = rerun.TimeColumn("time", duration=poses.times_ns * 1e-9)
    for name, table in poses.values.items():
        mesh = body_mesh(robot[name].body)
        shape = rerun.Mesh3D(
            vertex_positions=mesh.vertices,
            triangle_indices=mesh.faces,
            vertex_normals=mesh.vertex_normals,
        )
        recording.log(f"world/{name}", shape, static=True)
        turned = np.roll(table[:, 3:], -1, axis=1)  # x y z w
        columns = rerun.Transform3D.columns(translation=table[:, :3], quaternion=turned)
        recording.send_columns(f"world/{name}", [time], columns)


def _curve(rerun: Any, recording: Any, path: str, times_ns: Any, values: Any) -> None:
    time = rerun.TimeColumn("time", duration=times_ns * 1e-9)
    recording.send_columns(path, [time], rerun.Scalars.columns(scalars=values))
