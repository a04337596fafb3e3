"""ErekoBot (004): equal modules with one servo each, a host, and a serial line between them.

The four *communication profiles* of the paper differ in what a module may decide by itself:

1. nothing: the host sends every angle (``profiles.py`` has all four);
2. where in its table of gaits it is: the host says start, stop and the time state;
3. which of its tables: the host configures it;
4. everything: the host sends a program that the module checks and runs, which the paper wanted
   and could not build.

``packets.py`` and ``messages.py`` are the words, ``receiver.py`` finds them in noise, ``relay.py``
passes them on, ``gait_time.py`` holds drifting clocks together, ``host.py`` is the PC, and
``network.py`` puts it all on boards.
"""
