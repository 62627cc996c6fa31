"""Where the columns of a batch are: the object `batch` of `steps`, as terms of a program.

A program reads every address from `context`, whose words are fixed while it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from palaestra.language.frontend.front import FrontEnd
from palaestra.language.frontend.refusals import Refused
from palaestra.language.program import ADDRESS, FIXED, INT64, Value
from palaestra.language.types import PYTHON, Column, Number, Packed, Term, Tuple, constant, kept, plain, tuple_of
from palaestra.runner.frame.fitting import Waiting
from palaestra.runner.kernels import columns as memory
from palaestra.runner.kernels.layout import Layout, final_info_name, info_name
from palaestra.runner.kernels.params import Node, Record
from palaestra.runner.kernels.params import Value as Leaf
from palaestra.runner.kernels.plan import Plan

WORD = 8  # bytes
STREAM = Column(np.dtype(np.uint64), (5,))
FLAGS = Column(np.dtype(np.bool_))


class Batch(NamedTuple):
    """The columns of a batch, and its numbers.

    Attributes:
        mode: The autoreset mode, as a number of `layout`.
        limit: The steps after which an episode is truncated.
        resets: Whether the user resets; else a step does.
        begins: Whether each row begins an episode.
        failed: One row: the first row whose dynamics raised.
        last: The state before a reset, for infos that Python reports.
        final: The observations with which episodes ended.
        first_infos: The infos of a reset.
        chances: For each row, the stream that params are drawn from, and the number of episodes.
        bounds: What the draws of params get.
        drawn: The params that are drawn.
        own: The params that rows have of their own: in the order of `held`, `info_params` and `info_masks`.
        held: Whether a row has its own; None for a param that is drawn.
        waiting: Whether a row has options for its next reset.
        info_params: The own params in infos.
        info_masks: Whether they are there.
        info_mask: Whether any of them is.
    """

    mode: Any
    limit: Any
    resets: Any
    begins: Any
    failed: Any
    streams: Any
    actions: Any
    params: Any
    start: Any
    state: Any
    last: Any
    observation: Any
    final: Any
    infos: Any
    final_infos: Any
    first_infos: Any
    rewards: Any
    terminations: Any
    truncations: Any
    finished: Any
    fresh: Any
    skipped: Any
    elapsed: Any
    chances: Any = None
    bounds: Any = None
    drawn: Any = ()
    own: Any = ()
    held: Any = ()
    waiting: Any = None
    info_params: Any = ()
    info_masks: Any = ()
    info_mask: Any = None


class Context:
    """Reads what a program needs from `context`.

    Args:
        front: The front end of the program.
        context: The address of the words.
        plan: The plan of the batch.
        each: The names of the param values that differ between environments.
        shapes: The shapes of params that are arrays, by their name.
        numpy: The places of params that are numbers of NumPy, for `params` and `start`.
        sizes: The params that are ints, by their name.
    """

    def __init__(
        self,
        front: FrontEnd,
        context: Value,
        plan: Plan,
        each: frozenset[str],
        shapes: dict[str, tuple[int, ...]],
        numpy: dict[str, frozenset[int]],
        sizes: dict[str, int],
    ) -> None:
        self._front, self._context, self._plan = front, context, plan
        self._layout, self._each, self._shapes, self._numpy = Layout(plan), each, shapes, numpy
        self._sizes = sizes

    def batch(self, starts: bool) -> Term:
        """Returns the batch; for programs that begin episodes, `starts`, with the params of first states."""
        plan, columns = self._plan, self._layout.columns
        state = tuple_of([self._column(f"state{k}") for k in range(len(plan.state))], plan.state_type)
        keeps_last = plan.infos.in_python
        mask = self._word("mask")
        is_reset = self._front.compare("ne", mask, self._front.number(0))
        begins = self._front.emit("select", INT64, is_reset, mask, self._word("fresh"))
        fields = Batch(
            mode=self._int("mode"),
            limit=self._int("limit"),
            resets=Term(PYTHON[bool], (is_reset,)),
            begins=self._at(FLAGS, begins),
            failed=Term(Column(INT64), (self._place("failed"),)),
            streams=self._at(STREAM, self._word("streams")),
            actions=self._at(_form(plan.action), self._word("actions")),
            params=self._params("params", plan.params),
            start=self._first_params() if starts else constant(None),
            state=state,
            last=self._several(f"last{k}" for k in range(len(plan.state) if keeps_last else 0)),
            observation=self._several(f"observation{k}" for k in range(len(plan.observation))),
            final=self._several(f"final{k}" for k in range(len(plan.observation))),
            infos=self._several(map(info_name, _info_columns(plan.infos.step))),
            final_infos=self._several(final_info_name(one.name) for one in _info_columns(plan.infos.step)),
            first_infos=self._several(map(info_name, _info_columns(plan.infos.begin))),
            **{name: self._column(name) for name in _SINGLE if name in columns},
            **self._own(),
        )
        fields = Batch(*(constant(one) if not isinstance(one, Term) else one for one in fields))
        return Term(_type_of(fields), tuple(part for term in fields for part in term.parts))

    def _called(self, term: Term, name: str) -> Term:
        """A term with a name for people."""
        term.part.called(name)
        return term

    def _several(self, names: Any) -> Term:
        return tuple_of([self._column(name) for name in names])

    def _column(self, name: str) -> Term:
        return self._called(self._at(_form(self._layout.columns[name]), self._word(name)), self._layout.words[name])

    def _at(self, kind: Column, word: Value) -> Term:
        return Term(kind, (self._front.emit("address", ADDRESS, word),))

    def _place(self, name: str) -> Value:
        at = self._front.number(WORD * self._layout.slots[name])
        return self._front.emit("offset", ADDRESS, self._context, at)

    def _word(self, name: str) -> Value:
        return self._front.emit("load", INT64, self._place(name), attribute=FIXED)

    def _int(self, name: str) -> Term:
        return Term(PYTHON[int], (self._word(name),))

    # Params.

    def _own(self) -> dict[str, Term]:
        """The columns of params that rows have of their own."""
        plan = self._plan
        waiting = {"waiting": self._column("waiting")} if plan.waits else {}
        if not plan.own:
            return waiting
        drawn = [f"params{draw.place}" for draw in plan.draws]
        held = [self._column(f"held{k}") if k in plan.held else constant(None) for k in plan.own]
        return {
            "chances": self._column("chances"),
            "bounds": self._params("bounds", plan.bounds),
            "drawn": self._several(drawn),
            "own": self._several(f"params{k}" for k in plan.own),
            "held": tuple_of(held),
            "info_params": tuple_of([self._shown(f"info_param{k}") for k in plan.own]),
            "info_masks": tuple_of([self._shown(f"info_mask{k}") for k in plan.own]),
            "info_mask": self._shown("info_mask"),
        } | waiting

    def _shown(self, name: str) -> Term:
        return self._at(_form(self._layout.info_params[name]), self._word(name))

    def _first_params(self) -> Term:
        """The params of first states: `start`, but for those of the rows themselves, and for options that wait."""
        plan, numbers = self._plan, iter(range(1 << 30))

        def leaf(one: Leaf) -> Term:
            k = next(numbers)
            started = k in plan.started
            usual = self._leaf(f"start{k}" if k not in plan.own or started else f"params{k}", one)
            if not (started and plan.waits):
                return usual
            choice = [self._column("waiting"), self._column(f"waiting{k}"), usual]
            return Term(Tuple(tuple(term.type for term in choice), Waiting), sum((term.parts for term in choice), ()))

        return self._node(plan.params, leaf)

    def _params(self, prefix: str, tree: Node) -> Term:
        numbers = iter(range(1 << 30))
        return self._node(tree, lambda leaf: self._leaf(f"{prefix}{next(numbers)}", leaf))

    def _node(self, node: Node, leaf: Callable[[Leaf], Term]) -> Term:
        if node is None:
            return constant(None)
        if isinstance(node, Record):
            return tuple_of([self._node(part, leaf) for part in node.parts], node.type)
        return leaf(node)

    def _leaf(self, name: str, leaf: Leaf) -> Term:
        """A value of the params: of all rows, or a column of it."""
        differs, is_numpy = name in self._each, self._is_numpy(name)
        place = self._front.emit("address", ADDRESS, self._word(name))
        if leaf.kind == "array":
            shape = self._shapes[name]
            kind = Column(leaf.dtype, shape)
            return Term(kind, (place,)) if differs else Term(plain(leaf.dtype, shape, writable=False), (place,))
        if leaf.kind == "number":
            if differs:
                return Term(Column(leaf.dtype, numpy=is_numpy), (place,))
            number = self._fixed(leaf.dtype, place, 0, is_numpy)
            if name in self._sizes:
                self._front.sizes[number.part] = name, self._sizes[name]
            return number
        if is_numpy:
            raise Refused("the params hold a tuple with numbers of NumPy", "write float(...) or int(...)")
        if differs:
            return Term(Column(leaf.dtype, self._shapes[name], packed=True), (place,))
        if leaf.kind == "long":
            return Term(Packed(leaf.dtype, *self._shapes[name]), (place,))
        return tuple_of([self._fixed(leaf.dtype, place, k, is_numpy) for k in range(leaf.size)])

    def _is_numpy(self, name: str) -> bool:
        prefix = name.rstrip("0123456789")
        return int(name[len(prefix) :]) in self._numpy.get(prefix, ())

    def _fixed(self, dtype: np.dtype[Any], place: Value, k: int, is_numpy: bool) -> Term:
        at = self._front.emit("offset", ADDRESS, place, self._front.number(k * dtype.itemsize))
        return Term(Number(dtype) if is_numpy else kept(dtype), (self._front.emit("load", dtype, at, attribute=FIXED),))


_SINGLE = "rewards", "terminations", "truncations", "finished", "fresh", "skipped", "elapsed"


def _info_columns(report: Any) -> list[memory.Column]:
    return [leaf.column for leaf in report.leaves] if report else []


def _form(column: memory.Column) -> Column:
    return Column(column.dtype, column.shape, numpy=column.is_numpy)


def _type_of(fields: Sequence[Term]) -> Any:
    return Tuple(tuple(term.type for term in fields), Batch)
