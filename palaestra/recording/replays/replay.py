"""`Replay`: an episode as a small file, from which it runs again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.error import InvalidAction
from gymnasium.spaces import Box, Space
from gymnasium.specs import EnvSpec
from gymnasium.states import files
from gymnasium.states.checks import refusing
from gymnasium.states.plain import equal, rebuilt
from gymnasium.states.stacks import unstacked
from palaestra.recording.replays.beginnings import begin
from palaestra.recording.replays.digests import Digester
from palaestra.recording.replays.machine import versions
from palaestra.recording.replays.specs import spec_of
from palaestra.recording.replays.verification import Verification

KIND = "replay"  # of files
_FIELDS = {"spec", "seed", "options", "beginning", "actions", "rewards", "terminated", "truncated", "names", "digests"}
_FIELDS |= {"module", "made_on", "runner"}


class ReplayStep(NamedTuple):
    """The results of a step, as of `Env.step`."""

    observation: Any
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class Replay:
    """An episode: the spec of its environment, its seed and options, and its actions.

    `palaestra.recording.RecordReplays` and its vector twin write them. An episode of a batch that began without a seed
    of its own holds its beginning instead; each runs again as a single environment.

    Attributes:
        spec: The spec of the environment, wrappers included.
        seed: The seed of its reset; None if it began without one.
        options: The options of its reset, or None.
        rewards: The rewards, float64, shape (steps,).
        terminated: Whether the last step terminated it.
        truncated: Whether the last step truncated it.
        made_on: The versions and the machine by which it was recorded.
        runner: The class of the environment or batch in which it was recorded.
    """

    def __init__(self, data: dict[str, Any], trusted: bool = False) -> None:
        _check_kinds(data)
        self._data = data
        self.spec: EnvSpec = spec_of(data["spec"], data["module"], trusted)
        self.seed: int | None = data["seed"]
        self.options: dict[str, Any] | None = data["options"]
        self._actions = unstacked(data["actions"])
        self.rewards: NDArray[np.float64] = data["rewards"]
        self.terminated, self.truncated = (bool(data[name].any()) for name in ("terminated", "truncated"))
        self.made_on: dict[str, str] = data["made_on"]
        self.runner: str = data["runner"]
        steps = len(self._actions)
        lengths = {len(data[name]) for name in ("rewards", "terminated", "truncated")} | {len(data["digests"]) - 1}
        if lengths != {steps}:
            raise ValueError(f"{steps} actions and results of {lengths} steps do not belong together")
        if data["digests"].shape[1] != len(data["names"]):
            raise ValueError(f"digests of {data['digests'].shape[1]} arrays do not belong to {data['names']}")

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, trusted: bool = False) -> Replay:
        """Returns the replay in a file. Reading executes nothing from it, nor does running it what it names.

        Args:
            path: The file.
            trusted: Whether the file comes from a trusted source; then its spec may ask for any wrapper and argument,
                also for those that import modules or write files. See `EnvSpec.from_json`.

        Raises:
            OSError: If it cannot be read.
            ValueError: If it is not a replay, or a truncated one.
            gymnasium.error.Error: If its id is not registered, in this version; import its package first. Or if its
                spec asks for more than a file may.
        """
        data = files.read(Path(path), KIND)
        try:
            if not data.keys() >= _FIELDS:
                raise ValueError("parts are missing")
            return cls(data, trusted)
        except (TypeError, KeyError, ValueError, AttributeError, IndexError, RecursionError) as error:
            raise ValueError(f"{path} is no replay, or not a whole one: {error}") from error

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, completely or not at all. The usual ending is `.replay`.

        Raises:
            OSError: If it cannot be written; an earlier file then stays unchanged.
        """
        files.write(Path(path), KIND, self._data)

    @property
    def actions(self) -> list[Any]:
        """The actions, in the types in which they were taken."""
        return [rebuilt(action, None) for action in self._actions]

    def __len__(self) -> int:
        """Returns the number of steps."""
        return len(self._actions)

    def __repr__(self) -> str:
        start = "" if self.seed is None else f", seed {self.seed}"
        return f"<Replay of {self.spec.id}{start}: {len(self)} steps, return {self.rewards.sum():g}>"

    def make(self, **kwargs: Any) -> Env:
        """Returns a new environment of its spec, for `begin` or `run`.

        Args:
            **kwargs: Arguments that replace those of the spec, such as `render_mode`.

        Raises:
            gymnasium.error.Error: If it cannot be made.
        """
        env: Env = self.spec.make(**kwargs)
        return env

    def _made(self) -> Env:
        """Returns a new environment; arguments of the file that its constructor does not take are a ValueError."""
        with refusing(f"the spec of {self!r}"):
            return self.make()

    @property
    def beginning(self) -> dict[str, Any]:
        """Further settings at the beginning of the episode, besides its seed and options; empty if there are none."""
        data: dict[str, Any] = self._data["beginning"]
        return data

    def begin(self, env: Env) -> tuple[Any, dict[str, Any]]:
        """Bring an environment of `make` to the beginning of the episode; the recorded actions then repeat it.

        Returns:
            The first observation, and an info, which is empty if the episode began without a seed.

        Raises:
            ValueError: If the environment consists of other layers, or refuses the beginning.
        """
        with refusing(f"the beginning of {self!r}"):
            return begin(env, self._data["beginning"], self.seed, self.options)

    def run(self, env: Env | None = None) -> Iterator[ReplayStep]:
        """Run the episode again, and yield its steps; the first is the beginning, with reward 0.

        Args:
            env: An environment of `make`; None for a new one, which is closed afterwards.

        Raises:
            gymnasium.error.InvalidAction: If an action does not fit the environment. Nothing has run then.
            ValueError: If the environment consists of other layers.
        """
        own = self._made() if env is None else None
        playing: Env = own if env is None else env  # type: ignore[assignment]  # one of them is there
        try:
            self._check_actions(playing.action_space)
            observation, info = self.begin(playing)
            yield ReplayStep(observation, 0.0, False, False, info)
            for action in self.actions:
                observation, reward, terminated, truncated, info = playing.step(action)
                yield ReplayStep(observation, float(reward), bool(terminated), bool(truncated), info)
        finally:
            if own is not None:
                own.close()

    def verify(self, env: Env | None = None) -> Verification:
        """Run the episode again, and compare each observation, reward and end with the recorded ones.

        Args:
            env: An environment of `make`; None for a new one.

        Returns:
            A `Verification`, which is true if all are equal to the bit, or else names the first that is not.

        Raises:
            gymnasium.error.InvalidAction: If an action does not fit the environment.
            ValueError: If the environment consists of other layers.
        """
        own = self._made() if env is None else None
        playing: Env = own if env is None else env  # type: ignore[assignment]  # one of them is there
        try:
            steps, difference = self._compared(playing)
        finally:
            if own is not None:
                own.close()
        step, value, recorded, found = difference or (None, None, None, None)
        return Verification(steps, step, value, recorded, found, dict(self.made_on), versions(self.spec.entry_point))

    def _compared(self, env: Env) -> tuple[int, tuple[int, str, Any, Any] | None]:
        """Returns the number of steps that ran, and the first difference: step, value, recorded, found."""
        digester = Digester(env.observation_space)
        names = self._data["names"]
        if digester.names != names:
            return 0, (0, "the space of observations", ", ".join(names), ", ".join(digester.names))
        t = 0
        running = self.run(env)
        while t <= len(self):
            try:
                came = next(running)
            except InvalidAction:
                raise
            except Exception as error:
                if t == 0:
                    raise
                return t, (t, "the step", "no error", f"{type(error).__name__}: {error}")
            for value, recorded, found in chain(self._observation(t, came, digester), self._results(t, came)):
                if not equal(recorded, found):
                    return t, (t, value, recorded, found)
            t += 1
        return len(self), None

    def _observation(self, t: int, came: ReplayStep, digester: Digester) -> Iterator[tuple[str, Any, Any]]:
        found = digester.table(digester.of(came.observation))[0]
        for name, recorded, now in zip(digester.names, self._data["digests"][t], found, strict=True):
            yield name, f"digest {recorded:016x}", f"digest {now:016x}"

    def _results(self, t: int, came: ReplayStep) -> Iterator[tuple[str, Any, Any]]:
        if t == 0:
            return
        yield "reward", float(self.rewards[t - 1]), came.reward
        for name in ("terminated", "truncated"):
            yield name, bool(self._data[name][t - 1]), getattr(came, name)

    def _check_actions(self, space: Space) -> None:
        for t, action in enumerate(self.actions, 1):
            with refusing(f"action {t} of {self!r}"):
                fits = _fits(space, action)
            if not fits:
                raise InvalidAction(f"Action {t} of the replay is {action!r}, which is not in {space}")


