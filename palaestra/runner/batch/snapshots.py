"""Snapshots of a compiled batch: of one environment, for `get_state`; of all, for copies and pickles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.env import FunctionalEnv, FunctionalState
from gymnasium.params.randomization import PARAMS, check_drawn
from gymnasium.states.plain import Record
from gymnasium.vector._batch.shell import Shell
from gymnasium.vector._batch.turns import in_turn
from palaestra.runner.batch.beginnings import BEGINNINGS, own_state
from palaestra.runner.kernels.columns import own_value
from palaestra.runner.kernels.layout import UNLIMITED
from palaestra.runner.kernels.seeding import generator_at

if TYPE_CHECKING:
    from palaestra.runner.batch.attributes import Attributes
    from palaestra.runner.batch.beginnings import Beginning, Settings
    from palaestra.runner.batch.generators import Streams
    from palaestra.runner.kernels.memory import Memory
    from palaestra.runner.kernels.runner import Runner


class BatchedState(NamedTuple):
    """A snapshot of one environment of a batch, with its position in the episode."""

    environment: FunctionalState
    elapsed: int
    finished: bool
    observation: tuple[Any, ...] = ()
    """The parts of its last observation, where it cannot be made of the state."""
    params: dict[str, Any] | None = None
    """Its own params and their stream, see `gymnasium.params.randomization.Randomizer`; None if it has none."""


def state_at(i: int, memory: Memory, attributes: Attributes) -> BatchedState:
    """Returns a snapshot of environment i."""
    columns, env = memory.columns, attributes.at(i)
    state = env.get_state()
    observed = _observed(columns, i) if memory.plan.outcome_type is not None or _draws(env) else ()
    params = own_state(columns, attributes.own, i) if attributes.own else None
    return BatchedState(state, int(columns["elapsed"][i]), bool(columns["finished"][i]), observed, params)


def _observed(columns: Mapping[str, np.ndarray], i: int) -> tuple[Any, ...]:
    """Returns the parts of an environment's last observation."""
    count = sum(name.startswith("observation") for name in columns)
    return tuple(columns[f"observation{k}"][i].copy() for k in range(count))


def _draws(env: FunctionalEnv) -> bool:
    """Returns whether the observation of an environment's state draws random numbers."""
    before = env.np_random.bit_generator.state
    env.func_env.observation(env._dynamics_state, env._stream(), env.params)
    return env.np_random.bit_generator.state != before


def put_state(
    i: int, state: object, memory: Memory, attributes: Attributes, streams: Streams, beginning: Beginning
) -> None:
    """Restore a snapshot in environment i.

    Raises:
        TypeError: If `state` is not a snapshot.
        ValueError: If it belongs to other dynamics. Nothing is set in either case.
    """
    if not isinstance(state, BatchedState):
        raise TypeError(f"`set_state` expects a result of a batch's `get_state`, but a {type(state)} came")
    env = attributes.at(i)
    _check_drawn(state.params, beginning)
    env.set_state(state.environment)
    streams.assign(i, env.np_random, state.environment.seed)
    memory.set_state(i, env._dynamics_state)
    beginning.put_state(i, state.params)
    env.params = attributes.param(i)
    memory = beginning.memory
    memory.columns["elapsed"][i], memory.columns["finished"][i] = state.elapsed, state.finished
    for k, part in enumerate(state.observation):
        memory.columns[f"observation{k}"][i] = part
    if state.observation or memory.plan.outcome_type is not None:
        return
    # A reset of other environments returns this observation again.
    observed = env.func_env.observation(env._dynamics_state, env._stream(), env.params)
    for k, leaf in enumerate(memory.plan.observation):
        part = observed
        for index in leaf.indices:
            part = (list(part.values()) if isinstance(part, dict) else part)[index]
        memory.columns[f"observation{k}"][i] = part


def _check_drawn(params: Mapping[str, Any] | None, beginning: Beginning) -> None:
    """Check that own params, as in a `BatchedState`, are those that this batch draws; None fits each batch."""
    if params is not None:
        randomization = beginning.settings().randomization
        check_drawn(params, () if randomization is None else randomization.names)


