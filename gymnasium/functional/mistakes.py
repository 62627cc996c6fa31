"""Mistakes in dynamics and policies, found before anything runs: the function, its line, and the remedy."""

from __future__ import annotations

import builtins
import dis
import inspect
import linecache
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import WeakSet

from gymnasium._extensions import is_own_module
from gymnasium.functional.func_env import FuncEnv
from gymnasium.spaces.space import Space

NEEDED = ("initial", "transition", "observation", "reward", "terminal")
PARAMETERS = {
    "initial": ("rng", "params"),
    "transition": ("state", "action", "rng", "params"),
    "observation": ("state", "rng", "params"),
    "reward": ("state", "action", "next_state", "rng", "params"),
    "terminal": ("state", "rng", "params"),
    "state_info": ("state", "params"),
    "transition_info": ("state", "action", "next_state", "params"),
}
"""The arguments of each function of dynamics."""
_OF_POLICIES = {"act": ("params", "observation", "rng")}

_sound: WeakSet[type[FuncEnv]] = WeakSet()
_pure: WeakSet[FunctionType] = WeakSet()
_stateless: WeakSet[FunctionType] = WeakSet()


def instance_of(func_env: object, kwargs: dict[str, Any]) -> tuple[FuncEnv, dict[str, Any]]:
    """Returns dynamics, made from a class if necessary, and the `kwargs` that its constructor does not take.

    Raises:
        TypeError: If it is not a `FuncEnv`, or cannot be constructed.
    """
    if isinstance(func_env, FuncEnv):
        return func_env, kwargs
    if not (isinstance(func_env, type) and issubclass(func_env, FuncEnv)):
        raise TypeError(f"Expected a FuncEnv, a class or an instance, but {func_env!r} of type {type(func_env)} came")
    own = inspect.signature(func_env).parameters
    asked = {name: value for name, value in kwargs.items() if name in own and own[name].kind is not _VARIOUS}
    _check_default_params(func_env)
    made: FuncEnv = func_env(**asked)
    return made, {name: value for name, value in kwargs.items() if name not in asked}


def params_of(func_env: FuncEnv, kwargs: dict[str, Any]) -> Any:
    """Returns the params with the fields of `kwargs` set.

    Raises:
        TypeError: If there is no such field.
    """
    if not kwargs:
        return func_env.default_params
    kind = type(func_env)
    if kind.get_default_params is FuncEnv.get_default_params:
        raise TypeError(
            f"{kind.__name__} has no params, but {kwargs!r} came: give it get_default_params(self, **kwargs), which "
            "returns a NamedTuple with these fields"
        )
    try:
        return func_env.get_default_params(**kwargs)
    except TypeError as error:
        fields = getattr(func_env.default_params, "_fields", ())
        unknown = [name for name in kwargs if name not in fields]
        if not (unknown and fields):
            raise
        from difflib import get_close_matches  # late, as it is rarely needed

        meant = get_close_matches(unknown[0], fields, n=1)
        advice = f"did you mean {meant[0]!r}?" if meant else f"they have {', '.join(fields)}"
        raise TypeError(f"The params of {kind.__name__} have no {unknown[0]!r}; {advice}") from error


def check_written(func_env: FuncEnv, params_given: bool = True) -> None:
    """Check the requirements of every runner on dynamics; those of this package are sound.

    Args:
        func_env: The dynamics.
        params_given: Whether its functions must take params even if there are none.

    Raises:
        TypeError: If a function is missing, or cannot be called with its arguments, or a space is missing.
    """
    kind = type(func_env)
    if kind in _sound or kind.__module__.startswith("gymnasium.envs."):
        return
    if not hasattr(func_env, "default_params"):
        raise TypeError(f"{kind.__name__}.__init__ must call super().__init__(), which makes the default params")
    _check_spaces(func_env)
    _check_complete(func_env)
    for name in PARAMETERS:
        if name not in vars(func_env):  # `transform` replaces functions here
            _check_callable(func_env, name, params_given or func_env.default_params is not None)
            _check_names(kind, name)
            _check_returns(kind, name)
    if params_given:
        _sound.add(kind)


