"""What console, command line and bench show of ErekoBot; imported only when used."""
