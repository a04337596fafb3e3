"""Runs the programs of simulated boards on real ports and in real time.

A program knows its board and its ports (:mod:`annelid.electronics`) and cannot tell what is
behind them.  Here stand the other things that can be behind them:

* ``real_time.py``: virtual time at the pace of the wall clock, and the door by which bytes enter;
* ``serial_port.py``, ``device.py``: a serial port of this machine, as a ``BytePort``;
* ``board.py``, ``runner.py``: this machine as a ``Board``, and a program running on it;
* ``bridge.py``: a real port as one end of a simulated line;
* ``pty_pair.py``: two pseudo-terminals joined as by a cable, for those without one;
* ``address.py``, ``lines.py``: another process, over TCP or a serial line;
* ``operator_line.py``, ``typed.py``: a robot's operator there;
* ``exchange.py``, ``counterpart.py``: the program of one board there, in turns with a simulation
  here.

Who runs there is a system's affair: ``systems/microtub/front/central.py`` is a central control,
``systems/erekobot/front`` a host and a simulated chain.
"""
