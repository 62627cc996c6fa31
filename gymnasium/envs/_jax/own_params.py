"""Params of each environment of a batch under JAX: drawn at the beginning of each episode, or set for some."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs._jax.draws import Draws
from gymnasium.envs._jax.dynamics import JaxDynamics
from gymnasium.envs._jax.keys import key_of, param_keys
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.ops import floating, integer
from gymnasium.envs._jax.params import Mask, Values, joined, split, split_each
from gymnasium.envs._jax.tracing import traced_draw
from gymnasium.params.base import Distribution
from gymnasium.params.randomization import ParamDraw, Randomization, checked_values
from gymnasium.params.targets import NUMBERS, Field, Kind, target_of

_DTYPES: Final[dict[Kind, Callable[[], np.dtype]]] = {bool: lambda: np.dtype(np.bool_), int: integer, float: floating}
_TAKEN: Final[dict[Kind, str]] = {bool: "b", int: "iu", float: "iuf"}  # the kinds of dtypes of which a param may be


class Own(NamedTuple):
    """The params that environments have of their own, a pytree.

    Attributes:
        values: The present values by name, each of shape (n,).
        held: Whether each was set, by the names of those that are not drawn; bool of shape (n,).
        keys: The keys of the streams from which params are drawn, shape (n, ...).
        episodes: The number of episodes for which each stream has drawn, int32 of shape (n,).
    """

    values: dict[str, jax.Array]
    held: dict[str, jax.Array]
    keys: jax.Array
    episodes: jax.Array


class TracedField(Field):
    """A number among the params of dynamics under JAX.

    A value that is put becomes an array, so that programs are not compiled anew for it; the environment's own value is
    put unchanged, as dynamics may branch on it.

    Args:
        env: The environment, with `func_env` and `params`.
        name: The name of the field.
        trace: Called with params that have an array there, and the name; traces the dynamics.
    """

    def __init__(self, env: Any, name: str, trace: Callable[[Any, str], object]) -> None:
        self._usual = getattr(env.params, name)
        self._trace = trace
        super().__init__(env, name)

    def get(self) -> Any:
        """Returns the number."""
        value = super().get()
        return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value

    def put(self, value: object) -> None:
        """Replace the field."""
        super().put(value if value is self._usual else np.array(value, self.dtype))

    @property
    def dtype(self) -> np.dtype:
        """The dtype of its values."""
        return _DTYPES[self.kind]()

    def check(self, value: object) -> None:
        """Check that the dtype holds a value, and that the dynamics can be traced for any.

        Raises:
            ValueError, TypeError: If not; or as `Field.check`.
        """
        super().check(value)
        self._trace(self._env.params._replace(**{self._name: self.array(value)}), self._name)

    def array(self, value: Any) -> NDArray[Any]:
        """Returns a value in the dtype, as an array of shape ().

        Raises:
            ValueError: If the dtype does not hold it.
        """
        try:
            with np.errstate(over="ignore"):
                array = np.array(value, self.dtype)
        except OverflowError as error:
            raise ValueError(f"it is too large for {self.dtype}") from error
        if np.isinf(array) and not np.isinf(value):
            raise ValueError(f"it is too large for {self.dtype}")
        return array


def names_of(params: object) -> list[str]:
    """Returns the names of the numbers among params, of which some may have become arrays."""
    fields = ((name, getattr(params, name)) for name in getattr(params, "_fields", ()))
    return [
        name for name, value in fields if type(value) in NUMBERS or (isinstance(value, np.ndarray) and not value.ndim)
    ]


class SharedParams:
    """The params that all environments of a batch have, as far as they have none of their own.

    Targets take it for one environment.

    Args:
        dynamics: The dynamics.
        params: Their params.
    """

    def __init__(self, dynamics: JaxDynamics, params: Any) -> None:
        self.func_env, self.params = dynamics.func_env, params
        self.spec = SimpleNamespace(id=type(dynamics.func_env).__name__)
        self._dynamics = dynamics
        self._traced: set[str] = set()  # the params that may be arrays

    @property
    def unwrapped(self) -> SharedParams:
        """Itself."""
        return self

    def param_names(self) -> list[str]:
        """Returns the names of the numbers among the params."""
        return names_of(self.params)

    def find_param(self, name: str) -> TracedField | None:
        """Returns the place of a param of the dynamics; None for another name."""
        return TracedField(self, name, self._trace) if name in getattr(self.params, "_fields", ()) else None

    def column(self, name: str, n: int) -> jax.Array:
        """Returns the value of a param for n environments.

        Raises:
            ValueError, TypeError: If there is no such param, or its dtype does not hold the value.
        """
        field = self.field(name)
        try:
            return jnp.full(n, field.array(field.get()))
        except ValueError as error:
            raise ValueError(
                f"{name!r} is {field.get()!r}, and stays for environments without another: {error}"
            ) from error

    def field(self, name: str) -> TracedField:
        """Returns the place of a param.

        Raises:
            ValueError, TypeError: If there is none.
        """
        target = target_of(self, name)
        if not isinstance(target, TracedField):
            raise TypeError(f"Under JAX numbers among the params are drawn and set, but {name!r} is none of them")
        return target

    def checked(self, params: Mapping[str, object]) -> dict[str, NDArray[Any]]:
        """Returns values that may be set, in the dtypes of the params.

        Raises:
            TypeError, ValueError: If there is no such param, or a value is refused.
        """
        return {name: checked_values(self, name, value, self.field(name).dtype) for name, value in params.items()}

    def trace_together(self, names: tuple[str, ...]) -> None:
        """Trace the dynamics once for all these params, unless one of them is refused when it is checked."""
        with suppress(Exception):
            fields = {name: self.field(name) for name in names}
            arrays = {name: field.array(field.get()) for name, field in fields.items()}
            self._trace(self.params._replace(**arrays), *names)

    def _trace(self, params: object, *names: str) -> None:
        if self._traced.issuperset(names):
            return
        key, action = key_of(0), self.func_env.action_space.sample()
        state, *_ = jax.eval_shape(lambda: self._dynamics.begin(key, params))
        jax.eval_shape(lambda state: self._dynamics.advance(state, action, key, params), state)
        self._traced.update(names)


class ParamDraws:
    """Draws params of n environments within programs. Floats may be rounded in another way than in Python.

    Args:
        usual: The other params, and those that are scaled.
        randomization: The distributions.
        n: The number of environments.

    Attributes:
        names: The names of the params.

    Raises:
        TypeError, ValueError: If there is no such param, or a value that may be drawn is refused.
    """

    def __init__(self, usual: SharedParams, randomization: Randomization, n: int) -> None:
        self.names = randomization.names
        for name in self.names:
            usual.field(name)
        usual.trace_together(self.names)
        self._draws = randomization.draws(usual, 0, n)
        self._functions = [_drawing(draw) for draw in self._draws]
        differing = {name: one for name, one in randomization.distributions.items() if _differs(one)}
        self._axis = 0 if differing else None  # of the values of bounds
        if differing:
            each = [self._bounds({k: ParamDraw(usual, k, one, i, n) for k, one in differing.items()}) for i in range(n)]
            self._values, self._tree = split_each(each)
        else:
            self._values, self._tree = split(self._bounds({}))

    def _bounds(self, own: Mapping[str, ParamDraw]) -> tuple[Any, ...]:
        """Returns the bounds of each param in an environment with some distributions of its own."""
        return tuple(own.get(draw.name, draw).distribution.bounds for draw in self._draws)

    def __call__(self, keys: jax.Array, episodes: jax.Array) -> dict[str, jax.Array]:
        """Returns the params of the episodes with these numbers, by name, each of shape (n,)."""
        rows: dict[str, jax.Array] = jax.vmap(self._row, (0, 0, self._axis))(keys, episodes, self._values)
        return rows

    def _row(self, key: jax.Array, episode: jax.Array, values: list[Values]) -> dict[str, jax.Array]:
        rng = Draws(jax.random.fold_in(key, episode))
        several = joined(self._tree, values)
        return {
            draw.name: _of_kind(draw, function(bounds, rng, episode))
            for draw, function, bounds in zip(self._draws, self._functions, several, strict=True)
        }


def own_params(usual: SharedParams, key: jax.Array, n: int, drawn: tuple[str, ...]) -> Own:
    """Returns params of n environments that are drawn, before the first episode; their streams begin with a key."""
    return Own({name: usual.column(name, n) for name in drawn}, {}, param_keys(key, n), jnp.zeros(n, jnp.int32))


def with_columns(own: Own, usual: SharedParams, names: tuple[str, ...]) -> Own:
    """Returns the params with these too, which nobody has set yet."""
    new = {name: usual.column(name, len(own.episodes)) for name in names if name not in own.values}
    nowhere = jnp.zeros(len(own.episodes), bool)
    return own._replace(values={**own.values, **new}, held={**own.held, **dict.fromkeys(new, nowhere)})


def continuing(drawn: Own, before: Own) -> Own:
    """Returns params that will be drawn, with the values that they and others have had before."""
    held = {name: flags for name, flags in before.held.items() if name not in drawn.values}
    return drawn._replace(values={**drawn.values, **before.values}, held=held)


def reseeded(own: Own, key: jax.Array, mask: NDArray[np.bool_]) -> Own:
    """Returns the params with streams that begin with a key where `mask` is True."""
    n = len(mask)
    rows = mask.reshape(n, *[1] * (own.keys.ndim - 1))
    keys = jnp.where(rows, param_keys(key, n), own.keys)
    return own._replace(keys=keys, episodes=jnp.where(mask, 0, own.episodes))


def begun(own: Own, mask: Mask, draws: ParamDraws | None) -> Own:
    """Returns the params after new episodes have begun where `mask` is True."""
    if draws is None:
        return own
    drawn = draws(own.keys, own.episodes)
    values = {name: jnp.where(mask, value, own.values[name]) for name, value in drawn.items()}
    return own._replace(values={**own.values, **values}, episodes=own.episodes + mask)


def with_held(own: Own, ids: NDArray[np.intp], values: Mapping[str, NDArray[Any]]) -> Own:
    """Returns the params with values set in these environments: one for all of them, or one for each."""
    new = own._replace(values=dict(own.values), held=dict(own.held))
    mask = np.zeros(len(own.episodes), np.bool_)
    mask[ids] = True
    for name, value in values.items():
        column = np.zeros(len(mask), value.dtype)
        column[ids] = value
        new.values[name] = jnp.where(mask, column, own.values[name])
        new.held[name] = own.held[name] | mask
    return new


def values_of(own: Own, usual: object) -> dict[str, jax.Array]:
    """Returns the present values by name, each of shape (n,): the one of `usual` where nobody has set another."""
    return {
        name: jnp.where(own.held[name], column, getattr(usual, name)) if name in own.held else column
        for name, column in own.values.items()
    }


def params_of(own: Own | None, usual: Any, i: int) -> Any:
    """Returns the params of environment i, with plain numbers for those of its own, as drawings take them."""
    if own is None:
        return usual
    mine = [name for name in own.values if name not in own.held or own.held[name][i]]
    return usual._replace(**{name: own.values[name][i].item() for name in mine})


def info_of(own: Own, mask: Mask) -> dict[str, Any]:
    """Returns the params for the infos of a reset of the environments where `mask` is True, with their masks."""
    if not own.values:
        return {}
    marks = {name: mask & own.held[name] if name in own.held else mask for name in own.values}
    anything = mask if len(own.held) < len(own.values) else jnp.stack(list(own.held.values())).any(0) & mask
    params = {**own.values, **{f"_{name}": mark for name, mark in marks.items()}}
    return {"params": params, "_params": anything}


def _differs(distribution: Distribution) -> bool:
    """Whether each environment has bounds of its own."""
    return distribution.count is not None


def _drawing(draw: ParamDraw) -> Callable[..., Any]:
    """Returns the function (bounds, rng, episode) that draws a param, in a form that JAX can trace."""
    one = draw.distribution
    if one.user_function is not None:
        function = traced_draw(one.user_function, draw.name)
        return lambda bounds, rng, episode: function(rng, episode)
    return traced_draw(one.draw, draw.name)


def _of_kind(draw: ParamDraw, drawn: jax.typing.ArrayLike) -> jax.Array:
    """Returns a draw in the dtype of its param."""
    value = jnp.asarray(drawn if draw.base is None else draw.base * drawn)
    if value.shape or value.dtype.kind not in _TAKEN[draw.kind]:
        raise TypeError(
            f"{draw.name!r} is of the type {draw.kind.__name__ if draw.kind else None}, and keeps it: "
            f"{draw.distribution} draws {value.dtype} of shape {value.shape}"
        )
    return value.astype(_DTYPES[draw.kind]())
