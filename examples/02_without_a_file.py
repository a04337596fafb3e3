"""A robot, a world and a run in Python alone: no file is needed."""

import annelid
from annelid.worlds import Pipe

straight, elbow = {"part": "straight", "length_mm": 300}, {"part": "elbow", "radius_mm": 60}
robot = {"chain": "TRRH"}  # touch, rotation, rotation, helicoidal: head first
gaits = [{"gait": "push"}, {"gait": "relax", "modules": "R"}]
pipe = Pipe(parts=[straight, elbow])
scenario = annelid.Scenario(robot=robot, world=pipe, control={"gaits": gaits})
for bore_mm in (38, 42):
    run = annelid.run(scenario, duration_s=3, world__bore_mm=bore_mm)
    print(f"{bore_mm} mm: {run.metrics.progress_m * 1000:.0f} mm, {run.metrics.energy_j:.2f} J")
