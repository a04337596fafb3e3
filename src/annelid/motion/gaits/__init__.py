"""The gaits that a scenario can name, one file each."""
