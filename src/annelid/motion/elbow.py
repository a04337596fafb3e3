"""Turning in pipes: elbows, and bifurcations, ahead and on the way back (000 §4.1.6, §6.1.3).

Pure logic: no board, no clock.  Ways are metres of the nose from where it began, directions are
radians in the head's frame, 0 to the left and π/2 upwards; on the wire they are whole degrees.

**Who says what** (all frames 000's, extensions marked *):

elbow, ahead
    1.  T -> ``TS(nose, direction*)`` when its nose has touched for 40 ms; the direction is the
        free side, from the four infrared rays.
    2.  central control -> ``TUP(direction*)`` to all.  H goes on pushing; each R takes its turn on
        the sync lines (``TurnInPipe``), modules without joints relay.
    3.  the last R -> ``TSF`` when it is straight again; central control -> ``TSF`` to all, then
        ``MHE`` as before.  ``TSF`` to all ends it at any time.
elbow, back
    Nothing is said.  R that rest (straight, target at most 5° ahead of the servo) give way to the
    wall; ``MHE`` backwards is all.
bifurcation, ahead
    1.  T -> ``TS(opening*, direction*)`` when a side ray has lost the wall and the nose is free.
    2.  the central control chooses a leg and makes a ``Junction`` of the nose's way, the direction
        and the choice.  An opening that becomes a touch of the nose within ``ELBOW_WITHIN`` is an
        elbow; steering into the opening is right for both.
    3.  while ``MHE`` goes on, every 0.2 s: ``Junction.bends(way, heading, stuck_s, t)`` gives yaw
        and pitch of each R, sent as ``MS1`` and ``MS2`` to those whose whole degrees changed.
    4.  when ``Junction.over(way)``: ``MS1(0) MS2(0)`` to every R.
bifurcation, back
    The same object, kept in memory, with heading -1: where the chain was bent on the way out it is
    bent on the way back.  No touch is needed, only the traveller's way.
"""
