"""Params that are drawn for each episode, in one environment or in those of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from math import isfinite
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.stream import Stream
from gymnasium.params.base import Constant, Distribution
from gymnasium.params.targets import Target, check_name, target_of
from gymnasium.params.values import converted, extremes_of, plain
from gymnasium.states.layers import walk
from gymnasium.states.plain import equal
from gymnasium.utils._generators import put_generator
from gymnasium.utils.seeding import checked_seed

__all__ = ["PARAMS", "ParamDraw", "Randomization", "Randomizer", "check_drawn", "checked_values", "stream_of"]

PARAMS: Final = "RandomizeParams"
"""The name of own params among the layers of an environment: that of the wrapper."""
NOT_BEGUN: Final[dict[str, Any]] = {"drawn": [], "stream": None, "episode": 0, "values": {}}
"""The state before the first episode."""
_SPAWN_KEY: Final = (0x70617261,)  # of the streams of params among those of a seed


def stream_of(seed: int) -> np.random.PCG64:
    """Returns the beginning of the stream from which an environment with this seed draws its params."""
    return np.random.PCG64(np.random.SeedSequence(seed, spawn_key=_SPAWN_KEY))


class Randomization:
    """The distributions of some params, by their names. They are drawn in this order.

    Args:
        distributions: The distribution of each param.

    Raises:
        TypeError: If a name is no string.
    """

    def __init__(self, distributions: Mapping[str, Distribution]) -> None:
        for name in distributions:
            check_name(name)
        self.distributions = dict(distributions)

    def __getitem__(self, rows: slice) -> Randomization:
        """Returns the part of some environments of a batch."""
        return Randomization({name: one.part(rows) for name, one in self.distributions.items()})

    def check_count(self, n: int) -> None:
        """Check that there is a value for each of n environments, where there are such values.

        Raises:
            ValueError: If there is not.
        """
        for name, one in self.distributions.items():
            _check_count(name, one, n)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the params, in the order in which they are drawn."""
        return tuple(self.distributions)

    def draws(self, env: Any, i: int = 0, n: int = 1) -> list[ParamDraw]:
        """Returns how each param is drawn in environment i of n; nothing in it has changed then.

        Raises:
            TypeError, ValueError: If it has no such param, or refuses a value that may be drawn for it.
        """
        return [ParamDraw(env, name, distribution, i, n) for name, distribution in self.distributions.items()]


class ParamDraw:
    """How a param is drawn in one environment.

    Attributes:
        name: Its name.
        target: Where it is.
        distribution: Its distribution in this environment, or that of the factor of a `Scale`.
        base: The value that is scaled; None for a distribution of the value itself.
        kind: The type of the number, `bool`, `int` or `float`; None if it may be any value.
    """

    def __init__(self, env: object, name: str, distribution: Distribution, i: int = 0, n: int = 1) -> None:
        self.name = name
        self.target: Target = target_of(env, name)
        self.kind = self.target.kind
        own = self.target.get()
        _check_count(name, distribution, n)
        distribution = distribution.of(i)
        inner = distribution if distribution.scale is None else distribution.scale
        self.base = None if distribution.scale is None else own
        if self.base is not None and self.kind not in (None, float):
            raise TypeError(f"{name!r} is of the type {self.kind.__name__}, which `Scale` would not keep: use Choice")
        if self.kind is not None:
            try:
                inner = inner.of_kind(self.kind)
            except TypeError as error:
                raise TypeError(f"{name!r} is of the type {self.kind.__name__}, and keeps it: {error}") from error
        self.distribution = inner
        self._check_shape(np.shape(own) if isinstance(own, np.ndarray) else (), inner.shape)
        self._shape = inner.shape
        self._elements = [(one.draw, one.bounds) for one in inner.elements()]
        self._check_extremes(own)

    def _check_shape(self, own: tuple[int, ...], drawn: tuple[int, ...]) -> None:
        fits = drawn == own or (self.base is not None and drawn == ()) or self.distribution.user_function is not None
        if not fits:
            raise ValueError(
                f"{self.name!r} has the shape {own}, but {self.distribution} draws one of {drawn}: give bounds of its "
                "shape, or multiply it by Scale(...)"
            )

    def _check_extremes(self, own: object) -> None:
        """Let the environment refuse values that may be drawn."""
        values = [self._finished(extreme) for extreme in self.distribution.extremes()]
        if self.distribution.user_function is not None:
            values = [self._tried()]
        for value in values:
            try:
                self.target.check(value)
                self.target.put(value)
            except Exception as error:
                kind = TypeError if isinstance(error, TypeError) else ValueError
                raise kind(f"{self.name!r} cannot be {value!r:.100}: {error}") from error
            finally:
                self.target.put(own)

    def _tried(self) -> Any:
        """Returns the draw of a user's function for some seed."""
        try:
            return self.sample(Stream(stream_of(0)), 0)
        except Exception as error:
            raise TypeError(f"{self.name!r}: {self.distribution} raised {type(error).__name__}: {error}") from error

    def sample(self, rng: Any, episode: int) -> Any:
        """Returns the value of an episode."""
        if not self._shape:
            ((draw, bounds),) = self._elements
            return self._finished(draw(bounds, rng, episode))
        drawn = np.array([plain(draw(bounds, rng, episode)) for draw, bounds in self._elements])
        return self._finished(drawn.reshape(self._shape))

    def _finished(self, drawn: object) -> Any:
        value = plain(drawn if self.base is None else self.base * drawn)
        if self.kind is not None and self.kind is not type(value):
            try:
                value = converted(self.distribution, value, self.kind)
            except TypeError as error:
                raise TypeError(f"{self.name!r} is of the type {self.kind.__name__}, and keeps it: {error}") from error
        if self.kind is float and not isfinite(value):
            raise ValueError(f"{self.name!r} takes finite numbers, but {self.distribution} draws {value}")
        return value


