"""How episodes of a compiled batch begin: the params of each environment, and options that wait for a reset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.starting import start_params
from gymnasium.functional.stream import Stream
from gymnasium.functional.stream_rows import WORDS, generator_at, row_of
from gymnasium.params.randomization import ParamDraw, Randomization, checked_values, stream_of
from gymnasium.params.targets import Field, Target, target_of
from gymnasium.states.layers import generator_in
from palaestra.runner.kernels.columns import own_value
from palaestra.runner.kernels.draws import Draw, bounds_of, drawing
from palaestra.runner.kernels.params import place_of, values_in, values_of
from palaestra.runner.kernels.seeding import seeded_rows

if TYPE_CHECKING:
    from palaestra.runner.batch.attributes import Attributes
    from palaestra.runner.batch.generators import Streams
    from palaestra.runner.kernels.memory import Memory
    from palaestra.runner.kernels.plan import Plan
    from palaestra.runner.kernels.runner import Runner

Mask = NDArray[np.bool_]
_SPAWN_KEY: Final[tuple[int, ...]] = stream_of(0).seed_seq.spawn_key  # type: ignore[attr-defined]
_PLAIN: Final = (bool, int, float)
BEGINNINGS: Final = ("params", "chances", "held", "waiting")  # how the names of the columns of beginnings start
_INCREMENT: Final = 2  # the word of a stream that is odd once it has been seeded


class Settings(NamedTuple):
    """The settings of a batch's beginnings, without what is in its columns."""

    randomization: Randomization | None
    bounds: Sequence[Any]
    held: tuple[str, ...]
    started: tuple[int, ...]
    waits: bool


class Accepted(NamedTuple):
    """The values of a param that the dynamics have accepted: others between the least and the greatest need no look."""

    plan: Plan
    base: Any
    place: int
    dtype: np.dtype[Any]
    low: Any
    high: Any

    def has(self, value: Any) -> bool:
        """Whether a number or an array is of this kind, and between these."""
        given = np.asarray(value) if isinstance(value, _PLAIN) else value
        alike = isinstance(given, np.ndarray) and given.dtype == self.dtype and given.ndim < 2
        if not alike or not given.size:
            return False
        return bool(given.min() >= self.low and given.max() <= self.high)  # not for NaN


