"""The command line: starts fast, and is the only place that turns errors into exit codes."""
