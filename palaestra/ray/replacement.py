"""Replaces actors: for `on_failure="restart"` with new environments, for `"resume"` with the same ones."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import numpy as np

from gymnasium.vector._workers.failures import Failure
from palaestra.ray.protocol import MOVES, Losses, Request, Resumption, Setup
from palaestra.ray.supervisor import Supervisor
from palaestra.ray.worker import Worker

_DEATHS = 3  # of actors at the same request, after which it is the request that kills them
_STARTS = 20  # of actors without any answer in between
_ATTEMPTS = 3  # of actors whose environments are made anew


class Setups:
    """Makes the setups of actors.

    Args:
        pickled: Returns the function that makes the batch of these environments, pickled.
        every: The number of steps between two checkpoints; None for no checkpoints.

    Attributes:
        beginnings: Params that were set, by names of `vector._batch.beginnings`, of all environments.
    """

    def __init__(self, pickled: Callable[[range], bytes], every: int | None) -> None:
        self._pickled, self._every = pickled, every
        self.beginnings: dict[str, Any] = {}
        self._entropy = int(np.random.SeedSequence().generate_state(1)[0])

    def __call__(self, worker: Worker, resumption: Resumption | None = None, losses: Losses | None = None) -> Setup:
        """Returns the setup of an actor that begins, or replaces another."""
        rows = slice(worker.envs.start, worker.envs.stop)
        beginnings = [(name, values[rows]) for name, values in self.beginnings.items()]
        return Setup(
            self._pickled(worker.envs), worker.envs, self._every, self._entropy, resumption, losses, beginnings
        )


class Resuming:
    """Another actor continues where one died, with the same results.

    It makes the environments, restores their last checkpoint and repeats the requests since, by the journal. Then it
    gets the requests without an answer, under their old numbers.

    Attributes:
        resumed: The environments whose actor was replaced since their last result.
    """

    def __init__(self, supervisor: Supervisor, setups: Setups) -> None:
        self._supervisor, self._setups = supervisor, setups
        self.resumed: set[int] = set()

    def after_death(self, worker: Worker, failure: Failure, avoid: Collection[str]) -> bool:
        """Start another actor; not after several deaths without an answer in between."""
        assert worker.journal is not None
        worker.deaths += worker.ready
        if worker.deaths > _DEATHS or worker.starts > _STARTS:
            text = f"{failure.account}, and so did the actors before it, {worker.starts} in all"
            self._supervisor.failures.append(replace(failure, account=text))
            worker.open.clear()
            return True
        setup = self._setups(worker, resumption=worker.journal.resumption(worker.observations))
        worker.start(self._supervisor.placement, setup, worker.waiting(), avoid)
        self.resumed.update(worker.envs)
        self._supervisor.notices.append(f"{failure.in_one_line()}; another actor resumes its work")
        return True

    def set_again(self, name: str, values: Any) -> None:
        """Keep nothing: the journal has it."""

    def after_error(self, worker: Worker, failure: Failure, request: Request) -> bool:
        """Start no other actor, because the environment would raise again."""
        return False


class Restarting:
    """Another actor makes new environments, whose first step ends the running episodes as truncated (see `Lost`)."""

    def __init__(self, supervisor: Supervisor, setups: Setups) -> None:
        self._supervisor, self._setups = supervisor, setups

    def after_death(self, worker: Worker, failure: Failure, avoid: Collection[str]) -> bool:
        """Start another actor. A call, which only the old environments could answer, is raised."""
        return self._renewed(worker, failure, worker.waiting(), avoid)

    def set_again(self, name: str, values: Any) -> None:
        """Keep the values, for actors that make new environments."""
        self._setups.beginnings[name] = values

    def after_error(self, worker: Worker, failure: Failure, request: Request) -> bool:
        """Start another actor, unless only a call has raised."""
        if request.kind not in MOVES:
            return False
        return self._renewed(worker, failure, [request, *worker.waiting()], ())

    def _renewed(self, worker: Worker, failure: Failure, waiting: list[Request], avoid: Collection[str]) -> bool:
        if worker.starts > _ATTEMPTS:
            return False
        moves = [request for request in waiting if request.kind in MOVES]
        losses = None
        if worker.observations is not None:
            losses = Losses(worker.observations, worker.finished.copy())
        worker.end()
        worker.start(self._supervisor.placement, self._setups(worker, losses=losses), moves, avoid)
        if len(moves) < len(waiting):
            self._supervisor.failures.append(failure)
        else:
            self._supervisor.notices.append(f"{failure.in_one_line()}; its actor is started anew")
        return True
