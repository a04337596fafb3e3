"""The climber (003): legs with suction cups, and a planner of three levels that keeps it up.

``model.py`` reads the robot from its modules; ``executive/`` is what can be computed of it (§4.4);
``planner/`` decides (§4.1-4.3): level 1 tracks a trajectory, level 2 moves legs before they get
into trouble, level 3 recovers or stops.  ``wire.py`` is what planner and legs say to each other on
the servo bus, ``leg_board.py`` the program of a leg, ``network.py`` puts them on boards.
"""
