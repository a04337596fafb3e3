"""Robot and world as a MuJoCo model: it steps, is read and written, is cut and joined again.

``build`` compiles specs, ``Simulation`` steps them on a grid of whole nanoseconds.  Everything
above this folder works with names (``R1.yaw``); ids of the engine do not leave it, because a
recompiled model has new ones.
"""
