"""What console, report and command line show of MICROTUB; imported only when used."""
