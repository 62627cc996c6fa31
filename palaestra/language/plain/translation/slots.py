"""Attributes that change, as they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palaestra.language.plain.translation.kinds import Array, Mapping, Optional, Tuple
from palaestra.language.plain.translation.unit import Code, name

if TYPE_CHECKING:
    from palaestra.language.plain.translation.scope import Scope


def slot_code(scope: Scope, path: tuple[str, ...]) -> Code:
    """Returns an attribute that changes."""
    slot = scope.unit.slot(path)
    scope.slot_used(slot)
    if slot.variable not in scope.sure:
        scope.written.early.add(slot.variable)
    origins = frozenset([slot.variable]) if has_arrays(slot.kind) else frozenset[str]()
    if isinstance(slot.kind, Mapping):
        origins |= {f"dict {slot.variable}"}
    return Code(name(slot.variable), slot.kind, origins)


def has_arrays(kind: object) -> bool:
    """Returns whether a value of a kind holds arrays."""
    if isinstance(kind, Optional):
        return has_arrays(kind.kind)
    if isinstance(kind, (Tuple, Mapping)):
        return any(map(has_arrays, kind.items))
    return isinstance(kind, Array)
