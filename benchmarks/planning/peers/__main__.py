"""Make the environments of the peers: `python -m benchmarks.planning.peers`; those that are there already stay."""

from __future__ import annotations

from benchmarks.planning.peers.environments import ENVIRONMENTS, HOME, find_python, make


def main() -> None:
    """Make what is missing."""
    for name, environment in ENVIRONMENTS.items():
        if find_python(name) is None:
            print(f"{name}: installing {', '.join(environment.listed.split())} …", flush=True)
            make(name)
        print(f"{name}: ready in {HOME / name}")


if __name__ == "__main__":
    main()
