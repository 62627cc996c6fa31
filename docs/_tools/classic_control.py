"""Classic control: small mechanical systems, each written out in a page of equations."""

from __future__ import annotations

from docs._tools.page import Family, Page

CLASSIC_CONTROL = Family(
    "classic_control",
    "Classic control",
    "classic-control",
    "Small mechanical systems, in a few equations each. They start at once and step fast, so they are where a new "
    "algorithm is tried first. Their dynamics are functional environments: `make_vec` runs thousands of them compiled.",
    (
        Page(
            "CartPole-v1",
            "A pole is hinged to a cart, and falls unless the cart moves under it. The agent pushes the cart to the "
            "left or to the right, always equally hard, and sees where cart and pole are and how fast they move. A "
            "random agent lasts about 20 steps; four well-chosen weights are enough to last for ever.",
            ("push the cart to the left", "push the cart to the right"),
            ("position of the cart, m", "velocity of the cart, m/s", "angle of the pole, rad", "its velocity, rad/s"),
            "the cart is more than 2.4 m from the middle, or the pole more than 12 degrees from upright",
            "The cross-entropy method on a linear policy solves it in seconds: `examples/cross_entropy.py`.",
            steps=12,
        ),
        Page(
            "MountainCar-v0",
            "A car stands in a valley, and its motor is too weak for the hill. It has to drive away from the goal "
            "first, to gain momentum. Every step costs the same, so an agent that has never reached the flag learns "
            "nothing from its rewards: this is a task about exploration.",
            ("drive to the left", "do nothing", "drive to the right"),
            ("position", "velocity, positions a step"),
            "the car is at 0.5 or further to the right, at `goal_velocity` or faster",
            "Tile coding with SARSA learns it, and so does a bonus for new states.",
            see="[MountainCarContinuous](mountain_car_continuous.md) is the variant with a throttle.",
        ),
        Page(
            "MountainCarContinuous-v0",
            "MountainCar with a throttle. The goal pays 100, and using the motor costs: careless agents learn to "
            "stand still, for a reward of 0.",
            ("throttle, positive to the right",),
            ("position", "velocity, positions a step"),
            "the car is at 0.45 or further to the right, at `goal_velocity` or faster",
            see="[MountainCar](mountain_car.md) is the variant with three actions.",
        ),
        Page(
            "Pendulum-v1",
            "A rod hangs from a pivot with a motor too weak to lift it at once. It has to be swung up, and then held "
            "upright with as little torque as possible. Each step pays for how far from that it is, so there is "
            "always something to learn from; nothing ends an episode but the time limit.",
            ("torque, N m, counter-clockwise",),
            ("cosine of the angle; 1 is upright", "sine of the angle", "velocity, rad/s"),
            "never",
            "Any algorithm for continuous actions (SAC, TD3, PPO) learns it.",
        ),
        Page(
            "Acrobot-v1",
            "Two links hang from a pivot, and the only motor is at the joint between them. The free end has to swing "
            "above a line one link's length over the pivot.",
            ("torque of -1 N m at the joint", "no torque", "torque of 1 N m at the joint"),
            (
                "cosine of the upper link's angle; 0 rad hangs down",
                "sine of the upper link's angle",
                "cosine of the lower link's angle, from the upper link",
                "sine of the lower link's angle",
                "velocity of the upper link's angle, rad/s",
                "velocity of the lower link's angle, rad/s",
            ),
            "the free end is more than 1 m above the pivot",
            steps=40,
        ),
    ),
)
