"""Box2D: physics in the plane, by the engine of that name."""

from __future__ import annotations

from docs._tools.page import Family, Page, Variant

_LEG = (
    "angle of the hip of leg {}, rad",
    "speed of that hip, as a part of its motor's",
    "angle of the knee of leg {}, rad, plus 1",
    "speed of that knee, as a part of its motor's",
    "whether the lower leg {} touches the ground",
)

BOX2D = Family(
    "box2d",
    "Box2D",
    "box2d",
    "Bodies with joints and motors in the plane, simulated by the Box2D engine. Their contacts make them harder than "
    "classic control, and the engine runs one world at a time: `make_vec` runs them in worker processes.",
    (
        Page(
            "LunarLander-v3",
            "A lander comes in over the moon, and has to come to rest on the pad between two flags. The main engine "
            "brakes, two small ones at the sides turn it; firing them costs a little, crashing a lot.",
            ("nothing", "fire the left engine", "fire the main engine", "fire the right engine"),
            (
                "x, from the pad, by half the view's width",
                "y, from the pad, by half the view's height",
                "velocity along x, scaled",
                "velocity along y, scaled",
                "angle, rad",
                "angular velocity, rad/s times 0.4",
                "whether the left leg touches the ground",
                "whether the right leg touches the ground",
            ),
            "the hull touches the moon, the lander leaves the view sideways, or it has come to rest",
            "DQN and PPO learn it; in the continuous variant the engines are throttled.",
            variants=("LunarLanderContinuous-v3",),
            other_actions=Variant(
                "Continuous",
                {"continuous": True},
                (
                    "main engine: off up to 0, above that from half to full throttle",
                    "side engines: the left one fires below -0.5, the right one above 0.5, from half to full throttle",
                ),
            ),
            steps=45,
        ),
        Page(
            "BipedalWalker-v3",
            "A hull on two legs has to walk to the far end of rough ground, feeling its way with a range finder. The "
            "hardcore variant adds stumps, stairs and pits.",
            ("hip of one leg", "knee of that leg", "hip of the other leg", "knee of that leg"),
            (
                "angle of the hull, rad",
                "angular velocity of the hull, scaled",
                "velocity along x, scaled",
                "velocity along y, scaled",
                *(part.format(1) for part in _LEG),
                *(part.format(2) for part in _LEG),
                *(f"range finder, ray {k} of 10 (1 looks straight down)" for k in range(1, 11)),
            ),
            "the hull touches the ground, the walker passes the left end of the ground, or it reaches the far end",
            variants=("BipedalWalkerHardcore-v3",),
            steps=25,
        ),
        Page(
            "CarRacing-v3",
            "Drive once round a track that is new in each episode, seen from above. The agent observes pixels, with "
            "a few bars for the instruments below.",
            ("steering, -1 left to 1 right", "gas", "brake"),
            ("red, green and blue of each pixel",),
            "all tiles of the road have been visited, a lap is complete, or the car has left the field",
            "PPO with a convolutional network over stacked grey frames learns it; so does the cross-entropy method "
            "with seven weights on features of the picture, `examples/car_racing.py`.",
            other_actions=Variant(
                "Discrete",
                {"continuous": False},
                ("nothing", "steer right, by 0.6", "steer left, by 0.6", "gas, 0.2", "brake, 0.8"),
            ),
            steps=60,
        ),
    ),
)
