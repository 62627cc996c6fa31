"""The single environment that a compiled batch copies: the plain one itself, put into the state of a copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from gymnasium.core import Wrapper
from gymnasium.error import Error
from gymnasium.functional.env import FunctionalEnv
from gymnasium.vector._batch.requests import split_values
from palaestra.runner.batch.attributes import Attributes, _Changed
from palaestra.runner.classes.actions import is_packed, unpacked
from palaestra.runner.classes.copies import copies_of
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.own_generators import own_kept, waiting_seed


class PlainEnv(FunctionalEnv[Any, Any]):
    """A plain environment whose attributes are those of a copy in a batch.

    Args:
        make: Makes the environment.
        keeps_final: Whether final observations are needed, in the type that the environment returns.
    """

    def __init__(self, make: Callable[[], Any], keeps_final: bool = False) -> None:
        self._make, self._keeps_final = make, keeps_final
        self._translate()
        self._dynamics_state: Any = None

    def _translate(self) -> None:
        copies = copies_of(self._make)
        env = copies.first
        if isinstance(env, Wrapper):
            raise Error(
                f"{env} has wrappers, which a compiled batch cannot hold: make {type(env.unwrapped).__name__} itself, "
                "give a limit as max_episode_steps=..., and wrap the batch"
            )
        self.func_env: ClassDynamics = ClassDynamics(env, copies.others, self._keeps_final, copies.moved)
        template = self.func_env.model.env
        self.params = self.func_env.default_params
        self.observation_space, self.action_space = template.observation_space, template.action_space
        self.metadata = {"render_modes": [], **template.metadata}
        self.render_mode = template.render_mode
        self.isopen, self.steps_beyond_terminated, self._lent = True, None, None
        self._attach()
        for one in (env, *copies.others):
            one.close()

    def __getstate__(self) -> dict[str, Any]:
        state = None if self._dynamics_state is None else tuple(self._dynamics_state)
        return {"_make": self._make, "_keeps_final": self._keeps_final, "_dynamics_state": state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._translate()

    def __copy__(self) -> PlainEnv:
        """Returns an environment of the same dynamics: a batch makes one for each reset and each attribute read."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._attach()
        return other

    def _attach(self) -> None:
        """Make the parts that are not kept."""
        self._own_stream: Any = None
        self._whole: tuple[int, ...] = ()
        self._arrays = False
        self._render_state: Any = None
        self._own_window = None

    def plain(self) -> Any:
        """Returns the environment in this state, with this generator."""
        env = deepcopy(self.func_env.model.env)
        env._np_random, env._np_random_seed = deepcopy(self._np_random), self._np_random_seed
        if self._dynamics_state is not None:
            self.func_env.put(self._dynamics_state, env)
        if self.params is not None:
            self.func_env.put_params(self.params, env)
        if isinstance(env, FunctionalEnv):
            env._own_stream = None
        return env

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Check the options of a reset; the batch itself resets."""
        if options:
            raise Error(
                f"{self.func_env.name} resets without options in a compiled batch, but "
                f"{options!r} came: make it with other arguments, or set attributes"
            )
        return self._begin(seed, self.params)

    def _begin(self, seed: int | None, params: object) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in Python, as a copy would in the batch."""
        env = self.plain()
        with own_kept(env):
            observation, info = env.reset(seed=waiting_seed(env) if seed is None else seed)
        return observation, info

    def _repeat(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take one action in Python."""
        if is_packed(self.action_space):
            action = unpacked(self.action_space, action)
        env = self.plain()
        with own_kept(env):
            result: tuple[Any, Any, bool, bool, dict[str, Any]] = env.step(action)
        return result

    def _kind(self) -> str:
        return f"{self.func_env.name} observing {self.observation_space}"


class PlainAttributes(Attributes):
    """The attributes of plain environments: those of their own, in the state of one of them."""

    _single: PlainEnv

    def get(self, i: int, name: str) -> Any:
        """Returns an attribute of environment i.

        Raises:
            TypeError: If copies differ in it, of which one is known.
        """
        self._single.func_env.check_readable(name)
        return getattr(self._plain(i), name)

    def _plain(self, i: int) -> Any:
        env: Any = self.at(i)
        return env.plain()

    def render(self, i: int, mode: str | None) -> Any:
        """Returns the picture of environment i."""
        env = self._plain(i)
        env.render_mode = mode
        with own_kept(env):
            return env.render()

    def set(self, name: str, values: Any, n: int) -> None:
        """See `Attributes.set`; a constant of the class becomes a param when it is first set."""
        self.open([name])
        dynamics: ClassDynamics = self._single.func_env
        for value in split_values(values, n) if self.running and dynamics.grows else ():
            dynamics.make_room_for(name, value)
        if self._runner.memory.plan.grows:
            self._runner.follow()
        super().set(name, values, n)

    def open(self, names: Iterable[str]) -> None:
        """Let constants of the class be params, which the batch passes to each step.

        Raises:
            TypeError: If the programs of the class cannot be written without knowing one.
        """
        dynamics: ClassDynamics = self._single.func_env
        for name in names:
            params = dynamics.with_param(name)
            if params is not None and name not in getattr(self.base[0], "_fields", ()):
                self._use_with(name, params)

    def _use_with(self, name: str, params: Any) -> None:
        before = self._single.params
        self._single.params = params
        try:
            self.use([params._replace(**({} if one is None else one._asdict())) for one in self.base])
        except TypeError as error:
            self._single.params = before
            raise TypeError(
                f"`{name}` of {self._single.func_env.name} is part of the machine code: pass it to make_vec as an "
                "argument of the environment"
            ) from error

    def _with(self, i: int, name: str, value: object) -> _Changed:
        env: Any = self.at(i)
        dynamics: ClassDynamics = env.func_env
        if name == "np_random":
            env.np_random = value
            return _Changed(env, False, True)
        if name in getattr(env.params, "_fields", ()):
            env.params = env.params._replace(**{name: value})
            return _Changed(env, False, False)
        plain = env.plain()
        if not dynamics.is_state(name):
            what = "is part of the machine code" if hasattr(plain, name) else "does not exist"
            raise TypeError(
                f"`{name}` of {dynamics.name} {what}: pass it to make_vec as an argument of the environment"
            )
        if not self.running:
            raise TypeError(f"`{name}` is state: set it after the first reset")
        setattr(plain, name, value)
        env._dynamics_state = dynamics.state_of(plain, strictly=True)
        return _Changed(env, True, False)
