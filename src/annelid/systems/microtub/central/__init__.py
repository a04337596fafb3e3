"""The central control of MICROTUB (000 §6): turns the operator's commands into movements.

=====================  ======================================================================
``control``            the program: what is done when, and who hears what
``operator``           the operator's node and line, and what may be typed
``desk``               every HLC command answered; ``reaching`` places as tasks, or why not
``knowledge``          what is known: chain, surroundings, way, task (``task``)
``health``             roll calls, alarms, when to look at the robot anew
``inquiry``            questions to the modules
``sight``              pictures; ``vision`` breaks in a pipe, ``view`` what the open shows
``bend_looks``         breaks in bends; ``bend_fit`` places them, ``bend_model`` is what a lens sees
``feeling``            a robot without eyes feels for the wall
``abilities``          what the robot can do here, by the rules (``inference``)
``surroundings``       the working mode; ``reckoning`` how far it has come
``cartography``        the map; ``bifurcations`` which leg, and how to bend through it
``mind``               Fig 17: the behaviours (``behaviours/``), their fusion, and which walking
                       behaviour suits situation and destination
``movements``          a way of moving as orders, and who sends them
``side_by_side``       the program on a module's board, beside the module's own
=====================  ======================================================================
"""
