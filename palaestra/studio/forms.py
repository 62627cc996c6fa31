"""The description of an environment on the page: its spaces with names and units, and its arguments as a form."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

import numpy as np

from gymnasium.core import Env, Wrapper
from gymnasium.spaces import Box, Discrete, Space
from gymnasium.specs import EnvSpec
from palaestra.studio.action_fields import field_of
from palaestra.studio.docstrings import argument_texts, field_texts, labels, paragraphs, sentence
from palaestra.studio.keys import keys_for, noop_for
from palaestra.studio.robots import actuators, joints
from palaestra.studio.values import components, shown

_DEFAULT_FPS: Final = 30
_SLOW_FPS: Final = 4  # of an environment without pictures: a pace to read at
_PLAIN: Final = {bool: "flag", int: "whole", float: "number"}
_LONGEST_SENTENCE: Final = 200  # letters
_LONGEST_ARGUMENT: Final = 64  # letters of a choice, or numbers of a tuple


def described(env: Env, arguments: list[dict[str, Any]], policy: str | None) -> dict[str, Any]:
    """Returns the description of an environment for the page, as JSON."""
    spec, kind = env.spec, type(env.unwrapped)
    return {
        "id": kind.__name__ if spec is None else spec.id,
        "text": next(iter(paragraphs(kind)), ""),
        "rest": paragraphs(kind)[1:],
        "facts": _facts(env, spec),
        "fps": fps_of(env),
        "shows": {"rgb_array": "picture", "ansi": "text"}.get(env.render_mode or "", "nothing"),
        "observation": _observation(env, sentence(kind, "Observation")),
        "action": _action(env, sentence(kind, "Action")),
        "keys": keys_for(env),
        "noop": shown(noop_for(env)),
        "arguments": arguments,
        "policy": policy,
    }


def summary(env: Env) -> tuple[str, str]:
    """Returns a sentence about an environment, and the kind of its actions; "" for what is unknown."""
    text = next(iter(paragraphs(type(env.unwrapped))), "")
    found = re.match(r".*?[.!?](?=\s|$)", text)
    line = re.sub(r"^\w+: (.)", lambda begins: begins[1].upper(), text if found is None else found[0])
    return line[:_LONGEST_SENTENCE], _kind_of(env.action_space)


def _kind_of(space: Space) -> str:
    if isinstance(space, Discrete):
        return f"{space.n} actions"
    if isinstance(space, Box):
        size, kind = np.prod(space.shape, dtype=int), "continuous" if space.dtype.kind == "f" else "whole-number"
        return f"{size} {kind} {'action' if size == 1 else 'actions'}"
    return f"actions: {type(space).__name__}"


def fps_of(env: Env) -> float:
    """Returns the steps per second at which an environment is to be watched."""
    usual = _DEFAULT_FPS if env.render_mode == "rgb_array" else _SLOW_FPS
    try:
        fps = float(env.metadata.get("render_fps") or usual)
    except (TypeError, ValueError):
        return usual
    return fps if 0 < fps <= 1000 else usual


def arguments_of(creator: Callable[..., Any], given: Mapping[str, object]) -> list[dict[str, Any]]:
    """Returns the fields of the form: the arguments that are flags, numbers, some numbers, or one of some words.

    Texts are offered only where the docstring or the annotation names the choices: others may be paths to files.

    Args:
        creator: The constructor.
        given: Its arguments in place of its defaults.
    """
    try:
        parameters = inspect.signature(creator).parameters.values()
    except (TypeError, ValueError):
        return []
    texts = argument_texts(creator)
    fields = []
    for parameter in parameters:
        if parameter.kind not in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            continue
        default = given.get(parameter.name, parameter.default)
        text = texts.get(parameter.name, "")
        field = _field(parameter, default, text)
        if field is not None:
            fields.append({"name": parameter.name, "value": shown(default), "text": text, **field})
    return fields


def constants_of(env: Env, fields: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns the fields of the numbers and flags in the environment's params, such as its gravity.

    Args:
        env: The environment.
        fields: Those of its constructor's arguments, which are not repeated.
    """
    params = getattr(env.unwrapped, "params", None)
    taken = {field["name"] for field in fields}
    texts = field_texts(type(params))
    constants = []
    for name in getattr(params, "_fields", ()):
        value = getattr(params, name)
        is_plain = type(value) in _PLAIN and np.isfinite(value)
        if name not in taken and is_plain and env.get_wrapper_attr(name) is value:  # no attribute of the class hides it
            field = {"name": name, "value": value, "text": texts.get(name, ""), "kind": _PLAIN[type(value)]}
            constants.append({**field, "constant": True})
    return constants


