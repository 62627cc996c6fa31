"""Ordinary environment classes in machine code: their attributes, and the programs of their methods."""
