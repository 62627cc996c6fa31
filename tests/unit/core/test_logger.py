"""Warnings: their category, colour, level and formatting."""

from __future__ import annotations

import warnings

import pytest

from gymnasium import logger


@pytest.fixture
def level():
    """Puts the level back."""
    before = logger.min_level
    yield
    logger.min_level = before


def said(call, *args, **kwargs):
    """Returns what a call warned of: [(category, text)]."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*args, **kwargs)
    return [(w.category, str(w.message)) for w in caught]


def test_levels():
    assert (logger.WARN, logger.ERROR, logger.min_level) == (30, 40, 30)


def test_forms():
    assert said(logger.warn, "a %s", "b") == [(UserWarning, "\x1b[33mWARN: a b\x1b[0m")]
    assert said(logger.error, "a %d", 3) == [(UserWarning, "\x1b[31mERROR: a 3\x1b[0m")]
    assert said(logger.deprecation, "old") == [(DeprecationWarning, "\x1b[33mWARN: old\x1b[0m")]
    assert said(logger.warn, "x", category=FutureWarning) == [(FutureWarning, "\x1b[33mWARN: x\x1b[0m")]


def test_a_percent_sign_without_arguments_is_text():
    assert said(logger.warn, "100% of %s") == [(UserWarning, "\x1b[33mWARN: 100% of %s\x1b[0m")]


@pytest.mark.usefixtures("level")
def test_min_level_silences_what_is_below():
    logger.min_level = logger.ERROR
    assert said(logger.warn, "x") == []
    assert len(said(logger.error, "x")) == 1
    logger.min_level = logger.ERROR + 1
    assert said(logger.error, "x") == []


def test_the_caller_is_blamed():
    with pytest.warns(UserWarning) as caught:
        logger.warn("x")
    assert caught[0].filename == __file__


def test_deprecations_in_the_package_are_shown_once(monkeypatch):
    import importlib

    with warnings.catch_warnings():
        warnings.resetwarnings()
        importlib.reload(logger)
        action, _, category, module, _ = warnings.filters[0]
    assert (action, category) == ("once", DeprecationWarning)
    assert module.match("gymnasium.anything")
    assert not module.match("other.gymnasium.anything")
