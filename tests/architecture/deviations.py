"""What of the reference's interface is otherwise here, and why; `test_reference_interface.py` knows no other."""

from __future__ import annotations

DEVIATIONS: dict[str, str] = {}


def _deviate(reason: str, module: str, *groups: str) -> None:
    """Each group is a class or function of the module; behind a colon, its attributes."""
    for group in groups:
        owner, _, names = group.partition(":")
        path = f"gymnasium.{module}:{owner}"
        DEVIATIONS.update(dict.fromkeys([f"{path}.{name}" for name in names.split()] or [path], reason))


_PICTURES = "pictures are drawn by our own, without pygame: they have no surfaces, images and clocks"
for _module, *_groups in (
    ("envs.classic_control.acrobot", "AcrobotEnv:action_arrow domain_fig clock screen"),
    ("envs.classic_control.cartpole", "CartPoleEnv:clock screen", "CartPoleVectorEnv:screens surf"),
    ("envs.classic_control.mountain_car", "MountainCarEnv:clock screen"),
    ("envs.classic_control.continuous_mountain_car", "Continuous_MountainCarEnv:clock screen"),
    ("envs.classic_control.pendulum", "PendulumEnv:clock screen"),
    ("envs.toy_text.blackjack", "draw_table"),
    (
        "envs.toy_text.cliffwalking",
        "CliffWalkingEnv:agent_img cell_size cliff_imgs clock goal_flag_img goal_img ground_img start_img window_size",
        "CliffWalkingEnv:window_surface",
    ),
    (
        "envs.toy_text.frozen_lake",
        "FrozenLakeEnv:agent_img cell_size clock goal_flag_img hole_img ice_crack_imgs ice_img letter_g_img",
        "FrozenLakeEnv:letter_s_img window_size window_surface",
    ),
    (
        "envs.toy_text.taxi",
        "TaxiEnv:get_surf_loc background_img cell_size clock destination_img house_img locs_colors passenger_img",
        "TaxiEnv:taxi_full_imgs taxi_imgs window",
    ),
    ("envs.box2d.bipedal_walker", "BipedalWalker:clock cloud_poly drawlist lidar_render screen terrain_poly"),
    ("envs.box2d.car_dynamics", "Car:draw"),
    ("envs.box2d.car_racing", "CarRacing:clock invisible_state_window invisible_video_window screen surf road_poly"),
    ("envs.box2d.lunar_lander", "LunarLander:clock drawlist particles screen sky_polys"),
    (
        "envs.tabular.cliffwalking",
        "RenderStateType",
        "RenderStateType:agent_img cell_size cliff cliff_imgs goal_flag_img goal_img ground_img nS screen shape",
        "RenderStateType:start_img",
    ),
    ("envs.phys2d.cartpole", "CartPoleParams:screen_height screen_width", "CartPoleFunctional:render_init"),
    ("envs.phys2d.pendulum", "PendulumParams", "PendulumParams:screen_dim", "PendulumFunctional:render_init"),
    ("envs.tabular.blackjack", "BlackjackFunctional:render_init"),
    ("envs.tabular.cliffwalking", "CliffWalkingFunctional:render_init"),
):
    _deviate(_PICTURES, _module, *_groups)

_PARAMS = "params default to those of the instance (functional_utils.md 1)"
_METHODS = "initial observation render_close render_image reward terminal transition"
_deviate(_PARAMS, "envs.phys2d.cartpole", f"CartPoleFunctional:{_METHODS}")
_deviate(_PARAMS, "envs.phys2d.pendulum", f"PendulumFunctional:{_METHODS}")
_deviate(_PARAMS, "envs.tabular.blackjack", f"BlackjackFunctional:{_METHODS}")
_ONE = "every function of dynamics takes the parameters of `FuncEnv`, in its order"
_deviate(_ONE, "envs.tabular.cliffwalking", "CliffWalkingFunctional:observation reward terminal transition")
_deviate(
    "a hand's cards are counted by where they are, and the key is an argument, so that JAX can trace them in a batch",
    "envs.tabular.blackjack",
    *("dealer_stop", "draw_card", "draw_card_wrapper", "notake", "take"),
)
_deviate("derived constants follow from the others (defect 32)", "envs.phys2d.cartpole", "CartPoleParams")

_PICKLE = "environments pickle by their state, not by their arguments"
_deviate(_PICKLE, "envs.phys2d.cartpole", "CartPoleJaxEnv", "CartPoleJaxVectorEnv")
_deviate(_PICKLE, "envs.phys2d.pendulum", "PendulumJaxEnv", "PendulumJaxVectorEnv")
_deviate(_PICKLE, "envs.tabular.blackjack", "BlackJackJaxEnv")
_deviate(_PICKLE, "envs.tabular.cliffwalking", "CliffWalkingJaxEnv")

_deviate(
    "the gait is our own",
    "envs.box2d.bipedal_walker",
    "BipedalWalkerHeuristics:PUSH_OFF PUT_OTHER_DOWN SPEED STAY_ON_ONE_LEG SUPPORT_KNEE_ANGLE a moving_leg state",
    "BipedalWalkerHeuristics:supporting_knee_angle supporting_leg",
)
_ENGINE = "the engine's own objects are made where they are needed, and numbers are kept in arrays"
_deviate(_ENGINE, "envs.box2d.bipedal_walker", "BipedalWalker:fd_edge fd_polygon lidar terrain_x terrain_y")
_deviate(_ENGINE, "envs.box2d.car_racing", "CarRacing:contactListener_keepref fd_tile start_alpha state")
_deviate("it was None always", "envs.box2d.lunar_lander", "LunarLander:prev_reward")
_deviate("each has a generator, as of every batch", "envs.classic_control.cartpole", "CartPoleVectorEnv:np_random")
_deviate("an empty tuple serves all specs", "envs.registration", "EnvSpec")
_deviate("it applies no function of one observation", "wrappers.transform_observation", "AddRenderObservation")
_deviate("`fps` and `durations` are all that our encoder takes", "utils.save_video", "save_video")
