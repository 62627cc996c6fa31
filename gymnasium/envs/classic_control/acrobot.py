"""Acrobot: swing the free end of two links up, with a motor at the joint between them only.

Source: Sutton and Barto (1998), "Reinforcement Learning: An Introduction", section 11.3, after Sutton (1996),
"Generalization in reinforcement learning", NIPS 8, whose equations have one term less ("nips").
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gymnasium.envs.classic_control.utils import ArrayStateEnv, Constant, maybe_parse_reset_bounds, taken_constants
from gymnasium.functional.attributes import Hook, is_replaced
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.ops import clip, cos, float32, pi, pow2, sin, where
from gymnasium.spaces import Box, Discrete

__all__ = ["AcrobotEnv", "bound", "rk4", "wrap"]

Four: TypeAlias = tuple[float, float, float, float]


class State(NamedTuple):
    """The positions and velocities of the links."""

    theta1: float  # rad, angle of the upper link; 0 hangs down, counter-clockwise is positive
    theta2: float  # rad, angle of the lower link from the upper one
    theta1_dot: float  # rad/s
    theta2_dot: float  # rad/s


class Params(NamedTuple):
    """Physical constants, and the limits of the task. 1: the upper link, 2: the lower one."""

    dt: float = 0.2  # s, between two states
    link_length_1: float = 1.0  # m
    link_length_2: float = 1.0  # m, for drawing
    link_mass_1: float = 1.0  # kg
    link_mass_2: float = 1.0  # kg
    link_com_pos_1: float = 0.5  # m, from the link's upper end to its centre of mass
    link_com_pos_2: float = 0.5  # m
    link_moi: float = 1.0  # kg m^2, moment of inertia of either link
    g: float = 9.8  # m/s^2
    max_vel_1: float = 4 * pi  # rad/s
    max_vel_2: float = 9 * pi  # rad/s
    avail_torque: tuple[float, ...] = (-1.0, 0.0, 1.0)  # N m, of each action
    torque_noise_max: float = 0.0  # N m; uniform noise of up to this size is added
    nips: bool = False  # whether the equations are the paper's instead of the book's
    low: float = -0.1  # of each coordinate at the beginning
    high: float = 0.1


def wrap(x: float, m: float, M: float) -> float:
    """Returns `x`, moved by whole turns of `M - m` into [m, M] if it lies outside."""
    turn = M - m
    turns = where(x > M, -((M - x) // turn), where(x < m, (x - m) // turn, 0.0))
    y = x - turns * turn
    # The number of turns was rounded, so it may be one off.
    return where(y > M, y - turn, where(y < m, y + turn, y))


def bound(x: float, m: Any, M: float | None = None) -> float:
    """Returns `x` clipped to [m, M]; without `M`, `m` is the pair of bounds."""
    low, high = m if M is None else (m, M)
    return clip(x, low, high)


def rk4(derivs: Callable[[np.ndarray], ArrayLike], y0: ArrayLike, t: ArrayLike) -> NDArray[np.float64]:
    """Integrate y' = derivs(y) by the classical Runge-Kutta method of fourth order.

    Args:
        derivs: The derivative at `y`, of the length of `y`.
        y0: The value of `y` at the time `t[0]`, shape (k,).
        t: Times, increasing, one step from each to the next.

    Returns:
        The first four numbers of `y` at the time `t[-1]`: a fifth is the torque, which is constant.
    """
    y = np.asarray(y0, np.float64)
    for h in np.diff(np.asarray(t, np.float64)):
        k1 = np.asarray(derivs(y))
        k2 = np.asarray(derivs(y + h / 2.0 * k1))
        k3 = np.asarray(derivs(y + h / 2.0 * k2))
        k4 = np.asarray(derivs(y + h * k3))
        y = y + h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y[:4]


def derivatives(y: Four, torque: float, params: Params) -> Four:
    """Returns the derivatives of `(theta1, theta2, theta1_dot, theta2_dot)` under a torque at the joint."""
    theta1, theta2, theta1_dot, theta2_dot = y
    m1, m2, l1 = params.link_mass_1, params.link_mass_2, params.link_length_1
    lc1, lc2, I, g = params.link_com_pos_1, params.link_com_pos_2, params.link_moi, params.g
    c2, s2 = cos(theta2), sin(theta2)

    d1 = m1 * (lc1 * lc1) + m2 * (l1 * l1 + lc2 * lc2 + 2 * l1 * lc2 * c2) + I + I
    d2 = m2 * (lc2 * lc2 + l1 * lc2 * c2) + I
    phi2 = m2 * lc2 * g * cos(theta1 + theta2 - pi / 2.0)
    phi1 = (
        -m2 * l1 * lc2 * pow2(theta2_dot) * s2
        - 2 * m2 * l1 * lc2 * theta2_dot * theta1_dot * s2
        + (m1 * lc1 + m2 * l1) * g * cos(theta1 - pi / 2)
        + phi2
    )
    pull = torque + d2 / d1 * phi1
    if not params.nips:
        pull = pull - m2 * l1 * lc2 * pow2(theta1_dot) * s2
    theta2_acc = (pull - phi2) / (m2 * (lc2 * lc2) + I - pow2(d2) / d1)
    theta1_acc = -(d2 * theta2_acc + phi1) / d1
    return theta1_dot, theta2_dot, theta1_acc, theta2_acc


def moved(y: Four, h: float, k: Four) -> Four:
    """Returns y + h k."""
    return y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2], y[3] + h * k[3]


def runge_kutta(y: Four, torque: float, params: Params) -> Four:
    """Returns `y` a time `dt` later, by one step of the classical Runge-Kutta method: `rk4`, on plain numbers."""
    h = params.dt
    a = derivatives(y, torque, params)
    b = derivatives(moved(y, h / 2.0, a), torque, params)
    c = derivatives(moved(y, h / 2.0, b), torque, params)
    d = derivatives(moved(y, h, c), torque, params)
    return moved(y, h / 6.0, moved(moved(moved(a, 2, b), 2, c), 1, d))


class Acrobot(FuncEnv[State, tuple[float, ...], int, float, bool, Any, Params]):
    """The dynamics of Acrobot."""

    observation_space = Box(
        np.array([-1, -1, -1, -1, -4 * pi, -9 * pi], np.float32), np.array([1, 1, 1, 1, 4 * pi, 9 * pi], np.float32)
    )
    action_space = Discrete(3)
    metadata = {"render_modes": ["human", "rgb_array"], "render_fps": 15}
    drawing = "gymnasium.envs.classic_control.drawing.acrobot"

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields."""
        return Params(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Params = Params()) -> State:
        """Hanging almost at rest: each coordinate uniform in [low, high), rounded to single precision."""
        low, high = params.low, params.high
        return State(
            float32(rng.uniform(low, high)),
            float32(rng.uniform(low, high)),
            float32(rng.uniform(low, high)),
            float32(rng.uniform(low, high)),
        )

    @staticmethod
    def transition(state: State, action: int, rng: Any, params: Params = Params()) -> State:
        """One Runge-Kutta step of length `dt`; the action chooses the torque."""
        left, idle, right = params.avail_torque
        torque = where(action == 0, left, where(action == 1, idle, right))
        if params.torque_noise_max > 0:
            torque = torque + rng.uniform(-params.torque_noise_max, params.torque_noise_max)
        theta1, theta2, theta1_dot, theta2_dot = runge_kutta(state, torque, params)
        return State(
            wrap(theta1, -pi, pi),
            wrap(theta2, -pi, pi),
            clip(theta1_dot, -params.max_vel_1, params.max_vel_1),
            clip(theta2_dot, -params.max_vel_2, params.max_vel_2),
        )

    @staticmethod
    def observation(state: State, rng: Any, params: Params = Params()) -> tuple[float, ...]:
        """Cosine and sine of the angles, and the velocities."""
        theta1, theta2, theta1_dot, theta2_dot = state
        return cos(theta1), sin(theta1), cos(theta2), sin(theta2), theta1_dot, theta2_dot

    @staticmethod
    def reward(state: State, action: int, next_state: State, rng: Any, params: Params = Params()) -> float:
        """-1 a step, 0 at the end."""
        return where(Acrobot.terminal(next_state, rng, params), 0.0, -1.0)

    @staticmethod
    def terminal(state: State, rng: Any, params: Params = Params()) -> bool:
        """Whether the free end is more than the length of a link above the pivot."""
        return -cos(state.theta1) - cos(state.theta2 + state.theta1) > 1.0


