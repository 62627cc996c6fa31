"""One moment of each environment, as its drawing sees it."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

import numpy as np

from gymnasium.envs.classic_control.drawing import acrobot, cartpole, mountain_car, pendulum
from gymnasium.envs.toy_text.drawing import blackjack, cliffwalking, frozen_lake, taxi
from gymnasium.rendering import Canvas


class Scene(SimpleNamespace):
    """A state or the parameters of an environment."""

    def but(self, **changes: object) -> Scene:
        """The same with some fields changed."""
        return Scene(**(vars(self) | changes))


def lake(*rows: str) -> Scene:
    """The parameters of a map."""
    return Scene(desc=np.array([[ord(letter) for letter in row] for row in rows], np.uint8))


def town(row: int, column: int, passenger: int, destination: int, lastaction: int = -1, orientation: int = 0) -> Scene:
    """A state of the taxi."""
    return Scene(
        s=((row * 5 + column) * 5 + passenger) * 4 + destination, lastaction=lastaction, orientation=orientation
    )


def table(player: tuple[int, ...], dealer: tuple[int, ...], suit: int = 0, face: int = 0) -> Scene:
    """A state of Blackjack."""
    hands = np.zeros((2, 22), np.int64)
    hands[0, : len(player)], hands[1, : len(dealer)] = player, dealer
    return Scene(player=hands[0], n_player=len(player), dealer=hands[1], n_dealer=len(dealer), suit=suit, face=face)


SMALL_LAKE = lake("SFFF", "FHFH", "FFFH", "HFFG")
VALLEY = Scene(min_position=-1.2, max_position=0.6, goal_position=0.5)
CART = Scene(length=0.5, x_threshold=2.4)
PATH = Scene(cliff=np.isin(np.arange(48), range(37, 47)).reshape(4, 12), start=Scene(states=(36, 0)))
LINKS = Scene(link_length_1=1.0, link_length_2=1.0)

# name: drawing, state, params, (width, height)
SCENES: dict[str, tuple[ModuleType, Scene, Scene, tuple[int, int]]] = {
    "cartpole": (cartpole, Scene(x=0.0, theta=0.1), CART, (600, 400)),
    "mountain_car": (mountain_car, Scene(position=-0.5), VALLEY, (600, 400)),
    "pendulum": (pendulum, Scene(theta=1.0, last_u=0.0), Scene(), (500, 500)),
    "acrobot": (acrobot, Scene(theta1=0.1, theta2=0.2), LINKS, (500, 500)),
    "frozen_lake": (frozen_lake, Scene(s=0, lastaction=-1), SMALL_LAKE, (256, 256)),
    "cliffwalking": (cliffwalking, Scene(s=36, lastaction=-1), PATH, (768, 256)),
    "taxi": (taxi, town(2, 2, 0, 3), Scene(), (536, 456)),
    "blackjack": (blackjack, table((10, 5), (10, 6)), Scene(), (384, 376)),
}


def picture(name: str, state: Scene | None = None, params: Scene | None = None) -> np.ndarray:
    """The pixels of a scene, with another state or other parameters if given."""
    drawing, usual, usual_params, _ = SCENES[name]
    params = params or usual_params
    canvas = Canvas(*drawing.size(params))
    drawing.draw(canvas, state or usual, params)
    return canvas.pixels()


def _hand(card: int, suit: int, face: int = 0, ace: bool = False) -> tuple[str, Scene, None]:
    return "blackjack", table((10, 1) if ace else (card, 6), (card, 6), suit, face), None


# Together they show all that is ever drawn: environment, state, params (None: those of `SCENES`).
MOMENTS: list[tuple[str, Scene | None, Scene | None]] = [
    *((name, None, None) for name in SCENES),
    ("cartpole", Scene(x=-2.3, theta=-0.2), Scene(length=0.8, x_threshold=30.0)),
    ("mountain_car", Scene(position=0.45), Scene(min_position=-1.4, max_position=0.7, goal_position=0.4)),
    ("pendulum", Scene(theta=-2.0, last_u=1.2), None),
    ("pendulum", Scene(theta=3.0, last_u=-2.0), None),
    ("acrobot", Scene(theta1=2.5, theta2=-1.2), Scene(link_length_1=0.8, link_length_2=1.1)),
    *(("frozen_lake", Scene(s=s, lastaction=action), None) for s, action in ((4, 0), (5, 1), (2, 2), (14, 3))),
    ("frozen_lake", Scene(s=30, lastaction=2), lake(*["SFFHFFFFHF"] * 10)),
    *(("cliffwalking", Scene(s=s, lastaction=action), None) for s, action in ((24, 0), (12, 2), (23, 3), (47, 1))),
    *(("taxi", town(0, 4, stand, 3 - stand, stand, stand), None) for stand in range(4)),
    ("taxi", town(3, 1, 4, 1, 1, 1), None),
    *(_hand(card, card % 4) for card in range(2, 10)),
    *(_hand(10, suit, suit % 3) for suit in range(4)),
    _hand(1, 3, ace=True),
]
