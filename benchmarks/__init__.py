"""Figures against the reference implementation: `make bench`, or `python -m benchmarks --help`."""
