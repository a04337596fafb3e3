"""The boundary: checks everything that comes from outside before anything is done with it.

Scenarios, studies, run folders, messages of a wire and what is typed into the console's page pass
here once.  What is too deep, too long, not a number or beyond all physics is refused with one line
that says where; what would cost too much is refused before it is paid for.

=================  ==========================================================================
``files``          text of a file, TOML and JSON, with a limit on size, depth and digits
``tensors``        arrays of numbers (safetensors): size, shape, finite numbers
``arrays``         arrays in a file of NumPy's: size before and after unpacking
``plain``          a table that has been read: depth, number of values, finite numbers
``wording``        what pydantic finds wrong, in our words
``quantities``     how large a number may be, by the unit in its field's name
``markdown``       tables of Markdown, the one thing here that goes out
``environment``    variables of the environment that libraries fail over
``cost``           how many modules, parts, trials and bytes are affordable
=================  ==========================================================================
"""
