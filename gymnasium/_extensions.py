"""What `palaestra`, the package above this one, adds: loaded by name when a caller asks for it.

Only this table, the default batches in `envs._registry.builtin` and the entry points of older files in `specs.moved`
name its modules. Without that package, everything else works as it is.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from gymnasium.error import DependencyNotInstalled

_EXTENSIONS: Final = {
    # ways to run a batch
    "dynamics": "palaestra.runner:CompiledVectorEnv",
    "classes": "palaestra.runner.classes.vector_env:PlainVectorEnv",
    "classes_under_jax": "palaestra.jax.classes.vector_env:ClassJaxVectorEnv",
    "cartpole": "palaestra.runner.classic_control:CartPoleVectorEnv",
    "ray": "palaestra.ray.vector_env:RayVectorEnv",
    # whether a class may be compiled, and whether a compiled batch of dynamics gives the same bits
    "engine_refusal": "palaestra.runner.engines:engine_refusal",
    "own_generators": "palaestra.runner.classes.own_generators:made_with_own",
    "compile_hint": "palaestra.runner.classes.hints:compile_hint",
    "compiled_law": "palaestra.testing:compiled_gives_the_same",
    # distributions for the hooks of `gymnasium.params`
    "randomization_of": "palaestra.randomization.distributions:randomization_of",
    # steps of Box2D in machine code, for the switch of `gymnasium.envs.box2d`
    "box2d.compiled": "palaestra.box2d.compilation:compiled",
    "box2d.lander": "palaestra.box2d.lander:FUNCTIONS",
    "box2d.walker": "palaestra.box2d.walker:FUNCTIONS",
    "box2d.new_ray": "palaestra.box2d.stand_ins:new_ray",
}


def is_own_module(name: str) -> bool:
    """Returns whether a module is part of one of our packages."""
    return name.partition(".")[0] in ("gymnasium", "palaestra")


def is_own_file(path: Path) -> bool:
    """Returns whether a file is part of one of our packages, as far as they are imported."""
    folders = [Path(__file__).parent, *getattr(sys.modules.get("palaestra"), "__path__", ())]
    return any(Path(folder) in path.parents for folder in folders)


def has_extensions() -> bool:
    """Returns whether `palaestra` is there."""
    try:
        return find_spec("palaestra") is not None
    except ModuleNotFoundError:  # a finder may say so
        return False


def extension(name: str) -> Any:
    """Returns what `palaestra` adds under a name of the table.

    Raises:
        gymnasium.error.DependencyNotInstalled: If `palaestra` is not there.
    """
    module, _, attribute = _EXTENSIONS[name].partition(":")
    if not has_extensions():
        raise DependencyNotInstalled(f"This is a part of the package `palaestra`, which is not installed: {module}")
    return getattr(import_module(module), attribute)