def check_stateless(policy: Any) -> None:
    """Check that a `FuncPolicy` decides by its arguments alone, as far as its code shows.

    Raises:
        TypeError: If `act` is no static function of its arguments, or assigns to something outside of it.
    """
    act = policy.act
    if isinstance(act, MethodType):
        raise TypeError(f"{place_of(act)}: a policy keeps no state: write `{_header('act')}` under @staticmethod")
    if not isinstance(act, FunctionType) or act in _stateless:
        return
    if not _takes(inspect.signature(act), _OF_POLICIES["act"]):
        own = ", ".join(inspect.signature(act).parameters)
        raise TypeError(f"{place_of(act)}: it takes ({own}): write `{_header('act')}` under @staticmethod")
    for code, line, _, name in _assignments_outside(_plain(act).__code__):
        text = _at(act, code, line)
        raise TypeError(
            f"{text}: it changes {name!r}, but a policy keeps no state: return what it computes as an extra, or "
            "replace its params between rollouts"
        )
    for place in impurities([_plain(act)]):
        raise TypeError(place)
    _stateless.add(act)


def takes_no_params(function: Any, name: str) -> bool:
    """Returns whether a function of this name can be called without params."""
    try:
        return _takes(inspect.signature(function), PARAMETERS[name][:-1])
    except (TypeError, ValueError):  # its parameters are unknown
        return True


def place_of(function: object) -> str:
    """Returns a function's name with its line and file."""
    code = getattr(_plain(function), "__code__", None)
    name = getattr(function, "__qualname__", repr(function))
    return f"{name}, line {code.co_firstlineno} of {code.co_filename}" if code else name


def reached_from(functions: Iterable[FunctionType]) -> Iterator[FunctionType]:
    """Yields functions, and those that they reach by names: without NumPy's, Python's own and those of this package."""
    waiting, seen = list(functions), set[FunctionType]()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        yield function
        for _, _, names in _global_uses(function.__code__):
            value = _looked_up(function, names[0])
            for name in names[1:]:
                value = getattr(value, name, None)
            if isinstance(value, FunctionType) and not is_own_module(value.__module__ or ""):
                waiting.append(value)


def impurities(functions: Iterable[FunctionType]) -> Iterator[str]:
    """Yields the places where functions use anything but arguments and constants: files, clocks, other random numbers.

    They may set no global either. Each is described with its line and the remedy.
    """
    for function in functions:
        if function in _pure:
            continue
        found = list(_impurities(function))
        if not found:
            _pure.add(function)
        yield from found


def impurities_of(func_env: FuncEnv) -> list[str]:
    """Returns the impurities of the functions of dynamics themselves, without those that they call."""
    plain = [_plain(getattr(func_env, name)) for name in PARAMETERS]
    return list(impurities(function for function in plain if isinstance(function, FunctionType)))


def _impurities(function: FunctionType) -> Iterator[str]:
    for code, line, names in _global_uses(function.__code__):
        value = _looked_up(function, names[0])
        for name in names[1:]:
            value = getattr(value, name, None)
        reason = _impurity(value)
        if reason:
            yield f"{_at(function, code, line)}: {reason}"
    for code, line, operation, name in _assignments_outside(function.__code__):
        if operation.endswith("_GLOBAL"):
            yield f"{_at(function, code, line)}: it sets the global `{name}`: keep the value in the state"


_VARIOUS = inspect.Parameter.VAR_KEYWORD


def _check_default_params(kind: type[FuncEnv]) -> None:
    function = inspect.getattr_static(kind, "get_default_params")
    if isinstance(function, FunctionType):
        first = next(iter(inspect.signature(function).parameters.values()), None)
        if first is None or first.kind is _VARIOUS:
            raise TypeError(f"{place_of(function)}: it is a method: write get_default_params(self, **kwargs)")


def _check_spaces(func_env: FuncEnv) -> None:
    name = type(func_env).__name__
    for which in ("observation_space", "action_space"):
        space = getattr(func_env, which, None)
        if isinstance(space, type) and issubclass(space, Space):
            raise TypeError(f"{name}.{which} is the class {space.__name__}: write {space.__name__}(...), a space")
        if not isinstance(space, Space):
            came = f"is {space!r}" if hasattr(func_env, which) else "is missing"
            raise TypeError(
                f"{name}.{which} {came}: set it in the class, `{which} = gymnasium.spaces.Discrete(2)`, say"
            )


