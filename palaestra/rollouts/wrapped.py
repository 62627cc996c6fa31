"""Wrappers around compiled environments in machine code: the same bits, and the same state of wrappers afterwards.

A `Stack` makes a stage of the loop of each wrapper of observations or actions, see `compiled.transforms`. Those of
rewards follow after the loop, see `rewards.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Space, Tuple
from gymnasium.transforms import moments
from gymnasium.transforms.flattening import flat_batch
from gymnasium.transforms.rescale import restored
from gymnasium.vector._batch.trees import Tree, leaves
from gymnasium.vector.vector_env import VectorEnv, VectorWrapper
from gymnasium.wrappers.utils import RunningMeanStd
from gymnasium.wrappers.vector.frame_stack import FrameStackObservation
from gymnasium.wrappers.vector.stateful_observation import NormalizeObservation
from gymnasium.wrappers.vector.vectorize_action import ClipAction, RescaleAction
from gymnasium.wrappers.vector.vectorize_observation import FlattenObservation
from palaestra.randomization.vector.randomize_params import RandomizeParams
from palaestra.rollouts.rewards import REWARDS, Steps, mark_finished
from palaestra.runner.kernels.layout import MODES
from palaestra.runner.kernels.packing import packed
from palaestra.runner.kernels.plan import Plan
from palaestra.runner.transforms import layout as at
from palaestra.runner.transforms.stage_kernels import LARGE
from palaestra.runner.transforms.stages import (
    Batch,
    OneHot,
    Place,
    Stage,
    clipping,
    flattening,
    moments_in,
    normalizing,
    packing,
    restoring,
    stacking,
)
from palaestra.runner.transforms.trial import normalizes_as_numpy
from palaestra.runner.vector_env import CompiledVectorEnv

Wrapper: TypeAlias = VectorWrapper[Any, Any, Any]

_FLOATS = at.KINDS[: at.INT64]


class RunsInPython(Exception):
    """A wrapper, or its settings, for which there is no machine code; the message is the reason."""


def opened(envs: VectorEnv[Any, Any, Any]) -> tuple[VectorEnv[Any, Any, Any], list[Wrapper]]:
    """Returns the environments inside all wrappers, and the wrappers, the innermost first."""
    wrappers: list[Wrapper] = []
    while isinstance(envs, VectorWrapper):
        wrappers.insert(0, envs)
        envs = envs.env
    return envs, wrappers


def has_own_methods(envs: VectorEnv[Any, Any, Any]) -> bool:
    """Whether a method of the class is hidden by an attribute of this object."""
    return any(callable(getattr(type(envs), name, None)) for name in vars(envs))


class Stack:
    """The wrappers around compiled environments.

    Args:
        base: The environments.
        wrappers: The wrappers, the innermost first.

    Attributes:
        observed: The parts of the observations that the outermost wrapper returns.
        seen: The observations that the policy reads: those of a Tuple side by side.

    Raises:
        RunsInPython: If there is a wrapper for which there is no machine code.
    """

    def __init__(self, base: CompiledVectorEnv, wrappers: list[Wrapper]) -> None:
        memory = base._runner.memory
        self._mode = base.autoreset_mode
        self._wrappers, self._plan = wrappers, memory.plan
        place = Place(memory.columns["fresh"], MODES[self._mode])
        names = ((f"observation{k}", f"final{k}") for k in range(len(memory.plan.observation)))
        self.observed = [Batch(memory.columns[name], memory.columns[last]) for name, last in names]
        self._stages: list[tuple[Wrapper, Stage]] = []
        self._packing: list[Stage] = []
        keys = _infos_of(memory.plan)
        for wrapper in wrappers:
            _check(wrapper, base, keys)
            if type(wrapper) in _OBSERVATIONS:
                self.observed, stage = _OBSERVATIONS[type(wrapper)](place, wrapper, self.observed)
                self._stages += [] if stage is None else [(wrapper, stage)]
        self.seen = self._packed() if len(self.observed) > 1 else self.observed[0]

    def _packed(self) -> Batch:
        parts = self.observed
        if not all(part.rows.dtype.name in at.KINDS for part in parts):
            raise RunsInPython("an observation has parts of other dtypes than int64, float32 and float64")
        out = Batch.empty(len(parts[0].rows), np.dtype(np.float64), (sum(part.rows[0].size for part in parts),))
        self._packing = [packing(parts, out)]
        return out

    @property
    def outward(self) -> list[Stage]:
        """The stages of observations, in their order."""
        return [*(stage for _, stage in self._stages), *self._packing]

    def begin(self, first: Tree) -> None:
        """Let the policy see the observations to begin with."""
        for part, (_, array) in zip(self.observed, leaves(first, ""), strict=True):
            if self._stages:
                part.rows[:] = array
        if self._packing:
            n = len(self.seen.rows)
            self.seen.rows[:] = np.concatenate([part.rows.reshape(n, -1) for part in self.observed], axis=1)

    def inward(self, actions: np.ndarray) -> tuple[list[Stage], np.ndarray]:
        """Returns the stages from the policy's actions on, and the actions that the environments read."""
        stages: list[Stage] = []
        for wrapper in reversed(self._wrappers):
            if type(wrapper) in _ACTIONS:
                inner = self._plan.action.empty(len(actions))
                stages += _ACTIONS[type(wrapper)](wrapper, actions, inner)
                actions = inner
        return stages, actions

    def observe(self) -> None:
        """Raise a wrapper's exception for observations outside of their space, where the loop stopped."""
        for wrapper, stage in self._stages:
            if type(wrapper) is FlattenObservation:
                for which in ("rows", "lasts"):
                    parts = (getattr(batch, which) for batch, _ in stage.memory["values"])
                    wrapper.observations(packed(wrapper.env.single_observation_space, parts))

    def finish(self, steps: Steps) -> None:
        """Change the rewards of the steps that the loop has taken, and take the wrappers to their end."""
        for wrapper, stage in self._stages:
            _leave(wrapper, stage, steps)
        for wrapper in self._wrappers:
            if type(wrapper) in REWARDS:
                REWARDS[type(wrapper)].change(wrapper, steps)


