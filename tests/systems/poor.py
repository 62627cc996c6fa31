"""Run as a program: takes from Python what some systems lack, and runs CartPole and LunarLander in each mode.

    python poor.py NAME ...

A name is an attribute of `os`, `AF_UNIX`, or `fork` for the start methods that need it.
"""

import _socket
import multiprocessing.context
import os
import sys

missing = sys.argv[1:]
for name in missing:
    if hasattr(os, name):
        delattr(os, name)
if "fork" in missing:
    for method in ("fork", "forkserver"):
        multiprocessing.context._concrete_contexts.pop(method)
    multiprocessing.set_start_method("spawn", force=True)
if "AF_UNIX" in missing:
    sys.modules.pop("socket", None)
    del _socket.AF_UNIX, _socket.socketpair

import gymnasium  # noqa: E402

if __name__ == "__main__":
    found = []
    for mode in ("sync", "async", "compiled"):
        try:
            envs = gymnasium.make_vec("CartPole-v1", 3, vectorization_mode=mode)
        except OSError as error:
            print(f"{mode}: {error}")
            continue
        envs.action_space.seed(1)
        steps = [envs.reset(seed=1)[0].copy()]
        steps.extend(envs.step(envs.action_space.sample())[0].copy() for _ in range(3))
        envs.close()
        found.append([step.tobytes() for step in steps])
        print(mode)
    assert all(steps == found[0] for steps in found)
    envs = gymnasium.make_vec("LunarLander-v3", 2)
    envs.reset(seed=1)
    print(type(envs.unwrapped).__name__)
    envs.close()
