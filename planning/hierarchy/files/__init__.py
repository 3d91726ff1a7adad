"""Task files: a description of a task in YAML, checked against the catalog that serves it."""

from planning.hierarchy.files.load import LoadedTask, load_task, read_task
