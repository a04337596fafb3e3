"""How sure is a success rate?  More trials make the interval narrower; each is another robot."""

import annelid

for repeats in (4, 10):
    swept = annelid.sweep(
        "push",
        {"world.bore_mm": [40]},
        repeats=repeats,
        success__progress_m=0.048,
        duration_s=2,
        workers=1,
    )
    (setting,) = swept.summary.settings
    low, high = setting.interval
    print(f"{setting.successes:2} of {repeats:2}: between {low:.0%} and {high:.0%}")
