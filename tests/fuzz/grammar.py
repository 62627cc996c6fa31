"""Templates become expressions: their holes are filled from what there is, of the kinds that the holes ask for.

$f $i $b      a float, an int, a bool of Python's
$n            a scalar of any kind, NumPy's included
$fp $fm $fu   a positive float, one in [-8, 8], one in [-1, 1]
$ip $im       a positive int, an int in [-3, 12]
$k            a small literal
$A $D $S      an array: any, of float64, of float32
$I $J $B      of int64, of narrower ints, of bools
$V $VI $M     of one axis of float64, of one axis of int64, of two axes of float64
$Vt $Mq       three numbers, three by three
$Dm $Sm       as $D and $S, of moderate values
$same         an array of the dtype and shape of the last; $Dsame, $Isame: of its shape
$ix $last     an index of the last array, itself
$X $Y $Z      a tuple of floats, of ints, of both; $x: an index of it
$arr          a field of the state that is an array
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

HOLE = re.compile(r"\$([A-Za-z]+[0-9]*)")
NARROW = ("int8", "uint8", "int32", "uint16", "int16")

WRAPPED = {
    "fp": "(abs($f) % 50.0 + 0.25)",
    "fm": "ops.clip($f, -8.0, 8.0)",
    "fu": "ops.clip($f, -1.0, 1.0)",
    "ip": "(abs($i) % 7 + 1)",
    "im": "($i % 16 - 3)",
    "Dm": "np.clip($D, -8.0, 8.0)",
    "Sm": "np.clip($S, -8.0, 8.0)",
}
LITERALS = {
    "f": ("0.0", "1.0", "-1.0", "0.5", "2.0", "0.1", "-0.0", "3.7", "1e-9", "1e6"),
    "i": ("0", "1", "2", "-1", "3", "7", "10", "-5", "100"),
    "b": ("True", "False"),
}
SCALARS = ("f", "i", "b", "float64", "float32", "int64", "int32", "int8", "uint8", "bool")
EXTREME = ("1e308", "-1e308", "5e-324", "2**63 - 1", "-(2**63)", "2**53 + 1", "-(2**31)", "math.inf", "math.nan", "255")


class Item(NamedTuple):
    """Something that an expression may use.

    Attributes:
        kind: "f", "i", "b" for Python's numbers, a dtype for NumPy's, "float64[2, 3]" for an array, or "tuple ...".
    """

    text: str
    kind: str

    @property
    def dtype(self) -> str:
        """The dtype of an array, or ""."""
        return self.kind.partition("[")[0] if "[" in self.kind else ""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an array."""
        inner = self.kind.partition("[")[2].rstrip("]")
        return tuple(int(size) for size in inner.split(",") if size.strip())


class Unfilled(Exception):
    """Nothing there is of the kind that a hole asks for."""


@dataclass
class Grammar:
    """Fills templates.

    Attributes:
        rng: Where chance comes from.
        floats: Templates of floats, to be put into other templates; so `ints`, `bools` and `any`.
        extreme: Whether literals are extreme at times.
        items: What there is.
        nested: The chance that a number is an expression of its own.
    """

    rng: random.Random
    floats: Sequence[str]
    ints: Sequence[str]
    bools: Sequence[str]
    any: Sequence[str] = ()
    extreme: bool = False
    wrapped: dict[str, str] = field(default_factory=lambda: dict(WRAPPED))
    items: list[Item] = field(default_factory=list)
    nested: float = 0.45

    def filled(self, template: str, depth: int = 2) -> str:
        """Returns an expression.

        Raises:
            Unfilled: If there is nothing for a hole.
        """
        self._last: Item | None = None
        return self._fill(template, depth)

    def _fill(self, template: str, depth: int) -> str:
        return HOLE.sub(lambda match: self._hole(match[1], depth), template)

    def _hole(self, code: str, depth: int) -> str:
        if code in self.wrapped:
            return self._fill(self.wrapped[code], depth - 1)
        if code in ("f", "i", "b"):
            return self._number(code, depth)
        if code == "n":
            return self._any_number(depth)
        if code == "k":
            return str(self.rng.randrange(4))
        if code in ("ix", "x", "last"):
            return self._of_last(code)
        if code == "arr":
            arrays = [item for item in self.items if item.dtype and item.text.startswith("state.")]
            return self._picked(arrays).text.removeprefix("state.")
        return self._picked(self._arrays(code)).text

    def _number(self, kind: str, depth: int) -> str:
        words = {"f": self.floats, "i": self.ints, "b": self.bools}[kind]
        if depth > 0 and self.rng.random() < self.nested:
            before = self._last
            text = f"({self._fill(self.rng.choice(words), depth - 1)})"
            self._last = before
            return text
        return self._atom((kind,), LITERALS[kind])

    def _any_number(self, depth: int) -> str:
        if depth > 0 and self.any and self.rng.random() < 0.35:
            before = self._last
            text = f"({self._fill(self.rng.choice(self.any), depth - 1)})"
            self._last = before
            return text
        return self._atom(SCALARS, LITERALS[self.rng.choice("fib")])

    def _atom(self, kinds: tuple[str, ...], literals: Sequence[str]) -> str:
        found = [item.text for item in self.items if item.kind in kinds]
        chance = self.rng.random()
        if self.extreme and chance < 0.05:
            literals, found = EXTREME, []
        if found and chance < 0.85:
            # What was made last is of more interest than what there was from the beginning.
            k = max(self.rng.randrange(len(found)), self.rng.randrange(len(found)))
            return found[k]
        return self.rng.choice(literals)

    def _of_last(self, code: str) -> str:
        last = self._last
        if last is None:
            raise Unfilled(code)
        if code == "last":
            return last.text
        if code == "x":
            return str(self.rng.randrange(max(1, int(last.kind.split()[-1]))))
        return ", ".join(str(self.rng.randrange(-size, size)) for size in last.shape)

    def _arrays(self, code: str) -> list[Item]:
        arrays = [item for item in self.items if item.dtype]
        if code in ("X", "Y", "Z"):
            wanted = {"X": "tuple f", "Y": "tuple i", "Z": "tuple m"}[code]
            return [item for item in self.items if item.kind.startswith(wanted)]
        if code in ("same", "Dsame", "Isame"):
            if self._last is None:
                raise Unfilled(code)
            dtype = {"same": self._last.dtype, "Dsame": "float64", "Isame": "int64"}[code]
            return [item for item in arrays if item.dtype == dtype and item.shape == self._last.shape]
        conditions = {
            "A": lambda item: True,
            "D": lambda item: item.dtype == "float64",
            "S": lambda item: item.dtype == "float32",
            "I": lambda item: item.dtype == "int64",
            "J": lambda item: item.dtype in NARROW,
            "B": lambda item: item.dtype == "bool",
            "V": lambda item: item.dtype == "float64" and len(item.shape) == 1 and item.shape[0] > 1,
            "VI": lambda item: item.dtype == "int64" and len(item.shape) == 1 and item.shape[0] > 1,
            "M": lambda item: item.dtype == "float64" and len(item.shape) == 2,
            "Vt": lambda item: item.kind == "float64[3]",
            "Mq": lambda item: item.kind == "float64[3, 3]",
        }
        return [item for item in arrays if conditions[code](item)]

    def _picked(self, found: list[Item]) -> Item:
        if not found:
            raise Unfilled
        self._last = self.rng.choice(found)
        return self._last
