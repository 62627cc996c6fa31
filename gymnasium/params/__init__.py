"""Params at the beginning of an episode: where they are in an environment, and how a batch draws, sets and keeps them.

Batches know distributions by their base only; `palaestra.randomization` has them, and the wrappers that name them.
"""
