"""Comparing two environments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import make
from gymnasium.spaces import Discrete
from gymnasium.utils.env_match import check_environments_match
from gymnasium.wrappers import RescaleObservation
from tests.checker_zoo.sound import Sound


class OtherObservation(Sound):
    def observation(self) -> Any:
        return -super().observation()


class OtherReward(Sound):
    def reward(self) -> float:
        return 2.0


class EndsLater(Sound):
    def terminated(self) -> bool:
        return self.t >= 30


class Truncates(Sound):
    def truncated(self) -> bool:
        return self.t == 3


class NumpyFlags(Sound):
    def terminated(self) -> Any:
        return np.bool_(super().terminated())

    def truncated(self) -> Any:
        return np.bool_(super().truncated())


class OtherPicture(Sound):
    def render(self) -> Any:
        return super().render() + 1


class OtherInfo(Sound):
    def info(self) -> dict[str, Any]:
        return {"t": -self.t}


class MoreInfo(Sound):
    def info(self) -> dict[str, Any]:
        return {"t": self.t, "extra": 1}


class OtherSpace(Sound):
    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__(render_mode)
        self.action_space = Discrete(3)


def test_an_environment_matches_itself() -> None:
    """With and without what `make` puts around it, over several episodes, rendered."""
    check_environments_match(Sound("rgb_array"), Sound("rgb_array"), 50)
    cartpole = make("CartPole-v1")
    check_environments_match(cartpole, cartpole.unwrapped.__class__(), 60)


@pytest.mark.parametrize(
    ("other", "skip", "text"),
    [
        (OtherObservation, "skip_obs", "observation of the reset before"),
        (OtherReward, "skip_rew", "reward of step 0"),
        (Truncates, "skip_truncated", "truncated of step 2"),
        (OtherPicture, "skip_render", "rendering of the reset before"),
    ],
)
def test_a_difference_is_found_unless_skipped(other: type[Sound], skip: str, text: str) -> None:
    """The error says in what they differ, and when."""
    with pytest.raises(AssertionError, match=text):
        check_environments_match(Sound("rgb_array"), other("rgb_array"), 20)

    check_environments_match(Sound("rgb_array"), other("rgb_array"), 20, **{skip: True})


def test_another_end_is_found() -> None:
    """It can be skipped; both are reset when one of them is over."""
    with pytest.raises(AssertionError, match="terminated"):
        check_environments_match(Sound(), EndsLater(), 50)

    check_environments_match(Sound(), EndsLater(), 50, skip_terminal=True)


def test_observations_may_be_of_another_space_where_they_are_skipped() -> None:
    """A rescaled environment can be compared with its original."""
    rescaled = RescaleObservation(Sound(), 0, 10)
    with pytest.raises(AssertionError, match="observation_space"):
        check_environments_match(Sound(), rescaled, 20)

    check_environments_match(Sound(), rescaled, 20, skip_obs=True)


def test_flags_may_be_of_numpy() -> None:
    """Both kinds of bools say the same."""
    check_environments_match(Sound(), NumpyFlags(), 20)


def test_other_spaces() -> None:
    """Nothing runs then."""
    with pytest.raises(AssertionError, match="action_space"):
        check_environments_match(Sound(), OtherSpace(), 0)


@pytest.mark.parametrize(
    ("how", "other", "more", "less"),
    [
        ("equivalence", False, False, False),
        ("superset", False, True, False),
        ("skip", True, True, True),
        ("keys-equivalence", True, False, False),
        ("keys-superset", True, True, False),
    ],
)
def test_infos(how: str, other: bool, more: bool, less: bool) -> None:
    """Other values, more in the second, and less in it, pass as the comparison says."""
    pairs = [(Sound(), OtherInfo(), other), (Sound(), MoreInfo(), more), (MoreInfo(), Sound(), less)]

    for a, b, passes in pairs:
        if passes:
            check_environments_match(a, b, 10, info_comparison=how)
        else:
            with pytest.raises(AssertionError, match=r"info"):
                check_environments_match(a, b, 10, info_comparison=how)


def test_an_unknown_comparison() -> None:
    """The error lists those there are."""
    with pytest.raises(AssertionError, match="keys-superset"):
        check_environments_match(Sound(), Sound(), 1, info_comparison="roughly")
