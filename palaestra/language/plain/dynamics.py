"""A plain environment as dynamics: its class read, translated, and compiled as functions of Python."""

from __future__ import annotations

import ast
import linecache
import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path as File
from traceback import extract_tb
from types import FunctionType
from typing import Any, TypeGuard

import numpy as np

from gymnasium._extensions import is_own_file
from gymnasium.core import Env
from gymnasium.functional.env import Parameter
from palaestra.error import CannotCompile, Reason
from palaestra.language.plain.actions import is_packed, packed_space
from palaestra.language.plain.alike import alike, found_in
from palaestra.language.plain.library import present  # noqa: F401
from palaestra.language.plain.model import Model, NotCopyable, deepcopy_of, flattened, place_of_class, rebuilt, zero_of
from palaestra.language.plain.outward import find_outward, find_unkept, place_of_use
from palaestra.language.plain.refusals import PLAINLY, Refusals, shown
from palaestra.language.plain.sharing import Path
from palaestra.language.plain.sources import defined_in, digest_of, functions_of
from palaestra.language.plain.straight import straight
from palaestra.language.plain.straight_values import GLOBALS
from palaestra.language.plain.translation.body import Body
from palaestra.language.plain.translation.containing import contained  # noqa: F401  (`late` looks it up, as the next)
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.entry import RESULTS, Entry, entries, finish
from palaestra.language.plain.translation.iteration import iteration  # noqa: F401
from palaestra.language.plain.translation.known import is_data
from palaestra.language.plain.translation.storing import store_item  # noqa: F401
from palaestra.language.plain.translation.unit import Slot, TranslationRestart, Unit, Written
from palaestra.runner.kernels.columns import Column
from palaestra.runner.kernels.infos import InfoPlan, Report
from palaestra.runner.kernels.params import tree_of
from palaestra.runner.kernels.plan import IN_LANES, Joint, Plan, action_column

ATTEMPTS = 40  # each of which finds another kind of value in an attribute


