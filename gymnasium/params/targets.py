"""Where a param is in an environment: a field of the params of its dynamics, or an attribute."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol, TypeAlias

from gymnasium.core import Env
from gymnasium.functional.env import FunctionalEnv
from gymnasium.states.plain import equal, plain

NUMBERS = (bool, int, float)
Kind: TypeAlias = type[bool] | type[int] | type[float] | None

_OF_RUNNER: Final = ("params", "state", "func_env")  # what a `FunctionalEnv` runs
Settle: TypeAlias = Callable[[], None] | None


class Target(Protocol):
    """A place in one environment.

    Attributes:
        kind: The type of its numbers, which they keep; None if they may have any.
        settle: Called once after several have been put; None if there is nothing to do. That of two places of one
            environment is equal.
    """

    kind: Kind
    settle: Settle

    def get(self) -> Any:
        """Returns the present value, which nobody changes later."""

    def check(self, value: Any) -> None:
        """Check a value more strictly than `put`.

        Raises:
            ValueError, TypeError: If the environment refuses it.
        """

    def put(self, value: Any) -> None:
        """Set the value.

        Raises:
            ValueError, TypeError: If the environment refuses it; nothing has changed then.
        """


class Field:
    """A number among the params of dynamics."""

    settle: Settle = None

    def __init__(self, env: FunctionalEnv, name: str) -> None:
        self._env = env
        self._name = name
        value = self.get()
        if type(value) not in NUMBERS:
            raise TypeError(
                f"The param {name!r} of {_title(env)} is no number, but a {type(value).__name__}: only numbers are "
                f"drawn, {_listed(fields_of(env))}"
            )
        self.kind: Kind = type(value)

    def get(self) -> Any:
        """Returns the field of the present params."""
        return getattr(self._env.params, self._name)

    def put(self, value: Any) -> None:
        """Replace the field."""
        self._env.params = self._env.params._replace(**{self._name: value})

    def check(self, value: Any) -> None:
        """Check that params made with this value are the present ones but for the field.

        Raises:
            ValueError, TypeError: As the dynamics do; or if they compute other params from this one.
        """
        dynamics, name = self._env.func_env, self._name
        try:
            usual, made = dynamics.default_params, dynamics.get_default_params(**{name: value})
        except TypeError:  # they are not made from fields
            return
        for other in getattr(made, "_fields", ()):  # none for a plain class that is compiled
            if other != name and not _equal(getattr(usual, other), getattr(made, other)):
                raise TypeError(
                    f"The params of {_title(self._env)} compute {other!r} from {name!r}, so it cannot be drawn alone: "
                    f"compute {other!r} in the functions of the dynamics"
                )


class Attribute:
    """An attribute of an environment inside all wrappers."""

    kind: Kind = None
    settle: Settle = None

    def __init__(self, env: object, name: str) -> None:
        self._env = env
        self._name = name

    def get(self) -> Any:
        """Returns the attribute."""
        return getattr(self._env, self._name)

    def check(self, value: Any) -> None:
        """Check that a number stays a number; the setter of a property may check more.

        Raises:
            TypeError: If it does not.
        """
        if type(self.get()) in NUMBERS and type(value) not in NUMBERS:
            raise TypeError(f"{self._name} of {_title(self._env)} is a number")

    def put(self, value: Any) -> None:
        """Set the attribute."""
        setattr(self._env, self._name, value)


def target_of(env: Any, name: str) -> Target:
    """Returns the place of the param `name` in an environment.

    An environment that has params of its own kind finds them with a method `find_param(name)`, which returns a
    `Target` or None; and tells their names with `param_names()`.

    Raises:
        ValueError: If there is none; the message lists the params.
        TypeError: If it is no number.
    """
    base = env.unwrapped
    if hasattr(base, "find_param"):
        target: Target | None = base.find_param(name)
        if target is not None:
            return target
    if isinstance(base, FunctionalEnv) and name in getattr(base.params, "_fields", ()):
        return Field(base, name)
    if name.isidentifier() and hasattr(base, name) and _is_settable(base, name):
        return Attribute(base, name)
    known = names_of(base)
    raise ValueError(f"{_title(base)} has no param {name!r}{_suggestion(name, known)}: there are {_listed(known)}")


def check_name(name: object) -> None:
    """Raises TypeError for a name that is no string."""
    if not isinstance(name, str):
        raise TypeError(f"The name of a param is a string, but {name!r} came")


def _is_settable(base: object, name: str) -> bool:
    """Whether a param may be this attribute: no method, not read-only, and none that all environments have."""
    if hasattr(Env, name) or name in Env.__annotations__ or (isinstance(base, FunctionalEnv) and name in _OF_RUNNER):
        return False
    of_class = getattr(type(base), name, None)
    read_only = isinstance(of_class, property) and of_class.fset is None
    return not read_only and not callable(getattr(base, name))


def names_of(base: object) -> list[str]:
    """Returns the names of the params of an environment that are numbers, as far as they are known."""
    known = list(base.param_names()) if hasattr(base, "param_names") else []
    if isinstance(base, FunctionalEnv):
        return known + fields_of(base)
    own = [
        name
        for name, value in vars(base).items()
        if not name.startswith("_") and type(value) in NUMBERS and _is_settable(base, name)
    ]
    return list(dict.fromkeys(known + own))


def fields_of(env: Any) -> list[str]:
    """Returns the names of the numbers among `env.params`."""
    return [name for name in getattr(env.params, "_fields", ()) if type(getattr(env.params, name)) in NUMBERS]


def _equal(one: object, other: object) -> bool:
    return one is other or equal(plain(one, "a param"), plain(other, "a param"))  # tables are long


def _suggestion(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # late, as it is rarely needed

    meant = get_close_matches(name, known, n=1)
    return f"; did you mean {meant[0]!r}?" if meant else ""


def _listed(names: list[str]) -> str:
    return ", ".join(names) if names else "none"


def _title(env: Any) -> str:
    return env.spec.id if getattr(env, "spec", None) is not None else type(env).__name__