def _torques(value: Any) -> tuple[float, ...]:
    return tuple(map(float, value))


def _is_nips(name: str) -> bool:
    if name not in ("book", "nips"):
        raise ValueError(f"book_or_nips must be 'book' or 'nips', but {name!r} came")
    return name == "nips"


def _is_bound(function: object) -> bool:
    """Returns whether a function is one of an environment."""
    return isinstance(getattr(function, "__self__", None), AcrobotEnv)


class AcrobotEnv(ArrayStateEnv[NDArray[np.float32], int]):
    """Acrobot: swing the free end above the line. Acrobot-v1 limits an episode to 500 steps.

    Observation, `Box` of shape (6,), float32: cos and sin of the upper link's angle (0 hangs down), cos and sin of the
    lower link's angle (from the upper link), velocity of the upper link (rad/s, in +-4 pi), velocity of the lower link
    (rad/s, in +-9 pi). Action, `Discrete(3)`: torque at
    the joint of -1, 0, 1 N m.

    Reward: -1 a step, 0 for the one that ends the episode, with the free end more than 1 m above the pivot. Reset
    options: `"low"` and `"high"`, the bounds of the uniform initial coordinates (-0.1 and 0.1).

    The constants may be read on the class, set in the body of a subclass, and set on an environment, with effect from
    the next step. `book_or_nips` chooses the source's equations, `torque_noise_max` (N m) adds uniform noise.

    Args:
        render_mode: None, `"human"` or `"rgb_array"`.
    """

    dynamics = Acrobot
    observer = "_get_ob"
    hooks = ("_dsdt", "_terminal")
    screen = clock = action_arrow = domain_fig = None  # pictures are drawn without pygame
    constants: ClassVar[dict[str, Any]] = Params()._asdict()
    actions_num: ClassVar[int] = 3
    SCREEN_DIM: ClassVar[int] = 500  # pixels, the picture's height and width

    dt = Constant("dt")
    LINK_LENGTH_1 = Constant("link_length_1")
    LINK_LENGTH_2 = Constant("link_length_2")
    LINK_MASS_1 = Constant("link_mass_1")
    LINK_MASS_2 = Constant("link_mass_2")
    LINK_COM_POS_1 = Constant("link_com_pos_1")
    LINK_COM_POS_2 = Constant("link_com_pos_2")
    LINK_MOI = Constant("link_moi")
    MAX_VEL_1 = Constant("max_vel_1")
    MAX_VEL_2 = Constant("max_vel_2")
    AVAIL_TORQUE = Constant("avail_torque", take=_torques)
    torque_noise_max = Constant("torque_noise_max")
    book_or_nips = Constant("nips", take=_is_nips, show=lambda nips: "nips" if nips else "book")
    g = Constant("g")

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.constants = {**cls.constants, **taken_constants(cls)}

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__(None, render_mode, **self.constants)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode, each coordinate uniform in [low, high) of `options`.

        Raises:
            ValueError: If an option is not a number, or the low one is above the high one.
        """
        low, high = maybe_parse_reset_bounds(options, -0.1, 0.1)
        return self._begin(seed, self.params._replace(low=low, high=high))

    def _usual_params(self) -> Params:
        return Params(**self.constants)

    def _attach(self) -> None:
        super()._attach()
        own: dict[str, Any] = {}
        if is_replaced(self, "_dsdt") or len(self.params.avail_torque) != 3:
            own["transition"] = self._moved
        if is_replaced(self, "_terminal"):
            own |= {"reward": self._rewarded, "terminal": self._ended}
        others = {name: value for name, value in vars(self.func_env).items() if not _is_bound(value)}
        if own or len(others) < len(vars(self.func_env)):
            self.func_env = copy(self.func_env)  # which copies of this environment may share
            self.func_env.__dict__ = others | own

    def _moved(self, state: State, action: int, rng: Any, params: Params) -> State:
        """Takes the place of `Acrobot.transition`: integrates `_dsdt`."""
        torque = params.avail_torque[action]
        if params.torque_noise_max > 0:
            torque += rng.uniform(-params.torque_noise_max, params.torque_noise_max)
        theta1, theta2, theta1_dot, theta2_dot = map(float, rk4(self._dsdt, [*state, torque], [0, params.dt]))
        return State(
            wrap(theta1, -pi, pi),
            wrap(theta2, -pi, pi),
            bound(theta1_dot, -params.max_vel_1, params.max_vel_1),
            bound(theta2_dot, -params.max_vel_2, params.max_vel_2),
        )

    def _rewarded(self, state: State, action: int, next_state: State, rng: Any, params: Params) -> float:
        """Takes the place of `Acrobot.reward`: `_terminal` is called once a step."""
        self._over = bool(self._terminal())
        return 0.0 if self._over else -1.0

    def _ended(self, state: State, rng: Any, params: Params) -> bool:
        return self._over

    @Hook
    def _get_ob(self) -> NDArray[np.float32]:
        return self._observed()

    @Hook
    def _terminal(self) -> bool:
        """Returns whether the present state ends an episode."""
        return bool(Acrobot.terminal(State(*self.state), None, self.params))

    @Hook
    def _dsdt(self, s_augmented: Any) -> tuple[float, ...]:
        """Returns the derivatives of the four coordinates under a torque, which is the fifth number and constant."""
        *y, torque = s_augmented
        return *derivatives(y, torque, self.params), 0.0
