"""The registry as text."""

from __future__ import annotations

from collections.abc import Iterable

from gymnasium.specs import EnvSpec, registry


def pprint_registry(
    print_registry: dict[str, EnvSpec] = registry,
    *,
    num_cols: int = 3,
    exclude_namespaces: Iterable[str] | None = None,
    disable_print: bool = False,
) -> str | None:
    """Print the ids of all environments, by namespace; those without one by the family of their module.

    Args:
        print_registry: The specs to print, by id.
        num_cols: The number of ids in a line.
        exclude_namespaces: Namespaces and families to leave out.
        disable_print: Return the text instead of printing it.

    Raises:
        ValueError: If `num_cols` is not positive.
    """
    if num_cols < 1:
        raise ValueError(f"pprint_registry expects a positive num_cols, but {num_cols!r} came")
    excluded = set(exclude_namespaces or ())
    groups: dict[str | None, list[str]] = {}
    specs = list(dict(print_registry).values())  # a copy, because another thread may register
    for spec in specs:
        groups.setdefault(_family(spec), []).append(spec.id)
    width = max((len(spec.name) for spec in specs), default=0)
    text = "\n".join(
        f"===== {family} =====\n{_columns(sorted(ids), num_cols, width)}"
        for family, ids in groups.items()
        if family not in excluded
    )
    if disable_print:
        return text
    print(text)
    return None


def _family(spec: EnvSpec) -> str | None:
    if spec.namespace is not None:
        return spec.namespace
    if not isinstance(spec.entry_point, str):
        return None
    parts = spec.entry_point.partition(":")[0].split(".")
    # gymnasium.envs.classic_control.cartpole, my_package.envs, or a single module
    return parts[2] if len(parts) > 2 else parts[1] if len(parts) > 1 else spec.name


def _columns(ids: list[str], num_cols: int, width: int) -> str:
    rows = [ids[i : i + num_cols] for i in range(0, len(ids), num_cols)]
    return "\n".join(" ".join(env_id.ljust(width) for env_id in row).rstrip() for row in rows)
