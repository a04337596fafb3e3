"""A first run: a chain goes into a pipe, and we ask how far it came and what it cost."""

import annelid

run = annelid.run("push", robot__chain="TRRHP", duration_s=4)
print(f"{run.metrics.progress_m * 1000:.0f} mm for {run.metrics.energy_j:.2f} J, in {run.folder}")

time, progress = run.time("robot"), run["robot"]["progress"]
for second in range(5):
    print(f"{second} s  {1000 * progress[time >= second][0]:6.1f} mm")
