"""Atari games, which ale-py registers; `make` and `make_vec` make its classes with the guards of this package."""
