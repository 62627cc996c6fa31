"""Lines that tell how to install something: an index has another project's distribution under this package's name."""

from __future__ import annotations

import re
import sys

import pytest

from gymnasium.dependencies import install_command, requirement
from tests.architecture.source import PACKAGE, ROOT, files

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
BROUGHT = {line for lines in EXTRAS.values() for line in lines if not line.startswith(PROJECT["name"])}
READ_BY_USERS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in path.parts),
    *files("gymnasium", "palaestra", "docs", "examples", "benchmarks"),
]

# Another project's: a name, with brackets or versions, to which no address is given.
FETCHED = re.compile(
    rf"{PROJECT['name']}\[(?![^\]]*\] @ )|(?<!un)install[^`\n]*[ \"']{PROJECT['name']}(?=[\"'`<>=~]|$)", re.M
)


def test_no_page_and_no_message_names_the_distribution() -> None:
    """A line that did would replace this package by another."""
    found = {str(path): FETCHED.findall(path.read_text(encoding="utf-8")) for path in READ_BY_USERS}

    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    ['pip install "gymnasium[video]"', "pip install gymnasium", "pip install -U 'gymnasium>=1'", "gymnasium[all]"],
)
def test_the_search_finds_what_it_looks_for(line: str) -> None:
    assert FETCHED.search(line)


def test_every_extra_that_is_named_exists() -> None:
    """`pip install ".[extra]"`, in a clone."""
    named = {
        (str(path), extra)
        for path in READ_BY_USERS
        for extras in re.findall(r'install "\.\[([a-z0-9,-]+)\]"', path.read_text(encoding="utf-8"))
        for extra in extras.split(",")
    }

    assert {(path, extra) for path, extra in named if extra not in EXTRAS} == set()
    assert len(named) > 10


@pytest.mark.parametrize("line", sorted(BROUGHT | set(PROJECT["dependencies"])))
def test_a_library_comes_with_the_versions_of_the_metadata(line: str) -> None:
    """So the two cannot drift apart."""
    library = re.split(r"[<>=]", line)[0]

    assert install_command(library) == f'pip install "{requirement(library)}"'
    assert requirement(library) in BROUGHT | set(PROJECT["dependencies"])


def test_a_library_without_metadata_is_named_alone() -> None:
    """As for a package that was never installed."""
    assert install_command("no-such-library", "av") == f'pip install "no-such-library" "{requirement("av")}"'


def test_every_hint_in_the_code_is_made_from_the_metadata() -> None:
    """The package holds no line to type by hand, but for programs of other people."""
    typed = {
        path.name
        for path in files(PACKAGE.name)
        if re.search(r"pip install [\"'\w]", path.read_text(encoding="utf-8")) and path.name != "dependencies.py"
    }

    assert typed == {"builtin.py"}  # shimmy
