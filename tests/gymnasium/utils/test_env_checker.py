"""The checker's interface; what it catches is tried in tests/checker_zoo."""

from __future__ import annotations

import threading
import warnings
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from gymnasium import logger
from gymnasium.core import Env, Wrapper
from gymnasium.envs.registration import make
from gymnasium.error import Error, NameNotFound
from gymnasium.spaces import Box, Dict, Discrete, Tuple
from gymnasium.specs import EnvSpec
from gymnasium.utils.env_checker import (
    RULES,
    check_env,
    check_reset_options,
    check_reset_return_info_deprecation,
    check_reset_return_type,
    check_reset_seed_determinism,
    check_returned_data_not_reused,
    check_seed_deprecation,
    check_space_limit,
    check_step_determinism,
    data_equivalence,
    find_problems,
)
from tests.checker_zoo import resets, steps
from tests.checker_zoo.sound import Sound

EQUAL = [
    (1, 1),
    ({"a": np.zeros(2)}, {"a": np.zeros(2)}),
    ((1, [np.int8(2)]), (1, [np.int8(2)])),
    (float("nan"), float("nan")),
    (np.array([1.0, np.nan]), np.array([1.0, np.nan])),
    (np.array([{}, "x"], object), np.array([{}, "x"], object)),
    (np.array(["a"]), np.array(["a"])),
]
UNEQUAL = [
    (1, 1.0),
    (1, 2),
    ({"a": 1}, {"b": 1}),
    ({"a": 1}, {"a": 1, "b": 2}),
    ((1, 2), (1,)),
    ((1,), [1]),
    (np.zeros(2), np.zeros((2, 1))),
    (np.zeros(2, np.float32), np.zeros(2, np.float64)),
    (np.array([1.0]), np.array([1.1])),
    (np.array([1, "x"], object), np.array([1, "y"], object)),
    (np.array(["a"]), np.array(["b"])),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
@pytest.mark.parametrize("exact", [True, False])
def test_equal_data(a: Any, b: Any, exact: bool) -> None:
    """The same came twice; that is also so for NaN."""
    assert data_equivalence(a, b, exact)
    assert data_equivalence(a, deepcopy(a), exact)


@pytest.mark.parametrize(("a", "b"), UNEQUAL)
@pytest.mark.parametrize("exact", [True, False])
def test_unequal_data(a: Any, b: Any, exact: bool) -> None:
    """Types count as much as values."""
    assert not data_equivalence(a, b, exact)


def test_nearly_equal_arrays() -> None:
    """They are so only if that will do."""
    a, b = np.array([1.0]), np.array([1.000001])

    assert data_equivalence(a, b)
    assert not data_equivalence(a, b, exact=True)


def test_a_sound_environment_passes() -> None:
    """Without a warning, since in these tests one would be an error."""
    check_env(make(EnvSpec("Sound-v0", entry_point=Sound)).unwrapped)


def test_its_single_checks_pass() -> None:
    """Each can be called by itself."""
    for check in (
        check_seed_deprecation,
        check_reset_return_info_deprecation,
        check_reset_return_type,
        check_reset_seed_determinism,
        check_reset_options,
        check_step_determinism,
        check_returned_data_not_reused,
    ):
        check(Sound())


@pytest.mark.parametrize(
    ("maker", "check", "kind"),
    [
        (resets.NoSeed, check_reset_seed_determinism, Error),
        (resets.SeedOfAnotherType, check_reset_seed_determinism, AssertionError),
        (resets.NoOptions, check_reset_options, Error),
        (resets.OptionsWithoutDefault, check_reset_options, AssertionError),
        (resets.ResetOfThree, check_reset_return_type, AssertionError),
        (resets.ResetInfoIsAList, check_reset_return_type, AssertionError),
        (steps.RewardFromAnotherGenerator, check_step_determinism, AssertionError),
        (steps.TruncatedAtOnce, check_step_determinism, AssertionError),
        (steps.StepOfFour, check_step_determinism, Error),
        (steps.InfoReused, check_returned_data_not_reused, AssertionError),
    ],
)
def test_single_checks_raise(maker: type[Sound], check: Any, kind: type[Exception]) -> None:
    """The type is the one that the interface names."""
    with pytest.raises(kind, match=r"^G\d{3}: "):
        check(maker())


@pytest.mark.parametrize(
    ("maker", "check"),
    [
        (resets.SeedMethod, check_seed_deprecation),
        (resets.ReturnInfo, check_reset_return_info_deprecation),
        (resets.SeedWithADefault, check_reset_seed_determinism),
        (resets.StartNearlyTheSame, check_reset_seed_determinism),
    ],
)
def test_single_checks_warn(maker: type[Sound], check: Any) -> None:
    """Of what is merely unwise."""
    with pytest.warns(UserWarning, match=r"G2\d\d: "):
        check(maker())


def test_a_spec_can_excuse_from_determinism() -> None:
    """Equal seeds promise nothing then."""
    spec = EnvSpec("Noisy-v0", entry_point=steps.NoiseFromAnotherGenerator, nondeterministic=True)

    check_step_determinism(make(spec).unwrapped)
    assert find_problems(spec, deep=True) == []


def test_check_env_takes_environments_only() -> None:
    """A class is none."""
    with pytest.raises(TypeError, match="G001"):
        check_env(Sound)  # type: ignore[arg-type]


def test_check_env_warns_of_wrappers_and_of_the_old_argument() -> None:
    """And checks nevertheless."""
    with pytest.warns(UserWarning, match="G002"), pytest.warns(UserWarning, match="G516"):
        check_env(Wrapper(Sound()))
    with pytest.warns(UserWarning, match="`warn`"):
        check_env(make(EnvSpec("Sound-v0", entry_point=Sound)).unwrapped, warn=True)


def test_check_env_without_spec_can_leave_rendering_out() -> None:
    """Then there is nothing to warn of."""
    check_env(Sound(), skip_render_check=True)


@pytest.mark.parametrize("library", ["jax", "torch"])
def test_an_environment_of_another_library(library: str) -> None:
    """It is checked as one of NumPy's."""
    pytest.importorskip(library)

    class Foreign(Sound):
        metadata = {**Sound.metadata, library: True}

        def step(self, action: Any) -> Any:
            assert not isinstance(action, np.generic)
            return super().step(int(action))

        def observation(self) -> Any:
            array = super().observation()
            if library == "torch":
                return pytest.importorskip("torch").from_numpy(array)
            return pytest.importorskip("jax").numpy.asarray(array)

    findings = find_problems(Foreign())

    assert {finding.id for finding in findings} == {"G516"}, findings


@pytest.mark.parametrize(
    ("space", "space_type", "rules"),
    [
        (Box(-1, 1, (2,)), "action", []),
        (Box(0, 1, (2,)), "action", []),
        (Box(-1, 0.5, (2,)), "action", ["G115"]),
        (Box(0, 2, (2,)), "action", ["G115"]),
        (Box(-2, 2, (2, 2)), "action", []),
        (Box(0, 255, (2,), np.uint8), "observation", []),
        (Box(-np.inf, 1, (2,)), "observation", ["G113"]),
        (Tuple((Dict(a=Box(-1, np.inf, (1,))),)), "observation", ["G114"]),
    ],
)
def test_limits_of_spaces(space: Any, space_type: str, rules: list[str]) -> None:
    """Vectors of actions are best normalised, and all is best bounded."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_space_limit(space, space_type)

    assert [rule for warning in caught for rule in RULES if rule in str(warning.message)] == rules


def test_select_and_ignore() -> None:
    """By id, or by what ids begin with; what is ignored is so even if it is selected."""
    env = steps.RewardIsNan()

    assert [found.id for found in find_problems(env)] == ["G516", "G307"]
    assert [found.id for found in find_problems(env, select=["G3"])] == ["G307"]
    assert find_problems(env, select=["G30"], ignore=["G307"]) == []
    assert [found.id for found in find_problems(env, ignore=["G3"])] == ["G516"]
    for wrong in ("G9", "", "nan"):
        with pytest.raises(ValueError, match="no rule"):
            find_problems(env, select=[wrong])


def test_a_finding_says_what_to_do() -> None:
    """Id, severity, place, message and remedy."""
    (finding,) = find_problems(steps.RewardIsNan(), select=["G307"])

    assert (finding.id, finding.severity, finding.place) == ("G307", "error", "step")
    assert "NaN" in finding.message
    assert finding.remedy == RULES["G307"].remedy
    assert "\x1b" not in finding.message


def test_each_finding_comes_once() -> None:
    """However often it is met."""
    findings = find_problems(steps.ObservationOutside(), deep=True)

    assert [(found.id, found.place) for found in findings] == [("G408", "reset"), ("G516", "render"), ("G408", "step")]


def test_findings_do_not_depend_on_silence() -> None:
    """What a program hides from its users is still found; its setting is left as it was."""
    logger.min_level = logger.ERROR
    try:
        assert [found.id for found in find_problems(steps.RewardIsNan(), select=["G3"])] == ["G307"]
        assert logger.min_level == logger.ERROR
    finally:
        logger.min_level = logger.WARN


def test_warnings_of_the_environment_pass() -> None:
    """They are no findings, and are not lost."""

    class Warns(Sound):
        def reward(self) -> float:
            warnings.warn("units are miles", stacklevel=1)
            return 1.0

    with pytest.warns(UserWarning, match="miles"):
        assert find_problems(Warns(), ignore=["G516"]) == []


def test_an_unknown_id() -> None:
    """Is an error as that of `make`."""
    with pytest.raises(NameNotFound):
        find_problems("NoSuchThing-v0")


def test_what_was_made_is_closed() -> None:
    """And what was given is not."""
    closed = []

    class Closes(Sound):
        def close(self) -> None:
            closed.append(self)

    env = Closes()
    find_problems(env)
    assert env not in closed

    made: list[Any] = []
    find_problems(EnvSpec("Closes-v0", entry_point=lambda **kwargs: made.append(Closes(**kwargs)) or made[-1]))
    assert {id(env) for env in made} == {id(env) for env in closed}


def test_a_display_that_is_missing_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no fault of the environment."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)

    class Human(Sound):
        metadata = {"render_modes": ["human"], "render_fps": 10}

        def render(self) -> None:
            return None

    found = find_problems(EnvSpec("Human-v0", entry_point=Human))

    assert [(finding.id, finding.severity) for finding in found] == [("G518", "note")]


def test_a_process_that_cannot_follow() -> None:
    """An environment that works in one process only is an error, with the reason."""

    class Here(Sound):
        home = threading.get_native_id()

        def __init__(self, render_mode: str | None = None) -> None:
            super().__init__(render_mode)
            if threading.get_native_id() != self.home:
                raise RuntimeError("I do not know this place")

    (finding,) = find_problems(EnvSpec("Here-v0", entry_point=Here), deep=True)

    assert finding.id == "G701"
    assert "I do not know this place" in finding.message


@pytest.mark.parametrize("flag", [False, np.False_])
def test_a_flag_of_numpy_is_taken_by_its_value(flag: Any) -> None:
    class Counting(Sound):
        def terminated(self) -> Any:
            return flag

        def truncated(self) -> Any:
            return flag

    check_step_determinism(Counting())


def test_an_error_ends_with_the_remedy_of_its_rule() -> None:
    class Unseeded(Env):
        observation_space = Discrete(2)
        action_space = Discrete(2)

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict]:
            return 0, {}

    with pytest.raises(AssertionError) as raised:
        check_env(Unseeded())
    assert str(raised.value).startswith("G212: ")
    assert str(raised.value).endswith(f"; {RULES['G212'].remedy}")
