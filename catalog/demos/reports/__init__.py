"""The demo of tasks over documents: reports from files of a firm that makes tents and bags."""