class Randomizer:
    """Draws the params of one environment at the beginning of each episode, and sets them.

    They are drawn from a stream of their own, which begins with each seed.

    Attributes:
        episode: The number of episodes that have begun since the environment was seeded.
        values: The params that were set last, by name.
    """

    def __init__(
        self, env: object, randomization: Randomization, i: int = 0, n: int = 1, before: Randomizer | None = None
    ) -> None:
        """Check that the environment has these params; see `Randomization.draws`.

        Args:
            env: The environment.
            randomization: The params.
            i: Its place in a batch.
            n: The number of environments.
            before: The randomizers that have set params until now: they keep their values.
        """
        if (before is not None and before._draws) or (randomization.names and _draws_inside(env)):
            raise ValueError("Params of this environment are drawn already: name all in one RandomizeParams")
        self._env = env
        self._draws: list[ParamDraw] = randomization.draws(env, i, n)
        self._settles = any(draw.target.settle is not None for draw in self._draws)
        self._held: dict[str, Target] = {}
        self._own: dict[str, Any] = {draw.name: draw.target.get() for draw in self._draws}
        self._rng: Stream | None = None
        self.episode = 0
        self.values: dict[str, Any] = {}
        if before is not None:
            self.hold({name: value for name, value in before.values.items() if name not in self._own})()

    def target(self, name: str) -> Target | None:
        """Returns the place of a param that is drawn; None for others."""
        return next((draw.target for draw in self._draws if draw.name == name), None)

    def seed(self, seed: int) -> None:
        """Begin the stream of a seed."""
        self._rng, self.episode = Stream(stream_of(seed)), 0

    def begin(self, seed: int | None) -> dict[str, Any]:
        """Draw the params of an episode that begins with this seed, or without one, and set them.

        Returns:
            The params, for the info.
        """
        if seed is not None:
            self.seed(checked_seed(seed))
        elif self._rng is None:
            self.seed(_seed_of(self._env))
        for draw in self._draws:
            value = draw.sample(self._rng, self.episode)
            draw.target.put(value)
            self.values[draw.name] = value
        if self._settles:
            settle(draw.target for draw in self._draws)
        for name in self._held.keys() & self.values.keys():  # not one that a moment put back, in which it was not held
            self.values[name] = self._held[name].get()  # which `set_attr` may have changed
        self.episode += 1
        return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in self.values.items()}

    def hold(self, values: Mapping[str, Any]) -> Callable[[], None]:
        """Returns the function that sets params that are not drawn; they keep these values until they are set again.

        Raises:
            TypeError, ValueError: If there is no such param, it is drawn, or the environment refuses a value.
        """
        drawn = {draw.name for draw in self._draws}
        for name in values:
            if name in drawn:
                raise ValueError(f"{name!r} is drawn at each episode: it cannot be set")
        new = {name: ParamDraw(self._env, name, Constant(value)) for name, value in values.items()}

        def put() -> None:
            for name, draw in new.items():
                self._own.setdefault(name, draw.target.get())
                self._held[name], self.values[name] = draw.target, draw.sample(None, 0)
                draw.target.put(self.values[name])
            settle(self._held.values())

        return put

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set the params again, in a copy of an environment that was made anew."""
        self.__dict__.update(state)
        targets = {draw.name: draw.target for draw in self._draws} | self._held
        for name, value in self.values.items():
            targets[name].put(value)
        settle(targets.values())

    def get_state(self) -> dict[str, Any]:
        """Returns the params and the stream, as plain data."""
        stream = None if self._rng is None else deepcopy(self._rng.bit_generator.state)
        drawn = [draw.name for draw in self._draws]
        targets = {draw.name: draw.target for draw in self._draws} | self._held
        values = {name: targets[name].get() for name in self.values}  # which `set_attr` may have changed
        return {"drawn": drawn, "stream": stream, "episode": self.episode, "values": values}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Set the params, and continue the stream.

        Raises:
            ValueError: If the state is one of other params.
        """
        if state is not NOT_BEGUN:
            check_drawn(state, [draw.name for draw in self._draws])
        values, episode = dict(state["values"]), int(state["episode"])
        bits = None if state["stream"] is None else _bits_at(state["stream"])
        targets = {draw.name: draw.target for draw in self._draws} | self._held
        new = {name: self._new_target(name) for name in values if name not in targets}
        for name, value in values.items():
            _check_value(name, value, targets.get(name) or new[name])
        targets |= new
        for name, target in new.items():
            self._held[name] = target
            self._own.setdefault(name, target.get())
        for name, target in targets.items():
            target.put(values.get(name, self._own.get(name, target.get())))
        settle(targets.values())
        self.values, self.episode = values, episode
        self._rng = None if bits is None else Stream(bits)

    def _new_target(self, name: object) -> Target:
        """Returns the place of a param that a state names: no private attribute, since the state may be of a file."""
        if not isinstance(name, str) or name.startswith("_"):
            raise ValueError(f"The snapshot sets {name!r:.80}, which is no param")
        return target_of(self._env, name)