_KINDS: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(("spec", "module", "runner"), (str,)),
    **{"seed": (int, type(None)), "options": (dict, type(None))},
    **{"beginning": (dict,), "names": (list,), "made_on": (dict,)},
}
_ARRAYS: Final = {"rewards": ("<f8", 1), "terminated": ("|b1", 1), "truncated": ("|b1", 1), "digests": ("<u8", 2)}
_BEGINNINGS: Final[tuple[set[str], ...]] = ({"generator"}, {"layers", "first"}, {"played", "first"}, set())


def _check_kinds(data: Mapping[str, Any]) -> None:
    """Check the parts of a file's data, apart from what the environment checks when the episode begins."""
    for name, kinds in _KINDS.items():
        if type(data[name]) not in kinds:
            raise ValueError(f"{name} is {data[name]!r:.80}")
    for name, (dtype, axes) in _ARRAYS.items():
        array = data[name]
        if not isinstance(array, np.ndarray) or (array.dtype.str, array.ndim) != (dtype, axes):
            raise ValueError(f"{name} is {array!r:.80}")
    if data["seed"] is not None and data["seed"] < 0:
        raise ValueError(f"the seed is {data['seed']}")
    if data["beginning"].keys() not in _BEGINNINGS:
        raise ValueError(f"the beginning has the parts {list(data['beginning'])!r:.80}")
    words = (*data["names"], *data["made_on"], *data["made_on"].values())
    if not all(isinstance(word, str) for word in words):
        raise ValueError("a name or a version is no string")


def _fits(space: Space, action: object) -> bool:
    """Whether an action may be taken; the bounds and the dtype of a Box are the environment's matter."""
    if isinstance(space, Box):
        array = np.asarray(action)
        return array.shape == space.shape and array.dtype.kind in "biuf"
    return action in space or np.asarray(action) in space
