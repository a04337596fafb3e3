"""Looks for failures of Annelid itself: faults, spoilt inputs, strange frames and environments.

=================  ==========================================================================
``draws``          faults of every kind, drawn for a robot
``campaign``       a run with drawn faults, judged (``annelid campaign``)
``shrink``         a failing scenario, made smaller
``spoil``          texts and bytes, spoilt at random
``doors``          everything that reads from outside, each with inputs to spoil
``frames``         well-formed frames with random content in running simulations
``surroundings``   environments in which a run must end well or be refused (``annelid fuzz``)
``kills``          commands that are killed at random moments
``soak``           a console and runs that go on for long (``annelid soak``)
``record``         ``results/reliability.md``
=================  ==========================================================================
"""
