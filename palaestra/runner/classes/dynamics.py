"""An ordinary class of environments as dynamics: its attributes as a state, its methods as programs."""

from __future__ import annotations

import re
from abc import ABC
from collections import deque, namedtuple
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from traceback import extract_tb
from types import FunctionType, ModuleType
from typing import Any, Generic, Protocol

import numpy as np

from gymnasium._extensions import is_own_file
from palaestra.error import CannotCompile, Reason
from palaestra.language.frontend import refusals
from palaestra.language.frontend.building import Opened
from palaestra.language.frontend.growing import Unplaced
from palaestra.language.frontend.hidden import GENERATORS, HIDDEN, STREAM, Wanted
from palaestra.language.frontend.keeping import (
    apart,
    doubled,
    fields_of,
    flattened,
    lengthened,
    merged,
    most_room,
    places_of,
    rebuilt,
    with_places,
    with_room,
    zeros,
)
from palaestra.language.frontend.objects import is_of_objects
from palaestra.language.frontend.placing import Places, repacked
from palaestra.language.frontend.pools import Widened
from palaestra.language.frontend.stand_ins import StandIn
from palaestra.language.source import digest_of, functions_of
from palaestra.language.types import (
    NONE,
    UNBOUND,
    Constant,
    Contents,
    Either,
    Given,
    Growing,
    Pool,
    Stream,
    Tuple,
    Type,
    is_stored,
    pairs_of,
    shelves_in,
    stored_form,
    type_of,
)
from palaestra.runner.classes.actions import is_packed, packed_space, unpacked
from palaestra.runner.classes.copies import (
    MISSING,
    Copies,
    NotCopyable,
    alike,
    deepcopy_of,
    found_in,
    read_of,
    structure_of,
)
from palaestra.runner.classes.model import Model, TooManyTypes, told
from palaestra.runner.classes.outward import find_libraries, find_outward, find_unkept, place_of_use
from palaestra.runner.classes.own_generators import own_kept
from palaestra.runner.classes.programs import RESET, STEP, Methods, Typed
from palaestra.runner.classes.refusals import PLAINLY, Refusals, place_of_attribute, place_of_class, shown
from palaestra.runner.classes.sharing import ITEMS, is_within
from palaestra.runner.frame.kernels import kernels_of
from palaestra.runner.kernels.columns import Column
from palaestra.runner.kernels.infos import InfoPlan, Report
from palaestra.runner.kernels.params import tree_of
from palaestra.runner.kernels.plan import Joint, Plan, action_column

ATTEMPTS = 30  # each of which finds another type of an attribute
RESULTS = ("observation", "reward", "terminated", "truncated", "info")


