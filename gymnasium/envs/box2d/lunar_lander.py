"""Lunar lander: come down softly on a pad, with a main engine below and two at the sides.

Source: after the Atari game "Lunar Lander" (1979); this version is O. Klimov's, for OpenAI Gym. The bodies, the
engines and the observations are in `_lander/`, the pixels in `drawing/lunar_lander.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from gymnasium._extensions import extension
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.bindings import FPS, apply_force, apply_torque
from gymnasium.envs.box2d._lander.motors import (
    MAIN_ENGINE_POWER,
    MAIN_ENGINE_Y_LOCATION,
    NUMBERS,
    PAD_Y,
    SEEN_NUMBERS,
    SIDE_ENGINE_AWAY,
    SIDE_ENGINE_HEIGHT,
    SIDE_ENGINE_POWER,
    Jet,
    Lander,
    main_jet,
    side_jet,
)
from gymnasium.envs.box2d._lander.step import WIDTH, WORDS, board, python_stepper
from gymnasium.envs.box2d._lander.world import (
    HEIGHT,
    INITIAL_RANDOM,
    LANDER_POLY,
    LEG_AWAY,
    LEG_DOWN,
    LEG_H,
    LEG_SPRING_TORQUE,
    LEG_W,
    SCALE,
    VIEWPORT_H,
    VIEWPORT_W,
    Ground,
    add_lander,
    add_leg,
    add_moon,
    add_particle,
    random_ground,
)
from gymnasium.envs.box2d._stepping.program import MachineCode, Program
from gymnasium.envs.box2d._stepping.stepping import MachineStepper, PythonStepper
from gymnasium.envs.box2d._stepping.trial import play
from gymnasium.envs.box2d.drawing.lander_parts import BODY_COLOR, EDGE_COLOR, Spark
from gymnasium.envs.box2d.drawing.lunar_lander import FADING, LIFETIME, Exhaust, Painter, Scene
from gymnasium.envs.box2d.drawing.outlines import pose_of
from gymnasium.envs.box2d.legged import ContactDetector, LeggedEnv, Sizes, batch_stepper_of
from gymnasium.envs.box2d.lunar_policy import demo_heuristic_lander, heuristic
from gymnasium.error import Error
from gymnasium.functional.attributes import Derived, Later
from gymnasium.logger import warn
from gymnasium.params.targets import Attribute
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.ezpickle import EzPickle

__all__ = [
    "FPS",
    "INITIAL_RANDOM",
    "LANDER_POLY",
    "LEG_AWAY",
    "LEG_DOWN",
    "LEG_H",
    "LEG_SPRING_TORQUE",
    "LEG_W",
    "MAIN_ENGINE_POWER",
    "MAIN_ENGINE_Y_LOCATION",
    "SCALE",
    "SIDE_ENGINE_AWAY",
    "SIDE_ENGINE_HEIGHT",
    "SIDE_ENGINE_POWER",
    "VIEWPORT_H",
    "VIEWPORT_W",
    "ContactDetector",
    "LunarLander",
    "LunarLanderContinuous",
    "LunarLanderV2",
    "demo_heuristic_lander",
    "heuristic",
]

_JET_SPEED: Final = 20.0  # m/s of a spark per N s of its jet, for display only
_DOWN: Final = (0.0, -8.9)  # m, from the start to just above the ground
_PHASES: Final = 9999  # the wind begins at one of the phases from -9999 to 9998


class LunarLander(LeggedEnv[Any]):
    """LunarLander: land between the flags, softly and upright. Both v3 ids limit an episode to 1000 steps.

    Observation, `Box` of shape (8,), float32: x of the lander (from the pad, in halves of the view's width), y of the
    lander (likewise, in halves of its height), velocity along x (in these units, divided by 50 steps a second),
    velocity along y (likewise), angle (rad), angular velocity (rad/s, times 0.4), contact of the left leg (1 on the
    ground, else 0), contact of the right leg (likewise).

    Action, `Discrete(4)`: nothing, left engine, main engine, right engine. With `continuous`, `Box` of shape (2,)
    within [-1, 1]: the main engine is off below 0 and runs at half to full throttle above; the side engines are off
    within [-0.5, 0.5], the left one runs below and the right one above.

    Reward: for coming nearer to the pad (100 per unit of distance), slowing down (100 per unit of velocity), standing
    more upright (100 per rad) and touching down on the legs (10 for each), less 0.3 for a step of the main engine and
    0.03 for one of a side engine. At the end it is -100 instead for a hull that touched the moon or a lander that left
    the view sideways, and 100 for a lander that has come to rest.

    Args:
        render_mode: `"human"`, `"rgb_array"` or None.
        continuous: Whether engines are throttled.
        gravity: Between -12 and 0, m/s^2.
        enable_wind: Whether wind pushes and turns the lander until a leg stands.
        wind_power: Maximum force of the wind, N; 0 to 20 is sensible.
        turbulence_power: Maximum torque of the wind, N m; 0 to 2 is sensible.

    Attributes:
        lander: The hull, a body of the engine.
        legs: The two legs, bodies with an attribute `ground_contact`.
        drawlist: The lander and its legs; pictures show them.
        sky_polys: The corners of the sky above each piece of the moon.
        game_over: Whether the hull has touched the moon.

    Raises:
        AssertionError: If `gravity` is out of its range.
    """

    _batch_stepper = staticmethod(batch_stepper_of)
    _sizes = Sizes(WIDTH, SEEN_NUMBERS, NUMBERS, WORDS)
    episodic = ("sky_polys",)
    _drawn_from: Any = None  # the generator to which the step is bound
    prev_reward: float | None = None  # not used
    wind_idx = torque_idx = 0
    moon: engine.Body = None
    _painter: Painter | None = None
    left_out: ClassVar[dict[str, Any]] = {
        "lander": None,
        "particles": Later(lambda env: []),
        "drawlist": Later(lambda env: []),
        "_exhaust": None,
        "continuous": False,
        "enable_wind": False,
        "gravity": -10.0,
    }
    lander: engine.Body
    particles: list[engine.Body]
    drawlist: list[engine.Body]

    def __init__(
        self,
        render_mode: str | None = None,
        continuous: bool = False,
        gravity: float = -10.0,
        enable_wind: bool = False,
        wind_power: float = 15.0,
        turbulence_power: float = 1.5,
    ) -> None:
        EzPickle.__init__(self, render_mode, continuous, gravity, enable_wind, wind_power, turbulence_power)
        _check_gravity(gravity, AssertionError)
        _warn_beyond("wind_power", wind_power, 20.0)
        _warn_beyond("turbulence_power", turbulence_power, 2.0)
        self.continuous = continuous
        self.gravity = gravity
        self.enable_wind = enable_wind
        self.wind_power = wind_power
        self.turbulence_power = turbulence_power
        high = np.array([2.5, 2.5, 10.0, 10.0, 2 * math.pi, 10.0, 1.0, 1.0], np.float32)
        low = np.array([-2.5, -2.5, -10.0, -10.0, -2 * math.pi, -10.0, -0.0, -0.0], np.float32)
        self.observation_space = Box(low, high)
        self.action_space = Box(-1, 1, (2,), np.float32) if continuous else Discrete(4)
        self.lander = None
        self.particles, self.drawlist = [], []
        self._exhaust: Exhaust | None = None
        super().__init__(render_mode)

    def find_param(self, name: str) -> Attribute | None:
        """Returns gravity as a param of episodes, for `RandomizeParams`; the other attributes have no limits."""
        return _Gravity(self, name) if name == "gravity" else None

    def _build(self, rng: Any, options: dict[str, Any] | None) -> None:
        self._begin_world(self.gravity)
        self.particles = []
        self.ground: Ground = random_ground(rng)
        self.helipad_x1, self.helipad_x2 = self.ground.pad
        self.helipad_y = self._numbers[PAD_Y] = self.ground.pad_y
        self.moon = add_moon(self.world, self.ground, self._code)
        self.lander = add_lander(self.world)
        push = (rng.uniform(-INITIAL_RANDOM, INITIAL_RANDOM), rng.uniform(-INITIAL_RANDOM, INITIAL_RANDOM))
        self.lander.ApplyForceToCenter(push, True)
        if self.enable_wind:
            self._begin_wind(rng)
        self.legs = [add_leg(self.world, self.lander, side) for side in (-1, 1)]
        self.drawlist = [self.lander, *self.legs]
        for body in self.drawlist:
            body.color1, body.color2 = BODY_COLOR, EDGE_COLOR
        if self.render_mode is not None:
            self._exhaust = Exhaust(self.gravity, self.ground)
        self._watch(self.lander, self.legs)

    def _settle(self) -> None:
        self._act((0.0, 0.0) if self.continuous else 0)

    @staticmethod
    def _program() -> Program:
        return Program("LunarLander", extension("box2d.lander"), _played, marks_contacts=True)

    def _parts(self) -> Lander:
        rng = self._drawn_from = self._rng
        return Lander(self.world, self.lander, rng, self._marks, self._numbers, self._seen, self.continuous)

    def _python_stepper(self) -> PythonStepper:
        return python_stepper(self._parts())

    def _board(self, stepper: MachineStepper, code: MachineCode) -> None:
        board(stepper, self._parts(), self._listener, code)

    def _begin_wind(self, rng: Any) -> None:
        """Draws the phases of the wind and of its torque."""
        self.wind_idx = int(rng.integers(-_PHASES, _PHASES))
        self.torque_idx = int(rng.integers(-_PHASES, _PHASES))

    def _act(self, move: Any) -> tuple[float, bool, dict[str, Any]]:
        if self.enable_wind and not (self.legs[0].ground_contact or self.legs[1].ground_contact):
            self._blow()
        if self._rng is not self._drawn_from:
            self._bind()
        first, second = move if self.continuous else (move, 0.0)
        if self._exhaust is None:
            return *self._stepper.whole(first, second), {}
        return *self._act_visibly(self._exhaust, first, second), {}

    def _replay(self, moves: Sequence[object]) -> None:
        """Repeat the record of a state; sparks only in the last steps, since earlier ones have faded."""
        first = max(0, len(moves) - LIFETIME - sum(isinstance(move, Mapping) for move in moves))
        exhaust, self._exhaust = self._exhaust, None
        super()._replay(moves[:first])
        self._exhaust = exhaust
        super()._replay(moves[first:])

    def machine_stepper(self) -> MachineStepper | None:
        """Returns the function that steps this environment; None if Python has a part in its steps."""
        python = self.enable_wind or self._exhaust is not None or self._rng is not self._drawn_from
        return None if python else super().machine_stepper()

    def _blow(self) -> None:
        """Push and turn the lander by the wind."""
        hull = self.lander.this
        apply_force(hull, (_gust(self.wind_idx) * self.wind_power, 0.0), True)
        apply_torque(hull, _gust(self.torque_idx) * self.turbulence_power, True)
        self.wind_idx += 1
        self.torque_idx += 1

    def _act_visibly(self, exhaust: Exhaust, first: float, second: float) -> tuple[float, bool]:
        """Simulate one step, with the sparks of the jets."""
        self._stepper.before(first, second)
        _, main, side, along, across, _ = self._numbers
        if main:
            _emit(exhaust, main_jet(self.lander.this, main, along, across), MAIN_ENGINE_POWER, main)
        if side:
            _emit(exhaust, side_jet(self.lander.this, side, along, across), SIDE_ENGINE_POWER, abs(side))
        engine.advance(self.world)
        exhaust.advance()
        return self._stepper.after()

    def _create_particle(self, mass: float, x: float, y: float, ttl: float) -> engine.Body:
        """Adds a glowing body, for subclasses with a step of their own; `ttl`: how long it glows, 1 for 7 frames."""
        particle = add_particle(self.world, (x, y), mass)
        particle.ttl = ttl
        self.particles.append(particle)
        self._clean_particles(False)
        return particle

    def _clean_particles(self, all_particle: bool) -> None:
        """Remove the glowing bodies that have faded, or all."""
        while self.particles and (all_particle or self.particles[0].ttl < 0):
            self.world.DestroyBody(self.particles.pop(0))

    def _destroy(self) -> None:
        """Take moon, lander and particles out of the world."""
        if self.moon is None:
            return
        self.world.contactListener = None
        self._clean_particles(True)
        for body in (self.moon, self.lander, *self.legs):
            self.world.DestroyBody(body)
        self.moon = self.lander = None

    @Derived
    def sky_polys(self) -> list[list[engine.Point]]:
        """The corners of the sky above each piece of the moon, m."""
        corners = self.ground.points
        return [[one, other, (other[0], HEIGHT), (one[0], HEIGHT)] for one, other in pairwise(corners)]

    def _frame(self) -> NDArray[np.uint8]:
        if self._painter is None:
            self._painter = Painter()
        scene = self._scene()
        for particle in self.particles:
            particle.ttl -= FADING
            (x, y), (vx, vy) = particle.position, particle.linearVelocity
            scene.sparks.append(Spark(x, y, vx, vy, max(0.0, particle.ttl)))
        return self._painter.picture(scene)

    def _scene(self) -> Scene:
        """Returns the contents of the picture, without bodies that only subclasses add."""
        sparks = [*self._exhaust.sparks] if self._exhaust else []
        return Scene(self.ground, pose_of(self.lander), [pose_of(leg) for leg in self.legs], sparks)


def _played(code: MachineCode | None) -> list[Any]:
    """A lander comes down on its legs, pushed by its engines; then another one."""
    powers = [(0.0 if t % 4 else 0.7, math.sin(0.4 * t) if t % 3 else 0.0) for t in range(60)]
    rows = play(LunarLander(continuous=True), "lander", _DOWN, powers, code)
    return rows + play(LunarLander(), "lander", _DOWN, [0, 1, 2, 3, 2] * 5, code)


def _gust(phase: int) -> float:
    """The strength of the wind, -1 to 1: tanh(sin(2 k t) + sin(pi k t)), which never repeats, with k = 0.01."""
    return math.tanh(math.sin(0.02 * phase) + math.sin(math.pi * 0.01 * phase))


def _emit(exhaust: Exhaust, jet: Jet, strength: float, power: float) -> None:
    ox, oy = jet.offset
    exhaust.emit(jet.point, (ox * strength * _JET_SPEED, oy * strength * _JET_SPEED), power)


class _Gravity(Attribute):
    """The gravity of the next episode."""

    def check(self, value: Any) -> None:
        """Check that it is a number in the range of the constructor."""
        super().check(value)
        _check_gravity(value, ValueError)


def _check_gravity(gravity: float, error: type[Exception]) -> None:
    if not -12.0 < gravity < 0.0:
        raise error(f"gravity expects a number above -12 and below 0, but {gravity} came")


def _warn_beyond(name: str, value: float, greatest: float) -> None:
    if not 0.0 <= value <= greatest:
        warn(f"{name} is meant to lie between 0 and {greatest:g}, but {value} came; it is used anyway")


class LunarLanderV2(LunarLander):
    """LunarLander as in the v2 ids: the wind continues from episode to episode, until a reset with a seed."""

    _batch_stepper = staticmethod(batch_stepper_of)
    _scene = LunarLander._scene
    settings = ("wind_idx", "torque_idx", "_wind_due")
    _wind_due = True  # whether the next episode must draw the wind's phases

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode; `options` is not used."""
        self._wind_due = self._wind_due or seed is not None
        return super().reset(seed=seed, options=options)

    def _begin_wind(self, rng: Any) -> None:
        if self._wind_due:
            super()._begin_wind(rng)
            self._wind_due = False


class LunarLanderContinuous:
    """Raises an error that names its replacement."""

    def __init__(self) -> NoReturn:
        raise Error('LunarLanderContinuous is now an argument: gymnasium.make("LunarLander-v3", continuous=True)')
