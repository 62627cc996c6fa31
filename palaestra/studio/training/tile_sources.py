"""The moments that the tiles show: scenes or states that another process draws, or else pictures.

A scene is small and quickly drawn, but few environments tell theirs. A state is small and quickly read: the process
beside the program has environments of the same kind, puts the states into them, and draws. Where that is impossible,
the program itself draws, if its environments have a render mode.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.functional.env import FunctionalEnv
from gymnasium.states.scenes import packed_scenes
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from gymnasium.vector.sync_vector_env import SyncVectorEnv
from gymnasium.vector.vector_env import VectorEnv
from palaestra.runner.vector_env import CompiledVectorEnv
from palaestra.snapshots import snapshot

FUNCTIONAL, MEMBERS, BATCH, SINGLE = "functional", "members", "batch", "single"
_WIDTH: Final = 320  # pixels of a picture that leaves the program


class Source(NamedTuple):
    """Where tiles come from.

    Attributes:
        kind: How they are drawn.
        made_of: The needs of the drawing process, to be pickled.
        states: Returns the states of the first environments; those of dynamics in pairs with their params, or None for
            those that the drawing process has.
    """

    kind: str
    made_of: Any
    states: Callable[[], Sequence[Any]]


def source_of(env: Env | VectorEnv[Any, Any, Any], count: int) -> Source | None:
    """Returns the source of the first `count` tiles; None if no states can be had."""
    if isinstance(env, VectorEnv):
        return _of_batch(env.unwrapped, count)
    inner = env.unwrapped
    if isinstance(inner, FunctionalEnv):
        usual = inner.params
        return Source(
            FUNCTIONAL, (inner.func_env, usual), lambda: [(inner.get_state().state, _unless(usual, inner.params))]
        )
    return None if env.spec is None else Source(SINGLE, env.spec, lambda: [snapshot(env)])


def _of_batch(batch: Any, count: int) -> Source | None:
    if isinstance(batch, CompiledVectorEnv):
        single = batch.single_env
        return _of_dynamics(single.func_env, single.params, batch.state_of, batch._attributes.param, count)
    if isinstance(batch, AsyncVectorEnv):  # which gets the states of all at once
        return Source(MEMBERS, batch.env_fns[:count], lambda: batch.get_state().members[:count])  # type: ignore[union-attr]  # of all
    if isinstance(batch, SyncVectorEnv):
        return Source(MEMBERS, batch.env_fns[:count], lambda: [batch.get_state(i) for i in range(count)])
    if not hasattr(batch, "get_state"):
        return None
    if hasattr(batch, "func_env"):  # under JAX
        params_at = getattr(batch, "_params_at", lambda i: batch.params)  # a user's batch has no such method
        return _of_dynamics(batch.func_env, batch.params, lambda i: batch.get_state(i).state, params_at, count)
    return None if batch.spec is None else Source(BATCH, batch.spec, lambda: [batch.get_state(i) for i in range(count)])


def _of_dynamics(
    func_env: Any, usual: Any, state: Callable[[int], Any], params: Callable[[int], Any], count: int
) -> Source:
    return Source(FUNCTIONAL, (func_env, usual), lambda: [(state(i), _unless(usual, params(i))) for i in range(count)])


def _unless(usual: Any, params: Any) -> Any:
    """Returns params, or None if they are the usual ones."""
    return None if params is usual else params


def scenes(env: Env | VectorEnv[Any, Any, Any], count: int) -> list[bytes] | None:
    """Returns the scenes of the first environments, pickled in parts; None if some have none, or not now.

    Nothing is returned while they are on their way from workers: nobody waits for them.
    """
    batch = env.unwrapped
    if isinstance(batch, AsyncVectorEnv):
        try:
            return batch._scenes(count)
        except Exception:  # as in the middle of a call
            return None
    some = batch.envs[:count] if isinstance(batch, SyncVectorEnv) else [env] if isinstance(env, Env) else []
    packed = packed_scenes(some) if some else b""
    return [packed] if packed else None


def states(source: Source) -> Sequence[Any] | None:
    """Returns the states of a source; None if there are none, or not now."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return source.states()
    except Exception:  # a class may raise anything
        return None


def pictures(env: Any, count: int) -> list[NDArray[np.uint8]] | None:
    """Returns small pictures of the first environments, drawn here; None if there are none."""
    if env.render_mode != "rgb_array":
        return None
    try:
        frames = [env.render()] if isinstance(env, Env) else _frames(env, count)
        return [_thinned(np.asarray(frame)) for frame in frames]
    except Exception:  # an environment may raise anything
        return None


def _frames(envs: VectorEnv[Any, Any, Any], count: int) -> list[Any]:
    one: Any = getattr(envs.unwrapped, "render_one", None)
    return [one(i) for i in range(count)] if one is not None else list(islice(envs.render() or (), count))


def _thinned(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns every k-th pixel of a picture."""
    every = -(-frame.shape[1] // _WIDTH)
    return np.ascontiguousarray(frame[::every, ::every])
