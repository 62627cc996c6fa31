"""Environments whose dynamics break a law that no look at the environment finds."""

from __future__ import annotations

from gymnasium.functional import FunctionalEnv
from tests.checker_zoo.sound import broken
from tests.contracts.mistaken import BeginsCold, RaisesLater


@broken("G801")
class BeginsOver(FunctionalEnv):
    dynamics = BeginsCold


@broken("G802")
class LastsNotForEver(FunctionalEnv):
    dynamics = RaisesLater
