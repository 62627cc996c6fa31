"""Wrappers around vector environments."""
