"""Harbour Bank: the demo catalog of the Verdi paper's banking assistant, with skills that really work.

`skills.py` holds what the catalog's endpoints name; each skill is thin, and the work is done by the modules beside it.
All people, addresses and numbers are invented.
"""
