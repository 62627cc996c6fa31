"""Rollouts inside the kernels: a policy and the environments alternate in one compiled loop.

`deciding.py` makes kernels of a `FuncPolicy`: for them it is dynamics whose actions are the environment's observations.
`collecting.py` has the loop.
"""
