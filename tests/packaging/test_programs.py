"""What `test_wheel` tries is all that can be installed."""

from __future__ import annotations

from importlib.metadata import metadata, requires

from tests.packaging.programs import PROGRAMS

COLLECTIONS = {"all", "test", "testing", "dev"}
"""Extras made of others, or for tests."""


def test_each_extra_has_a_program() -> None:
    extras = set(metadata("gymnasium").get_all("Provides-Extra") or ())
    assert set(PROGRAMS) - {""} == extras - COLLECTIONS


def test_neither_the_package_nor_an_extra_requires_numba() -> None:
    assert not [one for one in requires("gymnasium") or () if one.startswith("numba")]