class ClassDynamics(Joint):
    """The dynamics of an ordinary class.

    Args:
        copies: The environments, of which the first is stepped for a sample.
        keeps_final: Whether final observations are needed, in the type that the environment returns.

    Attributes:
        model: The attributes.
        methods: The programs.

    Raises:
        palaestra.error.CannotCompile: If it cannot be compiled; with all reasons that were found.
    """

    def __init__(self, copies: Copies, keeps_final: bool = False) -> None:
        env = copies.first
        self.name, self._kind = type(env).__name__, type(env)
        self.observation_space, self.action_space, self.metadata = env.observation_space, env.action_space, env.metadata
        self.default_params: Any = None
        self._planned: tuple[Any, Plan] | None = None
        self._place(copies, keeps_final)
        self.final_form = self._step.form
        self.reused = sorted(self._step.lent & self._reset.written)

    # Types.

    def _place(self, copies: Copies, keeps_final: bool) -> None:
        """Find the types of all attributes, and the classes whose objects cannot be followed: they are in pools."""
        placed: tuple[type, ...] = ()
        shelved: frozenset[str] = frozenset()
        while True:
            try:
                self._modelled(copies, placed, shelved)
                self._check_followed()
                self.methods = Methods(self.model, keeps_final)
                self._reset, self._step = self._typed()
                self._check(copies)
                return
            except Unplaced as found:
                root = root_class(found.of)
                if root in placed:
                    raise self.refused(f"objects of {found.of.__name__} are not followed") from None
                placed = (*placed, root)
                copies = copies._replace(first=deepcopy_of(self.model.env))
            except _Shared as found:
                shelved |= found.names
                copies = copies._replace(first=deepcopy_of(self.model.env))
            except RecursionError:
                raise self.refused("a method calls itself, or calls are too deep", "write a loop") from None

    def _check_followed(self) -> None:
        """Check that no objects in the sample were shared and changed, or took the place of others in a list.

        Raises:
            Unplaced: If some were.
        """
        for of in _taking_turns(self.model.later):
            raise Unplaced(of)
        for pair in self.model.shared:
            for path, kind in _leaves(self.model.later):
                if not isinstance(kind, Constant) and is_within(".".join(path), pair[0]):
                    for of in found_classes([self._kind_at(path)]):
                        raise Unplaced(of)

    def _kind_at(self, path: tuple[str, ...]) -> Type:
        """The type of the object of which a path leads to an attribute, or of the list that it is."""
        kind: Type = self.model.later
        for key in path:
            assert isinstance(kind, Contents)
            inner = kind.items[kind.keys.index(key)]
            if not isinstance(inner, Contents):
                break
            kind = inner
        return kind if kind != self.model.later else self.model.later.items[self.model.later.keys.index(path[0])]

    def _check_alike(self, copies: Copies) -> None:
        """Check that the copies differ in what can differ: not in which names are one object, say."""
        first = structure_of(copies.first)
        for other in copies.others:
            held = structure_of(other)
            name = next((key for key in {**first, **held} if first.get(key) != held.get(key)), None)
            if name is not None:
                what = f"self.{name} holds other containers in some copies, or other names share it"
                raise self.refused(what, "make it alike in `__init__`, and draw it in reset")

    def _modelled(self, copies: Copies, placed: tuple[type, ...], shelved: frozenset[str]) -> None:
        env, seen = copies.first, Refusals()
        self._check_alike(copies)
        find_libraries(env, seen)
        if seen.found:  # what else there is matters little
            raise CannotCompile(self.name, seen.reasons())
        find_outward(type(env), seen)
        if seen.found:  # nothing runs then
            find_unkept(type(env), seen)
            raise CannotCompile(self.name, seen.reasons())
        try:
            self.model = Model(env, copies.others, placed, copies.beside, shelved)
            self.model.sample(env)
        except NotCopyable as error:
            place = place_of_use(type(env), error.name) or (*place_of_class(type(env)), "")
            found = Reason(*place, str(error), "make it where it is used, outside of reset and step")
            raise CannotCompile(self.name, [found]) from error
        except TooManyTypes as error:
            raise self._unkept(error) from None
        except Unplaced:
            raise
        except refusals.Refused as error:  # an object in a pool holds what it cannot
            raise CannotCompile(
                self.name, [Reason(*place_of_class(self._kind), "", error.reason, error.remedy)]
            ) from None
        except Exception as error:
            file, line = _place_of_error(error, type(env))
            reason = f"a few episodes in Python raised {type(error).__name__}: {error}"
            instead = "mend this first, since Python raises it too"
            raise CannotCompile(self.name, [Reason(file, line, shown("", file, line), reason, instead)]) from error

    def _typed(self) -> tuple[Typed, Typed]:
        """The types of both methods, when no more is found."""
        for _ in range(ATTEMPTS):
            try:
                found = self._attempt()
            except Opened as opened:
                self.model.open(opened.key)
                continue
            except Wanted as wanted:
                self.model.want(wanted.name)
                continue
            except Widened as widened:
                self.model.widen_pools(widened)
                continue
            except refusals.Refused as refused:  # by what keeps attributes, which is at no place
                keys = [str(key) for key in self.model.later.keys if refused.reason.startswith(f"self.{key}")]
                place = place_of_attribute(self._kind, max(keys, key=len, default=""))
                raise CannotCompile(self.name, [Reason(*place, refused.reason, refused.remedy)]) from None
            if found is not None:
                self.fields = list(fields_of(self.methods.columns, ""))
                self.state_type = record("State", _distinct([one.name for one in self.fields]))
                self._replaced = self._constants_of_resets()
                self.outcome_type = record("Outcome", _distinct([*self.state_type._fields, *RESULTS]))
                return found
        raise self.refused("the types of its attributes were not found", "let each attribute hold one type")

    def _constants_of_resets(self) -> list[tuple[tuple[str, ...], Any]]:
        """The attributes that are constants from the first reset on, and others before it, with their values."""
        at_first = dict(_leaves(self.model.first))
        leaves = [(path, item) for path, item in _leaves(self.methods.columns) if isinstance(item, Constant)]
        return [(path, item.value) for path, item in leaves if item not in (UNBOUND, at_first.get(path))]

    def _attempt(self) -> tuple[Typed, Typed] | None:
        """The types of both methods; None if attributes hold more than was known."""
        methods, model = self.methods, self.model
        reasons: list[refusals.Refusal] = []
        before = merged(model.first, model.later)
        if not isinstance(before, Contents):
            raise self._unkept(TooManyTypes(*(apart(model.first, model.later) or ("",))))
        found = []
        for name, kind in ((RESET, before), (STEP, model.later)):
            methods.columns = kind
            try:
                found.append(methods.alone(name, kind)[1])
            except refusals.CannotCompile as error:
                reasons += error.refusals
        if reasons:
            raise CannotCompile(self.name, self._reasons(reasons))
        reset, step = found
        try:
            if any([model.widen(one.kind) for one in found]):
                return None
        except TooManyTypes as error:
            raise self._unkept(error) from None
        methods.later = model.later
        columns = _columns(model.first, model.later, reset.read)
        assert isinstance(columns, Contents)
        methods.columns = columns
        return reset, step

    def _unkept(self, error: TooManyTypes) -> CannotCompile:
        """The error for an attribute that no column keeps.

        Raises:
            Unplaced: If it holds objects that may be in a pool.
        """
        for of in found_classes(innermost(*error.kinds)):
            raise Unplaced(of)
        options = [one for kind in error.kinds for one in (kind.options if isinstance(kind, Either) else (kind,))]
        values = [kind.value for kind in options if isinstance(kind, Constant) and kind not in (NONE, UNBOUND)]
        lengths = {len(kind.items) for kind in options if isinstance(kind, Contents) and kind.of is list}
        kinds = sorted({type(value).__name__ for value in values})
        reason, instead = f"self.{error.name} holds values of too many types", "let it hold one type"
        if kinds and not isinstance(values[0], str):
            what = _WORDS.get(kinds[0], f"a {kinds[0]}") if len(kinds) == 1 else " or ".join(kinds)
            reason = f"self.{error.name} is {what} that changes while the environment runs"
            instead = "keep numbers, arrays of one shape, and lists, sets or dicts of numbers, texts or tuples"
        if Stream() in options:
            reason = f"self.{error.name} is self.np_random at one time, and another generator at another"
            instead = "assign self.np_random again in each reset, behind super().reset(seed=seed)"
        elif "Generator" in kinds:
            instead = "draw from self.np_random"
        elif len(lengths) > 1:
            reason = f"self.{error.name} is a list that changes its length"
            instead = "keep numbers, texts or tuples of them in it"
        elif kinds and isinstance(values[0], str):
            reason, instead = f"self.{error.name} is a text that grows or changes", "keep a number instead"
        file, line, text = place_of_attribute(self._kind, error.name.partition(".")[0])
        return CannotCompile(self.name, [Reason(file, line, text, reason, instead)])

    def _reasons(self, found: Sequence[refusals.Refusal]) -> list[Reason]:
        reasons = [self._reason(one) for one in found]
        return sorted(dict.fromkeys(reasons), key=lambda one: (one.file, one.line))

    def _reason(self, one: refusals.Refusal) -> Reason:
        file, line, text = one.place.file, one.place.line, one.expression
        named = re.match(r"self\.(\w+)", one.reason)
        if not file or is_own_file(Path(file)):
            file, line, text = place_of_attribute(self._kind, named[1] if named else "")
        return Reason(file, line, text, one.reason, one.remedy or PLAINLY)

    def _check(self, copies: Copies) -> None:
        """Refuse what copies, or attributes, would share."""
        if (self._reset.draws or self._step.draws) and not self._reset.seeds:
            raise self.refused("reset does not seed self.np_random", "call super().reset(seed=seed) in it")
        self._check_shared()
        at_first, leaves = dict(_leaves(self.model.first)), dict(_leaves(self.methods.columns))
        looked = {tuple(name.split(".")) for name in self._reset.looked | self._step.looked}
        for path, kinds in sorted(self.model.apart.items()):
            is_assigned = path in leaves and leaves[path] != at_first.get(path)
            if ".".join(path) in self._reset.read if is_assigned else path in looked:
                self._refuse_apart(path, kinds)
        env = self.model.env
        for name in ("observation_space", "action_space"):
            near = copies.others[:1]
            if name in self.model.differing or not all(alike(getattr(env, name), getattr(one, name)) for one in near):
                raise self.refused(f"self.{name} differs between copies", "pass it as an argument")
        if read := read_of(copies.moved, self._kind):
            reason = f"making an environment changes {read}, which reset or step reads"
            raise self.refused(reason, "keep what __init__ found there in an attribute of self, and read that")

    def _refuse_apart(self, path: tuple[str, ...], kinds: tuple[Type, ...]) -> None:
        one, other = kinds
        what = (
            f"{one} in one copy, and {other} in another" if str(one) != str(other) else f"{one}, another in each copy"
        )
        place = place_of_attribute(self._kind, path[0])
        instead = "let copies differ in numbers, texts and arrays of one shape only, or pass it as an argument"
        raise CannotCompile(self.name, [Reason(*place, f"self.{'.'.join(path)} is {what}", instead)])

    def _check_shared(self) -> None:
        """Refuse a change of what belongs to two attributes, or to two environments."""
        reset, step, model = self._reset, self._step, self.model
        pairs, outer = reset.shared | step.shared | model.shared, reset.outer | step.outer | model.outer
        moments = [(reset.written, *model.at_first), (reset.written | step.written, pairs, outer)]
        for written, shared, outside in moments:
            written = written | {f"{name}{ITEMS}" for name in written if not self._has_copies(name)}
            for pair in sorted(shared):
                for name, other in (pair, pair[::-1]):
                    if _any_within(written, name):
                        self._shelve(*pair)
                        is_one = name == other
                        self._refuse_change(
                            name, "holds one thing twice" if is_one else f"may be the same as self.{other}"
                        )
            for name in sorted(outside):
                if _any_within(written, name):
                    self._refuse_change(name, "may be the same in all environments")

    def _shelve(self, *names: str) -> None:
        """Let lists, sets or dicts that attributes share be on shelves.

        Raises:
            _Shared: Unless they are there, or cannot be.
        """
        owners = {name.removesuffix(ITEMS) for name in names}
        kinds = {".".join(path): kind for path, kind in _leaves(self.model.later)}
        if all(_is_shelvable(kinds.get(name)) for name in owners) and not owners <= self.model.shelved:
            raise _Shared(owners)

    def _has_copies(self, name: str) -> bool:
        """Whether an attribute is a list that grows, or a pool: no step changes the copies of arrays in it."""
        leaves = {".".join(path): kind for path, kind in _leaves(self.methods.columns)}
        return isinstance(leaves.get(name), Growing | Pool)

    def _refuse_change(self, name: str, why: str) -> None:
        for of in found_classes(one for path, one in _leaves(self.model.later) if is_within(".".join(path), name)):
            raise Unplaced(of)
        place = place_of_attribute(self._kind, name.partition(".")[0])
        raise CannotCompile(self.name, [Reason(*place, f"self.{name} is changed, and {why}", _COPY)])

    # What copies hold as they are made.

    @property
    def varies(self) -> bool:
        """Whether copies differ as they are made, in attributes or generators."""
        model = self.model
        return bool(model.differing or model.apart or self._owned or model.is_alone or model.env._np_random is not None)

    @property
    def _owned(self) -> set[str]:
        """The attributes with a generator that the environment has made."""
        return {path[0] for path, kind in _leaves(self.model.first) if path[0] not in HIDDEN and _is_owned(kind)}

    def form_of_made(self) -> str:
        """Returns a text that differs if the columns of copies made otherwise mean something else; "" if none are."""
        if not self.varies:
            return ""
        looked = self._reset.looked | self._step.looked
        leaves = [(".".join(path), kind) for path, kind in _leaves(self.methods.columns)]
        text = [f"{name} {told(kind)}" for name, kind in leaves if name in looked or not isinstance(kind, Constant)]
        return f", made as {sha256('; '.join(text).encode()).hexdigest()[:8]}"

    def beginnings(self, envs: Sequence[Any]) -> dict[int, list[Any]]:
        """Returns what the columns hold in which copies differ, for each copy, by the number of the column."""
        if self.model.placed:
            rows = [self.state_of(env) for env in envs]
            return {k: [row[k] for row in rows] for k in range(len(self.fields))}
        found: dict[int, list[Any]] = {}
        held = dict(zip(self.methods.columns.keys, self.methods.columns.items, strict=True))
        for name in sorted((self.model.differing | self._owned) & held.keys()):
            each = [_values(held[name], vars(env).get(name, UNBOUND.value), None, None) for env in envs]
            found |= {k: [one[at] for one in each] for at, k in enumerate(self.places_of(name))}
        return found

    def put_made(self, state: Any, env: Any) -> None:
        """Give an environment as it was made what another copy, of this state, holds otherwise."""
        before = dict(vars(env))
        self.put(state, env)
        names = before.keys() if self.model.placed else self.model.differing | self._owned
        vars(env).update({name: value for name, value in before.items() if name not in names})
        for name in vars(env).keys() - before.keys():
            delattr(env, name)

    def own_of(self, env: Any) -> tuple[Any, ...]:
        """Returns what an environment holds of which no column holds what copies do."""
        return tuple(found_in(env, path) for path in self.model.apart)

    def put_own(self, values: Sequence[Any], env: Any) -> None:
        """Give an environment what `own_of` returns."""
        for path, value in zip(self.model.apart, values, strict=False):  # none, if it is any copy
            owner = found_in(env, path[:-1])
            if hasattr(owner, path[-1]) and value is not MISSING:
                setattr(owner, path[-1], deepcopy(value))

    def digest(self) -> str:
        """Returns a digest of the class's functions."""
        return digest_of(functions_of(self.model.kind))

    def refused(self, reason: str, instead: str = "") -> CannotCompile:
        """Returns an error about the class as a whole."""
        return CannotCompile(self.name, [Reason(*place_of_class(self._kind), "", reason, instead or PLAINLY)])

    def compile_error(self, error: Exception) -> CannotCompile:
        """Returns the error for one that compilation in the frame raises."""
        if isinstance(error, refusals.CannotCompile):
            return CannotCompile(self.name, self._reasons(error.refusals))
        return self.refused(str(error))

    @cached_property
    def reads_options(self) -> bool:
        """Whether `reset` does something else for an empty dict of options than for None."""
        text = self._text("begin")
        self.methods.empty_options = True
        try:
            return self._text("begin") != text
        except (refusals.CannotCompile, Wanted):
            return True
        finally:
            self.methods.empty_options = False

    def is_state(self, name: str) -> bool:
        """Returns whether an attribute is, or holds, state."""
        leaves = _leaves(self.methods.columns)
        return any(path[0] == name and not isinstance(item, Constant | Given) for path, item in leaves)

    # The plan.

    def plan(self, params: Any) -> Plan:
        """Returns the plan of the kernels, the same one for the same params."""
        if self._planned is None or self._planned[0] is not params:
            self._take(params)
            self._planned = params, self._plan(params)
        return self._planned[1]

    def _take(self, params: Any) -> None:
        """Let the batch pass these params, in the place of constants."""
        given = {} if params is None else dict(zip(params._fields, map(type_of, params), strict=True))
        before, model = self.methods.given, self.model
        if given == before:
            return
        types = model.first, model.later
        self.methods.given = given
        model.give(given)
        try:
            self._reset, self._step = self._typed()
        except CannotCompile:
            model.first, model.later = types
            self.methods.given = before
            self._typed()
            raise

    @property
    def grows(self) -> bool:
        """Whether there are lists that grow, of which one may have no room."""
        return self._reset.grows or self._step.grows or most_room(self.methods.columns) > 0

    def make_room(self, moments: Iterable[Any]) -> None:
        """Let lists have room for those of an environment at some moments; else let those of a step have more."""
        before = longer = self.model.later
        for env in moments:
            kind = lengthened(longer, env)
            assert isinstance(kind, Contents)
            longer = with_places(kind, env)
        self._lengthen(doubled(before) if longer == before else longer, always=longer == before)

    def make_room_for(self, name: str, value: Any) -> bool:
        """Let an attribute have room for a value, a list; returns whether it had none."""
        later = self.model.later
        items = zip(later.keys, later.items, strict=True)
        longer = [lengthened(item, value) if key == name else item for key, item in items]
        return self._lengthen(Contents(later.of, later.keys, tuple(longer)))

    def make_room_of(self, shapes: Sequence[tuple[int, ...]]) -> bool:
        """Let lists have as much room as in columns of some shapes; returns whether they had less."""
        if len(shapes) != len(self.fields):
            return False
        columns = with_room(self.methods.columns, iter(shapes))
        both = merged(self.model.later, columns)
        return self._lengthen(self.model.later if both is None or columns == self.methods.columns else both)

    def _lengthen(self, later: Type, always: bool = False) -> bool:
        assert isinstance(later, Contents)
        if later == self.model.later and not always:
            return False
        if always:
            self.methods.room = 2 * max(self.methods.room, most_room(later))
        self.model.take_pools(later)
        self._reset, self._step = self._typed()
        self._planned = None
        return True

    def with_param(self, name: str) -> Any:
        """Returns params with one more constant; None if it cannot be one, a text for example."""
        value = getattr(self.model.env, name, None)
        is_array = isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.ndim
        if self.is_state(name) or name not in self.model.first.keys or not (is_array or _is_number(value)):
            return None
        fields = () if self.default_params is None else self.default_params._fields
        if name not in fields:
            values = [np.ascontiguousarray(value) if is_array else value]
            self.default_params = record("Params", (*fields, name))(*(self.default_params or ()), *values)
        return self.default_params

    def _plan(self, params: Any) -> Plan:
        columns = [
            Column(name, one.dtype, one.shape, one.is_numpy, partial(repacked, one.pool) if one.pool else None)
            for name, one in zip(self.state_type._fields, self.fields, strict=True)
        ]
        taken = packed_space(self.action_space) if is_packed(self.action_space) else self.action_space
        begin, step = (
            Report(None, tuple(one.info), one.numpy, one.forms) if one.info or one.forms else None
            for one in (self._reset, self._step)
        )
        return Plan(
            self.name,
            {},
            self.state_type,
            tuple(columns),
            tree_of(params),
            tuple(self._step.observation or self._reset.observation),
            self.observation_space,
            action_column(taken, self.name),
            taken,
            InfoPlan(begin, step),
            self.outcome_type,
            self.state_of(self.model.env),
            grows=self.grows,
        )

    def state_of(self, env: Any, strictly: bool = False) -> Any:
        """Returns the state of an environment; where an attribute has no value yet, zeros.

        Raises:
            TypeError: If it is strict, and an attribute holds another type of value.
        """
        stream = env._np_random if strictly else None
        places = places_of(self.methods.columns, env, stream)
        return self.state_type(*_values(self.methods.columns, env, stream, places))

    def places_of(self, *path: str) -> list[int]:
        """Returns the numbers of the columns of an attribute."""
        kind: Type = self.methods.columns
        at = 0
        for name in path:
            assert isinstance(kind, Contents)
            k = kind.keys.index(name)
            at += sum(len(list(fields_of(one, ""))) for one in kind.items[:k])
            kind = kind.items[k]
        return [*range(at, at + len(list(fields_of(kind, ""))))]

    def put(self, state: Any, env: Any) -> None:
        """Give an environment the attributes of a state."""
        rebuilt(self.methods.columns, iter(state), env, env)
        for path, value in self._replaced:
            setattr(found_in(env, path[:-1]), path[-1], value)

    def put_params(self, params: Any, env: Any) -> None:
        """Give an environment the constants of params."""
        for name, value in zip(params._fields, params, strict=True):
            setattr(env, name, value.copy() if isinstance(value, np.ndarray) else value)

    def text(self) -> str:
        """Returns the programs that begin an episode and step an environment, as text."""
        return "\n\n".join(map(self._text, ("begin", "step")))

    def _text(self, name: str) -> str:
        plan = self._planned[1] if self._planned else self.plan(self.default_params)
        return kernels_of(self, plan, lanes=False).text(frozenset(), name)

    def described(self) -> tuple[dict[str, str], dict[str, str]]:
        """Returns the state and the constants, each with its type in words."""
        found = [(path, item) for path, item in _leaves(self.methods.columns) if path[0] != STREAM]
        leaves = [(path, item) for path, item in found if path[0] not in HIDDEN]
        held = {".".join(path): item for path, item in leaves if not isinstance(item, Constant)}
        state = {name: "a generator of its own" if _is_owned(item) else str(item) for name, item in held.items()}
        state |= {GENERATORS[path[0]]: "a generator of each copy's own" for path, _ in found if path[0] in GENERATORS}
        constants = {".".join(path): repr(item.value)[:60] for path, item in leaves if isinstance(item, Constant)}
        return state, constants

    # In Python.

    def initial(self, rng: Any, params: Any, state: Any) -> Any:  # type: ignore[override]
        """Begin an episode, as the class does it; see `Joint`."""
        env = self._env(state, rng)
        with own_kept(env):
            observation, info = env.reset()
        return self.outcome_type(*self.state_of(env), observation, 0.0, False, False, info)

    def transition(self, state: Any, action: Any, rng: Any, params: Any) -> Any:  # type: ignore[override]
        """Take a step, as the class does it; see `Joint`."""
        env = self._env(state, rng)
        if is_packed(self.action_space):
            action = unpacked(self.action_space, action)
        with own_kept(env):
            results = env.step(action)
        return self.outcome_type(*self.state_of(env), *results)

    def _env(self, state: Any, rng: Any) -> Any:
        env: Any = deepcopy_of(self.model.env)
        env._np_random = rng
        self.put(state, env)
        return env


