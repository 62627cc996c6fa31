"""The single environment that a compiled batch copies: the plain one itself, put into the state of a copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from typing import Any

from gymnasium.core import Wrapper
from gymnasium.error import Error
from gymnasium.functional.env import FunctionalEnv
from gymnasium.vector._batch.requests import split_values
from palaestra.language.program import WIDTH
from palaestra.runner.batch.attributes import Attributes, _Changed
from palaestra.runner.classes.actions import is_packed, unpacked
from palaestra.runner.classes.copies import Copies, copies_of, deepcopy_of
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.own_generators import own_kept, waiting_seed


class PlainEnv(FunctionalEnv[Any, Any]):
    """A plain environment whose attributes are those of a copy in a batch.

    Args:
        make: Makes the environment.
        keeps_final: Whether final observations are needed, in the type that the environment returns.
        n: The number of copies.
        first: The first of them, if it is made already.

    Attributes:
        made: Environments as they were made: all copies, or after `settle` some; one if all are alike.
        own: What each copy holds that no column does.
    """

    def __init__(self, make: Callable[[], Any], keeps_final: bool = False, n: int = 2, first: Any = None) -> None:
        self._make, self._keeps_final = make, keeps_final
        self._translate(copies_of(make, n, first))
        self._dynamics_state: Any = None

    def _translate(self, copies: Copies) -> None:
        env = copies.first
        if isinstance(env, Wrapper):
            raise Error(
                f"{env} has wrappers, which a compiled batch cannot hold: make {type(env.unwrapped).__name__} itself, "
                "give a limit as max_episode_steps=..., and wrap the batch"
            )
        self.func_env: ClassDynamics = ClassDynamics(copies, self._keeps_final)
        template = self.func_env.model.env
        self.params = self.func_env.default_params
        self.observation_space, self.action_space = template.observation_space, template.action_space
        self.metadata = {"render_modes": [], **template.metadata}
        self.render_mode = template.render_mode
        self.isopen, self.steps_beyond_terminated, self._lent = True, None, None
        self.made: list[Any] = [template, *copies.others] if self.func_env.varies else [template]
        self.own = [self.func_env.own_of(one) for one in self.made] if self.func_env.model.apart else []
        self._copies: Copies | None = copies
        self._attach()

    def settle(self) -> None:
        """Keep some of the copies as they were made, which stand for the others, and close all."""
        if self._copies is None:
            return
        few = [*self.made[:WIDTH], *self.func_env.model.kinds_of]
        self.made = [self.made[0], *map(deepcopy_of, few[1:])]
        for one in (self._copies.first, self._copies.beside, *self._copies.others):
            if one is not None:
                one.close()
        self._copies = None

    def makes(self, n: int) -> list[Callable[[], Any]]:
        """Returns functions that make environments as the first n copies were made."""
        if not self.func_env.varies:
            return [self._make] * n
        return [partial(deepcopy_of, self.made[i % len(self.made)]) for i in range(n)]

    def __getstate__(self) -> dict[str, Any]:
        state = None if self._dynamics_state is None else tuple(self._dynamics_state)
        made = self.made if self.func_env.varies else None
        kept = {"_make": self._make, "_keeps_final": self._keeps_final, "_dynamics_state": state}
        return {**kept, "made": made, "own": self.own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        made, own = state.pop("made"), state.pop("own")
        self.__dict__.update(state)
        self._translate(copies_of(self._make) if made is None else Copies(deepcopy_of(made[0]), tuple(made[1:])))
        self.own = own
        self.settle()

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
        self._made_state: Any = None
        self._own_values: tuple[Any, ...] = ()

    def plain(self) -> Any:
        """Returns the environment in this state, with this generator."""
        env = deepcopy(self.func_env.model.env)
        env._np_random, env._np_random_seed = deepcopy(self._np_random), self._np_random_seed
        if self._dynamics_state is not None:
            self.func_env.put(self._dynamics_state, env)
        elif self._made_state is not None:
            self.func_env.put_made(self._made_state, env)
        self.func_env.put_own(self._own_values, env)
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
        return f"{self.func_env.name} observing {self.observation_space}{self.func_env.form_of_made()}"


class PlainAttributes(Attributes):
    """The attributes of plain environments: those of their own, in the state of one of them."""

    _single: PlainEnv

    def at(self, i: int) -> PlainEnv:
        """Returns a copy of environment i: changes to it have no effect here."""
        env = super().at(i)
        assert isinstance(env, PlainEnv)
        env._made_state = None if self.running else self._runner.memory.state(i)
        if self._single.own:
            env._own_values = self._single.own[i % len(self._single.own)]
        return env

    def get(self, i: int, name: str) -> Any:
        """Returns an attribute of environment i."""
        return getattr(self._plain(i), name)

    def _plain(self, i: int) -> Any:
        return self.at(i).plain()

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