def _infos_of(plan: Plan) -> set[str]:
    """Returns the keys of the environments' infos."""
    reports = (report for report in (plan.infos.begin, plan.infos.step) if report)
    return {"final_obs", "final_info", *(leaf.column.name for report in reports for leaf in report.leaves)}


def _check(wrapper: Wrapper, base: CompiledVectorEnv, keys: set[str]) -> None:
    kind = type(wrapper)
    if not (kind in REWARDS or kind in _OBSERVATIONS or kind in _ACTIONS or kind is RandomizeParams):
        raise RunsInPython(f"{kind.__name__} runs in Python only")
    if has_own_methods(wrapper) or wrapper.metadata.get("autoreset_mode") is not base.autoreset_mode:
        raise RunsInPython(f"{kind.__name__} has methods or metadata of its own")
    reason = REWARDS[kind].refusal(wrapper) if kind in REWARDS else ""
    if reason:
        raise RunsInPython(f"{kind.__name__} {reason}")
    key = getattr(wrapper, "_stats_key", None)
    if key in keys:
        raise RunsInPython(f"infos[{key!r}] is filled twice")
    keys |= set() if key is None else {key}


def _one(wrapper: Wrapper, values: list[Batch]) -> Batch:
    if len(values) > 1:
        raise RunsInPython(f"{type(wrapper).__name__} gets observations of several parts")
    return values[0]


def _normalizing(place: Place, wrapper: Any, values: list[Batch]) -> tuple[list[Batch], Stage]:
    batch, rms = _one(wrapper, values), wrapper.obs_rms
    rows = batch.rows
    if rows.dtype.name not in at.KINDS or rows.ndim == 1:
        raise RunsInPython(f"NormalizeObservation gets {rows.dtype} of the shape {rows.shape}")
    dtype = np.result_type(rows.dtype, np.float32)
    known = rms.mean, rms.var
    if type(rms) is not RunningMeanStd or not all(_has_form(value, dtype, rows.shape[1:]) for value in known):
        raise RunsInPython(f"NormalizeObservation has no moments of {dtype}")
    if not all(type(value) in (int, float) for value in (rms.count, wrapper.epsilon)):
        raise RunsInPython("NormalizeObservation has settings that are no plain numbers")
    is_large = rows.size >= LARGE
    if wrapper.update_running_mean and not normalizes_as_numpy(rows.dtype, dtype, rows[0].size, place.mode, is_large):
        raise RunsInPython("NormalizeObservation adds in another order with this NumPy")
    out = Batch.empty(len(rows), np.dtype(np.float32), rows.shape[1:])
    state = moments.Moments(rms.mean, rms.var, rms.count)
    return [out], normalizing(place, batch, out, state, wrapper.epsilon, wrapper.update_running_mean)


def _has_form(value: object, dtype: np.dtype, shape: tuple[int, ...]) -> bool:
    return type(value) is np.ndarray and value.dtype == dtype and value.shape == shape