class _Shared(Exception):
    """Attributes share a list, set or dict that is changed.

    Args:
        names: The attributes.
    """

    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self.names = names


def _is_shelvable(kind: Type | None) -> bool:
    """Whether what an attribute holds can be on shelves: containers, tuples of them, or something else at times."""
    return kind is not None and kind != UNBOUND and bool(shelves_in(stored := stored_form(kind))) and is_stored(stored)


def root_class(of: type) -> type:
    """Returns the class in whose pool the objects of a class are: the first that the user has written."""
    return [base for base in of.__mro__ if is_of_objects(base) and base not in (object, ABC, Generic, Protocol)][-1]


def _taking_turns(kind: Type, is_item: bool = False) -> Iterator[type]:
    """Yields the classes of objects that are items of lists or dicts which hold something else at other times."""
    match kind:
        case Contents(of=of, items=items):
            if of is list and len({getattr(one, "of", None) for one in items}) > 1 and len(items) >= MIXED:
                yield from found_classes(one for one in items if isinstance(one, Contents) and one.of is not list)
            for one in items:
                yield from _taking_turns(one, of in (list, dict))
        case Tuple(items=items):
            for one in items:
                yield from _taking_turns(one, is_item)
        case Either(options=options):
            yield from found_classes(options) if is_item else ()