class PlainDynamics(Joint):
    """The dynamics of a plain environment.

    Args:
        env: The environment, which is stepped for a sample.
        others: Others, made alike.
        keeps_final: Whether final observations are needed, in the type that the environment returns.
        moved: What making one has changed outside of it, in words.

    Attributes:
        model: Its attributes, as far as they are known.
        unit: Its translation.

    Raises:
        palaestra.error.CannotCompile: If it cannot be translated; with all reasons that were found.
    """

    def __init__(self, env: Env, others: Sequence[Env] = (), keeps_final: bool = False, moved: str = "") -> None:
        self.name = type(env).__name__
        self.observation_space, self.action_space, self.metadata = env.observation_space, env.action_space, env.metadata
        self.model = self._modelled(env, others)
        self.unit, (reset, step) = self._translated(keeps_final)
        self._check_alike(reset, moved)
        self.slots: list[Slot] = list(self.unit.slots.values())
        self.default_params = self._params()
        self._planned: tuple[Any, Plan] | None = None
        self._readable = set[str]()
        self._complete(reset, step)

    def _modelled(self, env: Env, others: Sequence[Env]) -> Model:
        seen = Refusals()
        find_outward(type(env), seen)
        if seen.found:  # nothing runs then
            find_unkept(type(env), seen)
            raise CannotCompile(self.name, seen.reasons())
        try:
            self.others = [deepcopy_of(one) for one in others]  # before the first is stepped
            return Model(env, *others[:1])
        except NotCopyable as error:
            place = place_of_use(type(env), error.name) or (*place_of_class(type(env)), "")
            found = Reason(*place, str(error), "make it where it is used, outside of reset and step")
            raise CannotCompile(self.name, [found]) from error
        except Exception as error:
            file, line = _place_of_error(error, type(env))
            reason = f"a few episodes in Python raised {type(error).__name__}: {error}"
            raise CannotCompile(
                self.name, [Reason(file, line, "", reason, "mend this first, since Python raises it too")]
            ) from error

    def _translated(self, keeps_final: bool) -> tuple[Unit, tuple[Entry, Entry]]:
        for _ in range(ATTEMPTS):
            unit = Unit(self.model, Body, keeps_final)
            unit._taken |= {*RESULTS}
            try:
                made = entries(unit)
            except TranslationRestart:
                continue
            unit.check_shared(made[0].sure if made else set())
            if not unit.refusals.found:  # what could not be read may be what is missed
                _check_assigned(unit, made[0])
                _check_seeded(unit)
            reasons = unit.refusals.reasons()
            if not reasons and not all(one.parts for one in made):
                raise self.refused("what reset and step return is not known", "return the same kinds on each path")
            if reasons:
                raise CannotCompile(self.name, reasons)
            return unit, made
        raise self.refused("the kinds of its attributes were not found", "let each attribute hold one kind of value")

    def _check_alike(self, reset: Entry, moved: str) -> None:
        """Refuse attributes that differ between environments, unless each reset assigns them before they are read."""
        found = Refusals()
        renewed = {path for path, one in self.unit.slots.items() if one.variable in reset.sure - reset.written.early}
        wanted = {path for path in self.unit.read - renewed if not self._is_of_class(path)}
        for path in sorted(wanted | {("observation_space",), ("action_space",)}):
            if not self._is_same(path, _of_one_class if path in self.model.places else alike):
                place, name = self.model.place_of(path), ".".join(path)
                node = ast.Name(f"self.{name}", ast.Load(), lineno=place.line, col_offset=0)
                reason = f"self.{name} differs between two environments, of which one stands for all"
                found.add(place.file, node, reason, "draw it in reset from self.np_random, or pass it as an argument")
        if found.found:
            raise CannotCompile(self.name, found.reasons())
        if moved:
            raise self.refused(
                f"making an environment changes {moved}, so that copies may differ",
                "draw in reset from self.np_random, or pass an argument",
            )

    def _is_same(self, path: Path, same: Callable[[Any, Any], bool]) -> bool:
        first, *values = (found_in(one, path) for one in (self.model.env, *self.others))
        return all(same(first, one) for one in values)

    def check_readable(self, name: str) -> None:
        """Check that an attribute is that of each copy.

        Raises:
            TypeError: If the constructor gives each copy another, of which one is known.
        """
        if name not in self._readable and not self._is_of_class((name,)):
            if not any(path[0] == name for path in self.unit.slots) and not self._is_same((name,), alike):
                raise TypeError(
                    f"`{name}` of {self.name} differs between copies, of which a compiled batch has one: draw it in "
                    "reset from self.np_random, or pass it as an argument"
                )
            self._readable.add(name)

    def _is_of_class(self, path: Path) -> bool:
        """Returns whether an attribute is a method, a property or the generator, not a value of the environment's."""
        if path[-1] in ("np_random", "_np_random", "unwrapped") and len(path) == 1:
            return True
        kind = self.model.places.get(path[:-1])
        member = (defined_in(kind, path[-1]) if kind is not None else None) or (kind, None)
        own = getattr(found_in(self.model.env, path[:-1]), "__dict__", {})
        return isinstance(member[1], property) or (
            hasattr(type(member[1]), "__get__") and path[-1] not in own and not isinstance(member[1], Parameter)
        )

    @property
    def generator(self) -> tuple[np.random.Generator | None, int | None]:
        """The generator with which each environment is made, and its seed; None if it is another in each."""
        env: Any = self.model.env
        own = env._np_random
        if own is None or not self.others or not alike(own, self.others[0]._np_random):
            return None, None
        return own, env._np_random_seed

    def digest(self) -> str:
        """Returns a digest of the class: of its functions, and of the constants that are part of the code."""
        functions = [one for kind in {*self.model.places.values()} for one in functions_of(kind)]
        functions += [one.source.function for one in self.written]
        baked = {".".join(path): repr(value) if is_data(value) else "" for path, value in self.unit.baked.items()}
        return digest_of(functions, baked)

    def refused(self, reason: str, instead: str = "") -> CannotCompile:
        """Returns an error about the class as a whole."""
        return CannotCompile(self.name, [Reason(*place_of_class(self.model.kind), "", reason, instead)])

    def compile_error(self, text: str) -> CannotCompile:
        """Returns the error for a message of the compiler: `..., line 3 of file.py (`code`): reason; ...`."""
        failures = ((file, int(line), code or "", reason) for line, file, code, reason in _failures(text))
        found = [Reason(file, line, shown(code, file, line), *reason) for file, line, code, reason in failures]
        placed = dict.fromkeys(one for reason in found for one in self._in_the_class(reason))
        return CannotCompile(self.name, list(placed) or [Reason(*place_of_class(self.model.kind), "", text, PLAINLY)])

    def _in_the_class(self, found: Reason) -> Iterator[Reason]:
        """Yields a reason; one that lies in a function of this package, at the lines that call it."""
        own = {key: one for key, one in self.unit.names.items() if is_of_library(one)}
        if not any(_lies_in(one, found) for one in _reached_from(own.values())):
            yield found._replace(expression=found.expression or linecache.getline(found.file, found.line).strip())
            return
        guilty = {key for key, one in own.items() if any(_lies_in(other, found) for other in _reached_from([one]))}
        for written in self.written:
            for node in ast.walk(written.tree) if written.tree is not None else ():
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in guilty:
                    text = linecache.getline(written.source.file, node.lineno).strip()
                    yield Reason(written.source.file, node.lineno, text, *_OTHER_KINDS)

    def where(self, place: tuple[str, int] | None) -> str:
        """Returns the words for where machine code raised: a line of the class, or its `step`."""
        source = self._step.written.source
        found = Reason(source.file, source.tree.lineno, "step", "", "")
        if place is not None and not (is_own_file(File(place[0])) and "library" not in File(place[0]).stem):
            found = next(self._in_the_class(Reason(*place, "", "", "")), found)
        return f", in {found.file}, line {found.line} (`{found.expression}`)"

    def _params(self) -> Any:
        fields = self.unit.params.values()
        if not fields:
            return None
        return record("Params", tuple(name for name, _ in fields))(*[_held(value) for _, value in fields])

    def _complete(self, reset: Entry, step: Entry) -> None:
        names = [leaf.name for _, leaves in self.unit.state_fields() for leaf in leaves]
        self.state_type = record("State", tuple(names))
        self.outcome_type = record("Outcome", (*names, *RESULTS))
        self._reset, self._step = reset, step
        self.final_form = step.form
        self.reused = sorted(step.origins & self.unit.reused)  # arrays handed out, which reset writes into
        self.unit.names |= {"Outcome": self.outcome_type, "__name__": self.model.kind.__module__}
        finish(self.unit, reset, is_step=False)
        finish(self.unit, step, is_step=True)
        self.written = [*self.unit.functions, reset.written, step.written]
        for written in self.written:
            self.unit.names[written.name] = _function(written, self.unit.names)
        self.initial: Callable[..., Any] = self.unit.names["initial"]
        self.transition: Callable[..., Any] = self.unit.names["transition"]

    def _straight(self, action: Column, params: Any) -> dict[str, FunctionType]:
        """Returns the step without branches, by the name of its function, if there is one."""
        read = {f"state.{one.name}": one.dtype for _, all_ in self.unit.state_fields() for one in all_ if not one.shape}
        for key, value in params._asdict().items() if params is not None else ():
            if not isinstance(value, tuple):
                value = (value,)
                read |= {f"_params.{key}": np.asarray(one).dtype for one in value if np.ndim(one) == 0}
            else:
                read |= {f"_params.{key}[{k}]": np.asarray(one).dtype for k, one in enumerate(value)}
        trees = {one.name: one.tree for one in self.unit.functions if one.tree is not None}
        step = self._step.written
        assert step.tree is not None
        tree = straight(trees, step.tree, action, read, self.unit.names)
        if tree is None:
            return {}
        return {IN_LANES: _function(Written(tree.name, step.source, tree=tree), {**self.unit.names, **GLOBALS})}

    def plan(self, params: Any) -> Plan:
        """Returns the plan of the kernels, the same one for the same params."""
        if self._planned is None or self._planned[0] is not params:
            self._planned = params, self._plan(params)
        return self._planned[1]

    def _plan(self, params: Any) -> Plan:
        functions: dict[str, FunctionType] = {key: self.unit.names[key] for key in ("initial", "transition")}
        columns = [Column(leaf.name, leaf.dtype, leaf.shape) for _, all_ in self.unit.state_fields() for leaf in all_]
        taken = packed_space(self.action_space) if is_packed(self.action_space) else self.action_space
        action = action_column(taken, self.name)
        begin, step = (
            Report(None, tuple(one.info), frozenset(one.objects)) if one.info else None
            for one in (self._reset, self._step)
        )
        infos = InfoPlan(begin, step)
        functions |= self._straight(action, params)
        return Plan(
            self.name,
            functions,
            self.state_type,
            tuple(columns),
            tree_of(params),
            tuple(self._step.observation),
            self.observation_space,
            action,
            taken,
            infos,
            self.outcome_type,
            self.state_of(self.model.env),
        )

    def state_of(self, env: Env, strictly: bool = False) -> Any:
        """Returns the state of an environment; where an attribute has no value yet, zeros.

        Raises:
            TypeError: If it is asked to be strict, and an attribute holds another kind of value.
        """
        return self.state_type(*[part for slot in self.slots for part in _parts(slot, env, strictly)])

    def put(self, state: Any, env: Env) -> None:
        """Give an environment the attributes of a state."""
        parts = iter(state)
        for slot in self.slots:
            owner: Any = env
            for k, key in enumerate(slot.path[:-1], 1):
                if not hasattr(owner, key):  # a reset makes it
                    setattr(owner, key, object.__new__(self.model.places[slot.path[:k]]))
                owner = getattr(owner, key)
            setattr(owner, slot.path[-1], rebuilt(slot.kind, parts))

    def put_params(self, params: Any, env: Env) -> None:
        """Give an environment the constants of params."""
        for path, (name, value) in self.unit.params.items():
            new = getattr(params, name)
            if new is _known(self.default_params, name):
                continue
            _set(env, path, np.array(new).tolist() if isinstance(value, list) else new)

    def text(self) -> str:
        """Returns the translated functions as a text of Python."""
        head = "# Written by palaestra.language.plain from " + (self.written[-1].source.file or self.name)
        state = "\n".join(f"#   {name}: {kind}" for name, kind in self.described()[0].items())
        functions = "\n\n\n".join(ast.unparse(one.tree) for one in self.written if one.tree is not None)
        return f"{head}\n#\n# State:\n{state}\n\n\n{functions}\n"

    def described(self) -> tuple[dict[str, str], dict[str, str]]:
        """Returns the state and the constants, each with its kind in words."""
        state = {".".join(slot.path): described(slot.kind) for slot in self.slots}
        constants = {".".join(path): repr(value)[:60] for path, (_, value) in self.unit.params.items()}
        constants |= {".".join(path): repr(value)[:60] for path, value in self.unit.baked.items()}
        return state, constants


