"""Takes robots, worlds and runs out of Annelid, as files that other tools read.

A *form* is a kind of file: ``mjcf``, ``urdf`` and ``stl`` of a scenario, ``csv``, ``parquet``,
``mcap`` and ``rerun`` of a run.  ``forms`` lists them; each is one file here.  A system adds its
own (``System.exports``), such as the C header of MICROTUB's protocol.
"""
