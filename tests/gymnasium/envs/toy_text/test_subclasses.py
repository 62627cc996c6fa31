"""Classes that people derive from the toy text environments: with constructors, maps and methods of their own."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.toy_text import BlackjackEnv, CliffWalkingEnv, FrozenLakeEnv, TaxiEnv
from gymnasium.envs.toy_text.cliffwalking import LEFT, RIGHT, UP
from gymnasium.spaces import Discrete, Tuple

MAP = ["SFF", "FHF", "FFG"]


class OwnLake(FrozenLakeEnv):
    """A lake without slipping whose constructor fills `P` and the first states in place."""

    def __init__(self, render_mode: str | None = None) -> None:
        self.desc = desc = np.asarray(MAP, "c")
        self.nrow, self.ncol = desc.shape
        self.initial_state_distrib = np.zeros(9)
        self.initial_state_distrib[[0, 2]] = 1.0
        self.initial_state_distrib /= 2
        self.P = {s: {a: [] for a in range(4)} for s in range(9)}
        for s in range(9):
            for a, (down, right) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
                row, column = min(max(s // 3 + down, 0), 2), min(max(s % 3 + right, 0), 2)
                letter = bytes(desc[row, column])
                reward = {b"G": 5.0, b"H": -5.0}.get(letter, -0.5)
                self.P[s][a].append((1.0, row * 3 + column, reward, letter in b"GH"))
        self.observation_space, self.action_space = Discrete(9), Discrete(4)
        self.render_mode = render_mode
        self.window_surface = self.clock = self.hole_img = self.elf_images = None


@pytest.mark.parametrize("copied", [lambda env: env, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_lake_with_a_constructor_of_its_own(copied: Any) -> None:
    env = copied(OwnLake("ansi"))
    assert {env.reset(seed=seed)[0] for seed in range(20)} == {0, 2}
    env.s = 0
    rows = [env.step(action)[:3] for action in (2, 2, 1, 1)]
    assert rows == [(1, -0.5, False), (2, -0.5, False), (5, -0.5, False), (8, 5.0, True)]
    assert env.render().splitlines()[0] == "  (Down)" and len(env.render().splitlines()) == 4
    picture = OwnLake("rgb_array")
    picture.reset(seed=1)
    assert picture.render().shape == (192, 192, 3)


class OwnBlackjack(BlackjackEnv):
    def __init__(self, render_mode: str | None = None) -> None:
        self.action_space = Discrete(2)
        self.observation_space = Tuple((Discrete(32), Discrete(11), Discrete(2)))
        self.natural, self.sab, self.render_mode = False, True, render_mode


class OwnTaxi(TaxiEnv):
    def __init__(self, render_mode: str | None = None) -> None:
        self.desc, self.locs = np.asarray(["x"], "c"), [(0, 0), (0, 4), (4, 0), (4, 3)]
        self.fickle_passenger, self.fickle_step, self.lastaction, self.taxi_orientation = False, False, None, 0
        self.action_space, self.observation_space = Discrete(6), Discrete(500)
        self.render_mode = render_mode


@pytest.mark.parametrize("kind", [OwnBlackjack, OwnTaxi])
def test_a_constructor_that_does_not_call_the_inherited_one_is_enough(kind: Any) -> None:
    env, usual = kind("rgb_array"), kind.__mro__[1](**({"sab": True} if kind is OwnBlackjack else {}))
    np.testing.assert_equal(env.reset(seed=3), usual.reset(seed=3))
    env.action_space.seed(1)
    for _ in range(10):
        action = env.action_space.sample()
        found, expected = env.step(action), usual.step(action)
        np.testing.assert_equal(found, expected)
        if found[2]:
            np.testing.assert_equal(env.reset(), usual.reset())
    assert env.render().ndim == 3


def test_a_map_changes_pictures_and_its_size() -> None:
    env = FrozenLakeEnv("ansi")
    env.reset(seed=1)
    env.desc = np.asarray(["SF", "FG"], "c")
    assert (env.nrow, env.ncol, env.window_size, env.cell_size) == (2, 2, (128, 128), (64, 64))
    assert env.render().splitlines()[2] == "FG"
    env.nrow = 7
    assert env.nrow == 7
    with pytest.raises(ValueError, match="a list of strings"):
        env.desc = np.asarray(b"S", "c")


class OwnCliff(CliffWalkingEnv):
    """Five rows, with a cliff in the third, whose transitions the inherited method computes."""

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode, self.shape, self.nS, self.nA = render_mode, (5, 6), 30, 4
        self.start_state_index = 24
        self._cliff = np.zeros(self.shape, bool)
        self._cliff[2, 1:-1] = True
        self.P = {}
        for s in range(self.nS):
            place = np.array(np.unravel_index(s, self.shape))
            self.P[s] = {a: self._calculate_transition_prob(place, a) for a in range(4)}
        self.initial_state_distrib = np.eye(30)[24]
        self.observation_space, self.action_space = Discrete(30), Discrete(4)


def test_a_cliff_of_another_shape_is_walked_and_drawn() -> None:
    env = OwnCliff("ansi")
    assert env.reset(seed=1)[0] == 24
    assert [env.step(a)[:3] for a in (RIGHT, UP, UP)] == [(25, -1, False), (19, -1, False), (24, -100, False)]
    lines = env.render().splitlines()
    assert [line.replace(" ", "") for line in lines[:5]] == ["oooooo", "oooooo", "oCCCCo", "oooooo", "xooooT"]
    assert env.window_size == (384, 320)
    picture = OwnCliff("rgb_array")
    picture.reset(seed=1)
    assert picture.render().shape == (320, 384, 3)


def test_the_inherited_method_gives_the_usual_transitions() -> None:
    for slippery in (False, True):
        env = CliffWalkingEnv(is_slippery=slippery)
        for s in range(48):
            for a in range(4):
                assert env._calculate_transition_prob(np.array(divmod(s, 12)), a) == env.P[s][a]


def test_a_mask_changed_in_place_belongs_to_one_environment() -> None:
    env, other = CliffWalkingEnv("ansi"), CliffWalkingEnv("ansi")
    env.reset(seed=1), other.reset(seed=1)
    env._cliff[:] = False
    assert "C" not in env.render() and "C" in other.render()
    with pytest.raises(ValueError, match="a mask of shape"):
        env._cliff = np.zeros(48, bool)


class Round(CliffWalkingEnv):
    def _limit_coordinates(self, coord: Any) -> Any:
        return np.array([min(max(coord[0], 0), 3), coord[1] % 12])


def test_a_world_that_is_round() -> None:
    env = Round()
    env.reset(seed=1)
    assert env.step(LEFT)[:3] == (47, -1, True)


class Tipping(TaxiEnv):
    def _dropoff(self, taxi_loc: Any, pass_idx: int, dest_idx: int, default_reward: float) -> Any:
        place, reward, ends = super()._dropoff(taxi_loc, pass_idx, dest_idx, default_reward)
        return place, reward * 2, ends


class NoEast(TaxiEnv):
    def _calc_new_position(self, row: int, col: int, movement: Any) -> tuple[int, int]:
        return (row, col) if tuple(movement) == (0, 1) else super()._calc_new_position(row, col, movement)


class Usual(TaxiEnv):
    """All methods are overridden, and none otherwise."""

    def _build_dry_transitions(self, *args: Any) -> None:
        super()._build_dry_transitions(*args)

    def _pickup(self, *args: Any) -> Any:
        return super()._pickup(*args)


@pytest.mark.parametrize("is_rainy", [False, True])
def test_taxis_transitions_are_made_by_its_methods(is_rainy: bool) -> None:
    usual = TaxiEnv(is_rainy=is_rainy).P
    assert usual == Usual(is_rainy=is_rainy).P
    assert {row[5][0][2] for row in Tipping(is_rainy=is_rainy).P.values()} == {40, -2, -20}
    assert (usual == NoEast(is_rainy=is_rainy).P) != is_rainy


def test_taxi_tells_where_a_field_is_drawn() -> None:
    assert [TaxiEnv().get_surf_loc(place) for place in ((0, 0), (1, 2), (4, 3))] == [(48, 128), (224, 184), (312, 352)]
    assert TaxiEnv(rainy_probability=0.6)._rainy_lateral_probability == 0.2


class Drawn(FrozenLakeEnv):
    def _render_text(self) -> str:
        return "mine"

    def _render_gui(self, mode: Any) -> Any:
        return super()._render_gui(mode)[:10]


def test_render_calls_the_methods_that_draw() -> None:
    text, picture = Drawn("ansi"), Drawn("rgb_array")
    text.reset(seed=1), picture.reset(seed=1)
    assert text.render() == "mine" and picture.render().shape == (10, 256, 3)
    assert FrozenLakeEnv._center_small_rect((10, 20, 100, 50), (40, 30)) == (40.0, 30.0)


def test_the_look_of_the_dealers_card_can_be_assigned() -> None:
    env = BlackjackEnv()
    env.reset(seed=1)
    env.dealer = [10, 3]
    env.dealer_top_card_suit, env.dealer_top_card_value_str = "H", "K"
    assert (env.dealer_top_card_suit, env.dealer_top_card_value_str) == ("H", "K")
    with pytest.raises(ValueError, match="counts 10, so it cannot look like '7'"):
        env.dealer_top_card_value_str = "7"
    with pytest.raises(ValueError, match="A suit is one of C, D, H, S"):
        env.dealer_top_card_suit = "X"
