"""The command line: thin, quick to start, and the only place that turns errors into exit codes."""
