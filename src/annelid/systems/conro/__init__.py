"""CONRO (002): equal modules with equal programs, without a master or a bus.

Each module keeps a *role* (``annelid.motion.roles``) and signals to its children when its cycle
has come to their delay.  ``tree.py`` is the program of §3, for chains and trees, which have a root;
``ring.py`` is that of §5.3, for loops, which elect one.  ``network.py`` puts them on boards, with
infrared between the faces that are docked at the moment.
"""
