"""What console, report and bench show of CONRO; imported only when used."""
