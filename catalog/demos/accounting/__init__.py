"""Harbour Books: the demo catalog of an accounting assistant over nine APIs, with skills that really work.

`skills.py` holds what the catalog's endpoints name; each skill is thin, and the work is done by the modules beside it.
The firm, its customers, its vendors and all figures are invented.
"""
