"""Ordinary classes of environments under JAX: the programs of their methods as functions of arrays."""
