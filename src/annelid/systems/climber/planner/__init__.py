"""The planner (003 §4.1-4.3): decides what a climber does next, and when it must stop.

=======  ===========================  ============================================================
level    behaviour                    does
=======  ===========================  ============================================================
1        ``trajectory.py``            moves the body along its way; on demand of leg safety
2        ``leg_safety.py``            steps legs before they run out of room (token)
2        ``leg_allocation.py``        brings legs to given places in a safe order (token, on demand)
2        ``cyclic_movement.py``       walks in a fixed cycle instead (token, when it is asked for)
3        ``blocking_recovery.py``     a robot that cannot step is set back to its stance
3        ``critical_handler.py``      stops everything until the operator says otherwise
=======  ===========================  ============================================================

``planner_behaviour.py`` is what all of them derive from, ``orders.py`` what the operator wants.
An upper level disables what is below it; nothing below knows what is above.  All look at one
``situation.py``, none of them touches a servo: what they want goes through ``links``.
``urgency.py``, ``strides.py`` and ``lifting.py`` are what level 2 asks, ``steps.py`` is one leg's
way from one place to the next, ``diagnosis.py`` finds out which legs still can, ``limp.py`` where
those may hang that say nothing any more.
"""
