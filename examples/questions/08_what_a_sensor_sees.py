"""What does the accelerometer of a rolling robot read?  Readings are those of a board."""

import annelid

run = annelid.run("snake", control__gaits=[{"gait": "snake", "move": "roll"}], duration_s=4)
time, seen = run.time("sensors"), run["sensors"]
for second in range(4):
    x, y, z = (seen[f"R1.accelerometer.{axis}"][time >= second][0] for axis in "xyz")
    print(f"{second} s  x {x:6.2f}  y {y:6.2f}  z {z:6.2f} m/s²")