MIXED = 4
"""The items from which on a list of objects of several classes, or None, is one of references."""


def innermost(*kinds: Type) -> tuple[Type, ...]:
    """Returns what two descriptions that cannot be merged differ in, the innermost types."""
    if len(kinds) == 2 and all(isinstance(one, Contents) for one in kinds):
        a, b = kinds
        assert isinstance(a, Contents) and isinstance(b, Contents)
        if a.of is b.of and (a.of is not list or len(a.items) == len(b.items)):
            pairs = zip(a.items, b.items, strict=True) if a.of is list else pairs_of(a, b)[1]
            for one, other in pairs:
                if merged(one, other) is None:
                    return innermost(one, other)
    return kinds


def found_classes(kinds: Iterable[Type]) -> Iterator[type]:
    """Yields the classes of objects that may be in a pool, and are not yet, in the description of a state."""
    for kind in kinds:
        match kind:
            case Contents(of=of, items=items):
                if of not in (list, dict) and is_of_objects(of):
                    yield of
                yield from found_classes(items)
            case Tuple(items=items) | Either(options=items):
                yield from found_classes(items)
            case Constant(value=value) if kind != UNBOUND and not isinstance(value, (type, FunctionType, ModuleType)):
                if is_of_objects(type(value)):
                    yield type(value)
                elif isinstance(value, deque):
                    yield from found_classes(map(Constant, value))


