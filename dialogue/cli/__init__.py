"""The command line: the same services, for scripts, tests and modelers."""
