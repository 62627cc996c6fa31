"""What every drawing does, and what must look different in the pictures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gymnasium.envs.classic_control.drawing.cartpole import MARK_COLOR
from gymnasium.envs.toy_text.drawing import blackjack, taxi
from gymnasium.envs.toy_text.drawing.cards import BLACK, RED, card, card_back
from gymnasium.envs.toy_text.drawing.figures import SKIN
from gymnasium.envs.toy_text.drawing.taxi_figures import COAT, TAKEN_LIGHT
from gymnasium.rendering import Canvas
from tests.gymnasium.rendering.scenes import SCENES, Scene, lake, picture, table, town


def changed(before: np.ndarray, after: np.ndarray) -> tuple[int, int, int, int]:
    """The box in which two pictures differ: left, top, right, bottom."""
    rows, columns = np.nonzero((before != after).any(axis=2))
    assert rows.size, "the pictures are the same"
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


def holds(frame: np.ndarray, color: tuple[int, int, int]) -> int:
    """How many pixels have exactly this colour."""
    return int((frame == color).all(axis=2).sum())


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_has_the_documented_size(name) -> None:
    width, height = SCENES[name][3]
    assert picture(name).shape == (height, width, 3)
    assert picture(name).dtype == np.uint8


@pytest.mark.parametrize("name", SCENES)
def test_the_same_state_gives_the_same_picture_whatever_was_drawn_before(name) -> None:
    drawing, state, params, size = SCENES[name]
    used = Canvas(*size, background=(1, 2, 3))
    drawing.draw(used, state, params)
    drawing.draw(used, state, params)
    assert (used.pixels() == picture(name)).all()


@pytest.mark.parametrize("name", SCENES)
def test_drawing_changes_neither_state_nor_params(name) -> None:
    drawing, state, params, size = SCENES[name]
    before = repr(state), repr(params)
    drawing.draw(Canvas(*size), state, params)
    assert (repr(state), repr(params)) == before


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("cartpole", Scene(x=0.1, theta=0.1)),
        ("cartpole", Scene(x=0.0, theta=-0.1)),
        ("cartpole", Scene(x=np.float64(0.001), theta=np.float64(0.1))),
        ("mountain_car", Scene(position=-0.499)),
        ("mountain_car", Scene(position=np.float32(0.45))),
        ("pendulum", Scene(theta=1.01, last_u=0.0)),
        ("pendulum", Scene(theta=1.0, last_u=0.5)),
        ("acrobot", Scene(theta1=0.11, theta2=0.2)),
        ("acrobot", Scene(theta1=0.1, theta2=0.19)),
        ("frozen_lake", Scene(s=1, lastaction=-1)),
        ("frozen_lake", Scene(s=0, lastaction=0)),
        ("cliffwalking", Scene(s=24, lastaction=-1)),
        ("cliffwalking", Scene(s=36, lastaction=1)),
        ("taxi", town(2, 3, 0, 3)),
        ("taxi", town(2, 2, 1, 3)),
        ("taxi", town(2, 2, 4, 3)),
        ("taxi", town(2, 2, 0, 2)),
        ("taxi", town(2, 2, 0, 3, orientation=1)),
        ("blackjack", table((10, 6), (10, 6))),
        ("blackjack", table((10, 5), (9, 6))),
        ("blackjack", table((10, 5), (10, 6), suit=1)),
        ("blackjack", table((10, 5), (10, 6), face=1)),
    ],
)
def test_what_can_be_seen_of_a_state_is_seen(name, state) -> None:
    assert (picture(name, state) != picture(name)).any()


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("cartpole", Scene(length=1.0, x_threshold=2.4)),
        ("cartpole", Scene(length=0.5, x_threshold=4.8)),
        ("mountain_car", Scene(min_position=-1.2, max_position=0.6, goal_position=0.45)),
        ("acrobot", Scene(link_length_1=1.0, link_length_2=0.5)),
        ("frozen_lake", lake("SFFF", "FFFH", "FFFH", "HFFG")),
    ],
)
def test_what_can_be_seen_of_the_parameters_is_seen(name, params) -> None:
    assert (picture(name, params=params) != picture(name)).any()


def test_drawing_needs_no_display_and_no_sound() -> None:
    """In a fresh process without any SDL setting; of pygame, only the fonts are initialised."""
    hidden = [name for name in os.environ if name.startswith("SDL_") or "DISPLAY" in name]
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    program = """
from tests.gymnasium.rendering.scenes import SCENES, picture
for name in SCENES:
    picture(name)
