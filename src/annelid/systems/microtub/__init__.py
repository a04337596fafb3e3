"""MICROTUB (000): modules of many kinds on one bus, behaviours, and a central control.

``protocol`` is what they say to each other.  On each module's board runs ``module.py``: the
heterogeneous agent (``agent.py``, with ``translation.py``, ``information.py``, ``condition.py``),
its part in the configuration check (``configuration_check.py``) and its clock (``clocks.py``), who
share the sync line by ``line_owner.py``.  ``discovery.py`` is how the PC finds out what its robot
is, ``network.py`` puts it all on boards and wires.
"""
