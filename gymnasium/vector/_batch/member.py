"""One environment of a batch, and the table of the effects of a step."""

from __future__ import annotations

from typing import Any, NamedTuple

from gymnasium.core import Env
from gymnasium.states.layers import put_states, reseed, states_of
from gymnasium.states.plain import plain
from gymnasium.vector.vector_env import AutoresetMode


class MemberState(NamedTuple):
    """A moment of one environment of a batch."""

    layers: list[tuple[str, Any]]
    """The states of its layers, as plain data."""
    finished: bool
    """Whether its episode is over and no reset has come since."""
    observation: Any
    """Its last observation."""


class MembersState(NamedTuple):
    """A moment of a batch of environments of their own."""

    members: tuple[MemberState, ...]


class Member:
    """An environment that its vector environment steps and resets, in any process.

        before the step     NEXT_STEP                        SAME_STEP                           DISABLED
        running             step                             step; at the end: keep the last     step
                                                             observation and info, reset
        finished            reset; reward 0, no flag         (was reset by the step that         AssertionError
                            (the action is ignored)          finished it)

    Attributes:
        env: The environment.
        finished: Whether its episode is over and it has not been reset since.
        episodes: The number of episodes it has begun.
    """

    __slots__ = ("env", "episodes", "finished", "mode")

    def __init__(self, env: Env, mode: AutoresetMode) -> None:
        self.env = env
        self.mode = mode
        self.finished = False
        self.episodes = 0

    def reset(self, seed: int | None, options: dict[str, Any] | None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, finished or not."""
        observation, info = self.env.reset(seed=seed, options=options)
        self.finished = False
        self.episodes += 1
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take one step of the table.

        Raises:
            AssertionError: If the environment is finished and the mode is DISABLED.
        """
        if self.finished and self.mode is not AutoresetMode.SAME_STEP:
            return self._step_finished()
        observation, reward, terminated, truncated, info = self.env.step(action)
        if terminated or truncated:
            observation, info = self.end(observation, info)
        return observation, reward, terminated, truncated, info

    def end(self, observation: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """End the episode after its last observation and info; returns those of the step."""
        self.finished = True
        if self.mode is not AutoresetMode.SAME_STEP:
            return observation, info
        last = {"final_obs": observation, "final_info": info}
        observation, reset_info = self.reset(None, None)
        return observation, {**last, **reset_info}

    def _step_finished(self) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self.mode is not AutoresetMode.NEXT_STEP:
            raise AssertionError(
                "A finished environment was stepped without autoreset: reset it first, with "
                "reset(options={'reset_mask': terminations | truncations})"
            )
        observation, info = self.reset(None, None)
        return observation, 0.0, False, False, info

    def get_state(self, observation: Any = None) -> MemberState:
        """Returns this moment.

        Raises:
            gymnasium.error.CannotSnapshot: If the state of a layer cannot be told.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        return MemberState(states_of(self.env), self.finished, plain(observation, "an observation"))

    def set_state(self, state: MemberState, seed: int | None = None) -> None:
        """Go back to a moment; with a seed, its generator begins anew.

        Raises:
            ValueError: If it is of other layers; nothing has changed then.
        """
        put_states(self.env, state.layers)
        self.finished = state.finished
        if seed is not None:
            reseed(self.env, seed)


def checked_env(i: int, n: int) -> int:
    """Returns an index of n environments.

    Raises:
        IndexError: If there is no such environment.
    """
    if not 0 <= i < n:
        raise IndexError(f"Environment {i} does not exist, there are {n}")
    return i


def places_and_states(i: int | None, state: Any, n: int) -> list[tuple[int, MemberState]]:
    """Returns which environments are to be put into which moments.

    Raises:
        IndexError: If there is no environment `i`.
        TypeError: If `state` is not a result of `get_state` for an index, or for None.
        ValueError: If it is one of another number of environments.
    """
    expected = "MembersState" if i is None else "MemberState"
    if not isinstance(state, MembersState if i is None else MemberState):
        raise TypeError(f"`set_state` expects a {expected} here, but a {type(state)} came")
    if isinstance(state, MemberState):
        return [(checked_env(i or 0, n), state)]
    if len(state.members) != n:
        raise ValueError(f"`set_state` expects a state of {n} environments, but one of {len(state.members)} came")
    return list(enumerate(state.members))
