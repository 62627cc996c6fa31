"""Attributes of the environments of a batch, through a single environment in the state of one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

from gymnasium.functional.env import FunctionalEnv
from gymnasium.vector._batch.requests import split_values
from palaestra.runner.batch.generators import Streams
from palaestra.runner.kernels.columns import own_value
from palaestra.runner.kernels.runner import Runner

# What the batch was made for, or keeps otherwise.
_FIXED = ("func_env", "action_space", "observation_space", "render_mode", "steps_beyond_terminated")
_OWN = ("params", "np_random", "state")  # what it keeps itself


class Attributes:
    """The attributes and methods of the environments, as users access them.

    Attributes:
        base: The params of the environments, one for all or one for each, but for their own ones.
        own: The place of each own param, which has a column, among the values of the params.
        running: Whether there are states.
    """

    def __init__(self, single: FunctionalEnv, runner: Runner, streams: Streams) -> None:
        self._single, self._runner, self._streams = single, runner, streams
        self.base: Sequence[Any] = [single.params]
        self.own: dict[str, int] = {}
        self._others: dict[int, dict[str, Any]] = {}  # attributes assigned to environments that steps do not read
        self._canvas: Any = None  # kept by the dynamics' drawing between pictures
        self.running = False

    @property
    def params(self) -> Sequence[Any]:
        """The params of the environments, one for all or one for each."""
        return [self.param(i) for i in range(self._runner.memory.n)] if self.own else self.base

    def at(self, i: int) -> FunctionalEnv:
        """Returns a copy of environment i: changes to it have no effect here."""
        env = copy(self._single)
        vars(env).update(self._others.get(i, {}))
        env.params = self.param(i)
        env._dynamics_state = self._runner.memory.state(i) if self.running else None
        env._whole = env._whole_fields()
        env._np_random = self._streams.generator(i)
        env._np_random_seed = self._streams.seed_of(i)
        return env

    def param(self, i: int) -> Any:
        """Returns the params of environment i."""
        return self.with_own(self.base[i if len(self.base) > 1 else 0], i)

    def with_own(self, params: Any, i: int) -> Any:
        """Returns params with those that environment i has for itself."""
        if not self.own:
            return params
        columns = self._runner.memory.columns
        return params._replace(**{name: own_value(columns[f"params{k}"][i]) for name, k in self.own.items()})

    def get(self, i: int, name: str) -> Any:
        """Returns an attribute of environment i, or a field of its params."""
        env = self.at(i)
        if not hasattr(env, name) and name in getattr(env.params, "_fields", ()):
            return getattr(env.params, name)
        return getattr(env, name)

    def render(self, i: int, mode: str | None) -> Any:
        """Returns a picture of environment i, or a text in the modes `"ansi"` and `"ansi_list"`."""
        func_env, params, state = self._single.func_env, self.param(i), self._runner.memory.state(i)
        if mode in ("ansi", "ansi_list"):
            return func_env.render_text(state, params)
        if self._canvas is None:
            self._canvas = func_env.render_init(params)
        self._canvas, picture = func_env.render_image(state, self._canvas, params)
        return picture

    def close(self) -> None:
        """Free the resources of `render`."""
        if self._canvas is not None:
            self._single.func_env.render_close(self._canvas, self.param(0))
            self._canvas = None

    def open(self, names: Iterable[str]) -> None:
        """Let attributes be params that are constants of the machine code so far, where the dynamics have such."""

    def set(self, name: str, values: Any, n: int) -> None:
        """Set an attribute of all environments, or a field of their params: of each, if `values` is a list or tuple.

        Raises:
            ValueError: If a list does not have n values.
            AttributeError: If there is no such attribute or param, or machine code cannot take it. Nothing is set in
                these cases.
        """
        each = split_values(values, n)
        if not isinstance(values, (list, tuple)) and len(self.base) == 1 and not self.own:
            changed = self._with(0, name, values)
            if changed.only_params:
                self.use([changed.env.params])
                return
        all_changed = [self._with(i, name, value) for i, value in enumerate(each)]
        bases = [self._base_of(i, changed.env.params) for i, changed in enumerate(all_changed)]
        self.use([changed.env.params for changed in all_changed])
        self.base = bases if self.own else self.base
        for i, changed in enumerate(all_changed):
            self._others.setdefault(i, {}).update(changed.others)
            if self.running:
                self._runner.memory.set_state(i, changed.env._dynamics_state)
            if changed.other_stream:
                self._streams.assign(i, changed.env._np_random)

    def _base_of(self, i: int, params: Any) -> Any:
        """Returns new params, of which own ones that stay the same are as before environment i had them."""
        base, now = self.base[i if len(self.base) > 1 else 0], self.param(i)
        same = [name for name in self.own if getattr(params, name) == getattr(now, name)]
        return params._replace(**{name: getattr(base, name) for name in same}) if same else params

    def _with(self, i: int, name: str, value: object) -> _Changed:
        """Returns a copy of environment i with the attribute set."""
        env = self.at(i)
        state, stream = env._dynamics_state, env._np_random
        if hasattr(env, name):
            if name in _FIXED or callable(getattr(env, name)):
                raise AttributeError(
                    f"{name!r} of {type(env).__name__} cannot be set in a compiled batch: SyncVectorEnv, or "
                    'make_vec(..., vectorization_mode="sync"), takes it'
                )
            setattr(env, name, value)
        elif name in getattr(env.params, "_fields", ()):
            env.params = env.params._replace(**{name: value})
        else:
            raise AttributeError(_unknown(env, name))
        others = {name: value} if name in vars(env) and name not in _OWN else {}
        return _Changed(env, env._dynamics_state is not state, env._np_random is not stream, others)

    def use(self, params: list[Any], own: bool = True) -> None:
        """Use other params from now on: one for all environments, or one for each; without `own`, but for their own."""
        params = params[:1] if all(one is params[0] for one in params) else params
        self._runner.set_params(params, self.running, own)
        self.base = params


def _unknown(env: FunctionalEnv, name: str) -> str:
    fields = getattr(env.params, "_fields", ())
    from difflib import get_close_matches  # late, as it is rarely needed

    meant = get_close_matches(name, fields, n=1)
    advice = f"did you mean {meant[0]!r}?" if meant else f"its params are {', '.join(fields) or 'none'}"
    return f"{type(env.func_env).__name__} has no attribute or param {name!r}; {advice}"


class _Changed(NamedTuple):
    """An environment with an attribute set, and the resulting changes."""

    env: FunctionalEnv
    other_state: bool
    other_stream: bool
    others: Mapping[str, Any] = {}
    """The attribute, if steps do not read it."""

    @property
    def only_params(self) -> bool:
        """Whether only the params changed."""
        return not (self.other_state or self.other_stream or self.others)
