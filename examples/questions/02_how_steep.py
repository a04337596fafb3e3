"""How steep a pipe does a drive climb?  The slope is varied, everything else stays."""

import annelid

for slope_deg in (0, 15, 30):
    run = annelid.run("push", world__slope_deg=slope_deg, duration_s=2)
    speed = 100 * run.metrics.progress_m / run.metrics.time_s
    print(f"{slope_deg:2} degrees: {speed:5.2f} cm/s, {run.metrics.power_mean_w:.2f} W")
