"""The values of eight rows: the same in all, rising from row to row, or eight numbers; and places in memory."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from palaestra.language.llvm.numbers import Numbers, element
from palaestra.language.llvm.text import Writer
from palaestra.language.program import INT64, WIDTH, Kind


class Uniform(NamedTuple):
    """One number for all lanes."""

    text: str


class Rising(NamedTuple):
    """An int64 that is `base` in the first lane, and in each further one `step` more."""

    base: str
    step: int


class Lanes(NamedTuple):
    """A number for each lane."""

    text: str


class Place(NamedTuple):
    """An address: in lane k, it is `k * step` bytes behind a base that is the same for all lanes.

    Attributes:
        base: The base, a pointer; null if what lanes are further is a word of their own.
        step: The bytes from lane to lane.
        scale: The bytes of memory for each byte of the program: eight if the lanes share a room item by item.
        further: What each lane is further, in bytes of memory; or None.
        steady: Whether the base can be read at any time.
    """

    base: str
    step: int
    scale: int = 1
    further: str | None = None
    steady: bool = False


Form: TypeAlias = "Uniform | Rising | Lanes | Place"


class Forms:
    """Writes forms as lanes, and the arithmetic that keeps them simple."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.one, self.eight = Numbers(writer), Numbers(writer, lanes=True)

    def lanes(self, form: Form, kind: Kind) -> str:
        """Returns a number for each lane; addresses are words."""
        if isinstance(form, Lanes):
            return form.text
        if isinstance(form, Uniform):
            return self.spread(element(kind), form.text)
        if isinstance(form, Place):
            form = self.word(form)
            return form.text if isinstance(form, Lanes) else self.lanes(form, INT64)
        return self._sum(self.spread("i64", form.base), steps(form.step))

    def spread(self, single: str, text: str) -> str:
        """Returns lanes that all hold one number of LLVM's type."""
        if text[0] != "%":
            return f"splat ({single} {text})"
        lanes = f"<{WIDTH} x {single}>"
        first = self._writer.value(f"insertelement {lanes} poison, {single} {text}, i64 0")
        zeros = f"<{WIDTH} x i32> zeroinitializer"
        return self._writer.value(f"shufflevector {lanes} {first}, {lanes} poison, {zeros}")

    def word(self, place: Place) -> Form:
        """Returns an address as an int64."""
        if place.base == "null" and place.further is not None:
            return Lanes(place.further)
        base = self._writer.value(f"ptrtoint ptr {place.base} to i64")
        if place.further is None:
            return Rising(base, place.step) if place.step else Uniform(base)
        words = self.lanes(Rising(base, place.step) if place.step else Uniform(base), INT64)
        return Lanes(self._sum(words, place.further))

    def address(self, form: Form) -> Place:
        """Returns an int64 as an address."""
        if isinstance(form, Place):
            return form
        if isinstance(form, Lanes):
            return Place("null", 0, 1, form.text)
        base, step = (form.text, 0) if isinstance(form, Uniform) else form
        return Place(self._writer.value(f"inttoptr i64 {base} to ptr"), step)

    def further(self, place: Place, offset: Form, steady: bool) -> Place:
        """Returns an address and bytes of the program further."""
        if isinstance(offset, Lanes) or place.base == "null":
            scaled = self.lanes(offset, INT64)
            if place.scale != 1:
                scaled = self._writer.value(f"mul <{WIDTH} x i64> {scaled}, splat (i64 {place.scale})")
            total = scaled if place.further is None else self._sum(place.further, scaled)
            return place._replace(further=total, steady=place.steady)
        assert not isinstance(offset, Place)
        base, step = (offset.text, 0) if isinstance(offset, Uniform) else offset
        return place._replace(
            base=self._moved(place.base, base, place.scale),
            step=place.step + step * place.scale,
            steady=place.steady and steady,
        )

    def simple(self, operation: str, given: list[Form]) -> Form | None:
        """Returns a sum, difference or product of words as a rising one, if it is one."""
        if operation not in ("add", "sub", "mul", "shl") or any(isinstance(one, Lanes | Place) for one in given):
            return None
        (first, step), (second, other) = map(_risen, given)
        if operation in ("add", "sub"):
            step = step + other if operation == "add" else step - other
        elif operation == "shl" or not _is_number(first):
            if other or not _is_number(second):
                return None
            step = step * int(second) if operation == "mul" else step << (int(second) & 63)
        else:
            step = int(first) * other
        base = self._writer.value(f"{operation} i64 {first}, {second}")
        if not -(2**62) < step < 2**62:
            return None
        return Rising(base, step) if step else Uniform(base)

    def _moved(self, base: str, offset: str, scale: int) -> str:
        if _is_number(offset):
            moved = int(offset) * scale
            return self._writer.value(f"getelementptr i8, ptr {base}, i64 {moved}") if moved else base
        if scale != 1:
            offset = self._writer.value(f"mul i64 {offset}, {scale}")
        return self._writer.value(f"getelementptr i8, ptr {base}, i64 {offset}")

    def _sum(self, first: str, second: str) -> str:
        return self._writer.value(f"add <{WIDTH} x i64> {first}, {second}")


def steps(step: int) -> str:
    """Returns the text of lanes that rise from zero."""
    return f"<{', '.join(f'i64 {lane * step}' for lane in range(WIDTH))}>"


def _risen(form: Form) -> tuple[str, int]:
    """The base and the step of a word."""
    return (form.base, form.step) if isinstance(form, Rising) else (str(form[0]), 0)


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdigit()
