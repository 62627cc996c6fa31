"""The operations of values, for eight rows at a time: one instruction for all lanes where they agree, else eight."""

from __future__ import annotations

from collections.abc import Callable

from palaestra.language.llvm import outward, squares, trigonometry
from palaestra.language.llvm.forms import Form, Forms, Lanes, Place, Uniform
from palaestra.language.llvm.lane_memory import Memory
from palaestra.language.llvm.numbers import NUMBERS, element, is_float
from palaestra.language.llvm.reading import can_be_chosen, kind_given, kind_of, shared_rooms
from palaestra.language.llvm.remainders import remainder
from palaestra.language.llvm.text import Writer
from palaestra.language.llvm.tracing import Traced, corrected_lanes, each_lane
from palaestra.language.llvm.uniformity import Uniformity
from palaestra.language.program import ADDRESS, BOOL, FIXED, FLOAT64, INT64, OVERLAPS, UINT64, WIDTH, Program, Value


class LaneOperations:
    """Writes operations of values of a program.

    Args:
        program: The program.
        writer: The function.
        forms: Its forms.
        uniformity: What varies.
    """

    def __init__(self, program: Program, writer: Writer, forms: Forms, uniformity: Uniformity) -> None:
        self._writer, self._forms, self._uniformity = writer, forms, uniformity
        self._memory = Memory(writer, forms)
        self._shared = shared_rooms(program)
        self._mask: str | None = None

    def write(self, value: Value, given: list[Form], mask: str | None) -> Form | None:
        """Write an operation in the lanes of a mask, None for all; returns what it gives."""
        self._mask = mask
        if value.operation in NUMBERS:
            return self._number(value, given)
        return _OPERATIONS[value.operation](self, value, given)

    def _number(self, value: Value, given: list[Form]) -> Form:
        operation, kind, of = value.operation, kind_of(value), kind_given(value)
        if kind == INT64 and of == INT64:
            simple = self._forms.simple(operation, given)
            if simple is not None and not all(isinstance(one, Uniform) for one in given):
                return simple
        if all(isinstance(one, Uniform) or _is_fixed(one) for one in given):
            texts = [one.base if isinstance(one, Place) else one[0] for one in given]
            text = self._forms.one.write(operation, kind, of, [str(one) for one in texts])
            return Place(text, 0) if kind is ADDRESS else Uniform(text)
        return self._lanes_of(value, given)

    def _lanes_of(self, value: Value, given: list[Form]) -> Form:
        """An operation of lanes; addresses are words, which have no sign."""
        operation = value.operation
        texts = [self._forms.lanes(one, kind_of(of)) for one, of in zip(given, value.arguments, strict=True)]
        kind, of = (_WORD if one is ADDRESS else one for one in (kind_of(value), kind_given(value)))
        if operation in ("div", "rem") and not is_float(of) and self._mask is not None:
            one = self._forms.eight.constant(of, 1)
            texts[1] = self._forms.eight.write("select", of, of, [self._mask, texts[1], one])
        return Lanes(self._forms.eight.write(operation, kind, of, texts))

    def _rarely(self, value: Value, given: list[Form]) -> Form:
        return given[0]

    def _any(self, value: Value, given: list[Form]) -> Form:
        if isinstance(given[0], Uniform):
            return given[0]
        flags = self._forms.lanes(given[0], BOOL)
        if self._mask is not None:
            none = f"<{WIDTH} x i1> zeroinitializer"
            flags = self._writer.value(f"select <{WIDTH} x i1> {self._mask}, <{WIDTH} x i1> {flags}, {none}")
        bits = self._writer.value(f"bitcast <{WIDTH} x i1> {flags} to i{WIDTH}")
        return Uniform(self._writer.value(f"icmp ne i{WIDTH} {bits}, 0"))

    def _room(self, value: Value, given: list[Form]) -> Form:
        size = self._shared.get(value)
        total = -(-value.attribute // 16) * 16 if size is None else value.attribute
        kind = f"[{total * WIDTH} x i8]"
        allocate = self._writer.stack_here if value.operation == "room_each" else self._writer.stack
        place = allocate(kind, 64)
        return Place(place, total, steady=True) if size is None else Place(place, size, WIDTH, steady=True)

    def _offset(self, value: Value, given: list[Form]) -> Form:
        place = self._forms.address(given[0])
        return self._forms.further(place, given[1], self._uniformity.is_steady(value.arguments[1]))

    def _load(self, value: Value, given: list[Form]) -> Form:
        kind, place = kind_of(value), self._forms.address(given[0])
        loaded = self._memory.load(place, kind, self._mask, fixed=value.attribute == FIXED)
        if isinstance(loaded, Place):
            return loaded._replace(steady=value in self._uniformity.steady)
        if not is_float(kind) or not can_be_chosen(value):
            return loaded
        numbers = self._forms.one if isinstance(loaded, Uniform) else self._forms.eight
        return loaded._replace(text=numbers.fence(kind, loaded.text))

    def _store(self, value: Value, given: list[Form]) -> None:
        self._memory.store(self._forms.address(given[0]), given[1], kind_of(value.arguments[1]), self._mask)

    def _copy(self, value: Value, given: list[Form]) -> None:
        with self._each(value, given) as texts:
            target, source, size = texts
            outward.copy(self._writer, target, source, size, value.attribute == OVERLAPS)

    def _loop(self, value: Value, given: list[Form]) -> None:
        with self._each(value, given) as texts:
            outward.looped(self._writer, value.attribute, texts)

    def _each(self, value: Value, given: list[Form]) -> _EachLane:
        return _EachLane(self._writer, self._forms, self._bits(), value, given)

    def _word(self, value: Value, given: list[Form]) -> Form:
        return self._forms.word(self._forms.address(given[0]))

    def _address(self, value: Value, given: list[Form]) -> Form:
        return self._forms.address(given[0])

    def _prefetch(self, value: Value, given: list[Form]) -> None:
        for line in self._memory.prefetched(self._forms.address(given[0])):
            outward.prefetch(self._writer, line)

    def _call(self, value: Value, given: list[Form]) -> Form:
        if all(isinstance(one, Uniform) for one in given):
            texts = [str(one[0]) for one in given]
            squared = squares.power(self._writer, self._forms.one, value, texts)
            return Uniform(squared or outward.called(self._writer, value.attribute, texts))
        kind = kind_of(value)
        single = element(kind)
        lanes = [(self._forms.lanes(one, kind), single) for one in given]
        if single == "double" and value.attribute in _QUICK and (value.attribute != "pow" or squares.is_square(value)):
            return self._quick_call(value, lanes)
        if self._mask is None:
            return self._all_called(value.attribute, single, [text for text, _ in lanes])
        place = self._writer.stack(f"<{WIDTH} x {single}>", 64)
        self._writer.line(f"store <{WIDTH} x {single}> {lanes[0][0]}, ptr {place}")
        with each_lane(self._writer, self._bits(), lanes) as (lane, numbers):
            answer = outward.called(self._writer, value.attribute, numbers)
            at = self._writer.value(f"getelementptr {single}, ptr {place}, i64 {lane}")
            self._writer.line(f"store {single} {answer}, ptr {at}")
        return Lanes(self._writer.effect(f"load <{WIDTH} x {single}>, ptr {place}"))

    def _all_called(self, symbol: str, single: str, lanes: list[str]) -> Form:
        """A function called for each of eight lanes, one behind the other."""
        kind, answers = f"<{WIDTH} x {single}>", "poison"
        for lane in range(WIDTH):
            numbers = [self._writer.value(f"extractelement {kind} {text}, i64 {lane}") for text in lanes]
            answer = outward.called(self._writer, symbol, numbers)
            answers = self._writer.value(f"insertelement {kind} {answers}, {single} {answer}, i64 {lane}")
        return Lanes(answers)

    def _quick_call(self, value: Value, lanes: list[tuple[str, str]]) -> Form:
        """What lanes compute fast; the C library does it for those in doubt."""
        given = [Traced(self._writer, self._forms.eight, FLOAT64, text) for text, _ in lanes]
        found, doubtful = _QUICK[value.attribute](given)
        if self._mask is not None:
            doubtful = doubtful & Traced(self._writer, self._forms.eight, doubtful.kind, self._mask)

        def answer(numbers: list[str]) -> str:
            return outward.called(self._writer, value.attribute, numbers)

        answered = corrected_lanes(found.text, doubtful.text, self._writer, lanes, answer)
        return Lanes(self._forms.eight.fence(FLOAT64, answered))

    def _bits(self) -> str:
        """A bit for each lane that is there."""
        if self._mask is None:
            return "-1"
        return self._writer.value(f"bitcast <{WIDTH} x i1> {self._mask} to i{WIDTH}")


class _EachLane:
    """A loop over the lanes that are there, with the arguments of an operation in each."""

    def __init__(self, writer: Writer, forms: Forms, bits: str, value: Value, given: list[Form]) -> None:
        self._writer, self._value = writer, value
        self._forms = [forms.word(one) if isinstance(one, Place) else one for one in given]
        varying = [(forms.lanes(one, INT64), "i64") for one in self._forms if not isinstance(one, Uniform)]
        self._loop = each_lane(writer, bits, varying)

    def __enter__(self) -> list[str]:
        _, numbers = self._loop.__enter__()
        rest = iter(numbers)
        texts = [one.text if isinstance(one, Uniform) else next(rest) for one in self._forms]
        return [self._argument(text, k) for k, text in enumerate(texts)]

    def __exit__(self, *error: object) -> None:
        self._loop.__exit__(None, None, None)

    def _argument(self, text: str, k: int) -> str:
        if self._value.arguments[k].kind is not ADDRESS:
            return text
        return self._writer.value(f"inttoptr i64 {text} to ptr")


def _is_fixed(form: Form) -> bool:
    """Whether a form is one address for all lanes."""
    return isinstance(form, Place) and form.step == 0 and form.further is None


_WORD = UINT64
_QUICK: dict[str, Callable[[list[Traced]], tuple[Traced, Traced]]] = {
    "sin": lambda given: trigonometry.sine(trigonometry.circle(*given)),
    "cos": lambda given: trigonometry.cosine(trigonometry.circle(*given)),
    "fmod": lambda given: remainder(*given),
    "pow": lambda given: squares.square(given[0]),
}
"""Functions of float64, and whether their results are in doubt; `pow` is a square."""
_OPERATIONS: dict[str, Callable[[LaneOperations, Value, list[Form]], Form | None]] = {
    "room": LaneOperations._room,
    "room_each": LaneOperations._room,
    "offset": LaneOperations._offset,
    "any": LaneOperations._any,
    "rarely": LaneOperations._rarely,
    "load": LaneOperations._load,
    "store": LaneOperations._store,
    "copy": LaneOperations._copy,
    "loop": LaneOperations._loop,
    "word": LaneOperations._word,
    "address": LaneOperations._address,
    "call": LaneOperations._call,
    "prefetch": LaneOperations._prefetch,
}
