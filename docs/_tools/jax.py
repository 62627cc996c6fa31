"""Environments under JAX: the dynamics of classic control and toy text as programs for a device."""

from __future__ import annotations

from docs._tools.page import Family, Page

_INTRO = (
    "`reset` and `step` return JAX arrays, on the device where they were computed; `make_vec` makes one jitted program "
    "of all copies. A single environment spends its time on passing work to the device: make thousands, or use "
    "[{}](/gymnasium/environments/{}/index.md) instead, which has the same dynamics for NumPy."
)

PHYS2D = Family(
    "phys2d",
    "Classic control under JAX",
    "jax",
    _INTRO.format("classic control", "classic_control"),
    (
        Page(
            "phys2d/CartPole-v1",
            "[CartPole](../classic_control/cart_pole.md) for a device. Its constants are arguments, so that a batch "
            "can be made of other poles.",
            ("push the cart to the left", "push the cart to the right"),
            ("position of the cart, m", "velocity of the cart, m/s", "angle of the pole, rad", "its velocity, rad/s"),
            "the cart is more than 2.4 m from the middle, or the pole more than 12 degrees from upright",
            steps=12,
        ),
        Page(
            "phys2d/Pendulum-v0",
            "[Pendulum](../classic_control/pendulum.md) for a device.",
            ("torque, N m, counter-clockwise",),
            ("cosine of the angle; 1 is upright", "sine of the angle", "velocity, rad/s"),
            "never",
            steps=12,
        ),
    ),
)

TABULAR = Family(
    "tabular",
    "Toy text under JAX",
    "jax",
    _INTRO.format("toy text", "toy_text"),
    (
        Page(
            "tabular/Blackjack-v0",
            "[Blackjack](../toy_text/blackjack.md) for a device: the observation is one array.",
            ("stick: take no more cards", "hit: take a card"),
            (
                "the player's sum",
                "the dealer's face-up card; 1 is the ace",
                "1 if the player has an ace that can count 11, else 0",
            ),
            "the player sticks or has more than 21",
        ),
        Page(
            "tabular/CliffWalking-v0",
            "[CliffWalking](../toy_text/cliff_walking.md) for a device: actions and observations have shape (1,).",
            ("0 up, 1 right, 2 down, 3 left",),
            ("the field: row * 12 + column",),
            "the agent is at the goal",
            steps=3,
        ),
    ),
)
