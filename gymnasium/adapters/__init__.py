"""Adapters: vector environments as other libraries want them. Each module needs the library it is named after.

`stable_baselines3.py` has the `VecEnv` of Stable-Baselines3; `_infos.py` and `_members.py` would serve others too.
"""
