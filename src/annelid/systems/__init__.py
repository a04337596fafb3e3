"""The robots of the papers, as peers: what runs on their boards and what they say to each other.

A *system* is everything about a robot that is neither body nor wire nor physics: its packets, the
programs of its modules, the program of its host or central control, and a frozen spec by which a
scenario chooses among them.  A module's body stands in ``annelid.modules``, the motions it may
make in ``annelid.motion``, boards and links in ``annelid.electronics``; a system puts programs on
boards and ports on links, and nothing else.

No system imports another, so that any of them can be taken away, and the programs of one can be
put on the modules of another.
"""
