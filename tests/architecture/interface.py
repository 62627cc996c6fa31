"""The public interface of an installed implementation, found by asking Python: no source is read.

    python tests/architecture/interface.py FILE

writes it, one name a line. `reference_interface.txt` is what this wrote for the reference;
`test_reference_interface.py` compares. A line is one of

    module:Class < module:Base < ...        the classes it derives from, in order
    module:Class(parameters)                how it is called
    module:Class.method(parameters)
    module:Class.name                       another attribute of the class
    module:Class.name =                     a property that can be assigned to
    module:Class.name *                     an attribute of its instances, after a reset and a step
    module:function(parameters)
"""

from __future__ import annotations

import enum
import importlib
import inspect
import pkgutil
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium

BATCHES = (("Pendulum-v1", "sync"), ("Pendulum-v1", "async"), ("CartPole-v1", "vector_entry_point"))
_LONGEST = 60  # characters of a default's text; a longer one says its type only


def modules() -> Iterator[ModuleType]:
    """The public modules that can be imported here."""
    yield gymnasium
    for found in pkgutil.walk_packages(gymnasium.__path__, "gymnasium.", onerror=lambda name: None):
        if not any(part.startswith("_") for part in found.name.split(".")):
            try:
                yield importlib.import_module(found.name)
            except ImportError:
                continue


def listing() -> list[str]:
    """Returns the lines."""
    lines: list[str] = []
    for module in modules():
        for name, value in sorted(vars(module).items()):
            if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
                continue
            here = f"{module.__name__}:{name}"
            if inspect.isclass(value):
                lines += _of_class(here, value)
            elif callable(value) and not hasattr(value, "__origin__"):
                lines += filter(None, [_called(here, value)])
    return lines + sorted({line for instance in instances() for line in _of_instance(instance)})


def _of_class(here: str, kind: type) -> Iterator[str]:
    bases = [base for base in kind.__mro__[1:] if base.__module__.startswith("gymnasium")]
    yield " < ".join([here, *(path(base) for base in bases)])
    if not issubclass(kind, (BaseException, enum.Enum)) or "__init__" in vars(kind):
        yield from filter(None, [_called(here, kind)])
    for name, value in sorted(vars(kind).items()):
        if name.startswith("_") or (issubclass(kind, tuple) and name in ("count", "index")):
            continue
        if isinstance(value, property):
            yield f"{here}.{name}" if value.fset is None else f"{here}.{name} ="
        else:
            yield _called(f"{here}.{name}", getattr(kind, name)) or f"{here}.{name}"


def instances() -> Iterator[Any]:
    """The environments of the registry that can be made here, and some vector environments, after their first step."""
    for env_id in sorted(gymnasium.registry):
        try:
            env = _begun(gymnasium.make, env_id)
        except Exception:
            continue
        yield env.unwrapped
        env.close()
    for env_id, mode in BATCHES:
        envs = _begun(gymnasium.make_vec, env_id, 2, vectorization_mode=mode)
        yield envs
        envs.close()


def _begun(make: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = make(*arguments, **named)
        made.reset(seed=1)
        made.step(made.action_space.sample())
    return made


def _of_instance(instance: object) -> list[str]:
    return [f"{path(type(instance))}.{name} *" for name in vars(instance) if not name.startswith("_")]


def path(kind: type) -> str:
    """Returns where a class is defined, `module:Class`."""
    return f"{kind.__module__}:{kind.__qualname__}"


def _called(here: str, value: Any) -> str | None:
    """Returns a line with the parameters of what can be called."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    parameters = [
        each.replace(annotation=each.empty, default=each.default if each.default is each.empty else Default(each))
        for each in signature.parameters.values()
    ]
    return f"{here}{signature.replace(parameters=parameters, return_annotation=signature.empty)}"


class Default:
    """A default, which prints as what can be compared: data as it is, the rest as the name of its type."""

    def __init__(self, parameter: inspect.Parameter) -> None:
        value = parameter.default
        text = repr(value)
        if inspect.isclass(value):
            text = f"<{value.__name__}>"
        elif isinstance(value, enum.Enum):
            text = f"<{type(value).__name__}.{value.name}>"
        elif callable(value) or " at 0x" in text or "\n" in text or len(text) > _LONGEST or text.startswith("<"):
            text = "<function>" if inspect.isroutine(value) else f"<{type(value).__name__}>"
        self.text = text

    def __repr__(self) -> str:
        return self.text


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    Path(sys.argv[1]).write_text("\n".join(listing()) + "\n", encoding="utf-8")
