"""Wrappers that a spec tells by a field of its own: where they stand decides between the field and the list."""

from __future__ import annotations

from typing import Any, Generic

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.specs import EnvSpec


class FieldWrapper(Wrapper[ObsType, ActType, ObsType, ActType], Generic[ObsType, ActType]):
    """A wrapper that `make` puts innermost for a field of the spec.

    The field tells no place. So it stands for the wrapper in that place alone; anywhere else, and where the field is
    taken, the wrapper is listed with the others, and made again where it was.
    """

    _listed: bool | None = None  # which of the two `make` made it from; None if somebody else put it here

    def _add_to(self, spec: EnvSpec) -> None:
        # A subclass is another wrapper, for which there is no field.
        has_field = "_fill_field" in vars(type(self))
        if has_field and not (self._is_listed(spec) if self._listed is None else self._listed):
            self._fill_field(spec)
        else:
            super()._add_to(spec)

    def _is_listed(self, spec: EnvSpec) -> bool:
        """Whether the field cannot tell that this wrapper is around the environment of `spec`."""
        return bool(spec.additional_wrappers) or self._is_inside()

    def _is_inside(self) -> bool:
        """Whether there is another of this class inside; a spec that was set by hand need not say so."""
        inner: Env[Any, Any] = self.env
        while isinstance(inner, Wrapper) and type(inner) is not type(self):
            inner = inner.env
        return isinstance(inner, Wrapper)

    def _fill_field(self, spec: EnvSpec) -> None:
        raise NotImplementedError


def from_field(wrapper: FieldWrapper[Any, Any]) -> Env[Any, Any]:
    """Returns a wrapper that `make` made for a field, which is to tell of it again."""
    wrapper._listed = False
    return wrapper


def from_list(wrapper: Env[Any, Any]) -> Env[Any, Any]:
    """Returns a wrapper that `make` made from the list, where it is to be listed again."""
    if isinstance(wrapper, FieldWrapper):
        wrapper._listed = True
    return wrapper
