"""Moments of environments on a Ray cluster."""

from __future__ import annotations

from typing import Any, NamedTuple

from gymnasium.core import ActType, ObsType
from gymnasium.states.plain import plain, rebuilt
from gymnasium.vector._batch.asking import AsyncState
from gymnasium.vector._batch.member import MembersState, MemberState, checked_env
from gymnasium.vector._batch.turns import alone
from gymnasium.vector._workers.board import row_of
from palaestra.ray.batches import with_rows
from palaestra.ray.calls import RayCalls
from palaestra.ray.protocol import GET_STATES, PUT_STATES


class RayState(NamedTuple):
    """A moment of a batch whose environments have states of their batches' own kinds, such as those of robots."""

    members: tuple[Any, ...]
    observations: tuple[Any, ...]


class RayMoments(RayCalls[ObsType, ActType]):
    """The methods of `RayVectorEnv` that keep and put moments."""

    @alone
    def get_state(self, i: int | None = None) -> Any:
        """Returns this moment of environment `i`, or for None of the whole batch.

        Those of single environments and of compiled ones are as of `SyncVectorEnv`.

        Raises:
            IndexError: If there is no such environment.
            palaestra.error.CannotSnapshot: If the state of a layer of an environment cannot be read.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._check_ready("get_state")
        if i is not None:
            worker = self._worker_of(checked_env(i, self.num_envs))
            self._ask(AsyncState.WAITING_CALL, GET_STATES, {worker.index: (i - worker.envs.start,)})
        else:
            self._ask_all(AsyncState.WAITING_CALL, GET_STATES, None)
        found = self._wait(AsyncState.WAITING_CALL, None, "get_state")
        states = [state for each in found.values() for state in each]
        envs = range(self.num_envs) if i is None else [i]
        observed = [plain(self._observation(env), "an observation") for env in envs]
        if isinstance(states[0], MemberState):
            states = [one._replace(observation=seen) for one, seen in zip(states, observed, strict=True)]
            return MembersState(tuple(states)) if i is None else states[0]
        return RayState(tuple(states), tuple(observed))

    def _observation(self, env: int) -> Any:
        worker = self._worker_of(env)
        return row_of(self.single_observation_space, worker.observations, env - worker.envs.start)

    @alone
    def set_state(self, i: int | None, state: Any, seed: int | None = None) -> None:
        """Put environment `i`, or for None the whole batch, where `get_state` was called: as of `SyncVectorEnv`."""
        self._check_ready("set_state")
        envs = range(self.num_envs) if i is None else [checked_env(i, self.num_envs)]
        states, observations = _parts(state, len(envs), i is None)
        for env, seen in zip(envs, observations, strict=True):
            worker = self._worker_of(env)
            if seen is not None:
                self._put_observation(worker, env, rebuilt(seen, self._observation(env)))
        contents = {}
        for worker in self._supervisor.workers:
            chosen = [(env - worker.envs.start, states[k], seed) for k, env in enumerate(envs) if env in worker.envs]
            if chosen:
                contents[worker.index] = (chosen,)
        self._ask(AsyncState.WAITING_CALL, PUT_STATES, contents)
        self._wait(AsyncState.WAITING_CALL, None, "set_state")

    def _put_observation(self, worker: Any, env: int, observation: Any) -> None:
        space = self.single_observation_space
        place = env - worker.envs.start
        worker.observations = with_rows(space, worker.observations, [place], _batch_of_one(observation))


def _batch_of_one(observation: object) -> Any:
    if isinstance(observation, tuple):
        return tuple(map(_batch_of_one, observation))
    if isinstance(observation, dict):
        return {key: _batch_of_one(part) for key, part in observation.items()}
    return [observation]


def _parts(state: object, n: int, whole: bool) -> tuple[list[Any], list[Any]]:
    """Returns the states of n environments, and their observations.

    Raises:
        TypeError: If `state` is not a result of `get_state` for an index, or for None.
        ValueError: If it is one of another number of environments.
    """
    if isinstance(state, RayState):
        states, observations = list(state.members), list(state.observations)
    elif isinstance(state, MembersState) and whole:
        states, observations = list(state.members), [one.observation for one in state.members]
    elif isinstance(state, MemberState) and not whole:
        states, observations = [state], [state.observation]
    else:
        raise TypeError(f"`set_state` expects a result of `get_state` for the same argument, but a {type(state)} came")
    if len(states) != n:
        raise ValueError(f"`set_state` expects a state of {n} environments, but one of {len(states)} came")
    return states, observations
