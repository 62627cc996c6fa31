"""The text mode of the toy environments, exactly."""

from __future__ import annotations

import pytest

from gymnasium.envs.toy_text.drawing import cliffwalking, frozen_lake, taxi
from tests.gymnasium.rendering.scenes import PATH, SMALL_LAKE, Scene, lake, town

RED = "\x1b[41m{}\x1b[0m"
YELLOW = "\x1b[43m{}\x1b[0m"
GREEN = "\x1b[42m{}\x1b[0m"
BLUE = "\x1b[34;1m{}\x1b[0m"
MAGENTA = "\x1b[35m{}\x1b[0m"


def test_frozen_lake_after_reset() -> None:
    expected = "\n" + RED.format("S") + "FFF\nFHFH\nFFFH\nHFFG\n"
    assert frozen_lake.text(Scene(s=0, lastaction=-1), SMALL_LAKE) == expected


@pytest.mark.parametrize(("action", "name"), list(enumerate(["Left", "Down", "Right", "Up"])))
def test_frozen_lake_after_an_action(action, name) -> None:
    expected = f"  ({name})\nSFF\nF{RED.format('H')}G\n"
    assert frozen_lake.text(Scene(s=4, lastaction=action), lake("SFF", "FHG")) == expected


def test_cliff_walking_at_the_start() -> None:
    free = "  ".join("o" * 12) + "\n"
    cliff = "x  " + "  ".join("C" * 10) + "  T\n"
    assert cliffwalking.text(Scene(s=36, lastaction=-1), PATH) == free * 3 + cliff + "\n"


def test_cliff_walking_on_the_way_and_at_the_goal() -> None:
    free = "  ".join("o" * 12) + "\n"
    cliff = "o  " + "  ".join("C" * 10)
    way = "o  x  " + "  ".join("o" * 10) + "\n"
    assert cliffwalking.text(Scene(s=13, lastaction=1), PATH) == free + way + free + cliff + "  T\n\n"
    assert cliffwalking.text(Scene(s=47, lastaction=2), PATH) == free * 3 + cliff + "  x\n\n"


def test_taxi_with_a_waiting_passenger() -> None:
    r, b, here = BLUE.format("R"), MAGENTA.format("B"), YELLOW.format(" ")
    expected = f"+---------+\n|{r}: | : :G|\n| : | : : |\n| : :{here}: : |\n| | : | : |\n|Y| : |{b}: |\n+---------+\n\n"
    assert taxi.text(town(2, 2, 0, 3), None) == expected


def test_taxi_with_a_passenger_in_it() -> None:
    g, here = MAGENTA.format("G"), GREEN.format("_")
    expected = (
        f"+---------+\n|R: | : :{g}|\n| : | : : |\n| : : : : |\n| | : | :{here}|\n|Y| : |B: |\n+---------+\n  (East)\n"
    )
    assert taxi.text(town(3, 4, 4, 1, lastaction=2), None) == expected


def test_taxi_carrying_onto_a_letter_keeps_the_letter() -> None:
    y = MAGENTA.format(GREEN.format("Y"))
    assert f"|{y}| : |B: |\n" in taxi.text(town(4, 0, 4, 2), None)


def test_taxi_passenger_and_destination_on_one_cell_are_all_marked() -> None:
    assert BLUE.format(YELLOW.format("R")) in taxi.text(town(0, 0, 0, 3), None)
    assert MAGENTA.format(BLUE.format("G")) in taxi.text(town(2, 2, 1, 1), None)


@pytest.mark.parametrize(("action", "name"), list(enumerate(["South", "North", "East", "West", "Pickup", "Dropoff"])))
def test_taxi_names_the_last_action(action, name) -> None:
    assert taxi.text(town(2, 2, 0, 3, lastaction=action), None).endswith(f"+\n  ({name})\n")
