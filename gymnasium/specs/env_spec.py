"""Specs: descriptions from which an environment and its wrappers are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from gymnasium.specs import arguments, data, serialization, trust
from gymnasium.specs.ids import parse_env_id
from gymnasium.specs.loading import load_env_creator
from gymnasium.specs.moved import present

_FROM_ID = ("namespace", "name", "version")


@dataclass
class WrapperSpec:
    """A description from which a wrapper is made.

    Attributes:
        name: The name of its class.
        entry_point: `"package.module:Class"`.
        kwargs: The constructor's arguments except the environment; None if it did not record them, so that it cannot be
            remade.
    """

    name: str
    entry_point: str
    kwargs: dict[str, Any] | None

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a WrapperSpec of equal fields."""
        return type(other) is type(self) and data.equal(vars(self), vars(other))


@dataclass
class EnvSpec:
    """A description from which an environment is made.

    Attributes:
        id: `[namespace/]name[-vN]`; `namespace`, `name` and `version` are read from it.
        entry_point: The constructor of one environment: a callable, or `"package.module:attribute"`.
        reward_threshold: The mean return from which the task counts as solved.
        nondeterministic: Whether equal seeds and actions may lead to different episodes.
        max_episode_steps: The step at which `TimeLimit` truncates.
        order_enforce: Whether `OrderEnforcing` refuses `step` before `reset`.
        disable_env_checker: Whether `PassiveEnvChecker` is left out.
        kwargs: The constructor's arguments.
        additional_wrappers: The wrappers beyond those named above, from the inside out.
        vector_entry_point: The constructor of a vector environment, in the form of `entry_point`.
    """

    id: str
    entry_point: Callable[..., Any] | str | None = None
    reward_threshold: float | None = None
    nondeterministic: bool = False
    max_episode_steps: int | None = None
    order_enforce: bool = True
    disable_env_checker: bool = False
    kwargs: dict[str, Any] = field(default_factory=dict)
    namespace: str | None = field(init=False)
    name: str = field(init=False)
    version: int | None = field(init=False)
    additional_wrappers: tuple[WrapperSpec, ...] = ()
    vector_entry_point: Callable[..., Any] | str | None = None

    def __post_init__(self) -> None:
        self.namespace, self.name, self.version = parse_env_id(self.id)

    def __eq__(self, other: object) -> bool:
        """Whether `other` is an EnvSpec of equal fields."""
        return type(other) is type(self) and data.equal(vars(self), vars(other))

    def make(self, **kwargs: Any) -> Any:
        """Returns `gymnasium.make(self, **kwargs)`."""
        return load_env_creator("gymnasium.envs.registration:make")(self, **kwargs)

    def to_json(self) -> str:
        """Returns the spec as JSON text; `from_json` reads it.

        The arguments survive the round trip: values without a JSON form, such as a tuple, an array or a key that is not
        a string, are marked.

        Raises:
            ValueError: If a field holds a callable, or anything else that is not data.
        """
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _FROM_ID}
        values["additional_wrappers"] = [vars(wrapper) for wrapper in self.additional_wrappers]
        return serialization.dumped(self.id, values)

    @staticmethod
    def from_json(json_env_spec: str, trusted: bool = False) -> EnvSpec:
        """Returns the spec from the result of `to_json`.

        The text is data, and `make` runs the code that it names. Therefore an entry point must be the one registered
        under the id; a wrapper must be one of `gymnasium.wrappers` that touches no file, module or function, or a class
        of a module that is already imported whose body says `safe_in_files = True`; and arguments of the environment
        are those registered, words that name none of these, or numbers, sizes and counts up to 8,192. This check
        imports nothing.

        Args:
            json_env_spec: The JSON text.
            trusted: Palaestra only. Whether the text comes from a trusted source; then everything is allowed.

        Raises:
            ValueError: If the text is not JSON, or does not describe a spec.
            gymnasium.error.Error: If it names code that is not allowed.
        """
        values = serialization.loaded(json_env_spec, trusted)
        wrappers = values.pop("additional_wrappers", [])
        spec = serialization.built(EnvSpec, values, serialization.ENV_TYPES)
        if isinstance(spec.vector_entry_point, str):
            spec.vector_entry_point = present(spec.vector_entry_point)
        found = (serialization.built(WrapperSpec, wrapper, serialization.WRAPPER_TYPES) for wrapper in wrappers)
        spec.additional_wrappers = tuple(replace(one, entry_point=present(one.entry_point)) for one in found)
        if not trusted:
            try:
                _check_trust(spec)
            except RecursionError as error:
                raise ValueError(
                    f"Expected the JSON text of an EnvSpec, but it is nested too deeply: {error}"
                ) from error
        return spec

    def pprint(
        self, disable_print: bool = False, include_entry_points: bool = False, print_all: bool = False
    ) -> str | None:
        """Print the fields that differ from their defaults, one `field=value` per line.

        Args:
            disable_print: Return the text instead of printing it.
            include_entry_points: Show the entry points, the wrappers' included.
            print_all: Show the defaults too.
        """
        lines = [f"id={self.id}"]
        if print_all or include_entry_points:
            lines.append(f"entry_point={self.entry_point}")
        defaults = {f.name: f.default for f in fields(self)}
        for name in _PRINTED:
            value = getattr(self, name)
            if print_all or value != defaults[name]:
                lines.append(f"{name}={value}")
        if self.additional_wrappers:
            wrappers = ",".join(_printed_wrapper(wrapper, include_entry_points) for wrapper in self.additional_wrappers)
            lines.append(f"additional_wrappers=[{wrappers}\n]")
        elif print_all:
            lines.append("additional_wrappers=[]")
        text = "\n".join(lines)
        if disable_print:
            return text
        print(text)
        return None


registry: dict[str, EnvSpec] = {}
"""All registered environments, by id. `register` adds to it."""


def registered() -> list[EnvSpec]:
    """Returns the specs in the registry at this moment, for loops that another thread's `register` must not disturb."""
    return list(registry.copy().values())


_PRINTED = ("reward_threshold", "nondeterministic", "max_episode_steps", "order_enforce", "disable_env_checker")


def _printed_wrapper(wrapper: WrapperSpec, include_entry_point: bool) -> str:
    entry_point = f"entry_point={wrapper.entry_point}, " if include_entry_point else ""
    return f"\n\tname={wrapper.name}, {entry_point}kwargs={wrapper.kwargs}"


def _check_trust(spec: EnvSpec) -> None:
    known = registry.get(spec.id)
    for name in ("entry_point", "vector_entry_point"):
        trust.check_entry_point(spec.id, name, getattr(spec, name), known and getattr(known, name))
    arguments.check_arguments(spec.id, spec.kwargs, known)
    arguments.check_sizes(spec.id, spec.kwargs, {} if known is None else known.kwargs)
    for wrapper in spec.additional_wrappers:
        if known is None or wrapper not in known.additional_wrappers:
            trust.check_wrapper(spec.id, wrapper.entry_point, wrapper.kwargs)
            arguments.check_sizes(wrapper.name, wrapper.kwargs, {})


# Saved models hold pickled specs: the pickles of every implementation expect them here.
WrapperSpec.__module__ = EnvSpec.__module__ = "gymnasium.envs.registration"
