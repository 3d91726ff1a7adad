"""What carries a task out: what is to be done next, the calls that can be made now, and the manager that does it."""
