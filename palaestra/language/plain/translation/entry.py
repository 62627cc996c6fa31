"""The two functions of a batch, made of an environment's `reset` and `step`: state in, outcome out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple as TupleSpace
from palaestra.language.plain.actions import action_code
from palaestra.language.plain.calls.calling import call_of_package
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import NoSource, Source, defined_in, source_of
from palaestra.language.plain.translation.body import Body
from palaestra.language.plain.translation.derived import is_of_package
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.forms import Form, form_of
from palaestra.language.plain.translation.functions import call_function
from palaestra.language.plain.translation.kinds import (
    FLAG,
    NONE,
    Array,
    Constant,
    Kind,
    Mapping,
    Number,
    Opaque,
    Optional,
    Packed,
    Partial,
    Place,
    Seed,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.scope import Item
from palaestra.language.plain.translation.unit import Code, Method, Unit, Written, called, indexed, name
from palaestra.runner.kernels.columns import Column, Leaf
from palaestra.runner.kernels.infos import absent_name
from palaestra.runner.kernels.plan import ARRAYS

FINAL = "_final{}"
"""The name of an info that is not reported: a part of an observation, of the type that the environment returns."""

RESULTS = ("observation", "reward", "terminated", "truncated", "info")


@dataclass
class Entry:
    """A function of the batch, and the columns that its results go to."""

    written: Written
    observation: list[Leaf] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)  # of the parts of an observation
    info: list[Leaf] = field(default_factory=list)
    objects: set[str] = field(default_factory=set)  # the keys of the info whose values are bools of NumPy
    origins: frozenset[str] = frozenset()  # the attributes whose arrays it hands out
    sure: set[str] = field(default_factory=set)  # the attributes that have a value after it
    form: Form = None  # of an observation
    parts: list[ast.expr] = field(default_factory=list)  # of the outcome, behind the state
    body: list[ast.stmt] = field(default_factory=list)


class EntryScope(Body):
    """Writes `initial` or `transition`: it calls the environment's method, and takes its results apart."""

    def results(self, entry: Entry, key: str, arguments: dict[str, Code]) -> list[ast.expr]:
        """Returns the expressions of the parts of the outcome behind the state."""
        model = self.unit.model
        owner, function = defined_in(model.kind, key) or (Env, None)
        method = Method(function, owner, Place(()))
        if is_of_package(owner):
            code = call_of_package(self, method, [], arguments)
        else:
            code = call_function(self, method, [], arguments)
        if isinstance(code.kind, Unknown):
            return []
        wanted = 2 if key == "reset" else 5
        if not isinstance(code.kind, Tuple) or len(code.kind.items) != wanted:
            names = "observation, info" if key == "reset" else ", ".join(RESULTS)
            raise Refused(f"{key} returns a {described(code.kind)}", f"return {names}")
        observation, *middle, info = self.parts(self.held(code))
        entry.origins, entry.sure = code.origins, set(self.sure)
        entry.written.sure = entry.sure
        if middle and self.unit.keeps_final:
            entry.form = form_of(model.env.observation_space, observation, model.observed)
        observed = [node for node, _ in self._observed(entry, model.env.observation_space, observation, "")]
        space = model.env.observation_space
        whole: ast.expr = observed[0] if not isinstance(space, (Dict, TupleSpace)) else ast.Tuple(observed, ast.Load())
        reported = list(self._reported(entry, info))
        if middle and self.unit.keeps_final:
            reported += self._finals(entry, observed)
        rest = [ast.Constant(0.0), ast.Constant(False), ast.Constant(False)]
        if middle:
            reward = self.number(middle[0], "a reward", "return one number, and others in the info")
            flags = [self.truth(one) for one in middle[1:]]
            rest = [self.node_of(reward), *(ast.Constant(one) if isinstance(one, bool) else one for one in flags)]  # type: ignore[list-item]
        told_info: ast.expr = ast.Tuple(reported, ast.Load()) if reported else ast.Constant(0)
        return [whole, *rest, told_info]

    def _observed(self, entry: Entry, space: Space[Any], code: Code, path: str) -> Iterator[tuple[ast.expr, Leaf]]:
        if not isinstance(code.kind, Packed):
            code = self.present(code)
        if isinstance(space, Dict):
            if not isinstance(code.kind, Mapping) or {*code.kind.keys} != {*space.spaces}:
                raise Refused(f"an observation of {space} is a {described(code.kind)}", "return a dict with its keys")
            held = self.held(code)
            for key, part in space.spaces.items():
                yield from self._observed(entry, part, self.item(held, code.kind.keys.index(key)), f"{path}[{key!r}]")
            return
        if isinstance(space, TupleSpace):
            if not isinstance(code.kind, Tuple) or len(code.kind.items) != len(space.spaces):
                raise Refused(f"an observation of {space} is a {described(code.kind)}", "return a tuple of its parts")
            held = self.held(code)
            for k, part in enumerate(space.spaces):
                yield from self._observed(entry, part, self.item(held, k), f"{path}[{k}]")
            return
        if not isinstance(space, ARRAYS):
            raise Refused(f"observations of {space} are not supported", "use Box, Discrete, Dict and Tuple")
        assert space.shape is not None
        yield self._leaf(entry, space, code)

    def _leaf(self, entry: Entry, space: Space[Any], code: Code) -> tuple[ast.expr, Leaf]:
        code, is_array = self._in_form(entry, space, code)
        kind = code.kind
        if isinstance(kind, Packed):
            kind = kind.array
        shape = kind.shape if isinstance(kind, Array) else ()
        if isinstance(kind, Array) and shape is not None and shape != space.shape:
            raise Refused(f"an observation of shape {shape} is returned for {space}", "return one of its space")
        if isinstance(kind, (Number, Array)) and kind.dtype.kind == "f" and space.dtype.kind in "biu":  # type: ignore[union-attr]
            raise Refused(f"an observation of floats is returned for {space}", "round it, with astype(np.int64), say")
        fits = isinstance(kind, (Array, Opaque, Unknown)) or (isinstance(kind, Number) and space.shape == ())
        if not fits:
            raise Refused(f"an observation of {space} is a {described(kind)}", "return one of its space")
        several = isinstance(self.unit.model.env.observation_space, (Dict, TupleSpace))
        index = f"[{len(entry.observation)}]" if several else ""
        column = Column(f"observation{index}", np.dtype(space.dtype), space.shape or ())
        leaf = Leaf(column, index, is_array)
        entry.observation.append(leaf)
        entry.kinds.append(kind)
        return self.node_of(self.held(code) if self.unit.keeps_final else code), leaf

    def _finals(self, entry: Entry, observed: list[ast.expr]) -> Iterator[ast.expr]:
        """Yields the parts of an observation whose type is not that of their space, which final observations keep."""
        for k, (leaf, kind, node) in enumerate(zip(entry.observation, entry.kinds, observed, strict=True)):
            if isinstance(kind, (Number, Array)) and kind.dtype != leaf.column.dtype:
                column = Column(FINAL.format(k), kind.dtype, leaf.column.shape)
                entry.info.append(Leaf(column, f"[{len(entry.info)}]", leaf.is_array))
                yield node

    def _in_form(self, entry: Entry, space: Space[Any], code: Code) -> tuple[Code, bool]:
        """Returns a part of an observation as an array, or as a tuple if reset gives one; and whether as an array."""
        k, forms = len(entry.observation), self.unit.packed
        if isinstance(code.kind, Tuple):
            code = self.as_array(code)
        if self.unit.phase == "reset":
            forms.append(code.kind.count if isinstance(code.kind, Packed) else 0)
        count = forms[k] if k < len(forms) else 0
        if not count:
            return self.present(code), bool(space.shape)
        if isinstance(code.kind, Array):
            nodes = self._items_of(code, code.kind, count).node
            return Code(nodes, Packed(code.kind.dtype, count)), False
        return code, False

    def _reported(self, entry: Entry, info: Code) -> Iterator[ast.expr]:
        kind = info.kind
        if isinstance(kind, Constant) and isinstance(kind.value, dict):
            pairs = [(key, self.of_known(value)) for key, value in kind.value.items()]
        elif isinstance(kind, (Mapping, Partial)):
            yield from self._reported_dict(entry, self.pairs(self.held(info)))
            return
        elif isinstance(kind, Unknown):
            return
        else:
            raise Refused(f"the info is a {described(kind)}", "return a dict with the same keys on each path")
        for key, code in pairs:
            yield self._info_value(entry, key, self.present(code))

    def _reported_dict(self, entry: Entry, found: dict[str, Item]) -> Iterator[ast.expr]:
        for key, (missing, code) in found.items():
            if missing is not None:
                column = Column(absent_name(key), FLAG, ())
                entry.info.append(Leaf(column, f"[{len(entry.info)}]", False))
                yield missing
            yield self._info_value(entry, key, self.present(code))

    def _info_value(self, entry: Entry, key: str, code: Code) -> ast.expr:
        kind = code.kind
        if key.startswith("_") or key in ("final_obs", "final_info"):
            raise Refused(f"the info {key!r} has a name with a meaning of its own", "give it another")
        fits = isinstance(kind, Number) and not kind.mixed
        fits = fits or (isinstance(kind, Array) and not kind.listed and kind.shape is not None)
        if isinstance(kind, Unknown):
            return ast.Constant(0)
        if not fits:
            raise Refused(f"the info {key!r} is a {_shown(kind)}", "report numbers, or arrays of fixed shape")
        assert isinstance(kind, (Number, Array))
        if isinstance(kind, Number) and kind.dtype.kind == "b" and kind.weak is not True:
            if kind.weak is None:
                reason = f"the info {key!r} may be a bool of NumPy, of which batches make objects, or one of Python"
                raise Refused(reason, "write bool(...)")
            entry.objects.add(key)
        shape = kind.shape or () if isinstance(kind, Array) else ()
        column = Column(key, kind.dtype, shape)
        entry.info.append(Leaf(column, f"[{len(entry.info)}]", isinstance(kind, Array)))
        return self.node_of(code)


