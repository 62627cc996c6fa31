"""Findings, and catching them from checks that warn and raise."""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from gymnasium.logger import WARN, at_level, undressed
from gymnasium.utils.env_checker._rules import RULES, Severity

_MARKED = re.compile(r"\b(G\d{3}): ")
_REPEATED = re.compile(r" \(expecting numpy array dtype to be \w+\)")  # words for filters of older programs
_REMEDIES = ("; convert it with ", "; declare ")


class Finding(NamedTuple):
    """A fault of an environment.

    Attributes:
        id: The id of the rule, such as `"G307"`; the hundreds stand for the part of the interface.
        severity: `"error"`, `"warning"` or `"note"`.
        place: The part of the environment: `"reset"`, `"action space"`, ...
        message: The expected and the actual value.
        remedy: The way to fix it.
    """

    id: str
    severity: Severity
    place: str
    message: str
    remedy: str


class Check(NamedTuple):
    """A check that warns and raises.

    Attributes:
        place: The part of the environment that it checks.
        crash: The id of the rule that is broken if it raises an exception without an id.
        run: Called without arguments.
        unless: Ids; if one of them was found before, the check is skipped as redundant.
    """

    place: str
    crash: str
    run: Callable[[], object]
    unless: tuple[str, ...] = ()


def findings_of(check: Check) -> list[Finding]:
    """Returns the warnings and the exception of a check, in that order."""
    raised: Finding | None = None
    found: list[Finding] = []
    with noting(check.place, found):
        try:
            check.run()
        except Exception as error:
            raised = _from_text(check.place, str(error)) or _crash(check, error)
    return found if raised is None else [*found, raised]


@contextmanager
def noting(place: str, found: list[Finding]) -> Iterator[None]:
    """Within, warnings that are findings are added to `found`.

    Other warnings of the package are dropped, because the checks report the same with an id; all others pass on.
    """
    with at_level(WARN), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        text = str(warning.message)
        finding = _from_text(place, text)
        if finding is not None:
            found.append(finding)
        elif "WARN: " not in text:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


@contextmanager
def remedied() -> Iterator[None]:
    """Within, an exception that is a finding ends with its rule's remedy, or one for the very value."""
    try:
        yield
    except Exception as error:
        text = str(error)
        found = _from_text("", text)
        if found is not None and found.remedy not in text:
            error.args = (f"{text}; {found.remedy}",)
        raise


def is_finding(error: Exception) -> bool:
    """Whether an exception's text begins with the id of a rule."""
    return _from_text("", str(error)) is not None


def finding(rule: str, place: str, message: str) -> Finding:
    """Returns the finding of a rule."""
    return Finding(rule, RULES[rule].severity, place, message, RULES[rule].remedy)


def _from_text(place: str, text: str) -> Finding | None:
    text = _REPEATED.sub("", undressed(text))
    marked = _MARKED.search(text)
    if marked is None or marked[1] not in RULES:
        return None
    found = finding(marked[1], place, text[marked.end() :])
    for begins in _REMEDIES:  # a remedy for this very value
        _, says, remedy = text.rpartition(begins)
        if says:
            return found._replace(remedy=f"{begins.removeprefix('; ')}{remedy}")
    return found


def _crash(check: Check, error: Exception) -> Finding:
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}"
    return finding(check.crash, check.place, f"It must not raise, but raised {type(error).__name__}: {error} ({where})")
