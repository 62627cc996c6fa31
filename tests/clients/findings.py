"""What is found out about an environment or agent: under each law's name digests, or one line that begins with `!`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Findings = dict[str, list[str]]
Law = Callable[[], list[str]]


def described(error: Exception) -> str:
    """Returns an error as a finding, in one line."""
    return f"!{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def failed(found: list[str]) -> bool:
    """Returns whether a finding is an error."""
    return bool(found) and found[0].startswith("!")


def obey(laws: Mapping[str, Law]) -> Findings:
    """Returns what comes of each law; one that fails does not keep the next from being tried."""
    found = {}
    for name, law in laws.items():
        try:
            found[name] = law()
        except Exception as error:  # whatever another package raises is a finding
            found[name] = [described(error)]
    return found
