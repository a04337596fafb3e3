"""The map of a pipe network, drawn while the robot goes through it (000 §6.1.5, wandering).

The central control tells what happens, the map says where things are::

    pipes = PipeMap()                                # the nose is at the inlet, x ahead, z up
    pipes.advance(0.35)                              # metres, as the traveller counts them
    pipes.turned(direction_rad=0.0, angle_rad=pi / 2, length_m=0.094)  # round a bend to the left
    pipes.advance(0.20)
    pipes.junction("tee", [PipeBranch(), PipeBranch(0.0, pi / 2)], taken=1)   # took the left
    pipes.break_seen(offset_m=0.08, direction_rad=pi / 2)       # 80 mm ahead, at the top
    pipes.advance(0.15)
    pipes.dead_end()
    pipes.reversed()                                 # tail first from here on
    pipes.where                                      # position, heading, way back to the start
    to_spec(pipes).model_dump_json()                 # as it stands in the trace
    compare(pipes, world.tubes())                    # errors against the true network

Directions to a side are angles round the heading: 0 left, 90° up, 180° right (rad).  The events
never raise for what a robot may get wrong; what does not fit the map is counted in ``conflicts``.

Files: ``frame`` (dead reckoning), ``graph`` (places and stretches), ``mapper`` (events),
``lie`` (bends set right by gravity), ``spec`` (JSON), ``truth`` (errors).
"""

from annelid.systems.microtub.mapping.graph import Graph, PipeBranch, PlaceKind
from annelid.systems.microtub.mapping.lie import set_right
from annelid.systems.microtub.mapping.mapper import PipeMap
from annelid.systems.microtub.mapping.spec import MapSpec, from_spec, to_spec
from annelid.systems.microtub.mapping.truth import MapError, compare, inlet
