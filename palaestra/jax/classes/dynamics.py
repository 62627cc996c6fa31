"""A class, or a `FuncEnv`, as functions of arrays: the start of an episode, and a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gymnasium.envs._jax.dynamics import Step
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.functional.func_env import FuncEnv
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple
from palaestra.jax.classes import steps
from palaestra.language.frontend.entry import program_of
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.jax.numbers import NotUnderJax
from palaestra.language.jax.rows import Rows
from palaestra.language.program import ADDRESS, Kind, Place, Program, Value, has_loops
from palaestra.language.types import Column, Packed, Term, constant, tuple_of
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.frame.batch import STREAM, Batch
from palaestra.runner.frame.kernels import Dynamics, check_pure, check_types
from palaestra.runner.kernels import columns as memory
from palaestra.runner.kernels.infos import absent_name
from palaestra.runner.kernels.packing import has_texts
from palaestra.runner.kernels.params import Node, Record
from palaestra.runner.kernels.params import Value as Leaf
from palaestra.runner.kernels.plan import plan_of

FLOAT, FLAG = Column(np.dtype(np.float64)), Column(np.dtype(np.bool_))
ABSENT = absent_name("")


class Moment(NamedTuple):
    """The state of an environment of a class, a pytree.

    Attributes:
        fields: What its attributes hold.
        stream: The words of its generator, uint64 of shape (5,).
        observation: Its last observation.
        mark: 0; for a row that raised, the number of the place: positive in a step, negative in a reset.
    """

    fields: tuple[Any, ...]
    stream: Any
    observation: Any
    mark: Any


class Columns(NamedTuple):
    """The columns that a program reads and writes, by the field of a `Batch`: a column, or a tuple of them."""

    kinds: dict[str, Column | tuple[Column, ...]]

    def flat(self) -> list[Column]:
        """Returns all columns, in their order."""
        found: list[Column] = []
        for one in self.kinds.values():
            found += [one] if isinstance(one, Column) else one
        return found


class JaxClass:
    """The dynamics of a class, or of a `FuncEnv`: pure functions of one environment, to be jitted, mapped and scanned.

    The arguments and results have 64 bits where Python's have: a program that traces them must enable these.

    Args:
        dynamics: The class, or the `FuncEnv`, whose default params are constants.

    Raises:
        palaestra.error.CannotCompile, TypeError: If the language does not take it.
        NotUnderJax: If infos are made in Python, observations are texts, or objects cannot be followed.
    """

    def __init__(self, dynamics: FuncEnv) -> None:
        self.dynamics, self.params = dynamics, dynamics.default_params
        plan = self._plan = plan_of(dynamics, self.params)
        self.name = plan.name
        check_pure(plan)
        if plan.infos.in_python:
            raise NotUnderJax("an info that is made in Python")
        if isinstance(dynamics, ClassDynamics) and dynamics.model.placed:
            raise NotUnderJax(f"an object that is in a list, or is replaced ({dynamics.model.placed[0].__name__}),")
        if has_texts(dynamics.observation_space):
            raise NotUnderJax("an observation that is a text")
        state = tuple(map(_form, plan.state))
        seen = tuple(_form(leaf.column) for leaf in plan.observation)
        reports = plan.infos.begin, plan.infos.step
        infos = [[leaf.column for leaf in report.leaves] if report else [] for report in reports]
        self._names = [[column.name for column in several] for several in infos]
        begun, stepped = (tuple(map(_form, several)) for several in infos)
        shared: dict[str, Any] = {"state": state, "streams": STREAM, "observation": seen}
        ends: dict[str, Any] = {"rewards": FLOAT, "terminations": FLAG, "truncations": FLAG}
        self._begin = Columns({**shared, "first_infos": begun})
        self._step = Columns({**shared, "actions": _form(plan.action), "infos": stepped, **ends})
        self._fronts: list[FrontEnd] = []
        self._begin_rows, self._step_rows = self._rows(steps.begin, self._begin), self._rows(steps.step, self._step)
        if any(front.is_loose for front in self._fronts) and any(front.narrows for front in self._fronts):
            check_types(plan)

    def _rows(self, function: Callable[..., None], columns: Columns) -> Rows:
        flat, known = columns.flat(), Dynamics(self.dynamics, self._plan, lanes=False, draws=False)

        def write(front: FrontEnd, values: dict[str, Value]) -> Value:
            self._fronts.append(front)
            places = iter(values.values())
            terms = dict.fromkeys(Batch._fields, constant(None))
            terms["params"] = terms["start"] = _known(front, self._plan.params, self.params)
            for name, kinds in columns.kinds.items():
                several = (kinds,) if isinstance(kinds, Column) else kinds
                found = [Term(one, (next(places),)) for one in several]
                terms[name] = found[0] if isinstance(kinds, Column) else self._together(name, found)
            front.call_function(function, [constant(known), tuple_of(terms.values(), Batch)], {})
            return front.number(0)

        parameters: dict[str, Kind] = {f"column{k}": ADDRESS for k in range(len(flat))}
        program = program_of(f"{self.name}.{function.__name__}", parameters, write)
        return Rows(program, [(one.dtype, int(np.prod(one.shape, dtype=np.int64))) for one in flat])

    def _together(self, name: str, terms: Sequence[Term]) -> Term:
        return tuple_of(terms, self._plan.state_type if name == "state" else tuple)

    def first(self) -> Moment:
        """Returns the state of an environment as it is made, with an empty stream."""
        columns = self._plan.state
        held = self._plan.first or [np.zeros(column.shape) for column in columns]
        fields = [np.asarray(one, column.dtype) for one, column in zip(held, columns, strict=True)]
        seen = [np.zeros(leaf.column.shape, leaf.column.dtype) for leaf in self._plan.observation]
        return Moment(tuple(fields), np.zeros(5, np.uint64), self._tree(seen), np.int32(0))

    def begin(self, moment: Moment) -> tuple[Moment, Any, dict[str, Any]]:
        """Returns the first state of an episode, its observation and its info."""
        code, found = self._run(self._begin_rows, self._begin, moment)
        return (
            self._ended(moment, found, code, -1),
            self._tree(found["observation"]),
            self._info(0, found["first_infos"]),
        )

    def advance(self, moment: Moment, action: Any) -> tuple[Step, Any]:
        """Returns the results of an action, and whether the environment truncates the episode.

        An environment that raised, now or before, stays as it is.
        """
        code, found = self._run(self._step_rows, self._step, moment, action)
        (reward,), (terminated,), (truncated,) = (found[name] for name in ("rewards", "terminations", "truncations"))
        after = self._ended(moment, found, code, 1)
        is_there = after.mark == 0
        info = self._info(1, found["infos"])
        reward = jnp.where(is_there, reward, 0.0)
        return Step(after, after.observation, reward, terminated & is_there, info), truncated & is_there

    def _run(
        self, rows: Rows, columns: Columns, moment: Moment, action: Any = None
    ) -> tuple[Any, dict[str, list[Any]]]:
        """Runs a program; returns its result, and by parameter the columns behind it."""
        given: dict[str, Sequence[Any]] = {"state": moment.fields, "streams": [moment.stream], "actions": [action]}
        arrays = []
        for name, kinds in columns.kinds.items():
            several = (kinds,) if isinstance(kinds, Column) else kinds
            for k, one in enumerate(several):
                value = given[name][k] if name in given else np.zeros(one.shape, one.dtype)
                arrays.append(jnp.asarray(value, one.dtype).reshape(-1))
        outcome = rows.run(*arrays)
        left = iter(outcome.columns)
        found = {}
        for name, kinds in columns.kinds.items():
            several = (kinds,) if isinstance(kinds, Column) else kinds
            found[name] = [jnp.asarray(next(left)).reshape(one.shape) for one in several]
        return jnp.asarray(outcome.result), found

    def _ended(self, before: Moment, found: dict[str, list[Any]], code: Any, sign: int) -> Moment:
        """The state behind a program: the one before it if it raised."""
        raised = code < 0
        stays = raised | (before.mark != 0) if sign > 0 else raised
        (stream,) = found["streams"]
        mark = jnp.where(raised, (-sign * code).astype(jnp.int32), 0)
        mark = jnp.where(before.mark != 0, before.mark, mark) if sign > 0 else mark
        after = Moment(tuple(found["state"]), stream, self._tree(found["observation"]), mark)
        kept: Moment = jax.tree.map(lambda old, new: jnp.where(stays, old, new), before, after)
        return kept._replace(mark=mark)

    def _tree(self, leaves: Sequence[Any]) -> Any:
        return _tree(self.dynamics.observation_space, iter(leaves))

    def _info(self, k: int, values: Sequence[Any]) -> dict[str, Any]:
        """An info, and for each key that may be absent whether it is, under the name of `absent_name`."""
        info = dict(zip(self._names[k], values, strict=True))
        for key in [key for key in info if not key.startswith(ABSENT)]:
            if any(absent_name(key) in names for names in self._names):
                info.setdefault(absent_name(key), jnp.asarray(False))
        return info

    @property
    def programs(self) -> tuple[Program, Program]:
        """The programs that begin an episode and step."""
        return self._begin_rows.program, self._step_rows.program

    @property
    def loops(self) -> bool:
        """Whether there are loops in what begins an episode."""
        return has_loops(self.programs[0])

    @property
    def state_type(self) -> Any:
        """The class of states in Python, a NamedTuple."""
        return self._plan.state_type

    def no_action(self) -> Any:
        """Returns an action of zeros."""
        return np.zeros(self._plan.action.shape, self._plan.action.dtype)

    def no_info(self) -> dict[str, Any]:
        """Returns an info of a reset, of zeros."""
        return self._info(0, [jnp.zeros(one.shape, one.dtype) for one in self._begin.kinds["first_infos"]])  # type: ignore[union-attr]

    def place(self, mark: int) -> tuple[Place | None, str]:
        """Returns the place of a mark, and the exception that was raised there."""
        rows = self._step_rows if mark > 0 else self._begin_rows
        return rows.program.places[abs(mark) - 1]


def _known(front: FrontEnd, tree: Node, params: Any) -> Term:
    """The term of params, which are constants; long tuples are memory, which is indexed at once."""
    if isinstance(tree, Record):
        return tuple_of([_known(front, one, part) for one, part in zip(tree.parts, params, strict=True)], tree.type)
    if isinstance(tree, Leaf) and tree.kind == "long" and not any(isinstance(one, np.generic) for one in params):
        place = front.emit("table", ADDRESS, attribute=np.array(params, tree.dtype))
        return Term(Packed(tree.dtype, len(params)), (place,))
    return constant(params)


def _form(column: memory.Column) -> Column:
    return Column(column.dtype, column.shape, numpy=column.is_numpy)


def _tree(space: Space[Any], leaves: Iterator[Any]) -> Any:
    if isinstance(space, Dict):
        return {key: _tree(one, leaves) for key, one in space.spaces.items()}
    if isinstance(space, Tuple):
        return tuple(_tree(one, leaves) for one in space.spaces)
    return next(leaves)