@cache
def record(name: str, fields: tuple[str, ...]) -> Any:
    """Returns a NamedTuple whose values can be pickled: it is made again with the same fields."""

    def again(self: Any) -> tuple[Any, tuple[str, tuple[str, ...], tuple[Any, ...]]]:
        return _remade, (name, fields, tuple(self))

    return type(name, (namedtuple(name, fields),), {"__slots__": (), "__reduce__": again, "__module__": __name__})


def _remade(name: str, fields: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return record(name, fields)(*values)


def _place_of_error(error: Exception, kind: type[Any]) -> tuple[str, int]:
    """Returns the innermost line of the class's files in which an exception was raised."""
    files = {
        one.__code__.co_filename for base in kind.__mro__ for one in vars(base).values() if hasattr(one, "__code__")
    }
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename in files]
    return (frames[-1].filename, frames[-1].lineno or 0) if frames else place_of_class(kind)


def is_of_library(value: object) -> TypeGuard[FunctionType]:
    """Returns whether a global of translated code is one of this package's functions for it."""
    return isinstance(value, FunctionType) and value.__module__.startswith(f"{__package__}.library")


def _reached_from(functions: Iterable[FunctionType]) -> Iterator[FunctionType]:
    """Yields functions, and those of the library that they call."""
    waiting, seen = [*functions], set[FunctionType]()
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            yield one
            called = (one.__globals__.get(name) for name in one.__code__.co_names)
            waiting += [other for other in called if is_of_library(other)]


