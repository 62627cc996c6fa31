"""Wrappers with a field of their own in the spec: their place decides between the field and the list."""

from __future__ import annotations

from typing import Any, Generic

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.specs import EnvSpec


class FieldWrapper(Wrapper[ObsType, ActType, ObsType, ActType], Generic[ObsType, ActType]):
    """A wrapper that `make` adds innermost for a field of the spec.

    The field records no place, so it describes the wrapper in that place only. In any other place, or if the field is
    taken, the spec lists the wrapper with the others and remakes it in its place.
    """

    _listed: bool | None = None  # whether `make` made it from the list or the field; None if the user added it

    def _add_to(self, spec: EnvSpec) -> None:
        # A subclass is another wrapper, without a field.
        has_field = "_fill_field" in vars(type(self))
        if has_field and not (self._is_listed(spec) if self._listed is None else self._listed):
            self._fill_field(spec)
        else:
            super()._add_to(spec)

    def _is_listed(self, spec: EnvSpec) -> bool:
        """Whether the field cannot record that this wrapper is around the environment of `spec`."""
        return bool(spec.additional_wrappers) or self._is_inside()

    def _is_inside(self) -> bool:
        """Whether another wrapper of this class is inside; a spec that was set by hand need not record it."""
        inner: Env = self.env
        while isinstance(inner, Wrapper) and type(inner) is not type(self):
            inner = inner.env
        return isinstance(inner, Wrapper)

    def _fill_field(self, spec: EnvSpec) -> None:
        raise NotImplementedError


def from_field(wrapper: FieldWrapper[Any, Any]) -> Env:
    """Returns a wrapper that `make` made for a field; its spec uses the field again."""
    wrapper._listed = False
    return wrapper


def from_list(wrapper: Env) -> Env:
    """Returns a wrapper that `make` made from the list; its spec lists it again."""
    if isinstance(wrapper, FieldWrapper):
        wrapper._listed = True
    return wrapper
