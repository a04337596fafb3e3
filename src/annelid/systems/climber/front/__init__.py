"""What console, report and bench show of the climber; imported only when used."""
