"""The pages of the API list every wrapper and space, and show types as they are written in the source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

import pytest
import typing_extensions

from docs._tools.reference import listed_attributes, public_bases, readable
from gymnasium import Wrapper, __version__, error, spaces, wrappers
from gymnasium.error import Error, ResetNeeded
from tests.architecture.test_public_names import PUBLIC

DOCS = Path(__file__).parents[2] / "docs"
HALVES = {package: DOCS / package / "api" for package in ("gymnasium", "palaestra")}
PAGES = {page: page.read_text(encoding="utf-8") for half in HALVES.values() for page in sorted(half.rglob("*.md"))}
_ENTRY = re.compile(r"^\.\. (?:auto(?:class|function|exception)|py:data):: ([\w.]+)$", re.MULTILINE)
ENTRIES = [name for text in PAGES.values() for name in _ENTRY.findall(text)]
# The modules of environments have pages of their own.
MODULES = [
    name
    for name in PUBLIC
    if not name.startswith("gymnasium.envs.")
    or name in ("gymnasium.envs.registration", "gymnasium.envs.functional_jax_env")
]


def documented(module: str) -> set[str]:
    """The classes of a module that the pages describe."""
    return {name.rpartition(".")[2] for name in ENTRIES if name.rpartition(".")[0] == module}


def found(path: str):
    """The object that an entry describes."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def attribute_texts(path: str) -> list[str]:
    """The first lines of the docstrings of an entry's attributes and properties."""
    module, _, name = path.rpartition(".")
    home = sys.modules[getattr(found(path), "__module__", module)]
    if not home.__name__.startswith(("gymnasium.", "palaestra.")):  # an alias of NumPy's
        return []
    tree = ast.parse(Path(str(home.__file__)).read_text(encoding="utf-8"))
    body = next((one.body for one in tree.body if isinstance(one, ast.ClassDef) and one.name == name), [])
    texts = [
        ast.get_docstring(one) or ""
        for one in body
        if isinstance(one, ast.FunctionDef) and any(ast.unparse(mark) == "property" for mark in one.decorator_list)
    ]
    for one in body:
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and one is not body[0]:
            texts.append(str(one.value.value))
    return [text.partition("\n")[0] for text in texts]


@pytest.mark.parametrize("path", [name for name in ENTRIES if isinstance(found(name), type)])
def test_no_text_of_an_attribute_is_taken_for_a_type(path):
    """Sphinx and Griffe take what stands before a colon in its first line for the attribute's type."""
    for text in attribute_texts(path):
        assert not re.search(r":(\s|$)", re.sub(r"`[^`]*`", "", text)), text


def test_each_entry_exists_once():
    assert len(ENTRIES) == len(set(ENTRIES))
    for name in ENTRIES:
        found(name)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_one_entry(module):
    """Classes and functions under any of their paths, values under this one; type variables are in the text."""
    objects = [(name, found(name)) for name in ENTRIES]
    for name in (name.rstrip("*") for name in PUBLIC[module]):
        here = getattr(import_module(module), name)
        if isinstance(here, (ModuleType, TypeVar, typing_extensions.TypeVar)):
            continue
        of_it = [entry for entry, other in objects if other is here]
        if here is Any or not isinstance(here, (type, FunctionType)):  # equal values are one object
            of_it = [entry for entry in of_it if entry == f"{module}.{name}"] or of_it
        assert len(of_it) == 1, f"{module}.{name}"


def test_an_entry_is_in_the_half_of_its_package():
    stray = [
        (name, page.name)
        for page, text in PAGES.items()
        for name in _ENTRY.findall(text)
        if name.partition(".")[0] != page.relative_to(DOCS).parts[0]
    ]
    assert stray == []


@pytest.mark.parametrize(
    "module",
    [
        "gymnasium.envs.mujoco",
        "gymnasium.functional",
        "gymnasium.functional.laws",
        "palaestra.testing",
        "gymnasium.rendering",
        "palaestra.adapters.stable_baselines3",
        "palaestra.error",
        "palaestra.jax",
        "palaestra.policies",
        "palaestra.randomization",
        "palaestra.randomization.curricula",
        "palaestra.randomization.vector",
        "palaestra.ray",
        "palaestra.recording",
        "palaestra.recording.replays",
        "palaestra.recording.vector",
        "palaestra.rollouts",
        "palaestra.runner",
        "palaestra.snapshots",
        "palaestra.studio",
    ],
)
def test_every_name_of_our_own_modules_has_an_entry(module):
    """Beyond those of the API."""
    public = import_module(module)
    names = [name for name in public.__all__ if not isinstance(getattr(public, name), ModuleType)]
    described = [found(name) for name in ENTRIES]
    missing = [name for name in names if not any(getattr(public, name) is other for other in described)]
    assert missing == []


@pytest.mark.parametrize("half", HALVES)
def test_no_page_shows_a_private_path_or_an_expanded_type(half, tmp_path):
    """Of the pages as they are built, since signatures and docstrings are part of them."""
    pytest.importorskip("sphinx")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "text", "-c", str(DOCS), "-d", str(tmp_path / "doctrees")]
    subprocess.run([*command, str(HALVES[half]), str(tmp_path / "text")], check=True)
    built = sorted((tmp_path / "text").rglob("*.txt"))
    assert len(built) == len(list(HALVES[half].rglob("*.md")))
    private, expanded = r"(?:gymnasium|palaestra)(?:\.\w+)*\._\w+", r"numpy\.ndarray\[|NDArray\[Any|Callable\[\[\.\.\."
    bad = re.compile(rf"{private}|{expanded}|<(?:function|module|class)|^ *Bases: *$", re.MULTILINE)
    shown = {page.stem: bad.findall(page.read_text(encoding="utf-8")) for page in built}
    assert {page: words for page, words in shown.items() if words} == {}


def test_every_wrapper_is_on_a_page():
    assert documented("gymnasium.wrappers") == set(wrappers.__all__) - {"vector"}
    assert documented("gymnasium.wrappers.vector") == set(wrappers.vector.__all__)


def test_every_space_is_on_a_page():
    assert documented("gymnasium.spaces") == set(spaces.__all__)


def test_every_error_is_on_the_page_about_troubles_or_says_all_in_its_message():
    """Those left out come to authors of environments, whose mistake they name."""
    page = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
    rare = {"CustomSpaceError", "DeprecatedWrapper", "RegistrationError", "UnregisteredEnv"}
    rare |= {"InvalidBound", "InvalidMetadata", "InvalidProbability", "MissingArgument", "NotAnId", "StepBeforeReset"}
    names = {
        name
        for name, kind in vars(error).items()
        if isinstance(kind, type) and issubclass(kind, Exception) and name[0] != "_"
    }
    assert {name for name in names if f"`{name}" not in page} == rare


def test_the_version_to_cite_is_this_one():
    assert f"{{{__version__}}}" in (DOCS / "citing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "printed, shown",
    [
        ("numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.bool]]", "NDArray[numpy.bool]"),
        ("~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~typing.Any]] | None", "NDArray | None"),
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
