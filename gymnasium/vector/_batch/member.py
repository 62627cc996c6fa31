"""One environment of a batch, and the table of the effects of a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from gymnasium._extensions import is_own_module
from gymnasium.core import Env
from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.starting import start_params
from gymnasium.params.randomization import NOT_BEGUN, PARAMS, Randomization, Randomizer
from gymnasium.params.targets import target_of
from gymnasium.states.checks import check_observation
from gymnasium.states.layers import put_states, reseed, states_of, walk
from gymnasium.states.plain import plain, rebuilt
from gymnasium.vector._batch.beginnings import CHECK_HOLD, DRAW, HOLD
from gymnasium.vector._batch.results import wrong_result
from gymnasium.vector.vector_env import AutoresetMode


class MemberState(NamedTuple):
    """A moment of one environment of a batch."""

    layers: list[tuple[str, Any]]
    """The states of its layers, as plain data."""
    finished: bool
    """Whether its episode is over and no reset has come since."""
    observation: Any
    """Its last observation."""
    options: Any = None
    """The options of its next reset, as plain data."""


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
        options: The options of its next reset, unless that has options of its own.
        params: Sets its params at the beginning of each episode; None if nobody has asked for that.
    """

    __slots__ = ("env", "episodes", "finished", "mode", "options", "params")

    def __init__(self, env: Env, mode: AutoresetMode) -> None:
        self.env = env
        self.mode = mode
        self.finished = False
        self.episodes = 0
        self.options: dict[str, Any] | None = None
        self.params: Randomizer | None = None

    def reset(self, seed: int | None, options: dict[str, Any] | None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, finished or not."""
        options, self.options = options or self.options or options, None
        params = None if self.params is None else self.params.begin(seed)
        result: Any = self.env.reset(seed=seed, options=options)
        try:
            observation, info = result
        except (TypeError, ValueError) as error:
            raise wrong_result(error, self.env, "reset", result) from None
        self.finished = False
        self.episodes += 1
        return observation, {**info, "params": {**info.get("params", {}), **params}} if params else info

    def randomizer(self, randomization: Randomization, i: int, n: int) -> Randomizer:
        """Returns what draws its params as environment i of n, for the attribute `params`.

        Raises:
            TypeError, ValueError: If the environment has no such params, or refuses them, or others are drawn already.
        """
        return Randomizer(self.env, randomization, i, n, before=self.params)

    def hold(self, values: Mapping[str, Any]) -> Callable[[], None]:
        """Returns the function that sets params, which are in the info of each reset then.

        Raises:
            TypeError, ValueError: If there is no such param, it is drawn, or the environment refuses it.
        """
        if self.params is None:
            self.params = Randomizer(self.env, Randomization({}))
        return self.params.hold(values)

    def param(self, name: str) -> Any:
        """Returns the present value of a param.

        Raises:
            TypeError, ValueError: If there is none.
        """
        known = None if self.params is None else self.params.target(name)
        return (known or target_of(self.env, name)).get()

    def try_options(self, options: dict[str, Any] | None) -> None:
        """Raise the error of a reset with these options, if it is known: for dynamics without a user's wrappers."""
        base = self.env.unwrapped
        ours = all(is_own_module(type(layer).__module__) for layer in walk(self.env))
        if options and ours and isinstance(base, FunctionalEnv):
            start_params(base, base.params, options)

    def changing(self, name: str, value: Any) -> Callable[[], None]:
        """Returns the function that sets, in a worker, the values under a name of `beginnings`.

        Raises:
            Exception: If the environment refuses it.
        """
        if name in (HOLD, CHECK_HOLD):
            return self.hold(value)
        (options,) = value
        self.try_options(options)
        return partial(setattr, self, "options", options)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take one step of the table.

        Raises:
            AssertionError: If the environment is finished and the mode is DISABLED.
        """
        if self.finished and self.mode is not AutoresetMode.SAME_STEP:
            return self._step_finished()
        result: Any = self.env.step(action)
        try:
            observation, reward, terminated, truncated, info = result
        except (TypeError, ValueError) as error:
            raise wrong_result(error, self.env, "step", result) from None
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
            palaestra.error.CannotSnapshot: If the state of a layer cannot be read.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        layers = states_of(self.env)
        if self.params is not None:
            layers.insert(0, (PARAMS, plain(self.params.get_state(), "the params")))
        options = plain(self.options, "the options of the next reset")
        return MemberState(layers, self.finished, plain(observation, "an observation"), options)

    def set_state(self, state: MemberState, seed: int | None = None) -> None:
        """Go back to a moment; with a seed, its generator begins anew.

        Raises:
            ValueError: If it is of other layers; nothing has changed then. If its observation is none of this
                environment, its layers have changed.
        """
        if not (state.options is None or isinstance(state.options, dict)):
            raise ValueError(f"The options of a reset are a dict, but {state.options!r:.200} came")
        self._put_layers(state.layers)
        if state.observation is not None:
            check_observation(self.env.observation_space, state.observation)
        self.finished = state.finished
        self.options = rebuilt(state.options, None)
        if seed is not None:
            reseed(self.env, seed)
            if self.params is not None:
                self.params.seed(seed)

    def _put_layers(self, layers: list[tuple[str, Any]]) -> None:
        """Put the params first, because an environment may play its episode again."""
        here = [state for name, state in layers[:1] if name == PARAMS]
        if self.params is None and not here:
            put_states(self.env, layers)
            return
        params = self.params or Randomizer(self.env, Randomization({}))
        before = params.get_state()
        params.set_state(rebuilt(here[0], None) if here else NOT_BEGUN)
        try:
            put_states(self.env, layers[len(here) :])
        except BaseException:
            params.set_state(before)
            raise
        self.params = params


def begin_with(members: Sequence[Member], name: str, values: Any) -> None:
    """Set the values under a name of `beginnings` again, as far as the environments take them."""
    for place, member in enumerate(members):
        with suppress(Exception):  # the caller has seen it
            if name == DRAW:
                member.params = member.randomizer(values, place, len(members))
            elif values[place] is not None:
                member.changing(name, values[place])()


def checked_env(i: int, n: int) -> int:
    """Returns an index of n environments.

    Raises:
        IndexError: If there is no such environment.
    """
    if not 0 <= i < n:
        raise IndexError(f"Environment {i} does not exist, there are {n}")
    return i


def places_and_states(i: int | None, state: object, n: int) -> list[tuple[int, MemberState]]:
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
