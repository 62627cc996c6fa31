"""The reference as a reader would write it: short types, public names, and attributes as a list."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any, Generic, get_origin

# Where a reader imports from, best first.
PUBLIC = (
    "gymnasium",
    "gymnasium.spaces",
    "gymnasium.vector",
    "gymnasium.wrappers",
    "gymnasium.wrappers.vector",
    "gymnasium.error",
    "gymnasium.functional",
    "gymnasium.utils",
    "gymnasium.envs.functional_jax_env",
    "palaestra",
    "palaestra.error",
    "palaestra.jax",
    "palaestra.policies",
    "palaestra.randomization",
    "palaestra.randomization.curricula",
    "palaestra.recording",
    "palaestra.runner",
)
_ANY = r"(?:~?typing\.)?Any"
_ARRAY = re.compile(rf"~?numpy\.ndarray\[tuple\[{_ANY}, \.\.\.\], ~?numpy\.dtype\[((?:[^][]|\[[^][]*\])*)\]\]")
# Of the package's own classes, parameters that say nothing: `Env[Any, Any]` is an `Env`.
_UNKNOWN = re.compile(
    rf"\b(NDArray|(?:\w+\.)*(?:FuncEnv|FunctionalEnv|Env|VectorEnv|Space|Transform\w+))\[{_ANY}(?:, {_ANY})*\]"
)
_OBJECT = re.compile(r"<(?:class|module|function|built-in function) '?([\w.]+)[^<>]*>")
_ATTRIBUTES = re.compile(r"^Attributes:\n((?:(?:    .*)?\n?)*)", re.MULTILINE)


def readable(annotation: str, aliases: dict[str, str]) -> str:
    """Returns a type as a reader would write it: `NDArray` for NumPy's expansion of it, and so on.

    Args:
        annotation: The type, as Sphinx prints it.
        aliases: The names of further types, by their expansion, longest first.
    """
    annotation = _UNKNOWN.sub(r"\1", _ARRAY.sub(r"NDArray[\1]", annotation)).replace("[[...], ", "[..., ")
    for expanded, name in aliases.items():
        annotation = annotation.replace(expanded, name)
    return annotation


def listed_attributes(docstring: str) -> str:
    """Returns a docstring whose `Attributes:` are a field, with a point for each."""
    return _ATTRIBUTES.sub(_field, docstring)


def _field(match: re.Match[str]) -> str:
    section = match[1].rstrip()
    points = re.sub(r"^    (\w+): ", r"    * **\1**: ", section, flags=re.MULTILINE)
    points = re.sub(r"^        (?=\S)", "      ", points, flags=re.MULTILINE)
    return f":Attributes:\n{points}{match[1][len(section) :]}"


def public_bases(cls: type) -> list[type]:
    """Returns the nearest bases that a reader can import, without their parameters."""
    found: list[type] = []
    for base in cls.__bases__:
        known = [base] if _is_public(base) else public_bases(base)
        found += [one for one in known if one not in found and one is not Generic]
    return [one for one in found if one is not object]


def _is_public(cls: type) -> bool:
    if cls.__name__.startswith("_"):
        return False
    if not cls.__module__.startswith(("gymnasium", "palaestra")):
        return True
    return any(getattr(import_module(module), cls.__name__, None) is cls for module in PUBLIC)


def shorten_types() -> None:
    """Make Sphinx print readable types; it has no event for the types of properties."""
    from numpy.typing import ArrayLike, DTypeLike
    from sphinx.util.typing import stringify_annotation

    from gymnasium.core import RenderFrame
    from gymnasium.utils.step_api_compatibility import DoneStepType, TerminatedTruncatedStepType

    named = {"DTypeLike": DTypeLike, "ArrayLike": ArrayLike, "RenderFrame": RenderFrame}
    named |= {"TerminatedTruncatedStepType": TerminatedTruncatedStepType[Any], "DoneStepType": DoneStepType[Any]}
    modes = ("fully-qualified-except-typing", "smart")
    aliases = {readable(stringify_annotation(of, mode), {}): name for name, of in named.items() for mode in modes}

    def short(annotation: Any, *args: Any, **options: Any) -> str:
        return readable(stringify_annotation(annotation, *args, **options), aliases)

    for user in ("sphinx.util.inspect", "sphinx.ext.autodoc._dynamic._loader"):
        if user in sys.modules:
            sys.modules[user].stringify_annotation = short


def process_signature(
    app: Any, what: str, name: str, of: Any, options: Any, arguments: str | None, returned: str | None
) -> tuple[str | None, str | None] | None:
    """Write objects among the defaults as names: `<module 'numpy' from ...>` is no Python, and cannot be laid out."""
    return (
        (_OBJECT.sub(r"\1", arguments).replace("<factory>", "{}"), returned) if arguments and "<" in arguments else None
    )


def drop_empty_bases(app: Any, document: Any) -> None:
    """Remove the line `Bases:` of classes without public bases."""
    from docutils.nodes import paragraph

    for line in [node for node in document.findall(paragraph) if node.astext().strip() == "Bases:"]:
        line.parent.remove(line)


def process_bases(app: Any, name: str, of: Any, options: Any, bases: list[Any]) -> None:
    """Name public bases only, in place."""
    if get_origin(of) is None:
        bases[:] = public_bases(of)
