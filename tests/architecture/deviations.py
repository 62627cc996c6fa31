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
    ("envs.classic_control.cartpole", "CartPoleVectorEnv:screens surf"),
    ("envs.toy_text.blackjack", "draw_table"),
    ("envs.box2d.car_dynamics", "Car:draw"),
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
_deviate("each has a generator, as of every batch", "envs.classic_control.cartpole", "CartPoleVectorEnv:np_random")
_deviate("an empty tuple serves all specs", "envs.registration", "EnvSpec")
_deviate("it applies no function of one observation", "wrappers.transform_observation", "AddRenderObservation")
_deviate("`fps` and `durations` are all that our encoder takes", "utils.save_video", "save_video")

ATTRIBUTES_OF_OTHER_TYPES: dict[str, tuple[str, str]] = {}
"""The types of attributes of environments, the reference's and ours."""


def _typed(reason: str, **types: tuple[str, str]) -> None:
    """Each type has a reason, which is for readers."""
    assert reason
    ATTRIBUTES_OF_OTHER_TYPES.update(types)


_typed(
    "Python's numbers and strings, which can be written as JSON",
    dealer_top_card_suit=("str_", "str"),
    lastaction=("int64", "int"),
    nS=("int64", "int"),
    prev_shaping=("float64", "float"),
    s=("int64", "int"),
    start_state_index=("int64", "int"),
)
_typed(
    "floats where an environment computes with floats",
    goal_pos=("array int64 (2,)", "array float64 (2,)"),
    goal_velocity=("int", "float"),
    max_speed=("int", "float"),
)
_typed("pictures are drawn without pygame", clock=("Clock", "NoneType"), surf=("Surface", "NoneType"))
_typed("an array, whose changes in place take effect", state=("tuple", "array float64 (2,)"))

METHODS_OF_CLASSES: dict[str, str] = dict.fromkeys(
    [
        "CarRacing._create_image_array",
        "CarRacing._draw_colored_polygon",
        "CarRacing._render_indicators",
        "CarRacing._render_road",
    ],
    "they draw on pygame's surfaces; `_render` returns the picture",
)
"""The methods of environments' classes that are not here, and why."""
