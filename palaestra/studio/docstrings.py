"""The parts of an environment's docstring: its paragraphs, its arguments, and the meaning of its numbers."""

from __future__ import annotations

import inspect
import re
from typing import Final

_SECTION: Final = re.compile(r"^(Args|Attributes|Raises|Returns):\n", re.MULTILINE)
_ENTRY: Final = re.compile(r"^    (\w+): (.*)$")
_FIELD: Final = re.compile(r"^    (\w+): [^#\n]*#(?: (?:noqa|type):[^#\n]*#)? *([^\n]+)$", re.MULTILINE)
_END: Final = re.compile(r"\.(?=\s+[A-Z`]|$)")
_UNIT: Final = re.compile(r"\s*\((m/s\^2|rad/s\^2|m/s|rad/s|rad|deg|N m|N|kg|m|s)(?=[,)])[^()]*\)$")
_FORMULA: Final = re.compile(r"`| [*+/] ")
_LIKEWISE: Final = re.compile(r"\s*\(likewise[^()]*\)$")
_AND: Final = re.compile(r",? and (?=[^,]*$)")


def paragraphs(of: object) -> list[str]:
    """Returns the paragraphs of a class's own docstring before its first section, each one line."""
    text = _SECTION.split(_own_docstring(of))[0]
    return [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n") if paragraph.strip()]


def argument_texts(of: object) -> dict[str, str]:
    """Returns the description of each argument, from the docstring of a class or its bases, or of a function."""
    texts: dict[str, str] = {}
    for one in reversed(of.__mro__) if isinstance(of, type) else [of]:
        parts = _SECTION.split(_own_docstring(one))
        if "Args" in parts:
            texts |= _entries(parts[parts.index("Args") + 1])
    return texts


def field_texts(of: type) -> dict[str, str]:
    """Returns the comments behind the fields of a `NamedTuple`, in its source; {} if that cannot be read."""
    try:
        source = inspect.getsource(of)
    except (OSError, TypeError):
        return {}
    return dict(_FIELD.findall(source))


def sentence(of: type, subject: str) -> str:
    """Returns the sentence that begins with `"Observation"` or `"Action"`, without its subject; "" if there is none."""
    for cls in of.__mro__:
        for paragraph in paragraphs(cls):
            found = re.search(rf"(?:^|\. ){subject}s?[,:] (.*)", paragraph)
            if found:
                return _END.split(found[1])[0].strip()
    return ""


def labels(text: str, count: int, first: int = 0) -> list[list[str]] | None:
    """Returns names and units of the components or actions that a sentence lists; None if it lists another number.

    Either each item begins with its number ("0 sticks, 1 hits"), or the items stand in order, after a colon if anything
    is before them.
    """
    numbered = _numbered(text, range(first, first + count))
    if numbered:
        return _spelt_out(numbered)
    space, colon, listed = text.partition(": ")
    listed = listed if colon else space
    if count == 1:
        listed = listed.partition(";")[0]
    parts = [one for part in _apart(_AND.sub(", ", listed)) for one in _both(part.strip())]
    if count == 1:
        parts = parts[:1]
    if len(parts) != count or not all(re.search(r"[a-z]{3}", part) and not _FORMULA.search(part) for part in parts):
        return None
    return [_unit(part) for part in _owned(parts)]


def _both(part: str) -> list[str]:
    """Returns "cos of the angle" and "sin of the angle" for "cos and sin of the angle"."""
    found = re.fullmatch(r"(cos) and (sin) (of .*)", part)
    return [f"{found[1]} {found[3]}", f"{found[2]} {found[3]}"] if found else [part]


def _owned(parts: list[str]) -> list[str]:
    """Returns the items with their owners: after "angle of the pole", "its velocity" is "velocity of the pole"."""
    owner, named = "", []
    for part in parts:
        found = re.search(r" (of the [a-z ]+)", part)
        owner = found[1].strip() if found else owner
        if part.startswith("its ") and owner:
            thing, space, rest = part.removeprefix("its ").partition(" (")
            part = f"{thing} {owner}{space}{rest}"
        named.append(part)
    return named


def _own_docstring(of: object) -> str:
    found = getattr(of, "__dict__", {}).get("__doc__") if isinstance(of, type) else getattr(of, "__doc__", None)
    return inspect.cleandoc(found) if isinstance(found, str) else ""


def _numbered(text: str, values: range) -> list[list[str]] | None:
    found = []
    for value in values:
        match = re.search(rf"(?<![\w.,(-]){value} ([a-z][^,.;]*)", text)
        if match is None:
            return None
        found.append([match[1].strip(), ""])
    return found


def _spelt_out(found: list[list[str]]) -> list[list[str]]:
    """Returns the items with the noun of the first one in the place of "it": each stands alone on its button."""
    noun = re.search(r"\bthe \w+", found[0][0])
    return found if noun is None else [[re.sub(r"\bit\b", noun[0], name), unit] for name, unit in found]


def _unit(part: str) -> list[str]:
    match = _UNIT.search(part)
    return [_LIKEWISE.sub("", part), ""] if match is None else [part[: match.start()], match[1]]


def _apart(text: str) -> list[str]:
    """Returns the parts between commas outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _entries(section: str) -> dict[str, str]:
    entries: dict[str, str] = {}
    for line in section.rstrip().split("\n"):
        entry = _ENTRY.match(line)
        if entry:
            entries[entry[1]] = entry[2]
        elif entries:
            name = next(reversed(entries))
            entries[name] = f"{entries[name]} {line.strip()}"
    return entries
