"""What comes of a program: it is loaded, made to run in Python, compiled and compared."""

from __future__ import annotations

import contextlib
import linecache
import signal
import sys
import traceback
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.fuzz.bits import Gap
from tests.fuzz.writer import repaired

LONGEST = 2  # s, of what runs in Python
FINDINGS = ("different", "crash", "hang")
REPAIRS = 12  # of lines that raise, or are refused


@dataclass
class Verdict:
    """What came of a program.

    Attributes:
        kind: "same", "refused", "slow" (in Python), "different", "crash" (of the compiler, or the process), "hang"
            or "broken" (no program).
        reason: What differs, or why it is refused.
        text: The program that was judged at last.
        counts: Of what was compared.
        refused: The reasons of all refusals; the lines that met them have been repaired.
    """

    kind: str = "same"
    reason: str = ""
    text: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)


class Slow(BaseException):
    """A program that takes too long in Python."""


@contextlib.contextmanager
def limited(seconds: int = LONGEST) -> Iterator[None]:
    """Raise `Slow` where Python runs, when it has taken so many seconds of the processor."""

    def stop(*_: Any) -> None:
        raise Slow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Give no warnings."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def loaded(text: str) -> types.ModuleType:
    """Returns a program's module, whose source can be read."""
    name = f"program_{abs(hash(text))}"
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    module = sys.modules[name] = types.ModuleType(name)
    with quiet():
        exec(compile(text, file, "exec"), vars(module))
    return module


def line_of(error: BaseException, module: types.ModuleType) -> int:
    """Returns the line of a program that raised, the innermost; 0 if it is none of its own."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((one.lineno or 0 for one in reversed(frames) if one.filename == f"<{module.__name__}>"), 0)


def refusals_of(error: BaseException | None, module: types.ModuleType) -> list[tuple[int, str]]:
    """Returns the lines and reasons of refusals; line 0 for those that name no line of the program."""
    while error is not None:
        found = getattr(error, "refusals", None) or getattr(error, "reasons", None)
        if found:
            own = f"<{module.__name__}>"
            places = [(getattr(one, "place", one), one.reason) for one in found]
            return [(place.line if place.file == own else 0, reason) for place, reason in places]
        error = error.__cause__
    return []


def _is_told(error: Exception, module: types.ModuleType) -> bool:
    """Whether somebody raised an error, the compiler or the program, and no mistake of the compiler's."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    is_usual = not isinstance(error, (AssertionError, NotImplementedError)) and "llvmlite" not in last.filename
    return line_of(error, module) > 0 or (is_usual and (last.line or "").startswith("raise "))


def _is_ours(error: Exception) -> bool:
    """Whether an error came from the package, and not from a program without a function or a class, say."""
    return any(
        "/palaestra/" in one.filename.replace("/tests/palaestra/", "")
        for one in traceback.extract_tb(error.__traceback__)
    )


def compiled(text: str, make: Callable[[types.ModuleType], Any], verdict: Verdict) -> Any:
    """Returns what compiles a program, of which lines that are refused are repaired; None if all is refused at last.

    `verdict` gets the text and the refusals, or a crash.
    """
    for _ in range(REPAIRS):
        verdict.text, module = text, loaded(text)
        try:
            return make(module)
        except Exception as error:
            found = refusals_of(error, module)
            verdict.refused += [reason for _, reason in found] or [f"{type(error).__name__}: {error}"[:300]]
            if not found:
                verdict.kind = "refused" if _is_told(error, module) else "crash" if _is_ours(error) else "broken"
                verdict.reason = "".join(traceback.format_exception(error)[-3:])[-600:]
                return None
            smaller = repaired(text, sorted({line for line, _ in found if line}))
            if smaller == text or not is_program(smaller):
                break
            text = smaller
    verdict.kind, verdict.reason = "refused", verdict.refused[-1]
    return None


def told(setting: object, found: list[Gap]) -> str:
    """Returns the reason of a difference: the setting in a line, and the first places in one each."""
    return "\n".join([" ".join(str(setting).split()), *map(str, found[:3])])


def is_program(text: str) -> bool:
    """Returns whether a text is one of Python."""
    try:
        with quiet():
            compile(text, "<text>", "exec")
    except SyntaxError:
        return False
    return True