class CompiledState(NamedTuple):
    """A snapshot of all environments of a batch, column by column."""

    kind: str
    """The dynamics, and their observation."""
    limit: int
    """The number of steps after which an episode is truncated; -1 for none."""
    state_name: str
    fields: tuple[str, ...]
    """The class of the dynamics' state and its fields, which are the columns `state0` and so on."""
    columns: dict[str, np.ndarray]
    """The arrays of the kernels, each with a leading axis of n."""
    streams: NDArray[np.uint64]
    """The rows of `seeding`, shape (n, 5)."""
    seeds: Sequence[int | None]
    own: dict[str, int] = {}
    """The number k of each param that the environments have for themselves, in the column `params{k}`."""


def batch_state(memory: Memory, attributes: Attributes, streams: Streams) -> CompiledState:
    """Returns a snapshot of all environments."""
    plan = memory.plan
    waits = plan.waits and memory.columns["waiting"].any()
    return CompiledState(
        attributes.at(0).get_state().kind,
        _limit(memory),
        plan.state_type.__name__,
        tuple(column.name for column in plan.state),
        {name: column.copy() for name, column in memory.columns.items() if waits or not name.startswith("waiting")},
        memory.streams.copy(),
        list(streams.seeds()),
        dict(attributes.own),
    )


def put_batch_state(
    state: object, memory: Memory, attributes: Attributes, streams: Streams, beginning: Beginning
) -> None:
    """Restore a snapshot in all environments.

    Raises:
        TypeError: If `state` is not a snapshot.
        ValueError: If it belongs to other dynamics, or to another number of environments. Nothing is set in either
            case.
    """
    if not isinstance(state, CompiledState):
        raise TypeError(f"`set_state` expects a result of a batch's `get_state`, but a {type(state)} came")
    env, limit = attributes.at(0), _limit(memory)
    kind = env.get_state().kind
    if (state.kind, state.limit) != (kind, limit):
        raise ValueError(
            f"`set_state` expects a state of {kind}, limit {limit}, but one of {state.kind}, limit {state.limit} came"
        )
    columns = {name: column for name, column in state.columns.items() if not name.startswith(BEGINNINGS)}
    if _forms(columns) != _forms(memory.columns) or len(state.seeds) != memory.n:
        raise ValueError("`set_state` expects a state of as many environments, with columns of the same dtypes")
    rows = np.asarray(state.streams)
    if (rows.dtype, rows.shape) != (memory.streams.dtype, memory.streams.shape):
        raise ValueError(f"`set_state` expects streams of the shape {memory.streams.shape}, but {rows.shape} came")
    if not all(seed is None or isinstance(seed, (int, np.integer)) for seed in state.seeds):
        raise ValueError("`set_state` expects seeds that are numbers")
    _check_ranges(columns, memory, getattr(env.func_env, "state_ranges", {}))
    _check_drawn(own_state(state.columns, state.own, 0) if state.own else None, beginning)
    beginning.put_columns(state.columns, state.own)
    for name, column in columns.items():
        beginning.memory.columns[name][:] = column
    streams.put(rows, list(state.seeds))


def _check_ranges(columns: Mapping[str, np.ndarray], memory: Memory, ranges: Mapping[str, tuple[int, int]]) -> None:
    for k, field in enumerate(memory.plan.state):
        low, high = ranges.get(field.name, (None, None))
        rows = columns[f"state{k}"]
        if low is not None and high is not None and not (low <= rows.min() and rows.max() <= high):
            raise ValueError(f"{field.name} of a state is a number from {low} to {high}, but others came")