def _shown(kind: Kind) -> str:
    return described(kind)


def entries(unit: Unit) -> tuple[Entry, Entry]:
    """Translates reset and step, into `initial` and `transition`.

    Raises:
        TranslationRestart: If an attribute holds more than was known.
    """
    made = []
    for key, called_as in (("reset", "initial"), ("step", "transition")):
        unit.phase = key
        try:
            source = _source_of_method(unit, key)
        except NoSource as error:
            unit.refusals.add("", ast.Pass(), str(error), error.instead)
            continue
        made.append(_entry(unit, key, called_as, source))
    if len(made) == 2 and not unit.refusals.found:
        unit.check_first(made[0].written)
    return tuple(made)  # type: ignore[return-value]  # two, unless one was refused


def _source_of_method(unit: Unit, key: str) -> Source:
    """Returns the source of reset or step.

    Raises:
        NoSource: If an environment has it from elsewhere than from a function of its class.
    """
    model = unit.model
    owner, member = defined_in(model.kind, key) or (Env, None)
    if owner is Env or not isinstance(member, FunctionType):
        raise NoSource(f"{model.kind.__name__} has no method `{key}` of its own", "define it in the class")
    if key in vars(model.env):
        raise NoSource(f"self.{key} is assigned, in the place of the method of the class", "define it in the class")
    return source_of(member, owner)