def _check_value(name: str, value: object, target: Target) -> None:
    """Check a value of a state, which may be of a file, against the present one.

    Raises:
        ValueError, TypeError: If it is of another kind, or the environment refuses it.
    """
    known = target.get()
    if equal(value, known):
        return
    found, expected = np.asarray(value), np.asarray(known)
    kinds = {"b": "b", "i": "iuf", "u": "iuf", "f": "iuf", "U": "U"}.get(expected.dtype.kind, "")
    if found.shape != expected.shape or found.dtype.kind not in ("iu" if target.kind is int else kinds):
        raise ValueError(f"The param {name!r} is like {known!r:.80}, but the snapshot has {value!r:.80}")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        raise ValueError(f"The param {name!r} takes finite numbers, but the snapshot has {value!r:.80}")
    target.check(value)


def check_drawn(state: Mapping[str, Any], names: Sequence[str]) -> None:
    """Check that a result of `Randomizer.get_state` is one of environments that draw the params of these names.

    Raises:
        ValueError: If it is not.
    """
    drawn, known = list(state["drawn"]), list(names)
    if drawn != known:
        raise ValueError(f"The snapshot is one of environments that draw {drawn}, but these draw {known}")


def _check_count(name: str, distribution: Distribution, n: int) -> None:
    if distribution.count not in (None, n):
        raise ValueError(f"{name!r} has {distribution.count} values, but there are {n} environments")


def _draws_inside(env: object) -> bool:
    """Whether a wrapper of one environment draws params, from the same stream."""
    return any(getattr(layer, "puts_params", False) for layer in walk(env))


def checked_values(env: object, name: str, value: object, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Returns a value for all environments of a batch, or an array with one for each, in the dtype of a param.

    Raises:
        TypeError, ValueError: If the environment has no such param, or refuses a value.
    """
    for one in extremes_of(value):
        ParamDraw(env, name, Constant(one))
    given = np.asarray(value)
    try:
        held = given.astype(dtype)
    except OverflowError as error:
        raise ValueError(f"{name!r} takes numbers of 64 bits: {error}") from error
    for one in given[held != given][:1] if held.dtype.kind != "f" else ():
        ParamDraw(env, name, Constant(one))  # refuses it
    return held


def settle(targets: Iterable[Target]) -> None:
    """Let each environment compute once the values that follow from its new params."""
    for compute in dict.fromkeys(target.settle for target in targets):
        if compute is not None:
            compute()


def _bits_at(state: Any) -> np.random.PCG64:
    bits = np.random.PCG64(0)
    put_generator(bits, state)
    return bits


def _seed_of(env: Any) -> int:
    """Returns the seed of an environment's generator; if that is unknown, a number from a copy of it."""
    seed = env.unwrapped.np_random_seed
    if seed is None or seed < 0:
        return int(deepcopy(env.unwrapped.np_random).integers(1 << 63))
    return int(seed)
