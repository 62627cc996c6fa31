"""The pages of the API list every wrapper and space, and show types as they are written in the source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs._tools.reference import listed_attributes, public_bases, readable
from gymnasium import Wrapper, __version__, error, spaces, wrappers
from gymnasium.error import Error, ResetNeeded

API = Path(__file__).parents[3] / "docs" / "api"


def documented(module: str) -> set[str]:
    """The classes of a module that the pages describe."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in sorted(API.rglob("*.md")))
    return set(re.findall(rf"^\.\. autoclass:: {re.escape(module)}\.(\w+)$", pages, re.MULTILINE))


def test_every_wrapper_is_on_a_page():
    assert documented("gymnasium.wrappers") == set(wrappers.__all__) - {"vector"}
    assert documented("gymnasium.wrappers.vector") == set(wrappers.vector.__all__)


def test_every_space_is_on_a_page():
    kinds = {name for name in spaces.__all__ if isinstance(getattr(spaces, name), type)} - {"GraphInstance"}
    assert documented("gymnasium.spaces") == kinds


def test_every_error_is_on_the_page_about_troubles_or_says_all_in_its_message():
    """Those left out come to authors of environments, whose mistake they name."""
    page = (API.parent / "troubleshooting.md").read_text(encoding="utf-8")
    rare = {"CustomSpaceError", "DeprecatedWrapper", "RegistrationError", "UnregisteredEnv"}
    rare |= {"InvalidBound", "InvalidMetadata", "InvalidProbability", "MissingArgument", "StepBeforeReset"}
    names = {name for name, kind in vars(error).items() if isinstance(kind, type) and not name.startswith("_")}
    assert {name for name in names if f"`{name}" not in page} == rare


def test_the_version_to_cite_is_this_one():
    assert f"{{{__version__}}}" in (API.parent / "citing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "printed, shown",
    [
        ("numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.bool]]", "NDArray[numpy.bool]"),
        ("~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~typing.Any]] | None", "NDArray[~typing.Any] | None"),
        ("numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.integer[Any]]]", "NDArray[numpy.integer[Any]]"),
        ("int | str | bytes", "int | Text"),
    ],
)
def test_types_are_shown_as_they_are_written(printed, shown):
    assert readable(printed, {"str | bytes": "Text"}) == shown


def test_bases_are_those_that_can_be_imported():
    assert [base.__name__ for base in public_bases(wrappers.TimeLimit)] == ["Wrapper", "RecordConstructorArgs"]
    assert (public_bases(ResetNeeded), public_bases(Wrapper.__mro__[-1])) == ([Error], [])


def test_attributes_are_a_list():
    docstring = "Text.\n\nAttributes:\n    one: The first,\n        and more.\n    two: The second.\n\nRaises:\n"
    shown = "Text.\n\n:Attributes:\n    * **one**: The first,\n      and more.\n    * **two**: The second.\n\nRaises:\n"
    assert listed_attributes(docstring) == shown
