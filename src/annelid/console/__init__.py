"""The console: a web page on which you build, drive, watch, break and program a robot.

Two processes::

    browser  ⇄  server (viser, this page)  ⇄  worker (the simulation)

The simulation runs in a child (``worker``), paced to the wall clock by ``live``, so that a
program which never ends cannot hang the page: it is noticed, named, and the run is made anew
without it.  ``session`` is the server's end of that: what is known of the run now, and what can be
asked of it; it knows nothing of pages.  ``page`` lays the session out; each tab is one file in
``tabs``.  ``scene`` shows the robot, ``gate`` says who may come in, ``playback`` shows recorded
runs.

All that is done on the page enters the run as an event from outside (``annelid.trial.outside``),
is recorded with it, and is done again by ``annelid replay``.
"""