def _stacking(place: Place, wrapper: Any, values: list[Batch]) -> tuple[list[Batch], Stage]:
    batch = _one(wrapper, values)
    rows, stacks = batch.rows, wrapper._stack.stacked()
    if not _has_form(stacks, rows.dtype, (len(rows), wrapper.stack_size, *rows.shape[1:])):
        raise RunsInPython("FrameStackObservation stacks observations of another form")
    out = Batch.empty(len(stacks), stacks.dtype, stacks.shape[1:])
    out.rows[:] = stacks
    return [out], stacking(place, batch, out, wrapper._padding)


def _flattening(place: Place, wrapper: Any, values: list[Batch]) -> tuple[list[Batch], Stage | None]:
    many = wrapper._many
    if not isinstance(many, partial) or many.func is not flat_batch or many.keywords:
        raise RunsInPython("FlattenObservation has another function")
    parts, flat = list(_parts(many.args[0])), wrapper.single_observation_space
    if len(parts) != len(values):
        raise RunsInPython("FlattenObservation gets observations of another form")
    dtype, shape = flat.dtype, flat.shape
    taken = [_part(space, batch, dtype) for space, batch in zip(parts, values, strict=True)]
    if len(taken) == 1 and taken[0] is None:
        return [Batch(*(array.reshape(len(array), -1) for array in values[0]))], None
    pairs = list(zip(values, taken, strict=True))
    lengths = (batch.rows[0].size if one is None else one.counts.sum() for batch, one in pairs)
    if shape != (sum(lengths),):
        raise RunsInPython(f"FlattenObservation has the space {flat}")
    out = Batch.empty(len(values[0].rows), dtype, shape)
    return [out], flattening(place, pairs, out)


def _parts(space: Space) -> list[Space]:
    if type(space) is Tuple:
        return [part for one in space.spaces for part in _parts(one)]
    return [space]


def _part(space: Space, batch: Batch, dtype: np.dtype) -> OneHot | None:
    """Returns how the values of a part become numbers side by side; None if they are."""
    kind, own = type(space), batch.rows.dtype
    if kind in (Discrete, MultiDiscrete) and own == np.int64:
        discrete: Any = space
        counts = discrete.n if kind is Discrete else discrete.nvec
        return OneHot(*(np.array(numbers, np.int64).ravel() for numbers in (counts, discrete.start)))
    if kind in (Box, MultiBinary) and own == dtype:
        return None
    raise RunsInPython(f"FlattenObservation makes {dtype} of {space}")


def _restoring(wrapper: Any, actions: np.ndarray, inner: np.ndarray) -> list[Stage]:
    many = wrapper._many
    if not isinstance(many, partial) or many.func is not restored:
        raise RunsInPython("RescaleAction has another function")
    to = many.keywords["to"]
    forms = {(array.dtype, array.shape) for array in (to.gradient, to.old.low, to.new.low, actions[0], inner[0])}
    if to.held is not None or len(forms) > 1 or inner.dtype.name not in _FLOATS:
        raise RunsInPython(f"RescaleAction takes {actions.dtype} of the shape {actions.shape}")
    return restoring(actions, inner, to)


def _clipping(wrapper: Any, actions: np.ndarray, inner: np.ndarray) -> list[Stage]:
    many = wrapper._many
    if not isinstance(many, partial) or many.func is not np.clip:
        raise RunsInPython("ClipAction has another function")
    low, high = many.keywords["a_min"], many.keywords["a_max"]
    forms = {(array.dtype, array.shape) for array in (low, high, actions[0], inner[0])}
    if len(forms) > 1 or inner.dtype.name not in _FLOATS:
        raise RunsInPython(f"ClipAction takes {actions.dtype} of the shape {actions.shape}")
    return clipping(actions, inner, low, high)


def _leave(wrapper: object, stage: Stage, steps: Steps) -> None:
    """Take a wrapper to where its stage is."""
    if isinstance(wrapper, NormalizeObservation) and wrapper.update_running_mean:
        rms = wrapper.obs_rms
        rms.mean, rms.var, rms.count = moments_in(stage)
    if isinstance(wrapper, FrameStackObservation):
        stacks = stage.memory["output"]
        for k in range(stacks.shape[1]):
            wrapper._stack.push(stacks[:, k])
        mark_finished(wrapper, steps.over(), steps.mode)


_OBSERVATIONS: dict[type, Callable[[Place, Any, list[Batch]], tuple[list[Batch], Stage | None]]] = {
    NormalizeObservation: _normalizing,
    FrameStackObservation: _stacking,
    FlattenObservation: _flattening,
}
_ACTIONS: dict[type, Callable[[Any, np.ndarray, np.ndarray], list[Stage]]] = {
    RescaleAction: _restoring,
    ClipAction: _clipping,
}
