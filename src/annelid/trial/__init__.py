"""A trial: a scenario and a seed become a run, its trace and its metrics.

A *scenario* is what a user writes: robot, world, gait, how long.  A *run* is the folder it leaves.
Trial writes data; ``annelid.report`` draws it.  Foreign module types and worlds come in by
``plugins``, given by the person who runs the trial and never by the scenario.
"""