_WORDS = {"ndarray": "an array of objects", "OrderedDict": "an OrderedDict", "object": "an object"}


def _is_number(value: Any) -> bool:
    is_plain = type(value) in (int, float) and not (type(value) is int and abs(value) >= 2**63)
    return is_plain or (isinstance(value, np.generic) and value.dtype.kind in "iuf")


_COPY = "assign a copy: copy.deepcopy(...), or .copy() of an array"


def _any_within(names: set[str], owner: str) -> bool:
    return any(is_within(name, owner) for name in names)


def _columns(first: Type, later: Type, read: set[str], path: str = "") -> Type:
    """What columns hold: what attributes hold later, and at first where a first reset reads it."""
    if isinstance(first, Contents) and isinstance(later, Contents) and first.of is later.of and first.of is not list:
        held = dict(zip(first.keys, first.items, strict=True))
        items = [
            _columns(held.get(key, UNBOUND), item, read, f"{path}.{key}" if path else str(key))
            for key, item in zip(later.keys, later.items, strict=True)
        ]
        return Contents(later.of, later.keys, tuple(items))
    if path not in read or first == later:
        return later
    both = merged(first, later)
    assert both is not None
    return both


def _values(kind: Type, value: Any, stream: object, places: Places | None) -> list[Any]:
    """The values of the fields of an object; zeros for those that do not fit, unless its generator is given."""
    if isinstance(kind, Contents) and kind.of not in (list, dict) and type(value) is kind.of:
        held = vars(value)
        pairs = zip(kind.keys, kind.items, strict=True)
        return [one for key, item in pairs for one in _values(item, held.get(key, UNBOUND.value), stream, places)]
    if isinstance(kind, Constant | Given):
        return []
    try:
        return list(flattened(kind, value, stream, places))
    except (TypeError, ValueError):
        if stream is not None:
            raise
        return list(zeros(kind))


