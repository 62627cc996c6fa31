"""Garbage is collected again behind what compiles, also after an exception, and only if it was before."""

from __future__ import annotations

import gc
from contextlib import suppress

from palaestra.language.garbage import without_collections


def test_collections_rest_and_go_on() -> None:
    assert gc.isenabled()
    with suppress(ValueError), without_collections():
        with without_collections():
            assert not gc.isenabled()
        assert not gc.isenabled()
        raise ValueError
    assert gc.isenabled()


def test_a_user_s_choice_stays() -> None:
    gc.disable()
    try:
        with without_collections():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()
