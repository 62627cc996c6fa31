"""A wrapper that asks a teacher for the params, seeds and options of a batch's episodes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.spaces import Dict, Space, Tuple
from gymnasium.states.plain import plain
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector._batch.counting import Counts, OwnCounts, Rows
from gymnasium.vector._batch.requests import split_options, split_seed
from gymnasium.vector.vector_env import ArrayType, AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.wrappers.vector._episodes import autoreset_mode
from palaestra.error import CannotSnapshot
from palaestra.randomization.curricula.teacher import PARTS, Beginnings, Lesson, Teacher, rows_of

__all__ = ["Curriculum"]


class Curriculum(VectorWrapper[ObsType, ActType, ArrayType], RecordConstructorArgs):
    """Asks a teacher how episodes begin, once for all environments that begin one in the same step.

        envs = Curriculum(make_vec("CartPole-v1", 64), LevelSampler([{"length": x} for x in np.linspace(0.2, 2, 50)]))

    The teacher gets their indices, the numbers of their episodes, and the returns, lengths and infos of the last ones;
    it returns options for their resets, or params, or both. An explicit `reset` asks too; with options of its own, it
    uses these instead. The teacher is not asked in a call that is refused before anything moves: for wrong actions or
    seeds, or for options that dynamics do not take; what a lesson asks for counts as a whole or, refused, not at all.

    For the mode `SAME_STEP`, make the environments in the mode `DISABLED` and choose the mode here: the teacher has to
    be asked between the end and the reset. Wrappers that look at the ends of episodes, such as
    `RecordEpisodeStatistics` and `NormalizeObservation`, then belong outside: inside, they do not see that mode.

    Args:
        env: The vector environment.
        teacher: A `palaestra.randomization.curricula.Teacher`, or any object with a method `begin`.
        autoreset_mode: `SAME_STEP` for environments in the mode `DISABLED`; None for their own mode.

    Raises:
        TypeError: If the teacher has no method `begin`; later, if it returns no `Lesson`, or if the environments do not
            take options or params.
        ValueError: For modes that do not fit together; later, for what the environments refuse.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        teacher: Teacher,
        autoreset_mode: str | AutoresetMode | None = None,
    ) -> None:
        RecordConstructorArgs.__init__(self, _disable_deepcopy=True, teacher=teacher, autoreset_mode=autoreset_mode)
        VectorWrapper.__init__(self, env)
        if isinstance(teacher, type) or not callable(getattr(teacher, "begin", None)):
            came = f"the class {teacher.__name__}" if isinstance(teacher, type) else f"a {type(teacher)}"
            raise TypeError(f"Curriculum needs a teacher, an object with a method `begin`, but {came} came")
        self.teacher = teacher
        self._mode = _mode(env, autoreset_mode)
        if self._mode is not env.metadata.get("autoreset_mode"):
            self.metadata = {**env.metadata, "autoreset_mode": self._mode}
        self._counts = env._count_episodes()
        self._infos: dict[str, Any] = {}  # of the last step

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Ask the teacher, and reset."""
        self.env._check_reset_with(seed, options)
        split_seed(seed, self.num_envs)
        mask, _ = split_options(options, self.num_envs)
        rows = np.arange(self.num_envs) if mask is None else mask.nonzero()[0]
        self._teach(rows)
        result = self.env.reset(seed=seed, options=options)
        self._counts.reset(rows)
        return result

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step; the teacher is asked for the environments that begin an episode."""
        begins = self._mode is AutoresetMode.NEXT_STEP and self._counts.any_over()
        step = self.env._step_after(actions, self._teach) if begins else self.env.step(actions)
        observations, rewards, terminations, truncations, self._infos = step
        self._counts.add(rewards, terminations, truncations, begins)
        if self._mode is AutoresetMode.SAME_STEP and self._counts.any_over():
            observations, infos = self._reset_at_once(observations, self._infos)
            return observations, rewards, terminations, truncations, infos
        return step

    def _reset_at_once(self, last: object, infos: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Begin the next episodes within the step that ended the last ones."""
        rows = self._counts.over()
        self._teach()
        ended = np.zeros(self.num_envs, np.bool_)
        ended[rows] = True
        final = np.full(self.num_envs, None, object)
        for i, one in zip(rows.tolist(), _of_each(self.env.single_observation_space, last, rows), strict=True):
            final[i] = one
        observations, new = self.env.reset(options={"reset_mask": ended})
        self._counts.reset(rows)
        both = _joined(_part(infos, ~ended), new)
        both |= {"final_obs": final, "_final_obs": ended.copy()}
        both |= {"final_info": _part(infos, ended), "_final_info": ended.copy()}
        return observations, both

    def _teach(self, rows: Rows | None = None) -> None:
        """Ask the teacher, and prepare the environments of these rows; None for those whose episodes are over."""
        asked = _LazyBeginnings(self._counts, self._infos, rows)
        try:
            lesson = self.teacher.begin(asked)
        finally:
            if getrefcount(asked) > _ALONE:
                asked.settle()
        if lesson is None:
            return
        if not isinstance(lesson, Lesson):
            raise TypeError(f"A teacher returns a Lesson or None, but {lesson!r} came")
        rows, options, params = asked.rows(), *lesson
        if options is not None and params is not None:
            self.env._check_params(rows, params)  # a lesson counts as a whole or not at all
        if options is not None:
            self.env.set_reset_options(rows, options)
        if params is not None:
            self.env.set_params(rows, params)

    def get_state(self) -> dict[str, Any]:
        """Returns the state of the teacher and the records of the episodes.

        Raises:
            palaestra.error.CannotSnapshot: If the teacher has no `get_state`.
        """
        if not hasattr(self.teacher, "get_state"):
            raise CannotSnapshot(f"{type(self.teacher).__name__} has no get_state and set_state: define both")
        return {
            "teacher": self.teacher.get_state(),
            **self._counts.get_state(),
            "infos": _saved(self._infos),
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a state. Its infos of the last step are those that are plain data.

        Raises:
            ValueError: If it is one of another teacher, or of another number of environments.
        """
        if len(state["began"]) != self.num_envs:
            raise ValueError(f"The state is one of {len(state['began'])} environments, but there are {self.num_envs}")
        self.teacher.set_state(state["teacher"])  # type: ignore[attr-defined]  # it had a `get_state`
        self._counts.set_state(state)
        self._infos = _loaded(state.get("infos", {}))


class _LazyBeginnings(Beginnings):
    """Beginnings that gather each array when it is first looked at.

    Args:
        counts: The counts of the episodes.
        infos: The infos of their last steps.
        rows: The environments; None for those whose episodes are over.
    """

    def __init__(self, counts: Counts, infos: dict[str, Any], rows: Rows | None) -> None:
        self._counts, self._last, self._rows = counts, infos, rows
        self._all_over = rows is None

    def __getattr__(self, name: str) -> Any:
        if name not in PARTS:
            raise AttributeError(f"Beginnings have no attribute {name!r}: there are {', '.join(PARTS)}")
        rows = self.rows()
        if name == "env_ids":
            value: Any = rows.astype(np.int64)
        elif name == "infos":
            value = rows_of(self._last, rows)
        else:
            value = getattr(self._counts, name)(rows)
            if name != "episodes" and not self._all_over:
                value[~np.isin(rows, self._counts.over())] = np.nan if name == "returns" else 0
        setattr(self, name, value)
        return value

    def __reduce__(self) -> Any:
        """A pickle has the arrays only."""
        return Beginnings, tuple(self)

    def rows(self) -> Rows:
        """Returns the environments."""
        if self._rows is None:
            self._rows = self._counts.over()
        return self._rows

    def settle(self) -> None:
        """Gather all arrays, because what they are gathered from is about to change."""
        tuple(self)


def _references() -> int:
    """Returns the number of references to an object that only the function that made it knows."""
    asked = _LazyBeginnings(OwnCounts(1), {}, None)
    return getrefcount(asked)


_ALONE = _references()


def _mode(env: VectorEnv, wanted: str | AutoresetMode | None) -> AutoresetMode:
    """Returns the mode of the wrapper.

    Raises:
        ValueError: If the environment is in the mode SAME_STEP, or has another one than a mode that was chosen.
    """
    own = autoreset_mode(env)
    mode = own if wanted is None else AutoresetMode(wanted)
    if own is AutoresetMode.SAME_STEP:
        raise ValueError(
            "A teacher is asked between an end and a reset: make the environments with "
            'autoreset_mode="Disabled", and choose Curriculum(..., autoreset_mode="SameStep")'
        )
    if mode is not own and (own, mode) != (AutoresetMode.DISABLED, AutoresetMode.SAME_STEP):
        raise ValueError(f"Environments in the mode {own} cannot be in the mode {mode}")
    return mode


def _of_each(space: Space, batch: Any, rows: Rows) -> list[Any]:
    """Returns copies of the observations of some environments, as each of them gives its own."""
    if isinstance(space, Tuple):
        return list(zip(*(_of_each(*part, rows) for part in zip(space.spaces, batch, strict=True)), strict=True))
    if isinstance(space, Dict):
        parts = [_of_each(part, batch[name], rows) for name, part in space.spaces.items()]
        return [dict(zip(space.spaces, each, strict=True)) for each in zip(*parts, strict=True)]
    if isinstance(batch, np.ndarray):
        own = batch[rows]
        return own.tolist() if own.ndim == 1 else list(own)
    return [deepcopy(batch[i]) for i in rows.tolist()]


def _saved(infos: dict[str, Any]) -> dict[str, Any]:
    """Returns infos as plain data, with lists for arrays of objects, without those that have no such form."""
    saved: dict[str, Any] = {}
    for name, column in infos.items():
        if isinstance(column, dict):
            saved[name] = _saved(column)
        elif column.dtype.hasobject:
            with suppress(CannotSnapshot):
                saved[name] = plain(list(column), name)
        else:
            saved[name] = np.array(column)
    return {name: column for name, column in saved.items() if name[:1] != "_" or name[1:] in saved}


def _loaded(saved: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the infos of `_saved`."""
    infos: dict[str, Any] = {}
    for name, column in saved.items():
        if isinstance(column, list):
            infos[name] = np.empty(len(column), object)
            for k, value in enumerate(column):
                infos[name][k] = value
        else:
            infos[name] = _loaded(column) if isinstance(column, Mapping) else np.array(column)
    return infos


def _part(infos: dict[str, Any], chosen: NDArray[np.bool_]) -> dict[str, Any]:
    """Returns the infos of these environments, with placeholders for the others."""
    part: dict[str, Any] = {}
    for name, column in infos.items():
        mask = infos.get(f"_{name}")
        if mask is None or not (own := mask & chosen).any():
            continue
        if isinstance(column, dict):
            part[name] = _part(column, own)
        else:
            part[name] = column.copy()
            part[name][~own] = None if column.dtype.kind == "O" else 0
        part[f"_{name}"] = own
    return part


def _joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Returns the infos of different environments as one."""
    both = {**one, **other}
    for name in one.keys() & other.keys():
        mask = other.get(f"_{name}")
        if isinstance(one[name], dict):
            both[name] = _joined(one[name], other[name])
        elif mask is not None:
            where = mask.reshape(-1, *[1] * (one[name].ndim - 1))
            both[name] = np.where(where, other[name], one[name])
        else:  # a mask itself
            both[name] = one[name] | other[name]
    return both
