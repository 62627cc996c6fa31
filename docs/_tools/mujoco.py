"""MuJoCo: robots in three dimensions."""

from __future__ import annotations

from docs._tools.page import Family, Page

_UNHEALTHY = "the robot is not healthy, unless `terminate_when_unhealthy` is off"

MUJOCO = Family(
    "mujoco",
    "MuJoCo",
    "mujoco",
    "Robots with many joints, simulated by MuJoCo: the usual benchmark of algorithms for continuous actions. Versions "
    "4 and 5 are here; use 5, unless you compare with older results. `make_vec` runs batches of them on MuJoCo's own "
    "threads.",
    (
        Page(
            "Ant-v5",
            "A torso on four legs of two joints each, that has to walk towards positive x. Its motion is truly "
            "three-dimensional, and it can fall on its back.",
            (),
            (),
            _UNHEALTHY,
            rewards=(
                "`forward_reward_weight` times the velocity of `main_body` along x (m/s), plus `healthy_reward` for a "
                "step in good health, less `ctrl_cost_weight` times the sum of squared actions and "
                "`contact_cost_weight` times the sum of squared contact forces (clipped to `contact_force_range`)."
            ),
            steps=25,
        ),
        Page(
            "HalfCheetah-v5",
            "A cheetah in a plane, cut in half along the spine, runs towards positive x. No episode ends early, not "
            "even if it turns over: a good first robot.",
            (),
            (),
            "never",
            rewards=(
                "`forward_reward_weight` times the velocity along x (m/s), less `ctrl_cost_weight` times the sum of "
                "squared actions."
            ),
            steps=20,
        ),
        Page(
            "Hopper-v5",
            "One leg with three joints hops towards positive x in a plane. Small enough to learn in minutes, and it "
            "falls over as soon as it is careless.",
            (),
            (),
            _UNHEALTHY,
            rewards=(
                "`forward_reward_weight` times the velocity along x (m/s), plus `healthy_reward` for a step in good "
                "health, less `ctrl_cost_weight` times the sum of squared actions."
            ),
            steps=8,
        ),
        Page(
            "Walker2d-v5",
            "Two legs in a plane walk towards positive x: the hopper's twin.",
            (),
            (),
            _UNHEALTHY,
            rewards=(
                "`forward_reward_weight` times the velocity along x (m/s), plus `healthy_reward` for a step in good "
                "health, less `ctrl_cost_weight` times the sum of squared actions."
            ),
            steps=6,
        ),
        Page(
            "Swimmer-v5",
            "Three links in a viscous fluid, without weight, swim towards positive x by winding.",
            (),
            (),
            "never",
            rewards=(
                "`forward_reward_weight` times the velocity along x (m/s), less `ctrl_cost_weight` times the sum of "
                "squared actions."
            ),
            steps=40,
        ),
        Page(
            "Humanoid-v5",
            "A body with arms, legs and a bending torso walks towards positive x without falling. The many readings of "
            "inertias and forces can be left out of the observation.",
            (),
            (),
            _UNHEALTHY,
            rewards=(
                "`forward_reward_weight` times the velocity of the centre of mass along x (m/s), plus `healthy_reward` "
                "for a step in good health, less `ctrl_cost_weight` times the sum of squared controls and "
                "`contact_cost_weight` times the sum of squared contact forces, the latter within `contact_cost_range`."
            ),
            steps=8,
        ),
        Page(
            "HumanoidStandup-v5",
            "The humanoid lies on its back, and has to get its head up as high as it can.",
            (),
            (),
            "never",
            rewards=(
                "1, plus `uph_cost_weight` times the height of the torso (m) divided by one time step of the engine "
                "(s), less `ctrl_cost_weight` times the sum of squared controls and `impact_cost_weight` times the sum "
                "of squared contact forces, the latter within `impact_cost_range`."
            ),
            steps=30,
        ),
        Page(
            "InvertedPendulum-v5",
            "CartPole in MuJoCo, with a force of any size between the bounds.",
            (),
            ("position of the cart, m", "angle of the pole, rad", "velocity of the cart, m/s", "its velocity, rad/s"),
            "the pole is more than 0.2 rad from upright",
            rewards=("1 a step, 0 for the one that ends the episode."),
            steps=6,
        ),
        Page(
            "InvertedDoublePendulum-v5",
            "A second pole stands on the first. The cart has to balance both.",
            (),
            (
                "position of the cart, m",
                "sine of the lower pole's angle",
                "sine of the upper pole's angle, from the lower one",
                "cosine of the lower pole's angle",
                "cosine of the upper pole's angle",
                "velocity of the cart, m/s",
                "velocity of the lower pole's angle, rad/s",
                "velocity of the upper pole's angle, rad/s",
                "constraint force on the cart, N",
            ),
            "the tip is no higher than 1 m",
            rewards=(
                "`healthy_reward` a step, but not for the one that ends the episode; less, with the tip at (x, z) in m "
                "and the poles' velocities v1 and v2 in rad/s, 0.01 x^2 + (z - 2)^2 + 0.001 v1^2 + 0.005 v2^2."
            ),
            steps=6,
        ),
        Page(
            "Reacher-v5",
            "An arm with two joints on a table has to bring its tip to a target that is elsewhere in each episode.",
            (),
            (
                "cosine of the first joint's angle",
                "cosine of the second joint's angle",
                "sine of the first joint's angle",
                "sine of the second joint's angle",
                "x of the target, m",
                "y of the target, m",
                "velocity of the first joint, rad/s",
                "velocity of the second joint, rad/s",
                "x of the way from the target to the tip, m",
                "y of the way from the target to the tip, m",
            ),
            "never",
            rewards=(
                "Negative: `reward_dist_weight` times the distance from the tip to the target (m), plus "
                "`reward_control_weight` times the sum of squared actions."
            ),
            start="The arm nearly stretched, the target anywhere within 0.2 m of the shoulder.",
            steps=3,
        ),
        Page(
            "Pusher-v5",
            "An arm with seven joints has to push a cylinder to a goal on a table.",
            (),
            (
                *(
                    f"angle of {joint}, rad"
                    for joint in (
                        "the shoulder (pan)",
                        "the shoulder (lift)",
                        "the upper arm (roll)",
                        "the elbow",
                        "the forearm (roll)",
                        "the wrist (flex)",
                        "the wrist (roll)",
                    )
                ),
                *(
                    f"velocity of {joint}, rad/s"
                    for joint in (
                        "the shoulder (pan)",
                        "the shoulder (lift)",
                        "the upper arm (roll)",
                        "the elbow",
                        "the forearm (roll)",
                        "the wrist (flex)",
                        "the wrist (roll)",
                    )
                ),
                *(f"{axis} of {thing}, m" for thing in ("the fingertip", "the cylinder", "the goal") for axis in "xyz"),
            ),
            "never",
            rewards=(
                "Negative: `reward_near_weight` times the distance from the tip to the cylinder (m), plus "
                "`reward_dist_weight` times that from the cylinder to the goal, plus `reward_control_weight` times the "
                "sum of squared actions."
            ),
            start="The arm at rest, the cylinder somewhere on the table, more than 0.17 m from the goal.",
            steps=10,
        ),
    ),
)
