"""Figures beside the peers: `make bench`, or `python -m benchmarks --help`."""
