"""The executive (003 §4.4): the geometry and statics functions that the planner calls.

===================  ==============================================================================
``pose.py``          where the body is; interpolation of poses, feet seen from another pose (eq 3-4)
``kinematics.py``    feet from joints and joints from feet, all legs at once (eqs 6-16, corrected)
``mass.py``          centre of mass, and what the links' weight asks of the joints
``collision.py``     legs as segments, cups as circles, on the plane
``centre.py``        where the body's centre has come to, from its attached feet (eq 5)
``forces.py``        what each cup has to hold, and what each joint has to turn
``cyclic.py``        the simple walk that checks the rest
``links.py``         who may move which leg: the table of priorities
===================  ==============================================================================

The body's frame is x ahead, y left, z away from the surface; metres, radians, newtons.  Arrays have
one row for each leg; what stands before that are cases, computed at once.
"""
