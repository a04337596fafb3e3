"""How long does a battery last?  Motors and boards draw from the supply of the scenario."""

import annelid

for capacity_mah in (90, 180, 360):
    supply = {"kind": "battery", "capacity_mah": capacity_mah}
    run = annelid.run("push", power={"supply": supply}, duration_s=3)
    minutes = run.metrics.battery_life_s / 60
    print(f"{capacity_mah} mAh: {minutes:.0f} minutes, lowest {run.metrics.voltage_min_v:.2f} V")