import pygame
assert not pygame.display.get_init() and not pygame.get_init() and pygame.mixer.get_init() is None
"""
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", program], env=env, cwd=root, check=True, timeout=60)


EMPTY_TRACK = Scene(x=1e5, theta=0.0)


def test_a_clockwise_pole_leans_right() -> None:
    empty, leaning = picture("cartpole", EMPTY_TRACK), picture("cartpole", Scene(x=0.0, theta=0.5))
    left, _, right, _ = changed(empty[:280], leaning[:280])
    assert left > 295
    assert right > 350


def test_the_cart_is_where_the_state_says() -> None:
    """The track reaches from one side of the picture to the other, and the cart's middle is 300 pixels down."""
    empty = picture("cartpole", EMPTY_TRACK)
    for x in (-2.0, 0.0, 1.2):
        cart = np.s_[300:312]  # rows below the pole and above the wheels' middles
        left, _, right, _ = changed(empty[cart], picture("cartpole", Scene(x=x, theta=0.0))[cart])
        assert (left + right + 1) / 2 == pytest.approx(300 + x * 125, abs=1)
        assert right - left == pytest.approx(50, abs=2)


def test_a_cart_moves_by_less_than_a_pixel() -> None:
    frames = [picture("cartpole", Scene(x=part / 4 / 125, theta=0.0))[290:].tobytes() for part in range(4)]
    assert len(set(frames)) == 4


@pytest.mark.parametrize("far", [-1e5, 1e5])
def test_a_cart_beyond_the_track_can_be_drawn(far) -> None:
    assert (picture("cartpole", Scene(x=far, theta=40.0)) == picture("cartpole", EMPTY_TRACK)).all()


@pytest.mark.parametrize("x_threshold", [0.01, 1000.0, np.float32(2.4)])
def test_tracks_of_any_length_can_be_drawn(x_threshold) -> None:
    frame = picture("cartpole", Scene(x=0.0, theta=0.1), Scene(length=0.5, x_threshold=x_threshold))
    assert frame.shape == (400, 600, 3)


@pytest.mark.parametrize(("x_threshold", "marked"), [(24.0, True), (25.0, True), (25.1, False)])
def test_metres_are_marked_down_to_12_pixels(x_threshold, marked) -> None:
    frame = picture("cartpole", EMPTY_TRACK, Scene(length=0.5, x_threshold=x_threshold))
    assert (frame == MARK_COLOR).all(axis=2).any() == marked


def test_a_pendulum_leans_left_for_positive_angles() -> None:
    upright = picture("pendulum", Scene(theta=0.6, last_u=0.0))[:200]
    assert np.nonzero((upright != 255).any(axis=2))[1].max() < 250


def test_the_arrow_grows_with_the_torque_and_turns_with_it() -> None:
    none = picture("pendulum")
    arrows = {u: picture("pendulum", Scene(theta=1.0, last_u=u)) for u in (-2.0, 0.5, 2.0, 5.0)}
    boxes = {u: changed(none, arrow) for u, arrow in arrows.items()}
    assert boxes[0.5][2] - boxes[0.5][0] < boxes[2.0][2] - boxes[2.0][0]
    assert (arrows[2.0] == arrows[5.0]).all()  # clipped as the torque is
    assert (arrows[2.0] != arrows[-2.0]).any()


def test_an_acrobot_at_rest_hangs_down() -> None:
    hanging = picture("acrobot", Scene(theta1=0.0, theta2=0.0))
    rows, columns = np.nonzero((hanging[200:] != 255).any(axis=2))
    assert rows.max() + 200 > 450
    assert columns.min() > 230
    assert columns.max() < 270


@pytest.mark.parametrize("cell", range(16))
def test_only_the_agents_cell_of_the_lake_changes(cell) -> None:
    away = picture("frozen_lake", Scene(s=15 if cell < 8 else 0, lastaction=-1))
    here = picture("frozen_lake", Scene(s=cell, lastaction=-1))
    row, column = divmod(cell, 4)
    box = np.s_[row * 64 : row * 64 + 64, column * 64 : column * 64 + 64]
    assert (away[box] != here[box]).any()


def test_the_agent_is_hidden_in_a_hole() -> None:
    assert holds(picture("frozen_lake", Scene(s=4, lastaction=1)), SKIN) > 0
    assert holds(picture("frozen_lake", Scene(s=5, lastaction=1)), SKIN) == 0


@pytest.mark.parametrize(
    ("rows", "columns", "size"), [(8, 8, (512, 512)), (3, 5, (320, 192)), (20, 4, (256, 512)), (1, 600, (512, 64))]
)
def test_lakes_of_any_size_fit_the_window(rows, columns, size) -> None:
    params = lake("S" + "F" * (columns - 1), *["F" * (columns - 1) + "G"] * (rows - 1))
    frame = picture("frozen_lake", Scene(s=rows * columns - 1, lastaction=2), params)
    assert frame.shape == (size[1], size[0], 3)


