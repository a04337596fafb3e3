"""MICROTUB (000): modules of many kinds on one bus, behaviours, and a central control."""
