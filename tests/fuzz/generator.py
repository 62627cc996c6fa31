"""Random dynamics as the text of a module. A program is told by its profile, seed and index."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from textwrap import dedent
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional.boundary import action_reader
from gymnasium.functional.stream import Stream
from tests.fuzz import words_lanes, words_refused, words_tame, words_wild
from tests.fuzz.duel import Setting, settings_of
from tests.fuzz.grammar import Grammar
from tests.fuzz.helpers import add_helpers
from tests.fuzz.samples import Body, in_function, kind_of
from tests.fuzz.setup import HEADER, MOVES, Setup, setup_of, zero_of
from tests.fuzz.views import Views, views_of
from tests.fuzz.words_blocks import TAME, Block
from tests.fuzz.words_odd_blocks import ALIASES, WILD
from tests.fuzz.words_wild_arrays import ANY_ARRAYS

PROFILES = ("tame", "lanes", "wild")
SAMPLES = 12  # of the state, on which statements are tried
WARM = 6  # steps before the first sample
STATEMENTS = {"tame": 26, "lanes": 22, "wild": 12}


class Program(NamedTuple):
    """A module with a `FuncEnv` named `Program`, and how it is run."""

    name: str
    source: str
    settings: list[Setting]
    results: int  # fields of the state that hold what an expression gives


@dataclass
class _Writer:
    """Writes one program."""

    rng: random.Random
    profile: str
    setup: Setup
    results: dict[str, str]  # names and kinds
    helpers: list[str]
    begin: str = ""  # statements of `initial`

    @property
    def tame(self) -> bool:
        return self.profile != "wild"

    def head(self) -> str:
        fields = [(driver.name, driver.kind) for driver in self.setup.drivers] + list(self.results.items())
        state = "\n".join(f"    {name}: {_annotation(kind)}" for name, kind in fields)
        params = "\n".join(f"    {name}: Any = {default}" for name, default in self.setup.params)
        inner = "class Inner(NamedTuple):\n    a: float\n    b: int\n    c: Any"
        parts = (
            "\n".join(self.setup.constants),
            inner,
            f"class Params(NamedTuple):\n{params}",
            f"class State(NamedTuple):\n{state}",
            *self.helpers,
        )
        return HEADER + "\n" + "\n\n\n".join(parts)

    def source(self, transition: str, views: Views) -> str:
        begun = [driver.begin for driver in self.setup.drivers] + [zero_of(kind) for kind in self.results.values()]
        names = [driver.name for driver in self.setup.drivers] + list(self.results)
        functions = [
            _function("initial", "rng, params", f"{self.begin}\nreturn State({', '.join(begun)})".lstrip()),
            _function("transition", "state, action, rng, params", f"{transition}\nreturn State({', '.join(names)})"),
            _function("observation", "state, rng, params", views.observation),
            _function("reward", "state, action, next_state, rng, params", views.reward),
            _function("terminal", "state, rng, params", views.terminal),
        ]
        if views.begin_info:
            functions.append(_function("state_info", "state, params", views.begin_info))
        if views.info:
            functions.append(_function("transition_info", "state, action, next_state, params", views.info))
        made = "    def get_default_params(self, **kwargs):\n        return Params(**kwargs)"
        spaces = f"    observation_space = {views.space}\n    action_space = {self.setup.action_space}"
        dynamics = "\n\n".join([f"class Program(FuncEnv):\n{spaces}", made, *functions])
        return f"{self.head()}\n\n\n{dynamics}\n"


def program(profile: str, seed: int, index: int) -> Program:
    """Returns the program of these numbers."""
    name = f"{profile}-{seed}-{index}"
    rng = random.Random(name)
    lanes = profile == "lanes"
    edges = rng.random() < (0.25 if profile == "tame" else 0.5)
    setup = setup_of(rng, lanes, edges, profile == "wild")
    if profile == "wild":
        setup.params.append(("mixed", "(1, 2.5, -3)"))
        setup.seen.append("params.mixed")
    writer = _Writer(rng, profile, setup, {}, [] if lanes else [MOVES])
    words = words_lanes if lanes else words_tame
    wild = words_wild.ANY if profile == "wild" else ()
    grammar = Grammar(rng, words.FLOATS, words.INTS, words.BOOLS, wild, edges and profile == "wild")
    if lanes:
        grammar.wrapped["ip"] = "($i % 7 + 1)"
    helper_words = [] if lanes else add_helpers(grammar, writer.helpers)
    _add_beginning(writer, grammar)
    body = Body(grammar, _moving(writer), writer.tame)
    body.see(setup.seen)
    body.see(f"state.{driver.name}" for driver in setup.drivers)
    for driver in setup.drivers:
        body.add_known(driver.move, driver.name)
    _add_results(writer, body, helper_words)
    views = views_of(rng, profile, grammar, _full(writer, body), list(writer.results.items()), setup)
    settings = list(settings_of(rng))
    if setup.tuning:
        settings[0] = replace(settings[0], params=tuple(setup.tuning))
    return Program(name, writer.source(body.text, views), settings, len(writer.results))


def _annotation(kind: str) -> str:
    return {"f": "float", "i": "int", "b": "bool"}.get(kind, "Any")


def _function(name: str, arguments: str, body: str) -> str:
    text = in_function(dedent(body))
    return f"    @staticmethod\n    def {name}({arguments}):\n{text}"


def loaded(source: str) -> dict[str, Any]:
    """Returns the namespace of a module's text."""
    namespace: dict[str, Any] = {"__name__": "sample"}
    exec(compile(source, "<sample>", "exec", dont_inherit=True), namespace)
    return namespace


