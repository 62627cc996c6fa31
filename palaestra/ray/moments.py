"""Checkpoints of an actor's environments, and the way from one to the moment at which another actor died."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any

from gymnasium.error import ResetNeeded
from gymnasium.states.layers import generators_in, generators_of, put_generators, seed_generators, walk
from gymnasium.states.plain import equal, plain
from gymnasium.vector._batch.member import MemberState
from gymnasium.vector._workers.failures import WorkerError
from palaestra.error import CannotSnapshot
from palaestra.ray.protocol import Checkpoint, Request, Resumption
from palaestra.snapshots import Snapshot, restore, snapshot

_SETTLES = 10_000  # steps, in which every environment should have been reset after its attributes were set


class Checkpointer:
    """Makes checkpoints of a batch.

    Args:
        batch: The vector environment.
        every: The number of steps between two checkpoints.
        entropy: Seeds the spaces of single environments.
    """

    def __init__(self, batch: object, every: int, entropy: int) -> None:
        self._batch, self._every = batch, every
        self._since, self._has_kept, self._can_keep = 0, False, True
        self._set_in: list[int] = []  # the episode of each single environment in which an attribute was set
        seed_generators(entropy, *_spaces(batch))

    def wait_for_resets(self, places: Sequence[int] | None = None) -> None:
        """Make no checkpoint until these single environments have begun another episode; None for all.

        Some restore a moment by playing the episode, and attributes must then be those of its beginning.
        """
        members = getattr(self._batch, "_members", ())
        self._set_in = self._set_in or [-1] * len(members)
        for place in range(len(members)) if places is None else places:
            if place < len(members):
                self._set_in[place] = members[place].episodes

    def look(self, steps: int, began: bool, memory: Any) -> Checkpoint | None:
        """Returns a checkpoint if it is time for one, or once the reason why there can be none.

        Args:
            steps: The number of steps of the request before this.
            began: Whether all environments were reset.
            memory: The rest of the moment.
        """
        self._since += steps
        due = self._since >= self._every or (began and (3 * self._since >= self._every or not self._has_kept))
        if not due or not self._can_keep or not (self._settled() or self._since >= _SETTLES):
            return None
        try:
            moment = snapshot(self._batch), generators_of(*_spaces(self._batch)), memory
            contents = pickle.dumps(moment, pickle.HIGHEST_PROTOCOL)
        except ResetNeeded:
            return None
        except Exception as error:
            self._can_keep = False
            return Checkpoint(None, str(error) if isinstance(error, CannotSnapshot) else f"get_state raised {error!r}")
        self._since, self._has_kept, self._set_in = 0, True, []
        return Checkpoint(contents)

    def _settled(self) -> bool:
        members = getattr(self._batch, "_members", ())
        return all(member.episodes > episode for member, episode in zip(members, self._set_in, strict=False))


def resume(
    batch: Any, resumption: Resumption, repeat: Callable[[Request], Any], remember: Callable[[Any], None]
) -> None:
    """Go on from the checkpoint to the moment at which another actor died.

    Args:
        batch: The environments, as they were made.
        resumption: What happened until then.
        repeat: Does a request again, and returns the observations of all environments, if it has them.
        remember: Takes the rest of the checkpoint.

    Raises:
        gymnasium.vector._workers.failures.WorkerError: If the environments come to other observations.
    """
    if resumption.checkpoint is not None or resumption.settings:
        batch.reset(seed=0)
    for request in resumption.settings:
        repeat(request)
    if resumption.checkpoint is not None:
        moment, generators, memory = pickle.loads(resumption.checkpoint)
        restore(batch, moment)
        spaces = _spaces(batch)
        put_generators(generators_in(generators, *spaces), *spaces)
        remember(memory)
    seen = None
    for request in resumption.past:
        seen = repeat(request)
    if seen is not None and resumption.observations is not None and not _same(seen, resumption.observations):
        raise WorkerError(
            "The actions since the last checkpoint, or reset with a seed, led to other observations when they were "
            "repeated. An environment depends on more than its seed and its actions, so it cannot be resumed"
        )


def _same(one: object, other: object) -> bool:
    try:
        return equal(plain(one, "an observation"), plain(other, "an observation"))
    except CannotSnapshot:  # values of a custom space, which only it can compare
        return True


def _spaces(batch: object) -> list[Any]:
    """Returns the spaces of the single environments of a batch; its own are part of its snapshot."""
    layers = [layer for env in getattr(batch, "envs", ()) for layer in walk(env)]
    return [space for layer in layers for space in (layer.action_space, layer.observation_space)]


def states_of(batch: Any, place: int | None) -> list[Any]:
    """Returns the moments of all environments of a batch, or of one."""
    places = range(batch.num_envs) if place is None else [place]
    if not hasattr(batch.unwrapped, "single_env") or not hasattr(batch.unwrapped, "kernel"):
        return [batch.get_state(i) for i in places]
    whole = snapshot(batch)  # of a compiled batch, as those of single environments, which every runner takes
    return [_member_state(whole[i]) for i in places]


def _member_state(moment: Snapshot) -> MemberState:
    data = moment._data
    return MemberState(data["layers"], bool(data["finished"]), data.get("observation"))


def put_state(batch: Any, place: int, state: Any, seed: int | None) -> None:
    """Put one environment of a batch into a moment of `states_of`."""
    if hasattr(batch.unwrapped, "kernel") and isinstance(state, MemberState):
        restore(batch, Snapshot({"num_envs": None, "spaces": None, **state._asdict()}), at=place)
        if seed is not None:
            batch.fork(place, [place], [seed])
    elif seed is None:
        batch.set_state(place, state)
    else:
        batch.set_state(place, state, seed)
