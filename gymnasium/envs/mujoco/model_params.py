"""Fields of a model as params of episodes: `body_mass[torso]`, `dof_damping`, `gravity`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from gymnasium.envs.mujoco.engine import VERSION, mujoco
from gymnasium.params.targets import Kind

# Kinds of elements, by the beginnings of fields; those of `dof` and `jnt` are named after joints.
_ELEMENTS: Final = {
    **{name: name for name in ("actuator", "body", "geom", "site", "tendon", "pair", "light", "mat", "sensor")},
    **{"cam": "camera", "eq": "equality", "jnt": "joint", "dof": "joint"},
}
_OPTIONS: Final = ("gravity", "wind", "density", "viscosity", "impratio")  # of `MjModel.opt`
_NOT_NEGATIVE: Final = (
    *("actuator_armature", "body_inertia", "body_mass", "density", "dof_armature", "dof_damping", "dof_frictionloss"),
    *("geom_friction", "geom_margin", "geom_size", "jnt_stiffness", "pair_friction", "tendon_damping", "viscosity"),
    *("tendon_frictionloss", "tendon_stiffness"),
)
_COMMON: Final = ("gravity", "body_mass[NAME]", "geom_friction[NAME]", "dof_damping[NAME]", "actuator_gear[NAME]")


class Place(NamedTuple):
    """A place in a model.

    Attributes:
        field: The name of the field.
        part: The part of the array; `()` for all of it.
        of_options: Whether it is a field of `MjModel.opt`.
        has_constants: Whether the engine computes other fields from it.
    """

    field: str
    part: tuple[Any, ...]
    of_options: bool
    has_constants: bool


class Fields(Protocol):
    """The fields of the model of one environment."""

    def read(self, place: Place) -> Any:
        """Returns a number, or an array that may change later."""

    def write(self, place: Place, value: Any) -> None:
        """Set a number or an array."""

    def settle(self) -> None:
        """Make the engine compute the values that follow from the fields."""


class ModelFields:
    """The fields of the model that an environment has at the moment."""

    def __init__(self, env: Any) -> None:
        self._env = env

    def _owner(self, place: Place) -> Any:
        return self._env.model.opt if place.of_options else self._env.model

    def read(self, place: Place) -> Any:
        """Returns a part of the field."""
        return np.asarray(getattr(self._owner(place), place.field))[place.part]

    def write(self, place: Place, value: Any) -> None:
        """Write into the array, or set the number."""
        owner = self._owner(place)
        array = getattr(owner, place.field)
        if isinstance(array, np.ndarray):
            array[place.part] = value
        else:
            setattr(owner, place.field, value)

    def settle(self) -> None:
        """Let the engine compute, in a simulation of its own."""
        model = self._env.model
        mujoco.mj_setConst(model, mujoco.MjData(model))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelFields) and self._env is other._env

    def __hash__(self) -> int:
        return id(self._env)


class ModelParam:
    """A part of a field of a model, as a param of episodes.

    Args:
        name: Its name.
        place: Where it is.
        model: Reads and writes the fields.
    """

    kind: Kind = None

    def __init__(self, name: str, place: Place, model: Fields) -> None:
        self._name = name
        self._place = place
        self._model = model
        self.settle = model.settle if place.has_constants else None
        self._shape = np.shape(self.get())

    def get(self) -> Any:
        """Returns a float, or a new array."""
        part = self._model.read(self._place)
        return float(part) if np.ndim(part) == 0 else np.array(part, np.float64)

    def check(self, value: Any) -> None:
        """Check the shape, and that the numbers are finite; some must not be negative.

        Raises:
            ValueError, TypeError: If they are not.
        """
        found = np.asarray(value)
        if found.dtype.kind not in "iuf":
            raise TypeError(f"{self._name} takes numbers")
        if found.shape != self._shape:
            raise ValueError(f"{self._name} has the shape {self._shape}")
        if not np.isfinite(found).all():
            raise ValueError(f"{self._name} takes finite numbers")
        if self._place.field in _NOT_NEGATIVE and (found < 0).any():
            raise ValueError(f"{self._name} takes numbers from 0 on")

    def put(self, value: Any) -> None:
        """Write the value into the model."""
        self._model.write(self._place, value)


def place_of(model: mujoco.MjModel, name: str) -> Place | None:
    """Returns the place of a param in a model; None if the name is not that of a field of floats.

    `FIELD` is a whole array. In `FIELD[ELEMENT]` the element is a name or a number; for `dof_` and `jnt_` the name is
    that of a joint. `FIELD[ELEMENT, K]` is one of several numbers.

    Raises:
        ValueError: If there is no such element.
    """
    found = re.fullmatch(r"(\w+)(?:\[([^\],]+)(?:,\s*(\d+))?\])?", name)
    if found is None:
        return None
    field, element, column = found.groups()
    of_options = field in _OPTIONS
    array = np.asarray(getattr(model.opt if of_options else model, field, None))
    if array.dtype.kind != "f" or not (of_options or field.partition("_")[0] in _ELEMENTS):
        return None
    constants = not of_options and field in _inputs()
    if element is None:
        return Place(field, (), of_options, constants)
    index = _element(model, field, element.strip(), array)
    rest = () if column is None else (int(column),)
    try:
        array[(*index, *rest)]
    except IndexError as error:
        raise ValueError(f"{field!r} has the shape {array.shape}: there is no {name!r}") from error
    return Place(field, (*index, *rest), of_options, constants)


def common_names() -> list[str]:
    """Returns examples of names, for errors: a model has hundreds of fields."""
    return list(_COMMON)


def _element(model: mujoco.MjModel, field: str, element: str, array: np.ndarray) -> tuple[Any, ...]:
    """Returns the index of an element, by its number or its name."""
    if element.isdigit():
        return (int(element),)
    beginning = field.partition("_")[0]
    if beginning not in _ELEMENTS:
        raise ValueError(f"The elements of {field!r} have no names: use a number below {len(np.atleast_1d(array))}")
    kind = _ELEMENTS[beginning]
    try:
        one = getattr(model, kind)(element)
    except KeyError as error:
        count = getattr(model, {"camera": "ncam", "joint": "njnt"}.get(kind, f"n{_COUNTS.get(kind, kind)}"))
        names = [own for k in range(count) if (own := getattr(model, kind)(k).name)]
        meant = get_close_matches(element, names, n=1)
        advice = f"; did you mean {meant[0]!r}?" if meant else ""
        raise ValueError(f"There is no {kind} {element!r}{advice}: there are {', '.join(names)}") from error
    if beginning != "dof":
        return (int(one.id),)
    first, size = int(one.dofadr[0]), {0: 6, 1: 3}.get(int(one.type[0]), 1)
    return (first,) if size == 1 else (slice(first, first + size),)


_COUNTS: Final = {"actuator": "u", "equality": "eq"}


@lru_cache
def _inputs() -> frozenset[str]:
    """Returns the fields from which the engine computes others."""
    if VERSION >= (4,):
        return frozenset(mujoco.MjModel._setconst_inputs)
    beginnings = ("actuator_", "body_", "dof_armature", "eq_data", "geom_", "jnt_", "qpos", "site_", "tendon_")
    return frozenset(name for name in dir(mujoco.MjModel) if name.startswith(beginnings))