def _entry(unit: Unit, key: str, called_as: str, source: Source) -> Entry:
    written = Written(called_as, source)
    scope = EntryScope(unit, source, written, None)
    entry = Entry(written)
    parts: list[ast.expr] = []
    try:
        parts = scope.results(entry, key, _arguments(scope, key, source))
    except Refused as refused:
        returned = next((one for one in ast.walk(source.tree) if isinstance(one, ast.Return)), source.tree)
        node = refused.node if hasattr(refused.node, "lineno") else returned
        unit.refusals.add(source.file, node or source.tree, refused.reason, refused.instead)
    entry.parts = parts
    entry.body = scope.out
    return entry


def _arguments(scope: EntryScope, key: str, source: Source) -> dict[str, Code]:
    parameters = [one.arg for one in (*source.tree.args.args, *source.tree.args.kwonlyargs)][1:]
    if key == "reset":
        found = {"seed": Code(None, Seed()), "options": Code(None, NONE)}
        takes_any = source.tree.args.kwarg is not None
        return {name: code for name, code in found.items() if takes_any or name in parameters}
    if not parameters:
        raise Refused("step takes no action", "write step(self, action)")
    return {parameters[0]: action_code(scope, scope.unit.model.env.action_space)}


def finish(unit: Unit, entry: Entry, is_step: bool) -> None:
    """Write the whole of `initial` or `transition`, once all attributes are known."""
    written = entry.written
    body: list[ast.stmt] = []
    fields: list[ast.expr] = []
    for slot, leaves in unit.state_fields():
        names = iter([leaf.name for leaf in leaves])
        used = slot.variable in written.slots
        copies = slot.variable in unit.written_into
        if used:
            body.append(ast.Assign([ast.Name(slot.variable, ast.Store())], _loaded(slot.kind, names, copies)))
            fields += _taken(slot.kind, name(slot.variable))
        else:
            fields += [ast.Attribute(name("state"), one, ast.Load()) for one in names]
    body += entry.body
    outcome = called("Outcome", *fields, *entry.parts)
    body.append(ast.Return(outcome))
    parameters = ["state", "action", "_rng", "_params"] if is_step else ["_rng", "_params", "state"]
    arguments = ast.arguments([], [ast.arg(one) for one in parameters], None, [], [], None, [])
    tree = ast.FunctionDef(written.name, arguments, body, [])
    written.tree = ast.copy_location(tree, written.source.tree)
    for node in ast.walk(tree):
        if "lineno" in getattr(node, "_attributes", ()) and not hasattr(node, "lineno"):
            ast.copy_location(node, written.source.tree)
    ast.fix_missing_locations(tree)


def _loaded(kind: Kind, names: Iterator[str], copies: bool) -> ast.expr:
    """Returns the expression that reads an attribute from the state."""
    if isinstance(kind, Optional):
        absent = ast.Attribute(name("state"), next(names), ast.Load())
        return ast.Tuple([absent, _loaded(kind.kind, names, copies)], ast.Load())
    if isinstance(kind, (Tuple, Mapping)):
        return ast.Tuple([_loaded(item, names, copies) for item in kind.items], ast.Load())
    node = ast.Attribute(name("state"), next(names), ast.Load())
    if isinstance(kind, Array) and copies:
        return ast.Call(ast.Attribute(node, "copy", ast.Load()), [], [])
    return node


def _taken(kind: Kind, node: ast.expr) -> Iterator[ast.expr]:
    """Yields the expressions of the state's fields of an attribute."""
    if isinstance(kind, Optional):
        yield indexed(node, 0)
        yield from _taken(kind.kind, indexed(node, 1))
    elif isinstance(kind, (Tuple, Mapping)):
        for k, item in enumerate(kind.items):
            yield from _taken(item, indexed(node, k))
    else:
        yield node