def _lies_in(function: FunctionType, found: Reason) -> bool:
    code = function.__code__
    lines = [line for _, _, line in code.co_lines() if line]
    return code.co_filename.endswith(found.file) and min(lines) <= found.line <= max(lines)


_OTHER_KINDS = (
    "machine code has this for other kinds of values only",
    "write a loop, or use arrays of float64 or int64",
)
_PLACE = re.compile(r", line (\d+) of (.+?)(?: \(`(.*?)`\))?: ")


def _failures(text: str) -> Iterator[tuple[str, str, str | None, tuple[str, str]]]:
    """Yields the line, the file, the code, and the reason with its remedy."""
    places = list(_PLACE.finditer(text))
    for k, match in enumerate(places):
        end = places[k + 1].start() if k + 1 < len(places) else len(text)
        reason = text[match.end() : end].split("; ")[0].split(". Compiled dynamics may use")[0]
        why, _, instead = reason.partition(": ")
        yield match[1], match[2], match[3], (why, instead or PLAINLY)


def _held(value: Any) -> Any:
    return np.array(value) if isinstance(value, list) else value


def _known(params: Any, name: str) -> Any:
    return getattr(params, name)


def _set(env: Any, path: Path, value: Any) -> None:
    for key in path[:-1]:
        env = getattr(env, key)
    setattr(env, path[-1], value)


