"""The spec of an episode as text, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gymnasium._extensions import is_own_module
from gymnasium.envs.registration import spec as registered
from gymnasium.error import Error
from gymnasium.specs import EnvSpec, WrapperSpec, registry

PARAMS = "RandomizeParams"
"""The name of the wrapper that sets params, and of the layer with its state."""

# What they do, or show, is no part of an episode.
_ASIDE = ("HumanRendering", "RecordReplays", "RecordTrajectories", "RecordVideo", "RenderCollection")
_STATES_ASIDE = ("Filming", "HasDataSet", "KeepsReplays")
"""The classes that define `get_state` of some of them."""


def text_of(spec: EnvSpec | None, env: object) -> str:
    """Returns the text of a spec, without its code: that is the code registered under the id.

    Raises:
        ValueError: If the environment has no spec, or one from which it cannot be made again.
    """
    if spec is None:
        raise ValueError(f"A replay makes its environment from the spec, but {env} has none: use gymnasium.make")
    if spec.id not in registry:
        raise ValueError(f"A replay makes its environment from the id, but {spec.id!r} is not registered")
    wrappers = tuple(wrapper for wrapper in spec.additional_wrappers if wrapper.name not in _ASIDE)
    unknown = [wrapper.name for wrapper in wrappers if wrapper.kwargs is None]
    if unknown:
        raise ValueError(
            f"A replay makes its wrappers again, but the arguments of {unknown[0]} are unknown, since it does not "
            "inherit from gymnasium.utils.RecordConstructorArgs"
        )
    kwargs = {name: value for name, value in spec.kwargs.items() if (name, value) != ("render_mode", "human")}
    bare = replace(spec, entry_point=None, vector_entry_point=None, kwargs=kwargs, additional_wrappers=wrappers)
    return bare.to_json()


def fixed(spec: EnvSpec | None, params: Mapping[str, object]) -> EnvSpec | None:
    """Returns the spec of an environment in which `RandomizeParams` sets these params, without drawing any."""
    if spec is None:
        return None
    own = WrapperSpec(PARAMS, f"palaestra.randomization.randomize_params:{PARAMS}", dict(params))
    wrappers = [own if wrapper.name == PARAMS else wrapper for wrapper in spec.additional_wrappers]
    if params and own not in wrappers:
        wrappers.append(own)
    return replace(spec, additional_wrappers=tuple(wrappers))


def spec_of(text: str, module: str, trusted: bool = False) -> EnvSpec:
    """Returns the spec of a text, with the code registered under its id, which the named module may have registered.

    Raises:
        ValueError: If it is no text of a spec.
        gymnasium.error.Error: If the id is not registered, or it asks for more than a file may.
    """
    spec = EnvSpec.from_json(text, trusted)
    if spec.entry_point is not None or spec.vector_entry_point is not None or ":" in spec.id:
        raise ValueError("the spec of a replay names no code")
    known = registry.get(spec.id)
    if known is None:
        remedy = "" if is_own_module(module) else f"; its code was in {module!r}: import that first"
        try:
            registered(spec.id)
        except Error as error:
            raise type(error)(f"{error}{remedy}") from error
        raise Error(f"{spec.id!r} is not registered{remedy}")
    return replace(spec, entry_point=known.entry_point, vector_entry_point=known.vector_entry_point)


def kept(layers: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Returns the states of the layers that a replay makes again."""
    return [(name, state) for name, state in layers if name not in _STATES_ASIDE]
