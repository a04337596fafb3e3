"""Landscapes: the scores of thousands of gaits of one robot, as one picture.

A *job* (``job``) is a compiled model and the waves of every gait, as arrays in one file.  It is
computed on a GPU (``warp_batch``, which needs NumPy, MuJoCo and mujoco_warp and nothing of ours, so
that the file can be carried to a machine that has one), or on this machine's cores (``cores``).
``picture`` draws the result with its optimum and the papers' points.
"""
