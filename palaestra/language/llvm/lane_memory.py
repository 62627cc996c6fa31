"""Loads and stores of eight rows.

Columns and rooms have room for whole eights, so a load of consecutive items reads them all, and a store under a mask
writes those that it does not change as they are. Single items of lanes that are not there are read from a dummy, and
written to it.
"""

from __future__ import annotations

from palaestra.language.llvm import outward
from palaestra.language.llvm.forms import Form, Forms, Lanes, Place, Uniform
from palaestra.language.llvm.numbers import element
from palaestra.language.llvm.text import Writer
from palaestra.language.program import BOOL, INT64, WIDTH, Kind


class Memory:
    """Writes loads and stores of eight rows."""

    def __init__(self, writer: Writer, forms: Forms) -> None:
        self._writer, self._forms = writer, forms
        self._dummy: str | None = None

    def load(self, place: Place, kind: Kind, mask: str | None, fixed: bool) -> Place | Uniform | Lanes:
        """Write a load in the lanes of a mask; returns numbers, or an address.

        If the memory does not change while the program runs, `fixed`, LLVM may load it once.
        """
        single = _in_memory(kind)
        if place.further is None and place.step == 0:
            loaded = outward.loaded(self._writer, single, place.base, fixed)
            if single == "ptr":
                return Place(loaded, 0, steady=True)
            return Uniform(self._writer.value(f"icmp ne i8 {loaded}, 0") if kind == BOOL else loaded)
        if single == "ptr":
            single = "i64"
        if place.further is None and place.step == _size(single):
            loaded = self._writer.effect(f"load <{WIDTH} x {single}>, ptr {place.base}, align 1")
        else:
            loaded = self._gathered(place, single, mask)
        if kind == BOOL:
            loaded = self._writer.value(f"icmp ne <{WIDTH} x i8> {loaded}, zeroinitializer")
        return Lanes(loaded)

    def store(self, place: Place, form: Form, kind: Kind, mask: str | None) -> None:
        """Write a store in the lanes of a mask."""
        single = "i64" if _in_memory(kind) == "ptr" else _in_memory(kind)
        lanes = self._forms.lanes(form, kind)
        if kind == BOOL:
            lanes = self._writer.value(f"zext <{WIDTH} x i1> {lanes} to <{WIDTH} x i8>")
        if place.further is not None or place.step != _size(single):
            self._scattered(place, single, lanes, mask)
            return
        taken = f"<{WIDTH} x {single}>"
        if mask is not None:
            before = self._writer.effect(f"load {taken}, ptr {place.base}, align 1")
            lanes = self._writer.value(f"select <{WIDTH} x i1> {mask}, {taken} {lanes}, {taken} {before}")
        self._writer.line(f"store {taken} {lanes}, ptr {place.base}, align 1")

    def prefetched(self, place: Place) -> list[str]:
        """Returns the addresses of the lines of memory that hold the bytes at an address in all lanes."""
        if place.further is None and abs(place.step) <= _LINE:
            within = range(0, place.step * WIDTH, _LINE if place.step > 0 else -_LINE) if place.step else (0,)
            return [self._moved(place.base, str(k)) for k in within]
        return self._pointers(place, None)

    def _gathered(self, place: Place, single: str, mask: str | None) -> str:
        lanes = "poison"
        for lane, at in enumerate(self._pointers(place, None if place.further is None else mask)):
            item = self._writer.effect(f"load {single}, ptr {at}, align 1")
            lanes = self._writer.value(f"insertelement <{WIDTH} x {single}> {lanes}, {single} {item}, i64 {lane}")
        return lanes

    def _scattered(self, place: Place, single: str, lanes: str, mask: str | None) -> None:
        redirected = place._replace(steady=False)
        for lane, at in enumerate(self._pointers(redirected, mask)):
            item = self._writer.value(f"extractelement <{WIDTH} x {single}> {lanes}, i64 {lane}")
            self._writer.line(f"store {single} {item}, ptr {at}, align 1")

    def _pointers(self, place: Place, mask: str | None) -> list[str]:
        """The address in each lane; where the mask is not set, the steady base's or that of the dummy."""
        words = f"<{WIDTH} x i64>"
        if mask is not None and not place.steady:
            own = self._forms.lanes(place, INT64)
            dummy = self._forms.spread("i64", self._dummy_word())
            chosen = self._writer.value(f"select <{WIDTH} x i1> {mask}, {words} {own}, {words} {dummy}")
            found = [self._writer.value(f"extractelement {words} {chosen}, i64 {lane}") for lane in range(WIDTH)]
            return [self._writer.value(f"inttoptr i64 {word} to ptr") for word in found]
        bases = [self._moved(place.base, str(lane * place.step)) for lane in range(WIDTH)]
        if place.further is None:
            return bases
        further = place.further
        if mask is not None:
            further = self._writer.value(f"select <{WIDTH} x i1> {mask}, {words} {further}, {words} zeroinitializer")
        offsets = [self._writer.value(f"extractelement {words} {further}, i64 {lane}") for lane in range(WIDTH)]
        return [self._moved(base, offset) for base, offset in zip(bases, offsets, strict=True)]

    def _moved(self, base: str, offset: str) -> str:
        if base == "null":
            return base if offset == "0" else self._writer.value(f"inttoptr i64 {offset} to ptr")
        return base if offset == "0" else self._writer.value(f"getelementptr i8, ptr {base}, i64 {offset}")

    def _dummy_word(self) -> str:
        if self._dummy is None:
            self._dummy = self._writer.stack("i64", 64)
            self._writer.first(f"store i64 0, ptr {self._dummy}")
        return self._writer.value(f"ptrtoint ptr {self._dummy} to i64")


_LINE = 64  # bytes of a line of memory


def _in_memory(kind: Kind) -> str:
    single = element(kind)
    return "i8" if single == "i1" else single


def _size(single: str) -> int:
    return {"half": 2, "float": 4, "double": 8}.get(single) or int(single[1:]) // 8