class Beginning:
    """The own params of the environments of a batch, drawn or set for some, and their options that wait.

    Args:
        single: The environment of which they are copies.
        runner: Their kernels.
        attributes: Their attributes.
        streams: Their random streams.
    """

    def __init__(self, single: FunctionalEnv, runner: Runner, attributes: Attributes, streams: Streams) -> None:
        self._single, self._runner, self._attributes, self._streams = single, runner, attributes, streams
        self._randomization: Randomization | None = None
        self._accepted: dict[str, Accepted] = {}
        self._known: tuple[Plan, list[tuple[str, str, bool]]] | None = None  # the names for a plan

    @property
    def memory(self) -> Memory:
        """The columns of the environments."""
        return self._runner.memory

    def draw(self, randomization: Randomization, known: Sequence[Any] = ()) -> None:
        """Draw params at the beginning of each episode from now on; the bounds may be known from another batch.

        Raises:
            TypeError, ValueError: If there are no such params, or they cannot be drawn; nothing has changed then.
        """
        if self._randomization is not None:
            raise ValueError(
                f"The params {', '.join(self._randomization.names)} are drawn already: name all in one RandomizeParams"
            )
        self._attributes.open(randomization.names)
        n = self.memory.n
        found = randomization.draws(self._template(0), 0, n)
        drawn = {one.name: self._place(one.name, one.target) for one in found}
        draws = tuple(Draw(drawn[one.name], drawing(one.name, one.distribution, one.base)) for one in found)
        bounds: list[Any] = [*known] or [tuple(bounds_of(one.distribution, one.base) for one in found)]
        differing = [name for name, one in randomization.distributions.items() if self._differs(name, one)]
        if differing and not known:
            bounds = [self._bounds(randomization, i, differing, bounds[0]) for i in range(n)]
        self._runner.begin_with(self._owned(drawn), draws, self._set_by_reset(None), bounds, self._usual())
        self._attributes.own = {name: k for name, k in self._attributes.own.items() if name not in drawn} | drawn
        self._randomization = randomization
        if self._attributes.running:
            self.ready()

    def _differs(self, name: str, distribution: Any) -> bool:
        """Whether the environments may have other bounds each."""
        from palaestra.randomization.distributions import Each, Scale  # late: few batches draw params

        if isinstance(distribution, Scale):
            own = len(self._attributes.base) > 1 or name in self._attributes.own
            return own or isinstance(distribution.factor, Each)
        return isinstance(distribution, Each)

    def _bounds(self, randomization: Randomization, i: int, names: Sequence[str], others: Any) -> Any:
        """Returns the bounds of environment i, where those of `names` differ from `others`."""
        template, each = self._template(i), dict(zip(randomization.names, others, strict=True))
        for name in names:
            one = ParamDraw(template, name, randomization.distributions[name], i, self.memory.n)
            each[name] = bounds_of(one.distribution, one.base)
        return tuple(each.values())

    def hold(self, ids: NDArray[np.intp], params: Mapping[str, object]) -> None:
        """Set params of some environments, which keep them.

        Args:
            ids: The environments.
            params: By name, an array or list with a value for each of them, or a value for all.

        Raises:
            TypeError, ValueError: If there is no such param, it is drawn, or a value is refused; nothing is set then.
        """
        values = self.check(params)
        places = {name: place for name, (place, _) in values.items()}
        if not places.keys() <= self._attributes.own.keys():
            self._own(places)
        columns = self.memory.columns
        for place, value in values.values():
            columns[f"params{place}"][ids] = value
            columns[f"held{place}"][ids] = True

    def check(self, params: Mapping[str, object]) -> dict[str, tuple[int, Any]]:
        """Returns the place of each param, and its values, or raises what `hold` does."""
        self._attributes.open(params)
        return {name: self._checked(name, value) for name, value in params.items()}

    def _own(self, places: Mapping[str, int]) -> None:
        """Give params a column."""
        runner = self._runner
        runner.begin_with(
            self._owned(places), self.memory.plan.draws, self._set_by_reset(None), runner.bounds, self._usual()
        )
        self._attributes.own |= places

    def _checked(self, name: str, value: Any) -> tuple[int, Any]:
        """Returns the place of a param, and a value or an array of its kind."""
        if self._randomization is not None and name in self._randomization.names:
            raise ValueError(f"{name!r} is drawn at each episode: it cannot be set")
        known = self._accepted.get(name)
        if known is not None and (known.plan is not self.memory.plan or known.base is not self._attributes.base[0]):
            known = None
        if known is not None and known.has(value):
            return known.place, value
        place, held = self._tried(name, value)
        if isinstance(held, np.ndarray) and held.size:
            low, high = held.min(), held.max()
            if known is not None:
                low, high = min(known.low, low), max(known.high, high)
            self._accepted[name] = Accepted(self.memory.plan, self._attributes.base[0], place, held.dtype, low, high)
        return place, held

    def _tried(self, name: str, value: Any) -> tuple[int, NDArray[Any]]:
        """Returns the same, after the dynamics have looked at it."""
        template = self._template(0)
        place = self._place(name, target_of(template, name))
        return place, checked_values(template, name, value, values_in(self.memory.plan.params)[place].dtype)

    def _template(self, i: int) -> FunctionalEnv:
        """Returns a copy of environment i before its first episode."""
        env = copy(self._single)
        env.params = self._attributes.param(i)
        return env

    def _place(self, name: str, target: Target) -> int:
        plan = self.memory.plan
        if not isinstance(target, Field):
            raise TypeError(
                f"A compiled batch draws and sets numbers among the params of {plan.name}, but {name!r} is another"
                " attribute: SyncVectorEnv takes any"
            )
        return place_of(plan.params, name)

    def _owned(self, places: Mapping[str, int]) -> tuple[int, ...]:
        return tuple(dict.fromkeys((*self.memory.plan.own, *places.values())))

    def _usual(self) -> list[Any]:
        """The params for the first states of autoresets."""
        return [start_params(self._single, self._attributes.base[0], None)]

    def _set_by_reset(self, options: dict[str, Any] | None) -> tuple[int, ...]:
        """Returns the places of the numbers among the params that a reset with these options takes from elsewhere."""
        params, tree = self._attributes.base[0], self.memory.plan.params
        marks = {name: object() for name in getattr(params, "_fields", ()) if isinstance(getattr(params, name), _PLAIN)}
        if not marks:
            return ()
        begun = start_params(self._single, params._replace(**marks), options)
        return tuple(place_of(tree, name) for name, mark in marks.items() if getattr(begun, name) is not mark)

    def wait(self, ids: Sequence[int], options: Sequence[dict[str, Any] | None]) -> None:
        """Set the options of the next reset of some environments.

        Raises the exception of `reset` for options that it does not take; nothing is set then.
        """
        started = self.started(dict(zip(ids, options, strict=True)))
        if started and not self.memory.plan.waits:
            self._runner.wait_for(self._set_by_reset(next(filter(None, options))))
        memory = self.memory
        if not memory.plan.waits:
            return
        memory.columns["waiting"][list(ids)] = False
        memory.columns["waiting"][list(started)] = True
        for place in memory.plan.started if started else ():
            memory.columns[f"waiting{place}"][list(started)] = [values[place] for values in started.values()]

    def started(self, options: Mapping[int, dict[str, Any] | None]) -> dict[int, list[Any]]:
        """Returns the values of the params for the first states of the environments that have options.

        Raises the exception of `reset` for options that it does not take.
        """
        tree, several = self.memory.plan.params, len(self._attributes.base) > 1
        known: dict[Any, list[Any]] = {}
        started: dict[int, list[Any]] = {}
        for i, one in options.items():
            if one:
                key = _key(one, i if several else 0)
                if key not in known:
                    begun = start_params(self._single, self._attributes.base[i if several else 0], one)
                    known[key] = values_of(tree, begun)
                started[i] = known[key]
        return started

    def reset(self, seeds: Sequence[int | None], mask: Mask, options: Sequence[Any]) -> None:
        """Seed the streams of params before a reset, and drop what waits where it has options of its own."""
        columns = self.memory.columns
        if self.memory.plan.own:
            rows = [i for i in np.flatnonzero(mask).tolist() if seeds[i] is not None]
            self.seed(rows, [seed for i in rows if (seed := seeds[i]) is not None])
            self.ready()
        if self.memory.plan.waits:
            columns["waiting"][[i for i in np.flatnonzero(mask).tolist() if options[i]]] = False

    def seed(self, rows: Sequence[int] | NDArray[np.int64], seeds: Sequence[int]) -> None:
        """Begin the streams of params of some environments anew."""
        if len(rows):
            chances = self.memory.columns["chances"]
            chances[rows, :WORDS] = seeded_rows(seeds, _SPAWN_KEY).view(np.int64)
            chances[rows, WORDS] = 0

    def ready(self) -> None:
        """Seed the streams of params that were never seeded."""
        rows = np.flatnonzero(self.memory.columns["chances"][:, _INCREMENT] == 0).tolist()
        self.seed(rows, [self._seed_of(i) for i in rows])

    def _seed_of(self, i: int) -> int:
        """Returns the seed of an environment's generator; if that is unknown, a number from a copy of it."""
        seed = self._streams.seed_of(i)
        return int(self._streams.generator(i).integers(1 << 63)) if seed is None or seed < 0 else seed

    def infos(self, begun: Mask, rows: NDArray[np.int64] | None = None) -> dict[str, Any]:
        """Returns the own params of some rows (None for all), as far as they began an episode, as infos."""
        memory = self.memory
        info_params = memory.info_params if rows is None and begun is memory.columns["fresh"] else None
        if info_params is None:
            info_params = self._info_params(begun[slice(None) if rows is None else rows], rows)
        infos: dict[str, Any] = {}
        named = self._named(memory.plan)
        for k, (name, mask_name, is_held) in enumerate(named):
            mask = info_params[len(named) + k]
            if not is_held or mask.any():
                infos[name], infos[mask_name] = info_params[k], mask
        return {"params": infos, "_params": info_params[-1]} if infos else {}

    def _named(self, plan: Plan) -> list[tuple[str, str, bool]]:
        """Returns each own param's name and that of its mask in infos, and whether it is set rather than drawn.

        They are in the order of the plan.
        """
        if self._known is None or self._known[0] is not plan:
            names = {place: name for name, place in self._attributes.own.items()}
            self._known = plan, [(names[place], f"_{names[place]}", place in plan.held) for place in plan.own]
        return self._known[1]

    def _info_params(self, begun: Mask, rows: NDArray[np.int64] | None) -> list[NDArray[Any]]:
        """Returns what `Memory.info_params` has, of some rows."""
        memory, plan, at = self.memory, self.memory.plan, slice(None) if rows is None else rows
        masks = [begun & (memory.columns[f"held{k}"][at] if k in plan.held else True) for k in plan.own]
        columns = [memory.columns[f"params{k}"][at] for k in plan.own]
        info_params = [
            np.where(mask, rows, np.zeros((), rows.dtype)) for mask, rows in zip(masks, columns, strict=True)
        ]
        return [*info_params, *masks, np.logical_or.reduce([begun & bool(plan.draws), *masks])]

    def draw_again(self, i: int) -> None:
        """Draw in Python the params of the next episode of environment i, and drop them; raises what a draw raises."""
        if self._randomization is not None:
            state = own_state(self.memory.columns, self._attributes.own, i)
            rng = Stream(generator_in(state["stream"]).bit_generator)
            for draw in self._randomization.draws(self._template(i), i, self.memory.n):
                draw.sample(rng, state["episode"])

    def now(self, name: str) -> NDArray[Any] | list[Any]:
        """Returns the value of a param in each environment."""
        if name in self._attributes.own:
            return self.memory.columns[f"params{self._attributes.own[name]}"]
        return [target_of(self._template(i), name).get() for i in range(self.memory.n)]

    def settings(self) -> Settings:
        """Returns what `put_settings` takes."""
        plan = self.memory.plan
        held = tuple(name for name, place in self._attributes.own.items() if place in plan.held)
        return Settings(self._randomization, self._runner.bounds, held, plan.started, plan.waits)

    def put_settings(self, settings: Settings) -> None:
        """Prepare the columns of another batch of these environments."""
        if settings.randomization is not None:
            self.draw(settings.randomization, settings.bounds)
        self.own(settings.held)
        if settings.waits:
            self._runner.wait_for(settings.started)

    def own(self, names: Sequence[str]) -> None:
        """Give params a column, if they have none."""
        tree = self.memory.plan.params
        new = {name: place_of(tree, name) for name in names if name not in self._attributes.own}
        if new:
            self._own(new)

    def put_state(self, i: int, state: Mapping[str, Any] | None) -> None:
        """Let an environment go on with the own params of a state, and with their stream."""
        values = dict((state or {}).get("values", {}))
        self.own(list(values))
        columns, base = self.memory.columns, self._attributes.base
        if not self._attributes.own:
            return
        for name, place in self._attributes.own.items():
            usual = getattr(base[i if len(base) > 1 else 0], name)
            columns[f"params{place}"][i] = values.get(name, usual)
            if place in self.memory.plan.held:
                columns[f"held{place}"][i] = name in values
        stream = None if state is None else state["stream"]
        columns["chances"][i] = 0
        if stream is not None:
            columns["chances"][i, :WORDS] = row_of(generator_in(stream).bit_generator).view(np.int64)
            columns["chances"][i, WORDS] = (state or {})["episode"]
        self.ready()

    def put_columns(self, columns: Mapping[str, NDArray[Any]], own: Mapping[str, int]) -> None:
        """Let all environments go on with the own params and waiting options of a batch's columns."""
        waiting = [name for name in columns if name.startswith("waiting")]
        if not {int(name[7:]) for name in waiting if name[7:]} <= set(range(len(values_in(self.memory.plan.params)))):
            raise ValueError("`set_state` expects waiting values of the params of these dynamics")
        if waiting and not self.memory.plan.waits:
            self._runner.wait_for(tuple(int(name[7:]) for name in waiting if name[7:]))
        if self.memory.plan.waits:
            self.memory.columns["waiting"][:] = False
        known = {name for name in self.memory.columns if name.startswith(BEGINNINGS[:-1])}
        if self._attributes.own == own and known <= columns.keys():
            for name in (*known, *waiting):
                self.memory.columns[name][:] = columns[name]
            return
        for i in range(self.memory.n):
            self.put_state(i, own_state(columns, own, i) if own else None)
        for name in waiting:
            self.memory.columns[name][:] = columns[name]


def own_state(columns: Mapping[str, NDArray[Any]], own: Mapping[str, int], i: int) -> dict[str, Any]:
    """Returns the own params of environment i and their stream, in the form of `Randomizer.get_state`."""
    values = {
        name: own_value(columns[f"params{place}"][i])
        for name, place in own.items()
        if f"held{place}" not in columns or columns[f"held{place}"][i]
    }
    drawn = [name for name, place in own.items() if f"held{place}" not in columns]
    chance = columns["chances"][i]
    stream = dict(generator_at(chance[:WORDS].view(np.uint64)).bit_generator.state)
    return {"drawn": drawn, "stream": stream, "episode": int(chance[WORDS]), "values": values}


def _key(options: dict[str, Any], i: int) -> Any:
    """Returns a key that equal options of environment i share; options without a hash have keys of their own."""
    key = tuple((name, type(value), value) for name, value in options.items()), i
    try:
        hash(key)
    except TypeError:
        return object()
    return key
