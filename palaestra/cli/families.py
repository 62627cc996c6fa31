"""Families of environments, and whether they can be used here."""

from __future__ import annotations

import ast
import re
import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from gymnasium.dependencies import install_command
from gymnasium.error import DependencyNotInstalled
from gymnasium.specs import EnvSpec

_OWN_PACKAGE = "gymnasium"
MOVED: Final = "moved elsewhere"  # the family of ids that only say where their environments are now


class _Library(NamedTuple):
    """The requirements of a family beyond the core dependencies."""

    distributions: tuple[str, ...]
    module: str
    purpose: str  # "" if nothing works without it


_LIBRARIES = {
    "classic_control": _Library(("pygame-ce",), "pygame", "rendering"),
    "toy_text": _Library(("pygame-ce",), "pygame", "rendering"),
    "box2d": _Library(("box2d", "pygame-ce"), "Box2D", ""),
    "mujoco": _Library(("mujoco",), "mujoco", ""),
    "phys2d": _Library(("jax", "array-api-compat"), "jax", ""),
    "tabular": _Library(("jax", "array-api-compat"), "jax", ""),
}

_LONGEST = 90  # letters of a description in a list

_PLUGINS = ("gymnasium_robotics", "highway_env", "minigrid", "miniwob", "mo_gymnasium", "shimmy")

GAMES: Final = "ALE"  # the family from the extra `atari`
_GAMES_PACKAGE: Final = "ale_py"


def register_games() -> bool:
    """Register the Atari games if ale-py is installed and works, and return whether it does."""
    if exists(_GAMES_PACKAGE):
        with suppress(DependencyNotInstalled):
            import_module(f"{_OWN_PACKAGE}.envs.atari.library")
            return True
    return False


def family_of(spec: EnvSpec) -> str:
    """Returns the namespace, or the family within this package, or the package of the environment."""
    if spec.namespace is not None:
        return spec.namespace
    entry_point = spec.entry_point
    parts = (entry_point if isinstance(entry_point, str) else getattr(entry_point, "__module__", "")).split(".")
    if parts[0] != _OWN_PACKAGE:
        package = parts[0].partition(":")[0]
        return GAMES if package == _GAMES_PACKAGE else package  # their older ids have no namespace
    return parts[2] if isinstance(entry_point, str) else MOVED


def about(spec: EnvSpec) -> str:
    """Returns the first sentence of the docstring of an environment of this package, without importing it; or ""."""
    if not _is_own(spec):
        return ""
    module, _, name = str(spec.entry_point).partition(":")
    folder = Path(sys.modules[_OWN_PACKAGE].__path__[0])
    tree = ast.parse(folder.joinpath(*module.split(".")[1:]).with_suffix(".py").read_text("utf-8"))
    classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
    text = (ast.get_docstring(classes[name]) or "").partition("\n\n")[0] if name in classes else ""
    sentence = re.split(r"[.:;](?:\s|$)", " ".join(text.split()).partition(": ")[2] or text)[0]
    return sentence if len(sentence) <= _LONGEST else ""


def is_moved(spec: EnvSpec) -> bool:
    """Returns whether making an environment only says which other package has it now."""
    creator = spec.entry_point
    return callable(creator) and getattr(creator, "__module__", "").startswith(f"{_OWN_PACKAGE}.")


def condition(family: str, member: EnvSpec) -> str:
    """Returns whether the family of `member` can be used here, and otherwise a command. Imports nothing of it."""
    if family == MOVED:
        return "making one says where it is now"
    if not _is_own(member):
        return "registered by another package"
    if not exists(f"{_OWN_PACKAGE}.envs.{family}"):
        return "not in this version"
    library = _LIBRARIES.get(family)
    if library is None or exists(library.module):
        return "ready"
    install = install_command(*library.distributions)
    return f"ready; for {library.purpose}: {install}" if library.purpose else f"missing: {install}"


def plugins() -> list[str]:
    """Returns the installed packages known to register environments when they are imported."""
    return [module for module in _PLUGINS if exists(module)]


def exists(module: str) -> bool:
    """Returns whether a module can be found; only its package is imported."""
    try:
        found = find_spec(module)
    except ModuleNotFoundError:
        return False
    return found is not None and found.origin is not None  # a folder without code has no origin


def _is_own(spec: EnvSpec) -> bool:
    return isinstance(spec.entry_point, str) and spec.entry_point.startswith(f"{_OWN_PACKAGE}.")