def checked_arguments(fields: list[dict[str, Any]], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments that the page has sent, each of the kind of its field.

    Raises:
        ValueError: If a field is unknown, or a value is of another kind.
    """
    known = {field["name"]: field for field in fields}
    taken = {}
    for name, value in sent.items():
        if name not in known:
            raise ValueError(f"There is no argument {str(name)[:40]!r} to choose here")
        field = known[name]
        if not _fits(field, value):
            raise ValueError(f"{name} is {_WANTED[field['kind']]}, but {str(value)[:40]!r} came")
        kind = field["kind"]
        taken[name] = float(value) if kind == "number" else tuple(value) if kind == "numbers" else value
    return taken


_WANTED: Final = {
    "flag": "true or false",
    "whole": "a whole number",
    "number": "a number",
    "numbers": "a list of as many numbers",
    "choice": "one of its choices",
}


def _fits(field: Mapping[str, Any], value: object) -> bool:
    match field["kind"]:
        case "flag":
            return isinstance(value, bool)
        case "whole":
            return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53
        case "number":
            return _is_number(value)
        case "numbers":
            return isinstance(value, list) and len(value) == len(field["value"]) and all(map(_is_number, value))
        case _:
            return value is None or (isinstance(value, str) and value in field["choices"])


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and bool(np.isfinite(value))


def _field(parameter: inspect.Parameter, default: Any, text: str) -> dict[str, Any] | None:
    """Returns kind and choices of an argument's field; None if the page does not offer it."""
    if parameter.name == "render_mode" or default is parameter.empty:
        return None
    if type(default) in _PLAIN and np.isfinite(default):
        return {"kind": _PLAIN[type(default)]}
    if isinstance(default, tuple) and 0 < len(default) <= _LONGEST_ARGUMENT and all(map(_is_number, default)):
        return {"kind": "numbers"}
    if isinstance(default, str):
        literal = re.search(r"Literal\[(.*?)\]", str(parameter.annotation))
        choices = re.findall(r"[\"']([^\"']{1,64})[\"']", literal[1] if literal else text)
        if default in choices:
            return {"kind": "choice", "choices": list(dict.fromkeys(choices))}
    return None


def _facts(env: Env, spec: EnvSpec | None) -> list[list[str]]:
    facts = [["observations", _line(env.observation_space)], ["actions", _line(env.action_space)]]
    if spec is not None:
        limit, threshold = spec.max_episode_steps, spec.reward_threshold
        facts += [
            ["steps at most", "no limit" if limit is None else f"{limit:,}"],
            ["solved from", "not defined" if threshold is None else f"a mean return of {threshold:g}"],
            ["deterministic", "no, even with equal seeds" if spec.nondeterministic else "yes, for equal seeds"],
        ]
    low, high = env.reward_range
    if np.isfinite(low) or np.isfinite(high):
        facts.append(["rewards", f"{low:g} to {high:g}"])
    facts.append(["wrappers", ", ".join(_wrappers(env)) or "none"])
    return facts


def _meanings(env: Env, count: int) -> list[str]:
    """Returns the names that games give their actions, if there are as many."""
    if not env.has_wrapper_attr("get_action_meanings"):
        return []
    words = [str(word).lower() for word in env.get_wrapper_attr("get_action_meanings")()]
    return words if len(words) == count else []


def _line(space: Space) -> str:
    return " ".join(str(space).split())


def _wrappers(env: Env) -> list[str]:
    names: list[str] = []
    while isinstance(env, Wrapper):
        names.insert(0, type(env).__name__)
        env = env.env
    return names


def _observation(env: Env, text: str) -> dict[str, Any]:
    space = env.observation_space
    names = ["observation"] if isinstance(space, Discrete) else components(space) or []
    tracks = labels(text, len(names)) or joints(env, len(names)) or [[name, ""] for name in names]
    return {"space": _line(space), "text": text, "tracks": tracks}


def _action(env: Env, text: str) -> dict[str, Any]:
    """Returns what the page offers for an action: buttons, sliders, or a form of several fields."""
    space = env.action_space
    about, field = {"space": _line(space), "text": text}, field_of(deepcopy(space))
    if field["kind"] == "choice":
        first, count = field["values"][0], len(field["values"])
        words = [name for name, _ in labels(text, count, first) or []] or _meanings(env, count)
        return {**about, "kind": "buttons", "values": field["values"], "labels": words}
    if field["kind"] == "sliders":
        size = len(field["low"])
        return {**about, **field, "labels": labels(text, size) or actuators(env, size) or field["labels"]}
    return {**about, "kind": "form", "field": field}
