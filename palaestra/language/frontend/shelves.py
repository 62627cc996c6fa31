"""Lists, sets and dicts that a list holds which grows, or an object in a pool: they are in pools, too.

A list in a list keeps its identity: what is changed by one name is seen by all. So it has a place in a pool, a shelf,
and what refers to it is the number of that place. A shelf holds containers of one class whose items have one type. What
the heap has for a list of the program that is put there is `Moved` from then on: so all names for it lead there.

Which shelf a list gets is decided by the type of its items; for an empty one by the place in the source where it is
put into another. Shelves whose lists meet in one variable become one: then the program is written again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend import growing
from palaestra.language.frontend.groups import kind_of, pool_of, word_at
from palaestra.language.frontend.pools import Widened, attribute_at, set_free, set_held, take
from palaestra.language.frontend.refusals import Refused
from palaestra.language.program import ADDRESS, Place, Value
from palaestra.language.types import (
    CONTAINERS,
    IN_SHELF,
    LEAST_CAPACITY,
    WORD,
    Contents,
    Either,
    Growing,
    Keys,
    Layout,
    Moved,
    Placed,
    Pool,
    Reference,
    Shelf,
    Term,
    Tuple,
    Type,
    constant,
    joined,
    shelf_key,
    shelf_of,
    storage_like,
    tuple_of,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


class Shelves:
    """The containers on shelves in a program.

    Args:
        front: The front end that writes it.

    Attributes:
        merged: The shelves that have become one with another, with that.
        place: The place of the first container that had to be on a shelf which the program has not; None for none.
        met: The shelves that have been found to be one.
    """

    def __init__(self, front: FrontEnd) -> None:
        self._front = front
        self.merged: Mapping[type, type] = {}
        self.met: list[tuple[type, type]] = []
        self.place: Place | None = None

    def open(self, pools: Mapping[type, Pool]) -> None:
        """Let the program have pools of its own, all of whose places are free."""
        front = self._front
        for root, kind in pools.items():
            pool = Term(kind, (front.emit("room", ADDRESS, attribute=WORD * kind.words),))

            def chain(k: Value, pool: Term = pool) -> None:
                front.emit("store", None, word_at(front, pool, k, 0), front.compute("add", k, front.number(1)))

            growing.each_number(front, front.number(kind.capacity), chain)
            set_free(front, pool, front.number(0), front.number(kind.capacity))
            front.pools[root] = pool

    def canonical(self, root: type) -> type:
        """Returns the shelf that a shelf has become one with, or itself."""
        while root in self.merged:
            root = self.merged[root]
        return root

    def place_of(self, term: Term) -> Term | None:
        """Returns the place of a container on a shelf; None for other objects."""
        if isinstance(term.type, Placed):
            return term if term.type.is_container else None
        if not isinstance(term.type, Reference) or term.type.of not in CONTAINERS:
            return None
        held = growing.moved_in(self._front.state.heap[term.type.number])
        return None if held is None else Term(held.type.to, held.parts)  # type: ignore[attr-defined]

    def _layout_of(self, root: type) -> Layout:
        """What the places of a shelf hold, as far as is known."""
        kind = self._front.widened.get(root) or kind_of(self._front.pools[root])
        return kind.layouts[0]

    def storage_at(self, place: Term) -> Term | None:
        """Returns the storage of a container on a shelf; None if it is a dict of known keys."""
        assert isinstance(place.type, Placed)
        layout = self._layout_of(place.type.root)
        (kind, *_) = layout.items
        if layout.keys != IN_SHELF or not isinstance(kind, Growing):
            return None
        if place.type.root in self._front.widened:  # the program is written again
            return Term(kind, tuple(self._nowhere() for _ in kind.kinds))
        pool = pool_of(self._front, place)
        return attribute_at(self._front, pool, place.part, IN_SHELF[0], kind)

    def _nowhere(self) -> Value:
        return self._front.emit("address", ADDRESS, self._front.number(0))

    def contents_at(self, place: Term) -> list[Term]:
        """Returns what the heap would hold for a dict of known keys: the keys, and the values."""
        assert isinstance(place.type, Placed)
        layout = self._layout_of(place.type.root)
        if place.type.root in self._front.widened:
            return [constant(layout.keys), *(self._front.nothing_like(one) for one in layout.items)]
        pool = pool_of(self._front, place)
        pairs = zip(layout.keys, layout.items, strict=True)
        return [constant(layout.keys), *(attribute_at(self._front, pool, place.part, key, kind) for key, kind in pairs)]

    def assign(self, place: Term, key: str, value: Term) -> None:
        """Assign the value of a key that a dict of known keys has.

        Raises:
            Refused: If it has not.
        """
        assert isinstance(place.type, Placed)
        if key not in self._layout_of(place.type.root).keys:
            raise Refused(f"a dict in a list gets the key {key!r}", "give all dicts in it the same keys")
        set_held(self._front, place, key, value)

    def storable(self, term: Term) -> Term:
        """Returns an object as a list that grows has it: containers in it are on shelves."""
        match term.type:
            case Reference(of=of) if of in CONTAINERS:
                return self.shelved(term)
            case Tuple(of=of) if not term.known and _has_containers(term.type):
                return tuple_of([self.storable(one) for one in term.items()], of)
            case Either() if _has_containers(term.type):
                return self._front.each_option(term, lambda one: self.storable(one))
        return term

    def type_stored(self, make: Callable[[], Term]) -> Type:
        """Returns the type of what `make` returns, as a list that grows has it; nothing of it is in the program."""
        front = self._front
        before, front.state = front.state, front.state.copy()
        with front.writing([]):
            kind = self.storable(make()).type
        front.state = before
        return kind

    def shelved(self, term: Term, root: type | None = None) -> Term:
        """Returns the place of a container, which gets one unless it has one.

        Args:
            term: The container.
            root: Its shelf; None for that of its items.

        Raises:
            Refused: If no shelf holds it.
        """
        place = self.place_of(term)
        if place is not None:
            return place
        assert isinstance(term.type, Reference)
        self._front.writes(term)
        number, of = term.type.number, term.type.of
        layout = self._own_layout(term)
        root = self.canonical(root or shelf_of(of, self._key_of(layout)))
        is_held = self.note(root, layout)
        place = Term(
            Placed(root, (root,)), (take(self._front, self._front.pools[root]) if is_held else self._front.number(0),)
        )
        if is_held:
            self._fill(place, self._front.state.heap[number])
        self._front.state.heap[number] = (Term(Moved(place.type), place.parts),)  # type: ignore[arg-type]
        return place

    def _own_layout(self, term: Term) -> tuple[Keys, tuple[Type, ...]]:
        """What a place has to hold for a container; containers in that are put on shelves."""
        assert isinstance(term.type, Reference)
        number = term.type.number
        contents = self._front.state.heap[number]
        if growing.storage_in(contents) is None and growing.fixed_in(contents) is None:
            contents = tuple(self.storable(one) for one in contents)
            self._front.state.heap[number] = contents
        kind = growing.described_by(contents)
        form = storage_like(Contents(term.type.of, kind.keys, kind.items) if isinstance(kind, Contents) else kind)
        if form is None:
            growing.check_placed(self._front, [kind])
            raise Refused(f"a list holds {kind}, which holds {_in_words(kind)}", "let all its items be of one type")
        if isinstance(form, Contents):
            return form.keys, form.items
        known = growing.storage_in(contents) is not None
        return IN_SHELF, (growing.with_capacity(form, LEAST_CAPACITY) if known else form,)

    def _key_of(self, layout: tuple[Keys, tuple[Type, ...]]) -> Any:
        keys, (kind, *_) = layout
        if keys != IN_SHELF:
            return tuple(keys)
        assert isinstance(kind, Growing)
        key = shelf_key(kind)
        place = self._front.place
        return f"{key} in line {place.line} of {place.file}" if key.startswith("empty") and place else key

    def note_storage(self, root: type, kind: Growing) -> None:
        """Note that places of a shelf hold storages of a type."""
        self.note(root, (IN_SHELF, (kind,)))

    def note(self, root: type, layout: tuple[Keys, tuple[Type, ...]]) -> bool:
        """Note that places of a shelf hold something; returns whether they do, or the program is written again."""
        pool = self._front.pools.get(root)
        known = self._front.widened.get(root) or (kind_of(pool) if pool is not None else None)
        own = Pool(root, (Layout(root, *layout),), LEAST_CAPACITY if known is None else known.capacity)
        after = own if known is None else joined(known, own)
        if not isinstance(after, Pool):
            raise Refused(f"a {root.of.__name__} in a list holds values of too many types", "let it hold one type")  # type: ignore[attr-defined]
        for one in after.layouts[0].items:
            self.meet(one)
        if after != known:
            self.place = self.place or self._front.place
            self._front.widened[root] = after
        if root not in self._front.pools:
            self._front.pools[root] = Term(after, (self._nowhere(),))
        return root not in self._front.widened

    def _fill(self, place: Term, contents: Sequence[Term]) -> None:
        """Write what the heap holds for a container into its place."""
        assert isinstance(place.type, Placed)
        pool = pool_of(self._front, place)
        self._front.emit("store", None, word_at(self._front, pool, place.part, 0), self._front.number(0))
        target = self.storage_at(place)
        if target is not None:
            growing.fill(self._front, target, contents)
            return
        keys, values = contents[0].value, contents[1:]
        for key, value in zip(keys, values, strict=True):
            set_held(self._front, place, key, value)

    def meet(self, kind: Type) -> None:
        """Note that an object may be on one of several shelves: they become one."""
        for one, other in meetings(kind):
            a, b = self.canonical(one), self.canonical(other)
            if a is not b:
                self.met.append((a, b))


def _has_containers(kind: Type) -> bool:
    match kind:
        case Reference(of=of):
            return of in CONTAINERS
        case Tuple(items=items) | Either(options=items):
            return any(map(_has_containers, items))
    return False


def _in_words(kind: Type) -> str:
    items = (kind.item,) if isinstance(kind, Growing) else kind.items if isinstance(kind, Contents) else ()
    return " and ".join(dict.fromkeys(str(one) for one in items)) or "nothing"


def meetings(kind: Type) -> Iterator[tuple[type[Shelf], type[Shelf]]]:
    """Yields the pairs of shelves of which an object of a type may be on either."""
    match kind:
        case Either(options=options):
            shelves = [one.root for one in options if isinstance(one, Placed) and issubclass(one.root, Shelf)]
            for a, b in pairwise([one for one in shelves if not isinstance(one.key, tuple)]):
                if a.of is b.of:
                    yield a, b
            inner: Sequence[Type] = options
        case Tuple(items=items) | Contents(items=items):
            inner = items
        case Growing(item=item):
            inner = (item,)
        case Pool(layouts=layouts):
            inner = [one for layout in layouts for one in layout.items]
        case _:
            inner = ()
    for one in inner:
        yield from meetings(one)


def is_open(root: type) -> bool:
    """Returns whether the containers of a shelf were empty when it was made for them."""
    return str(root.key).startswith("empty")  # type: ignore[attr-defined]


def unified(merged: dict[type, type], met: Sequence[tuple[type, type]]) -> None:
    """Let shelves be one that have met: the one whose items are known, if they are of one."""

    def last(root: type) -> type:
        while root in merged:
            root = merged[root]
        return root

    for one, other in met:
        a, b = last(one), last(other)
        if a is not b:
            keeps, goes = (b, a) if is_open(a) else (a, b)
            merged[goes] = keeps


def unify(merged: dict[type, type], pools: dict[type, Pool], found: Widened) -> None:
    """Let pools be those that a program needs, and shelves one that have met in it."""
    unified(merged, found.met)
    needed = renamed_pools({**pools, **{pool.root: pool for pool in found.pools}}, merged)
    pools.clear()
    pools.update(needed)


def renamed_pools(pools: Mapping[type, Pool], merged: Mapping[type, type]) -> dict[type, Pool]:
    """Returns pools in which shelves that have become one are one."""
    made: dict[type, Pool] = {}
    for pool in pools.values():
        kind = renamed(pool, merged)
        assert isinstance(kind, Pool)
        both = joined(kind, made[kind.root]) if kind.root in made else kind
        if not isinstance(both, Pool):
            raise Refused(f"a {kind.root.of.__name__} in a list holds values of too many types", "let it hold one type")  # type: ignore[attr-defined]
        made[kind.root] = both
    return made


def renamed(kind: Type, merged: Mapping[type, type]) -> Type:
    """Returns a type in which shelves that have become one are one."""
    match kind:
        case Placed(root=root) if kind.is_container:
            while root in merged:
                root = merged[root]
            return Placed(root, (root,))
        case Tuple(items=items, of=of):
            return Tuple(tuple(renamed(one, merged) for one in items), of)
        case Contents(of=of, keys=keys, items=items):
            return Contents(of, keys, tuple(renamed(one, merged) for one in items))
        case Growing(item=item):
            return Growing(renamed(item, merged), kind.capacity, kind.of, kind.more)
        case Either(options=options):
            return _renamed_options([renamed(one, merged) for one in options])
        case Pool(root=root, layouts=layouts):
            own = tuple(Layout(one.of, one.keys, tuple(renamed(item, merged) for item in one.items)) for one in layouts)
            while root in merged:
                root = merged[root]
            own = tuple(Layout(root if issubclass(root, Shelf) else one.of, one.keys, one.items) for one in own)
            return Pool(root, own, kind.capacity)
    return kind


def _renamed_options(options: list[Type]) -> Type:
    """One of several types, without that of lists which were always empty, if there are other lists."""
    shelves = [one for one in options if isinstance(one, Placed) and one.is_container]
    empty = [one for one in shelves if one.root.key == "empty"]  # type: ignore[attr-defined]
    gone = [one for one in empty if any(one.of is other.of for other in shelves if other not in empty)]
    kept = [one for one in dict.fromkeys(options) if one not in gone]
    kind: Type | None = kept[0]
    for one in kept[1:]:
        kind = joined(kind, one) if kind is not None else None
    assert kind is not None
    return kind
