"""Each broken environment is caught by the ids it should be, and by no other; the sound ones by none."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from gymnasium.core import Wrapper
from gymnasium.envs.registration import registry
from gymnasium.error import DependencyNotInstalled, Error
from gymnasium.specs import EnvSpec
from gymnasium.utils.env_checker import RULES, check_env, find_problems
from palaestra.cli.families import condition, family_of
from tests.architecture.source import PACKAGE
from tests.checker_zoo import deeper, dynamics, renders, resets, spaces, steps
from tests.checker_zoo.sound import BROKEN, Sound

CAGES = (spaces, resets, steps, renders, deeper, dynamics)
# It says itself that it needs a mujoco below 3.
ELSEWHERE = {"Pusher-v4"}
OURS = [
    env_id
    for env_id, spec in registry.items()
    if condition(family_of(spec), spec).startswith("ready") and env_id not in ELSEWHERE
]
# What an environment of ours may be told: that a bound is infinite, an action not normalised; or what is not installed.
TASTE = {"G113", "G114", "G115", "G518"}


def spec_of(maker) -> EnvSpec:
    """The spec of an animal of the zoo."""
    return EnvSpec(f"zoo/{maker.__name__}-v0", entry_point=maker)


def ids(findings) -> set[str]:
    return {finding.id for finding in findings}


def test_the_zoo_is_large() -> None:
    """At least forty, each of its own kind."""
    assert len({maker for maker, _, _ in BROKEN}) == len(BROKEN) >= 40


@pytest.mark.parametrize(("maker", "rules", "deep"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_caught_by_its_ids(maker, rules: set[str], deep: bool) -> None:
    """The findings are exactly those it deserves."""
    findings = find_problems(spec_of(maker), deep=deep)

    assert ids(findings) == rules, findings


@pytest.mark.parametrize("maker", [maker for maker, _, deep in BROKEN if deep], ids=lambda maker: maker.__name__)
def test_deep_faults_need_deep_checks(maker) -> None:
    """They are not found in passing: this is what `deep` is for."""
    assert find_problems(spec_of(maker)) == []


def test_the_sound_one_is_left_alone() -> None:
    """Not even a note, however deep one looks."""
    assert find_problems(spec_of(Sound), deep=True) == []


@pytest.mark.parametrize("env_id", OURS)
@pytest.mark.filterwarnings("ignore:.*out of date:DeprecationWarning", "ignore:.*DISPLAY environment variable")
def test_ours_raise_no_false_alarm(env_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every environment of ours whose extra is installed is found to be well."""
    if family_of(registry[env_id]) == "mujoco":
        from tests.gymnasium.envs.mujoco.coarse import draw_coarsely, share_contexts  # which import the engine

        draw_coarsely(monkeypatch)
        share_contexts(monkeypatch)
    try:
        findings = find_problems(env_id)
    except DependencyNotInstalled as reason:
        pytest.skip(f"its extra is not installed: {reason}")

    assert ids(findings) <= TASTE, findings


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Pendulum-v1", "Taxi-v4", "LunarLander-v3", "phys2d/CartPole-v1"])
def test_ours_are_well_in_depth(env_id: str) -> None:
    """In other processes, copied, and rendered."""
    assert ids(find_problems(env_id, deep=True)) <= TASTE


def test_what_is_no_environment() -> None:
    """There is one finding, and it is not looked at further."""
    assert ids(find_problems(object())) == {"G001"}


def test_a_wrapped_environment() -> None:
    """It is checked all the same."""
    assert ids(find_problems(Wrapper(Sound()))) == {"G002", "G516"}


def test_an_environment_without_spec() -> None:
    """A note says what was left out."""
    assert [(found.id, found.severity) for found in find_problems(Sound())] == [("G516", "note")]


@cache
def _ids_in_the_source() -> set[str]:
    """The ids with which messages begin, and those of crashes."""
    sources = [path.read_text() for path in (PACKAGE / "utils").rglob("*.py") if path.name != "_rules.py"]
    return {rule for source in sources for rule in re.findall(r"\b(G\d{3})\b", source)}


def test_each_rule_is_in_use_and_each_id_has_a_rule() -> None:
    """No remedy without a check, no check without a remedy."""
    assert _ids_in_the_source() == set(RULES)


def test_each_rule_has_an_animal() -> None:
    """Save those of the whole, and of what is missing on the machine, which tests of their own try."""
    caught = {rule for _, rules, _ in BROKEN for rule in rules}

    assert set(RULES) - caught == {"G001", "G002", "G516", "G518"}


@pytest.mark.parametrize("cage", CAGES, ids=lambda cage: Path(cage.__file__).stem)
def test_no_animal_is_forgotten(cage) -> None:
    """A class without the decorator would be checked by nothing."""
    public = {
        thing for name, thing in vars(cage).items() if isinstance(thing, type) and thing.__module__ == cage.__name__
    }
    listed = {maker for maker, _, _ in BROKEN}

    assert {thing for thing in public if not thing.__name__.startswith("_")} <= listed


@pytest.mark.parametrize(
    ("maker", "kind"),
    [
        (spaces.NoActionSpace, AttributeError),
        (spaces.SpaceIsAList, TypeError),
        (spaces.DiscreteOfNothing, AssertionError),
        (resets.NoSeed, Error),
        (resets.NoOptions, Error),
        (resets.StartFromAnotherGenerator, AssertionError),
        (steps.StepOfThree, Error),
        (steps.StepReturnsAList, AssertionError),
        (steps.ObservationReused, AssertionError),
    ],
    ids=lambda value: value.__name__,
)
@pytest.mark.filterwarnings("ignore")
def test_check_env_raises_what_the_interface_names(maker, kind: type[Exception]) -> None:
    """The text begins with the id of the rule."""
    with pytest.raises(kind, match=r"^G\d{3}: ") as caught:
        check_env(maker())

    assert type(caught.value) is kind
