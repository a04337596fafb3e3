"""Which servo is strong enough?  A chain lifts its front; how far does it get with each servo?"""

import annelid

scenario = {
    "robot": {"chain": "RRRRR"},
    "world": {"kind": "open-air"},
    "control": {"gaits": [{"gait": "hold", "modules": "R2", "pose": {"pitch": 60}}]},
    "duration_s": 2,
}
datasheet = {"voltage": 6, "stall_torque": 0.004, "no_load_speed": 12}  # a very small one
for name, servo in {"microtub": "microtub", "tgy90s": "tgy90s", "tiny": datasheet}.items():
    run = annelid.run(scenario, robot__each={"R": {"servo": servo}})
    reached = run["actuators"]["position[R2.pitch]"][-1]
    print(f"{name:9} {57.3 * reached:5.1f} of 60 degrees, {run.metrics.peak_current_a:.2f} A")
