"""Does it still get there when a part gives way?  The same run, whole and with a fault."""

import annelid

faults = {
    "whole": [],
    "a limp servo": [{"fault": "limp_servo", "servo": "R1.yaw", "at_s": 1}],
    "a stuck servo": [{"fault": "stuck_servo", "servo": "R1.yaw", "at_s": 1}],
    "a weak drive": [{"fault": "weak_servo", "servo": "H1.drive", "factor": 0.3, "at_s": 1}],
}
for name, broken in faults.items():
    run = annelid.run("push", faults=broken, duration_s=3)
    struck = [event.time_ns / 1e9 for event in run.events("fault")]
    print(f"{name:13} {1000 * run.metrics.progress_m:4.0f} mm, faults at {struck} s")
