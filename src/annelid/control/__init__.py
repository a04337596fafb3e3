"""Control as one function from readings to commands, called at every control tick.

An *interface* names what such a function sees and commands: readings of sensors, angles and speeds
of motors in, targets of motors and cups out, each with unit and bounds.  Three kinds of function
use it: a *controller* that somebody wrote in Python (``controller``), a *policy* that was trained
and is kept in a file (``policy``), and an agent outside that is being trained (``annelid.gym``).

All of them stand on the gaits of the scenario: what they do not command, the gaits do.
"""
