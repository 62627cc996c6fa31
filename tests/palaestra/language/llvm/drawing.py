"""Programs drawn at random: conditions, loops, blocks left early, slots, memory, where lanes disagree."""

from __future__ import annotations

from typing import Any

import numpy as np

from palaestra.language.program import ADDRESS, BOOL, FLOAT64, INT64, UINT64, Label, Program, Slot, Value
from tests.palaestra.language.llvm.building import Building

ITEMS = 4
"""The numbers of each row in a column."""

_KINDS = (FLOAT64, INT64, BOOL)
_SPECIAL = (0.0, -0.0, np.nan, np.inf, -np.inf, 5e-324, 1.0, -1.5, 1e300, 3.0)


def drawn_program(seed: int) -> Program:
    """A program that takes columns of floats and of ints, a table of floats for all rows, a number, and the row."""
    return _Drawing(np.random.default_rng(seed)).program()


def drawn_columns(seed: int, rows: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The columns of floats and of ints, and the table."""
    rng = np.random.default_rng(seed)
    floats = rng.normal(size=(rows, ITEMS)) * 3.0
    chosen = rng.random(floats.shape) < 0.2
    floats[chosen] = rng.choice(_SPECIAL, int(chosen.sum()))
    return floats, rng.integers(-9, 9, (rows, ITEMS)), rng.normal(size=8)


class _Drawing(Building):
    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__("floats", "ints", "table")
        self._rng = rng
        self.number_for_all = Value("parameter", INT64, (), "number")
        self._slots = [Slot(kind, f"slot{k}") for k, kind in enumerate(_KINDS * 2)]
        self._values: dict[Any, list[Value]] = {kind: [] for kind in _KINDS}
        self._labels: list[Label] = []
        self._loops = 0

    def program(self, name: str = "drawn") -> Program:
        self._room = self.value("room", ADDRESS, attribute=8 * ITEMS)
        self._values[INT64] += [self.row, self.number_for_all]
        for item in range(ITEMS):
            place = self.value("offset", ADDRESS, self._room, self.number(8 * item))
            self.store(place, self.number(item * 0.5, FLOAT64))
        for slot in self._slots:
            self.set(slot, self._constant(slot.kind))
        self._statements(14, 0)
        for k, slot in enumerate(self._slots):
            if slot.kind == FLOAT64:
                self.store(self.place(0, 8 * ITEMS, 8 * (k % ITEMS)), self.get(slot))
            elif slot.kind == INT64:
                self.store(self.place(1, 8 * ITEMS, 8 * (k % ITEMS)), self.get(slot))
        self.set(self.result, self._one_of(INT64))
        return Program(name, [*self.columns, self.number_for_all, self.row], self.region, self.result)

    def _statements(self, count: int, depth: int) -> None:
        kept = {kind: list(values) for kind, values in self._values.items()}
        slots = list(self._slots)
        if depth and self._rng.random() < 0.5:
            self._slots.append(Slot(_KINDS[self._rng.integers(3)], "own"))
            self.set(self._slots[-1], self._one_of(self._slots[-1].kind, own=False))
        for _ in range(count):
            choice = self._rng.random()
            if choice < 0.5 or depth > 4:
                self._compute()
            elif choice < 0.66:
                slot = self._slots[self._rng.integers(len(self._slots))]
                self.set(slot, self._one_of(slot.kind))
            elif choice < 0.74:
                self._store()
            elif choice < 0.86:
                self._if(depth)
            elif choice < 0.91:
                self._block(depth)
            elif choice < 0.95 and self._loops < 2:
                self._loop(depth)
            elif self._labels and self._rng.random() < 0.6:
                self._leave_sometimes()
        self._values, self._slots = kept, slots

    def _if(self, depth: int) -> None:
        with self.when(self._one_of(BOOL)):
            self._statements(int(self._rng.integers(1, 6)), depth + 1)
            self._leave_rarely()
        if self._rng.random() < 0.6:
            with self.otherwise():
                self._statements(int(self._rng.integers(1, 6)), depth + 1)
                self._leave_rarely()

    def _block(self, depth: int) -> None:
        label = Label("block")
        self._labels.append(label)
        with self.block(label):
            self._statements(int(self._rng.integers(2, 8)), depth + 1)
        self._labels.pop()

    def _loop(self, depth: int) -> None:
        """A loop that ends after some rounds, whatever else happens; sometimes all lanes agree how many."""
        label, counter = Label("loop"), Slot(INT64, "counter")
        self.set(counter, self.number(0))
        few = self.value("and", INT64, self._one_of(INT64), self.number(3))
        if self._rng.random() < 0.4:
            few = self.number(int(self._rng.integers(0, 4)))
        self._labels.append(label)
        self._loops += 1
        with self.loop(label):
            count = self.get(counter)
            if self._rng.random() < 0.3:
                self.set(self._slots[1], count)
            with self.when(self.value("ge", BOOL, count, few)):
                self.leave(label)
            self.set(counter, self.value("add", INT64, count, self.number(1)))
            self._values[INT64].append(count)
            self._statements(int(self._rng.integers(2, 7)), depth + 1)
            self._values[INT64].remove(count)
        self._loops -= 1
        self._labels.pop()

    def _leave_sometimes(self) -> None:
        with self.when(self._one_of(BOOL)):
            self.leave(self._labels[self._rng.integers(len(self._labels))])

    def _leave_rarely(self) -> None:
        if self._labels and self._rng.random() < 0.25:
            self.leave(self._labels[self._rng.integers(len(self._labels))])

    def _constant(self, kind: Any) -> Value:
        if kind == FLOAT64:
            return self.number(self._rng.choice(_SPECIAL), kind)
        return self.number(int(self._rng.integers(-5, 6)) if kind == INT64 else bool(self._rng.random() < 0.5), kind)

    def _one_of(self, kind: Any, own: bool = True) -> Value:
        """A value that can be read here: a constant, one from before, or what a slot holds, the newest one or not."""
        choice = self._rng.random()
        values = self._values[kind][-6:]
        if choice < 0.15 or (choice < 0.6 and not values):
            return self._constant(kind)
        if choice < 0.6:
            return values[self._rng.integers(len(values))]
        slots = [slot for slot in (self._slots if own else self._slots[:-1]) if slot.kind == kind]
        return self.get(slots[self._rng.integers(len(slots))])

    def _index(self, count: int) -> Value:
        """Bytes to an item of `count`: the same for all, or not."""
        if self._rng.random() < 0.4:
            return self.number(8 * int(self._rng.integers(count)))
        within = self.value("and", INT64, self._one_of(INT64), self.number(count - 1))
        return self.value("mul", INT64, within, self.number(8))

    def _place_of_floats(self) -> Value:
        if self._rng.random() < 0.5:
            return self.place(0, 8 * ITEMS, self._index(ITEMS))
        return self.value("offset", ADDRESS, self._room, self._index(ITEMS))

    def _store(self) -> None:
        choice = self._rng.random()
        if choice < 0.6:
            self.store(self._place_of_floats(), self._one_of(FLOAT64))
        elif choice < 0.9:
            self.store(self.place(1, 8 * ITEMS, self._index(ITEMS)), self._one_of(INT64))
        else:
            places = [self.place(0, 8 * ITEMS, 8 * k) for k in range(3)]
            given = [*places, *[self.number(8)] * 3, self.number(1)]
            self.value("loop", None, *given, attribute="subtract:dd->d")

    def _compute(self) -> None:
        kind, value = _COMPUTATIONS[self._rng.integers(len(_COMPUTATIONS))](self)
        self._values[kind].append(value)

    def _arithmetic(self) -> tuple[Any, Value]:
        operation = self._rng.choice(["add", "sub", "mul", "div", "copysign"])
        return FLOAT64, self.value(str(operation), FLOAT64, self._one_of(FLOAT64), self._one_of(FLOAT64))

    def _rounding(self) -> tuple[Any, Value]:
        operation = self._rng.choice(["neg", "fabs", "sqrt", "floor", "ceil", "trunc", "rint"])
        return FLOAT64, self.value(str(operation), FLOAT64, self._one_of(FLOAT64))

    def _of_ints(self) -> tuple[Any, Value]:
        operation = self._rng.choice(["add", "sub", "mul", "and", "or", "xor"])
        return INT64, self.value(str(operation), INT64, self._one_of(INT64), self._one_of(INT64))

    def _quotient(self) -> tuple[Any, Value]:
        """A division that is defined only because of the condition around it."""
        operation = str(self._rng.choice(["div", "rem"]))
        divisor, slot = self._one_of(INT64), self._slots[1]
        with self.when(self.value("gt", BOOL, divisor, self.number(0))):
            self.set(slot, self.value(operation, INT64, self._one_of(INT64), divisor))
        return INT64, self.get(slot)

    def _shifted(self) -> tuple[Any, Value]:
        amount = self.value("and", INT64, self._one_of(INT64), self.number(63))
        return INT64, self.value(str(self._rng.choice(["shl", "shr"])), INT64, self._one_of(INT64), amount)

    def _upper(self) -> tuple[Any, Value]:
        given = [self.value("convert", UINT64, self._one_of(INT64)) for _ in range(2)]
        return INT64, self.value("convert", INT64, self.value("mulhi", UINT64, *given))

    def _comparison(self) -> tuple[Any, Value]:
        kind = _KINDS[self._rng.integers(2)]
        operation = self._rng.choice(["eq", "ne", "lt", "le", "gt", "ge"])
        return BOOL, self.value(str(operation), BOOL, self._one_of(kind), self._one_of(kind))

    def _truth(self) -> tuple[Any, Value]:
        operation = self._rng.choice(["and", "or", "xor"])
        return BOOL, self.value(str(operation), BOOL, self._one_of(BOOL), self._one_of(BOOL))

    def _overflow(self) -> tuple[Any, Value]:
        operation = self._rng.choice(["add_overflows", "sub_overflows", "mul_overflows"])
        return BOOL, self.value(str(operation), BOOL, self._one_of(INT64), self._one_of(INT64))

    def _choice(self) -> tuple[Any, Value]:
        kind = _KINDS[self._rng.integers(3)]
        return kind, self.value("select", kind, self._one_of(BOOL), self._one_of(kind), self._one_of(kind))

    def _conversion(self) -> tuple[Any, Value]:
        x = self._one_of(FLOAT64)
        fits = self.value("lt", BOOL, self.value("fabs", FLOAT64, x), self.number(1e6, FLOAT64))
        within = self.value("select", FLOAT64, fits, x, self.number(-2.5, FLOAT64))
        return INT64, self.value("convert", INT64, within)

    def _widening(self) -> tuple[Any, Value]:
        return FLOAT64, self.value("convert", FLOAT64, self._one_of(INT64))

    def _load(self) -> tuple[Any, Value]:
        return FLOAT64, self.load(FLOAT64, self._place_of_floats())

    def _load_int(self) -> tuple[Any, Value]:
        return INT64, self.load(INT64, self.place(1, 8 * ITEMS, self._index(ITEMS)))

    def _look_up(self) -> tuple[Any, Value]:
        return FLOAT64, self.load(FLOAT64, self.value("offset", ADDRESS, self.columns[2], self._index(8)))

    def _look_up_constant(self) -> tuple[Any, Value]:
        table = Value("table", ADDRESS, (), np.arange(8) * 3 - 7)
        return INT64, self.load(INT64, self.value("offset", ADDRESS, table, self._index(8)))

    def _function(self) -> tuple[Any, Value]:
        symbol = str(self._rng.choice(["sin", "cos", "exp", "tanh"]))
        return FLOAT64, self.value("call", FLOAT64, self._one_of(FLOAT64), attribute=symbol)

    def _function_of_two(self) -> tuple[Any, Value]:
        if self._rng.random() < 0.5:
            return FLOAT64, self.value(
                "call", FLOAT64, self._one_of(FLOAT64), self.number(2.0, FLOAT64), attribute="pow"
            )
        return FLOAT64, self.value("call", FLOAT64, self._one_of(FLOAT64), self._one_of(FLOAT64), attribute="atan2")


_COMPUTATIONS = (
    *(_Drawing._arithmetic, _Drawing._rounding, _Drawing._of_ints, _Drawing._quotient, _Drawing._shifted),
    *(_Drawing._upper, _Drawing._comparison, _Drawing._comparison, _Drawing._truth, _Drawing._overflow),
    *(_Drawing._choice, _Drawing._choice, _Drawing._conversion, _Drawing._widening, _Drawing._load, _Drawing._load),
    *(_Drawing._load_int, _Drawing._look_up, _Drawing._look_up_constant, _Drawing._function),
    _Drawing._function_of_two,
)
