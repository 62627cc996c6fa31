"""Suggestions for ids that are not registered."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gymnasium.core import Env
from gymnasium.specs import EnvSpec, get_env_id, registered

# The packages known to register environments: by namespace in lower case, ...
_NAMESPACES = {"ale": "ale_py", "dm_control": "shimmy", "bsuite": "shimmy", "miniwob": "miniwob"}

# ... and by the beginning of the names without one.
_NAMES = {
    r".*(NoFrameskip|-ram)": "ale_py",
    r"(Pong|Breakout|SpaceInvaders|Seaquest|Qbert|MsPacman)$": "ale_py",
    r"MiniGrid-|BabyAI-": "minigrid",
    r"(highway|merge|roundabout|parking|intersection|racetrack|exit|u-turn|two-way|lane-keeping)\b": "highway_env",
    r"Fetch|HandReach|HandManipulate|Adroit|AntMaze|PointMaze|FrankaKitchen": "gymnasium_robotics",
}


_CLOSE = 0.7  # of difflib's ratios; "Bandit" and "Ant" have 0.67, "Lander" and "LunarLander" 0.71


def closest(word: str, known: Iterable[str]) -> str | None:
    """Returns the known word closest to `word`, ignoring case; None if none is close."""
    import difflib

    by_lower = {candidate.lower(): candidate for candidate in known}
    matches = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=_CLOSE)
    return by_lower[matches[0]] if matches else None


def not_an_id(function: str, given: object) -> str:
    """Returns the message for an argument of `make`, `make_vec` or `spec` that is neither an id nor a spec."""
    accepted = "an id, a str" if function == "spec" else "an id, a str, or an EnvSpec"
    return f"{function} expects {accepted}, but {_other_than_an_id(function, given)}"


def _other_than_an_id(function: str, given: object) -> str:
    if isinstance(given, type):
        name = given.__name__
        calls = {"make": f"call {name}(), or ", "make_vec": f"call gymnasium.vector.SyncVectorEnv([{name}] * n), or "}
        return f"{name} is a class: {calls.get(function, '')}register it, {_registered_as(name)}"
    if isinstance(given, Env):
        name = type(given.unwrapped).__name__
        remedies = {"make": "use it as it is", "spec": "its spec is its attribute `spec`"}
        remedy = remedies.get(function, f"register its class, {_registered_as(name)}")
        return f"this {name} is an environment already: {remedy}"
    if isinstance(given, EnvSpec):
        return f"the spec of {given.id!r} was passed: use it as it is"
    if isinstance(given, (list, tuple)):
        kind = type(given).__name__
        return f"a {kind} was passed: gymnasium.vector.SyncVectorEnv takes functions that make environments"
    if callable(given):
        return "a function was passed: register it, gymnasium.register('Mine-v0', entry_point=function)"
    return f"{given!r} (of type {type(given).__name__}) was passed"


def _registered_as(name: str) -> str:
    return f"gymnasium.register('{name}-v0', entry_point={name}), and then use '{name}-v0'"


def make_line(ns: str | None, name: str) -> str | None:
    """Returns the line that makes the highest version of an environment, or None if there is none."""
    versions = [spec.version for spec in registered() if spec.namespace == ns and spec.name == name]
    if not versions:
        return None
    latest = max((version for version in versions if version is not None), default=None)
    return f'`gymnasium.make("{get_env_id(ns, name, latest)}")`'


def elsewhere(name: str, version: int | None = None) -> str | None:
    """Returns the line that makes an environment of this name in some namespace, or None if there is none.

    Args:
        name: The name, without a namespace.
        version: The required version; None for any.
    """
    spaces = {
        spec.namespace
        for spec in registered()
        if spec.namespace is not None and spec.name == name and version in (None, spec.version)
    }
    return make_line(min(spaces), name) if spaces else None


TO_REGISTER = "import the package that registers it: `import package; gymnasium.register_envs(package)`"


def how_to_register(ns: str | None, name: str) -> str:
    """Returns the steps after which the package of an unknown environment registers it."""
    package = (
        _NAMESPACES.get(ns.lower())
        if ns
        else next((p for pattern, p in _NAMES.items() if re.match(pattern, name)), None)
    )
    if package is None:
        return TO_REGISTER
    return f"install {package.replace('_', '-')} and add `import {package}; gymnasium.register_envs({package})`"
