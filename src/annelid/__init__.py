"""Annelid: design, simulate, control and evolve robots made of modules."""

__version__ = "0.1.0.dev0"
