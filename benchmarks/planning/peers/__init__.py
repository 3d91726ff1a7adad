"""Other planners to measure beside: real tools, each in an environment of its own.

`python -m benchmarks.planning.peers` makes the environments. `drive.py` says what each peer is asked, and `workers/`
holds the scripts that ask it; they run inside the environments, and know nothing of this project.
"""
