"""Environments whose steps are those of an engine, which no translation of Python reaches."""

from __future__ import annotations

from palaestra.error import CannotCompile, Reason

_ENGINES = {
    "gymnasium.envs.box2d": "Box2D",
    "gymnasium.envs.mujoco": "MuJoCo",
    "gymnasium.envs.atari": "the Arcade Learning Environment",
    "ale_py": "the Arcade Learning Environment",
}


def engine_of(kind: object) -> str | None:
    """Returns the name of the engine of a class of environments, or None."""
    for cls in kind.__mro__ if isinstance(kind, type) else ():
        for package, engine in _ENGINES.items():
            if f"{cls.__module__}.".startswith(f"{package}."):
                return engine
    return None


def engine_refusal(kind: object, instead: str) -> CannotCompile | None:
    """Returns the error of a class that an engine steps, or None.

    Args:
        kind: The class, or any other function that makes an environment.
        instead: The remedy.
    """
    engine = engine_of(kind)
    if engine is None or not isinstance(kind, type):
        return None
    return CannotCompile(kind.__name__, [Reason("", 0, "", f"its engine, {engine}, is not Python", instead)])
