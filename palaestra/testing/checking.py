"""All laws of some dynamics, and all runners."""

from __future__ import annotations

from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.laws import LAWS, Law, params_of
from gymnasium.functional.mistakes import check_written, instance_of
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.batch.trial import Difference, tried
from palaestra.testing.runners import Checked, runners_of


def check_func_env(
    func_env: FuncEnv | type[FuncEnv], *, seed: int = 0, steps: int = 200, params: object = None
) -> Checked:
    """Check all laws, and try all runners.

    Args:
        func_env: The dynamics, an instance or a class.
        seed: The seed of the actions and of the dynamics' randomness.
        steps: The number of steps; events that do not occur in them are not checked.
        params: Replaces the default params.

    Returns:
        Notes on unchecked parts, a sentence each; empty if everything was checked. Its `runners` say which runners
        accept the dynamics, and as text it has a table of them.

    Raises:
        AssertionError: If a law is broken.
        TypeError: If a function is missing, or cannot be called with its arguments.
    """
    func_env, _ = instance_of(func_env, {})
    check_written(func_env)
    laws: tuple[Law, ...] = (*LAWS, compiled_gives_the_same)
    notes = [note for law in laws for note in law(func_env, seed=seed, steps=steps, params=params)]
    return Checked(notes, runners_of(func_env, seed=seed, params=params))


def compiled_gives_the_same(func_env: FuncEnv, *, seed: int = 0, steps: int = 200, params: object = None) -> list[str]:
    """Machine code gives the same bits, in batches of 3 and of 16, or refuses the dynamics, which is a note."""
    missing = CompiledVectorEnv.unavailable()
    if missing:
        return [f"The compiled runner was not tried: {missing}"]
    env = FunctionalEnv(func_env)
    for rows in (3, 16):
        try:
            whole = tried(env, params_of(func_env, params), rows, seed, steps)
        except Difference as found:
            raise AssertionError(str(found)) from found
        except (TypeError, ValueError) as refusal:
            return [f"The compiled runner does not take these dynamics: {refusal}"]
        if not whole:
            return ["The compiled runner raised an exception, so nothing after it was compared: see its error"]
    return []