def _check_complete(func_env: FuncEnv) -> None:
    kind = type(func_env)
    missing = [name for name in NEEDED if getattr(getattr(func_env, name), "__func__", None) is vars(FuncEnv)[name]]
    if not missing:
        return
    name = missing[0]
    own = [other for other in vars(kind) if other not in vars(FuncEnv)]
    from difflib import get_close_matches  # late, as it is rarely needed

    near = get_close_matches(name, own, n=1)
    others = f" It lacks {', '.join(missing[1:])} too." if missing[1:] else ""
    advice = f"is `{near[0]}` meant for it?" if near else f"write `{_header(name)}` under @staticmethod."
    raise TypeError(f"{_class_place(kind)} has no function `{name}`: {advice}{others}")


def _check_callable(func_env: FuncEnv, name: str, params_given: bool) -> None:
    """Check that a function takes its arguments."""
    kind = type(func_env)
    raw, wanted = inspect.getattr_static(kind, name), PARAMETERS[name]
    function = getattr(func_env, name)
    try:
        signature, own = inspect.signature(function), list(inspect.signature(_plain(function)).parameters)
    except (TypeError, ValueError):  # its parameters are unknown
        return
    at = place_of(function)
    if isinstance(raw, staticmethod) and own[:1] == ["self"]:
        raise TypeError(f"{at}: a static function has no `self`: write `{_header(name)}`")
    if _takes(signature, wanted) or (not params_given and _takes(signature, wanted[:-1])):
        first = [one for one in signature.parameters][: len(wanted)]
        if first != list(wanted) and set(first) == set(wanted):
            raise TypeError(f"{at}: its parameters stand in another order: write `{_header(name)}`")
        return
    unbound = isinstance(raw, FunctionType) and own[:1] != ["self"] and _takes(inspect.signature(raw), wanted)
    if unbound:
        raise TypeError(f"{at}: @staticmethod is missing: write it in the line above `def {name}`")
    raise TypeError(
        f"{at}: it is called with ({', '.join(wanted)}), but takes ({', '.join(own)}): write `{_header(name)}`, under "
        "@staticmethod"
    )


def _takes(signature: inspect.Signature, arguments: tuple[str, ...]) -> bool:
    try:
        signature.bind(*arguments)
    except TypeError:
        return False
    return True


def _check_names(kind: type[FuncEnv], name: str) -> None:
    """Check for names that a function cannot see: `self` in a static function, and names of the class body."""
    function = _plain(inspect.getattr_static(kind, name))
    if not isinstance(function, FunctionType):
        return
    for code, line, (used, *_) in _global_uses(function.__code__):
        if used in function.__globals__ or hasattr(builtins, used):
            continue
        at = _at(function, code, line)
        if used == "self":
            raise TypeError(
                f"{at}: a static function has no `self`: take its data from `state` or `params`, and constants by "
                f"`{kind.__name__}.` or from the module"
            )
        if hasattr(kind, used):
            raise TypeError(
                f"{at}: `{used}` stands in the class, which functions do not see: write `{kind.__name__}.{used}`, or "
                "put it into the params"
            )


def _check_returns(kind: type[FuncEnv], name: str) -> None:
    """Check that a function returns something anywhere."""
    raw = inspect.getattr_static(kind, name)
    function = raw.__func__ if isinstance(raw, staticmethod) else raw
    if name.endswith("_info") or not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        return
    before, values = None, []
    for instruction in dis.get_instructions(function.__code__):
        if instruction.opname in ("RETURN_VALUE", "RETURN_CONST"):
            source = before if instruction.opname == "RETURN_VALUE" else instruction
            values.append(getattr(source, "argval", 0) if getattr(source, "opname", "").endswith("_CONST") else 0)
        before = instruction
    if values and all(value is None for value in values):
        raise TypeError(f"{place_of(function)}: it returns nothing: write `return` before its result")


def _plain(function: object) -> Any:
    """Returns the function of a method, of a staticmethod, or inside a decorator's."""
    if isinstance(function, (MethodType, staticmethod, classmethod)):
        return _plain(function.__func__)
    return _plain(function.__wrapped__) if hasattr(function, "__wrapped__") else function


def _header(name: str) -> str:
    return f"def {name}({', '.join({**PARAMETERS, **_OF_POLICIES}[name])})"


