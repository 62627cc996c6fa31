"""The collector for batches under JAX and policies that JAX can trace: all steps in one `lax.scan`, on the device.

It calls the functions of the batch's `step` and `reset` with the same keys. Hence integers, flags and random bits are
those of the plain loop; floats may differ in their last bits, since JAX's rounding depends on the parts that it
compiles together.

A pure policy draws from keys of JAX in place of NumPy's streams: at each step, each environment's key is split into the
next one and the one that serves as `rng`, in the same way as for dynamics.

The arrays of T steps are those of JAX, in its dtypes. What must be counted first, episodes and final observations, is
of NumPy. JAX itself is imported by those who make such a batch.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gymnasium.error import ActionOutsideSpace
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Space
from gymnasium.vector._batch.actions import action_checker, knows_its_values
from gymnasium.vector._batch.requests import check_running
from gymnasium.vector._batch.trees import Tree, host, leaves, mapped
from gymnasium.vector.vector_env import AutoresetMode
from palaestra.randomization.vector.randomize_params import RandomizeParams
from palaestra.rollouts.decisions import check_actions, check_extra
from palaestra.rollouts.pure import PURE
from palaestra.rollouts.record import FinalObservations, FinishedEpisodes, Rollout, Running
from palaestra.rollouts.series import check_memory
from palaestra.rollouts.task import Task, first_of
from palaestra.rollouts.wrapped import has_own_methods

_KEPT = 8  # programs of a batch
_scans: WeakKeyDictionary[Any, dict[Any, Any]] = WeakKeyDictionary()  # by the identity of the policy


def refusal(task: Task) -> str:
    """Returns why the steps are no program of JAX, or ""."""
    envs = _without_randomize(task.envs)
    kind = getattr(sys.modules.get("gymnasium.envs.functional_jax_env"), "FunctionalJaxVectorEnv", None)
    if kind is None or not isinstance(envs, kind):
        return f"{envs} is not a batch under JAX"
    is_plain = type(envs).step is kind.step and type(envs).reset is kind.reset
    if not (is_plain or getattr(envs, "is_its_runner", False)):
        return f"{envs} steps or resets in its own way"
    if envs.batch is None and task.start is not None:
        return "no episode has begun"
    space: Space = envs.single_action_space
    if not (isinstance(space, tuple(_KINDS)) and knows_its_values(space)):
        return f"actions of {space} are not arrays of numbers"
    from palaestra.jax.policies import identity_of

    if identity_of(task.policy) is None:
        return "the policy is no FuncPolicy, no MLP and no function of jax.jit"
    try:
        scan = _scan(envs, task.policy)
        actions, extras = scan.decisions(scan.given(task.steps, envs.params, task.policy))
    except Exception as error:  # a policy may raise anything
        return f"tracing the policy raised {type(error).__name__}: {str(error).splitlines()[0]}"
    return _misfit(space, envs.num_envs, actions, extras)


def collected(task: Task) -> Rollout:
    """Returns the rollout of a task that was not refused; its arrays of T steps are those of JAX."""
    from gymnasium.envs._jax.keys import policy_keys
    from palaestra.jax.scan import Steps

    envs = _without_randomize(task.envs)
    policy: Any = task.policy
    n, scan = envs.num_envs, _scan(envs, policy)
    given = scan.given(task.steps, envs.params, policy)
    out = None if task.out is None else Steps(*(getattr(task.out, name) for name in Steps._fields))
    first, running = first_of(task)
    if envs.autoreset_mode is AutoresetMode.DISABLED:
        check_running(host(envs.batch.finished))
    keys: object = None
    if isinstance(policy, PURE):
        streams = running.streams
        keys = policy_keys(policy.seed, n) if streams is None or streams.dtype != np.uint32 else streams
    place = scan.begun(envs.batch, first, running.over, keys, given)
    if out is not None:
        check_memory(_forms(scan.shapes(place, given)), _forms(out))
    came = scan(place, out, given)
    sound = host(came.sound)
    if not sound.all():
        _refuse(envs, came.steps, int(sound.argmin()))
    envs.batch = came.place.batch
    episodes = _ended(came.steps, running, envs.autoreset_mode is AutoresetMode.NEXT_STEP)
    if envs.autoreset_mode is AutoresetMode.NEXT_STEP:
        running = running._replace(over=np.array(came.place.over))
    running = running._replace(streams=came.place.keys)
    return Rollout(**came.steps._asdict(), final_observations=_last(came, episodes), episodes=episodes, running=running)


_KINDS = {Box: "biuf", Discrete: "iu", MultiDiscrete: "iu", MultiBinary: "biu"}  # of the dtypes of actions


def _misfit(space: Space, n: int, actions: object, extras: dict[str, Any]) -> str:
    """Returns why decisions of these shapes and dtypes are none for n environments, or ""."""
    kinds = next(kinds for kind, kinds in _KINDS.items() if isinstance(space, kind))
    if isinstance(space, Box) and space.dtype.kind != "f":
        kinds = "biu"
    shape, dtype = getattr(actions, "shape", None), getattr(actions, "dtype", None)
    if dtype is None or shape != (n, *(space.shape or ())) or dtype.kind not in kinds:
        return f"the policy's actions are {dtype} of the shape {shape}"
    for name, extra in extras.items():
        if not hasattr(extra, "shape") or extra.shape[:1] != (n,) or extra.dtype.kind not in "biufc":
            return f"the policy's extra {name!r} is {extra}"
    return ""


def _scan(envs: Any, policy: Any) -> Any:
    """Returns the program of a policy in these environments; the last ones are kept."""
    from palaestra.jax.policies import identity_of, policy_of
    from palaestra.jax.scan import Scan

    known, key = _scans.setdefault(envs, {}), (identity_of(policy), envs.runner)
    if key not in known:
        if len(known) == _KEPT:
            del known[next(iter(known))]
        known[key] = Scan(envs.runner, envs.single_action_space, policy_of(policy))
    return known[key]


def _without_randomize(envs: Any) -> Any:
    """Returns the batch inside wrappers that let it draw params, which its own program does."""
    while type(envs) is RandomizeParams and not has_own_methods(envs):
        envs = envs.env
    return envs


def _forms(steps: Any) -> dict[str, Any]:
    """Returns the shapes and dtypes of all arrays, by name."""
    named = [pair for name, tree in steps._asdict().items() for pair in leaves(tree, name)]
    return {name: (array.shape, array.dtype) for name, array in named}


def _ended(steps: Any, running: Running, resting: bool) -> FinishedEpisodes:
    """Returns the episodes that ended, whose returns are sums in float64, and brings those that run up to date.

    Args:
        steps: The steps.
        running: The episodes before them.
        resting: Whether the step after the end of an episode only resets.
    """
    rewards, over = host(steps.rewards), host(steps.terminated) | host(steps.truncated)
    returns, lengths = running.returns, running.lengths
    begun = running.over.nonzero()[0]
    ended: list[NDArray[np.intp]] = []
    found: list[tuple[NDArray[np.float64], NDArray[np.int64]]] = []
    for earned, flags in zip(rewards, over, strict=True):
        returns += earned
        lengths += 1
        ended.append(flags.nonzero()[0])
        found.append((returns[ended[-1]], lengths[ended[-1]]))
        begun = begun if resting else ended[-1]
        returns[begun], lengths[begun] = 0.0, 0
        begun = ended[-1]
    counts = [len(each) for each in ended]
    totals, spans = (np.concatenate(column) for column in zip(*found, strict=True))
    return FinishedEpisodes(totals, spans, np.concatenate(ended), np.repeat(np.arange(len(counts)), counts))


def _last(came: Any, episodes: FinishedEpisodes) -> FinalObservations:
    """Returns the last observations that are not among the steps'."""
    steps, ids = episodes.steps.copy(), episodes.envs.copy()
    finals: Tree = came.finals
    if finals is None:
        steps, ids, finals = steps[:0], ids[:0], came.steps.observations
    return FinalObservations(steps, ids, mapped(lambda array: host(array)[steps, ids], finals))


def _refuse(envs: Any, steps: Any, t: int) -> NoReturn:
    """Raise the error for the decisions of step `t`."""
    space, actions = envs.single_action_space, host(steps.actions)[t]
    check_actions(action_checker(space, any_integers=True)(actions, envs.num_envs), space)
    for name, extra in steps.extras.items():
        check_extra(name, host(extra)[t])
    raise ActionOutsideSpace(f"The policy's actions at step {t} are not in {space}")