def _leaves(kind: Type, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Type]]:
    """The attributes of an object, and of objects in it, with their paths."""
    if isinstance(kind, Contents) and kind.of not in (list, dict) and not _is_owned(kind):
        found = []
        for key, item in zip(kind.keys, kind.items, strict=True):
            found += _leaves(item, (*path, key))
        return found
    return [] if path and path[-1] == STREAM else [(path, kind)]


def _is_owned(kind: Type) -> bool:
    """Whether a type is that of a generator which the environment has made."""
    return isinstance(kind, Contents) and issubclass(kind.of, StandIn)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Names of a NamedTuple's fields, each once."""
    found: list[str] = []
    for name in names:
        plain = "".join(char if char.isalnum() else "_" for char in name).strip("_") or "value"
        plain = f"n{plain}" if plain[0].isdigit() else plain
        k, one = 2, plain
        while one in found:
            one, k = f"{plain}_{k}", k + 1
        found.append(one)
    return tuple(found)


@cache
def record(name: str, fields: tuple[str, ...]) -> Any:
    """Returns a NamedTuple whose values can be pickled: it is made again with the same fields."""

    def again(self: Any) -> tuple[Any, tuple[str, tuple[str, ...], tuple[Any, ...]]]:
        return _remade, (name, fields, tuple(self))

    return type(name, (namedtuple(name, fields, rename=True),), {"__slots__": (), "__reduce__": again})


def _remade(name: str, fields: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return record(name, fields)(*values)


def _place_of_error(error: Exception, kind: type[Any]) -> tuple[str, int]:
    """Returns the innermost line of the class's files in which an exception was raised."""
    files = {
        one.__code__.co_filename for base in kind.__mro__ for one in vars(base).values() if hasattr(one, "__code__")
    }
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename in files]
    return (frames[-1].filename, frames[-1].lineno or 0) if frames else place_of_class(kind)
