"""The keys of each environment's actions, for the page and for `palaestra play`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete, Space
from palaestra.studio.values import shown

# Keys to actions by the environment's name, if its actions have directions.
KNOWN: Final = {
    "CartPole": "left=0,right=1",
    "Acrobot": "left=0,right=2",
    "FrozenLake": "left=0,down=1,right=2,up=3",
    "FrozenLake8x8": "left=0,down=1,right=2,up=3",
    "CliffWalking": "up=0,right=1,down=2,left=3",
    "CliffWalkingSlippery": "up=0,right=1,down=2,left=3",
    "Taxi": "down=0,up=1,right=2,left=3,p=4,d=5",
    "Blackjack": "s=0,h=1",
    "LunarLander": "left=1,up=2,right=3",
}
NOOPS: Final = {"Acrobot": 1}
"""The actions that do least, where that is not the first one."""

_FEW = 10  # actions, which have the digits as their keys

_PAGE: Final = {
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "space": " ",
    "return": "Enter",
}
_CODES: Final = {  # of pygame
    1073741903: "ArrowRight",
    1073741904: "ArrowLeft",
    1073741905: "ArrowDown",
    1073741906: "ArrowUp",
    13: "Enter",
}


def keys_for(env: Env) -> list[dict[str, Any]]:
    """Returns the combinations of keys, by their names in browsers, with their actions as JSON."""
    if env.has_wrapper_attr("get_keys_to_action"):
        own = env.get_wrapper_attr("get_keys_to_action")()
        if isinstance(own, Mapping):
            pairs = ((list(_names(keys)), action) for keys, action in own.items())
            return [{"keys": names, "action": shown(action)} for names, action in pairs if names]
    space, name = env.action_space, "" if env.spec is None else env.spec.name
    if isinstance(space, Discrete):
        if name in KNOWN and space.start == 0:
            pairs_of_text = (pair.split("=") for pair in KNOWN[name].split(","))
            return [{"keys": [_PAGE.get(key, key)], "action": int(action)} for key, action in pairs_of_text]
        if space.n <= _FEW:
            return [{"keys": [str(k)], "action": int(space.start) + k} for k in range(int(space.n))]
    if isinstance(space, Box) and space.shape == (1,) and np.all(np.isfinite([space.low, space.high])):
        return [
            {"keys": ["ArrowLeft"], "action": shown(space.low)},
            {"keys": ["ArrowRight"], "action": shown(space.high)},
        ]
    return []


def noop_for(env: Env) -> Any:
    """Returns the action without keys: the environment's own, or the one that does least; None if it is unknown."""
    if env.has_wrapper_attr("get_keys_to_action"):
        own = env.get_wrapper_attr("get_keys_to_action")()
        if isinstance(own, Mapping) and () in own:
            return own[()]
    return noop_of(env.action_space, "" if env.spec is None else env.spec.name)


def noop_of(space: Space, name: str) -> Any:
    """Returns the action that does least; None if it is unknown.

    Args:
        space: The space of actions.
        name: The name of the environment, without version.
    """
    if isinstance(space, Box):
        return np.clip(np.zeros(space.shape, space.dtype), space.low, space.high)
    if isinstance(space, Discrete):
        return NOOPS.get(name, int(space.start))
    return None


def _names(keys: object) -> Iterator[str]:
    """Yields the names in browsers of keys to be pressed at once: characters, or codes of pygame."""
    for part in keys if isinstance(keys, (tuple, str)) else (keys,):
        if isinstance(part, str):
            yield from part
        else:
            yield _CODES.get(int(part)) or chr(int(part))
