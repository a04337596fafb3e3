"""Searches for what to build and how to move it, before the robot runs (000 §7).

A *study* (``study``) is a scenario, a *space* of what may be changed in it (``space``), a
*fitness* (``fitness``), and an optimiser with its budget.  ``search`` asks the optimiser for
genomes, has them simulated by an evaluator (``evaluate``, ``executors``), and tells it the scores.
Every evaluation is in the ``store`` before anybody hears of it.

A study that is stopped, by Ctrl-C or by a kill, goes on by asking and telling again from the
beginning, with the store as the memory of what has been simulated.  That ends at the very result
of a study that was never stopped, because nothing depends on time or order: an evaluation's seed
comes from its genome, and generations are complete before the next one is asked for.
"""
