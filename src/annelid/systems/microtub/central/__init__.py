"""The central control of MICROTUB (000 §6): from what the operator says to what the modules do.

=====================  ======================================================================
``control``            the program: what is done when, and who hears what
``operator``           the operator's node and line; ``sayings`` what may be typed
``desk``               every HLC command answered
``knowledge``          what is known: chain, surroundings, way, task (``task``)
``health``             roll calls, alarms, when to look at the robot anew
``inquiry``            questions to the modules; ``attention`` the ear for all of it
``abilities``          what the robot can do here, by the rules (``inference``)
``surroundings``       the working mode; ``reckoning`` how far it has come
``mind``               Fig 17: the behaviours (``behaviours/``) and their fusion
``action_selection``   which walking behaviour suits situation and destination
``movements``          a way of moving as frames; ``executive`` who sends them
=====================  ======================================================================
"""
