"""Adapters: vector environments as other libraries want them. Each public module needs the library of its name.

`stable_baselines3.py` has the `VecEnv` of Stable-Baselines3; the private modules would serve any adapter.
"""