def _forms(columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
    return {name: (one.dtype, one.shape) for name, one in columns.items() if not name.startswith(BEGINNINGS)}


def copy_row(source: int, rows: NDArray[np.int64], memory: Memory, streams: Streams) -> None:
    """Put some environments where `source` is."""
    # All of them with one assignment, which is several times as fast as by their indices.
    others = slice(None) if len(rows) + 1 == memory.n and source not in rows else rows
    for column in memory.columns.values():
        column[others] = column[source].copy() if column.ndim > 1 else column[source]
    streams.copy(source, others)


def _limit(memory: Memory) -> int:
    return -1 if memory.limit == UNLIMITED else memory.limit


def member_of(state: Mapping[str, Any], i: int) -> dict[str, Any]:
    """Returns a single environment's part of the fields of a `CompiledState`: its layers, as plain data.

    Raises:
        ValueError: If options wait for its next reset, of which only the numbers are known that they give.
    """
    columns: dict[str, np.ndarray] = state["columns"]
    if "waiting" in columns and columns["waiting"][i]:
        raise ValueError(
            f"Options wait for the next reset of environment {i}: only a whole compiled batch takes them, so reset it "
            "before the snapshot"
        )
    values = {name: own_value(columns[f"state{k}"][i]) for k, name in enumerate(state["fields"])}
    generator = dict(generator_at(state["streams"][i]).bit_generator.state)
    environment = {
        "kind": state["kind"],
        "state": Record(state["state_name"], values),
        "generator": generator,
        "seed": state["seeds"][i],
        "steps_beyond_terminated": None,
    }
    layers: list[tuple[str, Any]] = [("FunctionalEnv", Record("FunctionalState", environment))]
    if state["limit"] >= 0:
        layers.insert(0, ("TimeLimit", {"elapsed_steps": np.array(int(columns["elapsed"][i]))}))
    if state.get("own"):
        layers.insert(0, (PARAMS, own_state(columns, state["own"], i)))
    return {"layers": layers, "finished": bool(columns["finished"][i]), "observed": _observed(columns, i)}


class Saved(NamedTuple):
    """A snapshot of all environments."""

    columns: dict[str, np.ndarray]
    rows: NDArray[np.uint64]
    seeds: list[int | None]
    params: list[Any]
    running: bool
    settings: Settings


def saved(memory: Memory, attributes: Attributes, streams: Streams, settings: Settings) -> Saved:
    """Returns a snapshot of all environments."""
    seeds, params = list(streams.seeds()), list(attributes.base)
    return Saved(dict(memory.columns), memory.streams, seeds, params, attributes.running, settings)


def put_saved(moment: Saved, runner: Runner, attributes: Attributes, streams: Streams, beginning: Beginning) -> None:
    """Restore a snapshot in all environments."""
    attributes.use(moment.params)
    beginning.put_settings(moment.settings)
    attributes.running = moment.running
    for name, column in moment.columns.items():
        runner.memory.put(name, column)
    streams.put(moment.rows, moment.seeds)


class CompiledMoments(Shell[Any, Any, np.ndarray]):
    """The methods of a compiled batch that keep and put moments."""

    _runner: Runner
    _attributes: Attributes
    _streams: Streams
    _beginning: Beginning
    _silent: bool

    @in_turn
    def get_state(self, i: int | None = None) -> BatchedState | CompiledState:
        """Returns this moment of environment `i`, or for None of the whole batch: plain data.

        Raises:
            IndexError: If there is no such environment.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._check_ready("get_state", i)
        if i is None:
            return batch_state(self._runner.memory, self._attributes, self._streams)
        return state_at(i, self._runner.memory, self._attributes)

    @in_turn
    def set_state(self, i: int | None, state: BatchedState | CompiledState) -> None:
        """Put environment `i`, or for None the whole batch, where `get_state` was called, and go on exactly from there.

        Raises:
            IndexError: If there is no such environment.
            TypeError: If `state` is not a result of `get_state` for an index, or for None.
            ValueError: If it is of other dynamics, or of a batch of another size. Nothing is set in these cases.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._check_ready("set_state", i)
        if i is None:
            put_batch_state(state, self._runner.memory, self._attributes, self._streams, self._beginning)
        else:
            put_state(i, state, self._runner.memory, self._attributes, self._streams, self._beginning)
        self._silent &= not self._attributes.own

    @in_turn
    def fork(self, source: int, into: Sequence[int], seeds: Sequence[int] | None = None) -> None:
        """Put the environments `into` where `source` is; `palaestra.fork` checks the arguments.

        Args:
            source: The environment whose moment the others get.
            into: The others.
            seeds: A seed for the random stream of each of the others; None: they have that of `source`.
        """
        self._check_ready("fork", source)
        rows = np.asarray(into, np.int64)
        copy_row(source, rows, self._runner.memory, self._streams)
        if seeds is not None:
            self._reseed(rows.tolist(), list(seeds))
            if self._attributes.own:
                self._beginning.seed(rows, list(seeds))

    def _reseed(self, rows: list[int], seeds: list[int]) -> None:
        """Seed the random streams of some environments."""
        self._streams.reseed(rows, seeds)