def _add_beginning(writer: _Writer, grammar: Grammar) -> None:
    """Let some fields of the first state be what a statement gives."""
    params = loaded(writer.head())
    samples = [{**params, "params": params["Params"](), "rng": Stream(np.random.PCG64(k))} for k in range(SAMPLES)]
    body = Body(grammar, samples, writer.tame)
    body.see(text for text in writer.setup.seen if not text.startswith("action"))
    lanes = writer.profile == "lanes"
    words: Any = words_lanes if lanes else words_tame
    for driver in writer.setup.drivers:
        if driver.kind in ("f", "i") and writer.rng.random() < 0.35:
            name, plain = f"first_{driver.name}", words.FLOATS if driver.kind == "f" else words.INTS
            template = writer.rng.choice(plain if lanes or writer.rng.random() < 0.6 else TAME)
            if body.add(template, name) and body.grammar.items[-1] == (name, driver.kind):
                driver.begin = name
    writer.begin = body.text
    grammar.items.clear()


def _moving(writer: _Writer) -> list[dict[str, Any]]:
    """Returns namespaces with states that the drivers alone have moved to, and actions."""
    moves = "\n".join(driver.move for driver in writer.setup.drivers)
    still = Views("Box(-1.0, 1.0, ())", "return 0.0", "return 0.0", "return False", "", "")
    namespace = loaded(writer.source(moves, still))
    return _played(namespace)


def _played(namespace: dict[str, Any]) -> list[dict[str, Any]]:
    kind = namespace["Program"]
    space, params = kind.action_space, namespace["Params"]()
    read = action_reader(space)
    space.seed(1)
    samples = []
    with np.errstate(all="ignore"):
        for k in range(SAMPLES):
            rng = Stream(np.random.PCG64(k))
            state = kind.initial(rng, params)
            for _ in range(WARM + k):
                state = kind.transition(state, read(space.sample()), rng, params)
            samples.append({**namespace, "state": state, "action": read(space.sample()), "rng": rng, "params": params})
    return samples


def _add_results(writer: _Writer, body: Body, helper_words: list[str | Block]) -> None:
    """Write statements, each of which gives a result a value that becomes a field of the state."""
    wanted = STATEMENTS[writer.profile]
    tries = 0
    while len(writer.results) < wanted and tries < 40 * wanted:
        tries += 1
        target = f"r{len(writer.results)}"
        template = _chosen(writer, helper_words)
        if body.add(template, target):
            values = [sample[target] for sample in body.samples if target in sample]
            writer.results[target] = kind_of(values[0])
        if len(writer.results) == wanted * 2 // 3:
            _see_results(writer, body)


def _see_results(writer: _Writer, body: Body) -> None:
    """Let what follows use the results of the step before, too."""
    names = [driver.name for driver in writer.setup.drivers] + list(writer.results)
    if any(f"state.{name}" == item.text for item in body.grammar.items for name in writer.results):
        return
    namespace = loaded(writer.head())
    for sample in body.samples:
        sample["state"] = namespace["State"](*(sample[name] for name in names))
        sample["State"] = namespace["State"]
    body.see(f"state.{name}" for name in writer.results)


def _chosen(writer: _Writer, helper_words: list[str | Block]) -> str | Block:
    rng = writer.rng
    chance = rng.random()
    if writer.profile == "lanes":
        words = words_lanes
        return rng.choice(words.RISKY if chance < 0.05 else rng.choice((words.FLOATS, words.INTS, words.BOOLS)))
    if helper_words and chance < 0.08:
        return rng.choice(helper_words)
    if writer.profile == "tame":
        if chance < 0.30:
            return rng.choice(TAME)
        plain: Any = words_refused if chance > 0.96 else words_tame
        return rng.choice(rng.choices((plain.FLOATS, plain.INTS, plain.BOOLS, plain.ARRAYS), (4, 3, 1, 4))[0])
    if chance < 0.15:
        return rng.choice(ALIASES)
    if chance < 0.35:
        return rng.choice(WILD)
    if chance < 0.45:
        return rng.choice(rng.choice((TAME, TAME, words_refused.BLOCKS)))
    if chance < 0.70:
        return rng.choice(rng.choice((ANY_ARRAYS, ANY_ARRAYS, words_tame.ARRAYS, words_refused.ARRAYS)))
    word = rng.choice(rng.choice((words_wild.ANY, words_wild.ANY, words_refused.FLOATS, words_refused.INTS)))
    if chance > 0.88:
        return Block(f"$r = {rng.choice(('0', '0.0', 'False'))}\nif $b:\n    $r = {word}", {})
    return word


def _full(writer: _Writer, body: Body) -> list[dict[str, Any]]:
    """Returns namespaces with the whole state, before and after a step."""
    namespace = loaded(writer.head())
    names = [driver.name for driver in writer.setup.drivers] + list(writer.results)
    samples = []
    for sample in body.samples:
        state = namespace["State"](*(sample[name] for name in names if name in sample))
        samples.append({**namespace, **{key: sample[key] for key in ("action", "rng", "params")}, "state": state})
    return [{**sample, "next_state": sample["state"]} for sample in samples]