@pytest.mark.parametrize("cell", [0, 11, 24, 36, 47])
def test_only_the_walkers_cell_of_the_cliff_changes(cell) -> None:
    away = picture("cliffwalking", Scene(s=18, lastaction=-1))
    here = picture("cliffwalking", Scene(s=cell, lastaction=-1))
    row, column = divmod(cell, 12)
    here[64:128, 6 * 64 : 7 * 64] = away[64:128, 6 * 64 : 7 * 64]
    left, top, right, bottom = changed(away, here)
    assert column * 64 <= left <= right < column * 64 + 64
    assert row * 64 <= top <= bottom < row * 64 + 64


def test_waiting_and_riding_look_different() -> None:
    """The passenger stands at the stand, or sits in a taxi whose light is green; the town stays."""

    def at_the_stand(frame: np.ndarray) -> np.ndarray:
        return frame[128:184, 48:136]

    waiting, riding = picture("taxi", town(2, 2, 0, 3)), picture("taxi", town(2, 2, 4, 3))
    assert holds(at_the_stand(waiting), COAT) > 20
    assert holds(at_the_stand(riding), COAT) == 0
    assert holds(waiting, TAKEN_LIGHT) == 0
    assert holds(riding, TAKEN_LIGHT) > 10


@pytest.mark.parametrize("orientation", range(4))
@pytest.mark.parametrize("stand", range(4))
def test_a_passenger_beside_the_taxi_is_seen(stand, orientation) -> None:
    row, column = taxi.STANDS[stand]
    frame = picture("taxi", town(row, column, stand, (stand + 1) % 4, orientation=orientation))
    assert holds(frame[128:], COAT) > 20


@pytest.mark.parametrize("stand", range(4))
def test_the_house_of_the_destination_stands_at_its_stand(stand) -> None:
    """Nothing in a destination's colour is near any stand but its own."""
    others = [picture("taxi", town(2, 2, 4, other)) for other in range(4) if other != stand]
    here = picture("taxi", town(2, 2, 4, stand))
    left, top = taxi._house(*taxi.STANDS[stand])
    house = (slice(int(top), int(top) + 48), slice(int(left), int(left) + 40))
    assert all((here[house] != other[house]).mean() > 0.3 for other in others)
    row, column = taxi.STANDS[stand]
    x, y = 48 + 88 * column, 128 + 56 * row
    assert x <= left <= left + 40 <= x + 88
    assert min(abs(top + 48 - y), abs(top - y - 56)) <= 4


def test_the_town_drawn_is_the_town_driven_in() -> None:
    """The drawing knows no dynamics, so it has a map of its own."""
    from gymnasium.envs.toy_text.taxi import MAP, STANDS

    assert list(taxi.TOWN) == MAP
    assert taxi.STANDS == STANDS


def test_a_taxi_has_four_headings() -> None:
    frames = [picture("taxi", town(2, 2, 0, 3, orientation=o)).tobytes() for o in range(4)]
    assert len(set(frames)) == 4


def test_all_cards_are_different() -> None:
    cards = [card(rank, suit) for rank in "A23456789JQK" for suit in "CDHS"] + [card_back()]
    assert {c.size for c in cards} == {(80, 112)}
    assert len({c.pixels().tobytes() for c in cards}) == 49


def test_diamonds_and_hearts_are_red() -> None:
    for rank in "A29JK":
        for suit in "DH":
            assert holds(card(rank, suit).pixels(), RED) > 30 > holds(card(rank, suit).pixels(), BLACK)
        for suit in "CS":
            assert holds(card(rank, suit).pixels(), BLACK) > 30


def test_the_hidden_card_stays_hidden() -> None:
    assert (picture("blackjack", table((10, 5), (10, 6))) == picture("blackjack", table((10, 5), (10, 2, 5)))).all()


def test_a_usable_ace_is_announced_and_counts_eleven() -> None:
    """A sum of 17 with an ace as 11 differs from a hard 17 by the announcement alone."""
    soft = picture("blackjack", table((1, 6), (9, 6)))
    hard = picture("blackjack", table((1, 6, 10), (9, 6)))
    _, top, _, _ = changed(soft, hard)
    assert top >= blackjack.USABLE_ACE_TOP


def test_the_table_can_be_drawn_without_a_state() -> None:
    canvas = Canvas(*blackjack.SCREEN_SIZE)
    blackjack.draw_table(canvas, 15, 10, "J", "C", False)
    assert (canvas.pixels() == picture("blackjack")).all()