def _class_place(kind: type) -> str:
    try:
        _, line = inspect.getsourcelines(kind)
        return f"{kind.__name__}, line {line} of {inspect.getsourcefile(kind)},"
    except (OSError, TypeError):  # for example, typed interactively
        return kind.__name__


def _at(function: FunctionType, code: CodeType, line: int) -> str:
    """Returns a line of a function's code in words, with its text, unless it was typed interactively."""
    text = linecache.getline(code.co_filename, line).strip()
    return f"{function.__qualname__}, line {line} of {code.co_filename}" + (f" (`{text}`)" if text else "")


def _global_uses(code: CodeType) -> Iterator[tuple[CodeType, int, tuple[str, ...]]]:
    """Yields the globals that code uses: code object, line, and the name with the attributes that follow it."""
    lines = {offset: line for start, end, line in code.co_lines() for offset in range(start, end, 2)}
    chain: tuple[str, ...] = ()
    line = code.co_firstlineno
    for instruction in [*dis.get_instructions(code), None]:
        name = instruction.opname if instruction else ""
        if instruction and chain and name in ("LOAD_ATTR", "LOAD_METHOD"):
            chain += (str(instruction.argval),)
        elif name not in ("CACHE", "EXTENDED_ARG", "PUSH_NULL"):
            if chain:
                yield code, line, chain
            chain = ()
        if instruction and name in ("LOAD_GLOBAL", "LOAD_NAME"):
            chain, line = (str(instruction.argval),), lines.get(instruction.offset) or line
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_uses(constant)


def _assignments_outside(code: CodeType) -> Iterator[tuple[CodeType, int, str, str]]:
    """Yields the assignments to globals, attributes and variables of outer functions.

    Each is a code object, a line, the operation and the name.
    """
    line = code.co_firstlineno
    lines = {offset: at for start, end, at in code.co_lines() for offset in range(start, end, 2)}
    for instruction in dis.get_instructions(code):
        line = lines.get(instruction.offset) or line
        outer = instruction.opname == "STORE_DEREF" and instruction.argval in code.co_freevars
        if outer or instruction.opname in ("STORE_GLOBAL", "STORE_ATTR", "DELETE_GLOBAL", "DELETE_ATTR"):
            yield code, line, instruction.opname, str(instruction.argval)


def _looked_up(function: FunctionType, name: str) -> Any:
    return function.__globals__.get(name, getattr(builtins, name, None))


_RANDOM = "random numbers must come from `rng`"
_FILE = "no function may read or write a file: read it in `get_default_params`, and put its contents into the params"
_CLOCK = "no function may read a clock: count the steps in the state"
_BUILTINS = {
    open: _FILE,
    input: "no function may ask a person: let it come as the action",
    eval: "code must be known before it runs: write the function itself",
    exec: "code must be known before it runs: write the function itself",
}
_MODULES = {
    **dict.fromkeys(("random", "secrets", "numpy.random", "numpy.random.mtrand"), _RANDOM),
    **dict.fromkeys(("os", "posix", "nt", "io", "pathlib", "shutil", "tempfile"), _FILE),
    **dict.fromkeys(("time", "datetime"), _CLOCK),
    **dict.fromkeys(("socket", "subprocess", "urllib"), "a function may depend on its arguments alone"),
}
_READERS = ("load", "loadtxt", "genfromtxt", "fromfile", "memmap", "save", "savetxt", "savez")  # of NumPy


def _impurity(value: Any) -> str:
    """Returns the reason why a function may not use something, or ""."""
    if isinstance(value, ModuleType):
        return _MODULES.get(value.__name__, "")
    bound = getattr(value, "__self__", None)
    owner = bound if isinstance(bound, type) else type(bound)
    if any(kind.__module__ == "random" or kind.__module__.startswith("numpy.random") for kind in (owner, type(value))):
        return _RANDOM
    # A method of a class in C has no module of its own: random.random, datetime.now.
    module, name = getattr(value, "__module__", None) or owner.__module__, getattr(value, "__name__", "")
    if module == "numpy" and name in _READERS:
        return _FILE
    try:
        return _BUILTINS.get(value) or (_MODULES.get(str(module), "") if callable(value) else "")
    except TypeError:  # not hashable
        return ""
