"""Batches of MuJoCo robots, stepped by the engine's own pool of threads."""
