"""Accuracy on two public sets of requests, CLINC150 (with texts out of its scope) and BANKING77; see `datasets.py`."""