def _parts(slot: Slot, env: Any, strictly: bool) -> list[Any]:
    owner = env
    try:
        for key in slot.path:
            owner = getattr(owner, key)
        return list(flattened(slot.kind, owner))
    except (AttributeError, TypeError, ValueError):
        if strictly:
            raise
        return list(flattened(slot.kind, zero_of(slot.kind)))


def _function(written: Written, names: dict[str, Any]) -> FunctionType:
    """Compiles a translated function, with the lines of the file that it was translated from."""
    assert written.tree is not None
    code = compile(ast.Module([written.tree], []), written.source.file, "exec")
    found: dict[str, Any] = {}
    exec(code, names, found)
    function: FunctionType = found[written.name]
    return function


def _of_one_class(a: object, b: object) -> bool:
    return type(a) is type(b)


def _check_assigned(unit: Unit, reset: Entry) -> None:
    """Refuse attributes that have no value after some resets, where Python would raise an AttributeError."""
    for path, slot in unit.slots.items():
        try:
            unit.model.value(path)
        except AttributeError:
            if slot.variable not in reset.sure:
                place = unit.model.place_of(path)
                node = ast.Name(".".join(("self", *path)), ast.Load(), lineno=place.line, col_offset=0)
                reason = f"self.{'.'.join(path)} gets no value on some path of reset"
                unit.refusals.add(place.file, node, reason, "give it one in __init__, None at first")


def _check_seeded(unit: Unit) -> None:
    if unit.draws_at is not None and not unit.seeded:
        file, node = unit.draws_at
        unit.refusals.add(file, node, "reset does not seed self.np_random", "call super().reset(seed=seed) in it")
