"""The exception raised when the dynamics of one environment of a batch raise: that of the single environment."""

from __future__ import annotations

from collections.abc import Callable

from gymnasium.functional.env import FunctionalEnv
from palaestra.language.frontend.refusals import CannotCompile
from palaestra.runner.kernels.layout import NEXT_STEP, SAME_STEP, RowRaised
from palaestra.runner.kernels.memory import Memory

NO_ROOM = "the lists of a step need more room than machine code has"


def failure_of(error: Exception, i: int, *again: Callable[[], object]) -> Exception:
    """Returns the exception to raise for environment i.

    Args:
        error: The exception of machine code, without the program's values and lines.
        i: The environment, which has not moved.
        again: Repeat the step in Python: its parts, until one raises.
    """
    if isinstance(error, CannotCompile):  # with the room that lists need now
        error = RowRaised(NO_ROOM)
    if isinstance(error, RowRaised):
        error = OverflowError(str(error) or "a number is beyond machine code")
    try:
        for part in again:
            part()
    except Exception as own:
        return _named(own, f"Environment {i} raised {type(own).__name__}: {own}")
    return _named(
        type(error)(
            f"Environment {i}: {str(error) or type(error).__name__}. Python continues here, where NumPy's "
            "numbers, integers of any length or deeper calls are allowed, but machine code cannot: SyncVectorEnv runs "
            "these dynamics"
        ),
        f"Environment {i} cannot continue in machine code",
    )


def step_again(env: FunctionalEnv, i: int, action: object, memory: Memory) -> None:
    """Step environment i, a copy of which is `env`, in Python like the kernels.

    A finished environment has only to begin its next episode. In the mode `SAME_STEP` it has acted already.
    """
    if memory.mode in (NEXT_STEP, SAME_STEP) and memory.columns["finished"][i]:
        env._begin(None, env.params)
        return
    env._dynamics_state = memory.state(i, exact=True)
    _, _, terminated, cut, _ = env._repeat(action)
    truncated = cut or memory.columns["elapsed"][i] + 1 >= memory.limit
    if memory.mode == SAME_STEP and (terminated or truncated):
        env._begin(None, env.params)


def _named(error: Exception, account: str) -> Exception:
    if hasattr(error, "add_note"):  # from Python 3.11 on
        error.add_note(account)
    return error
