"""The methods of an environment's class in the frame: a state in, what they return and leave out.

In Python, the class itself runs; `programs` says what they are in machine code.
"""

from __future__ import annotations

from typing import Any


def stepped(methods: Any, state: Any, action: Any, rng: Any, params: Any, columns: Any, infos: Any) -> Any:
    """Returns what a step leads to.

    Args:
        methods: The methods.
        state: The fields of the state.
        action: The action.
        rng: The environment's random stream.
        params: The constants that the batch passes, or None.
        columns: The columns of an observation.
        infos: The columns of the infos.

    Returns:
        The fields of the state, None for those that stay; the parts of an observation; the values of the infos; the
        reward, and whether the episode is terminated or truncated.
    """
    return methods.step(state, action, rng, params, columns, infos)


def begun(methods: Any, state: Any, rng: Any, params: Any, columns: Any, infos: Any) -> Any:
    """Returns what an episode begins with: the fields of the state, the observation, the infos; see `stepped`."""
    return methods.begin(state, rng, params, columns, infos)
