"""Bipedal walker: learn to walk over rough ground on two legs with four motors.

Source: O. Klimov's environment for OpenAI Gym (2016). The terrain, the body and the range finder are in
`_walker/`, the pixels in `drawing/bipedal_walker.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar, Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from gymnasium._extensions import extension
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.bindings import FPS
from gymnasium.envs.box2d._stepping.program import MachineCode, Program
from gymnasium.envs.box2d._stepping.stepping import MachineStepper, PythonStepper
from gymnasium.envs.box2d._stepping.trial import play
from gymnasium.envs.box2d._walker.body import (
    HULL_FD,
    HULL_POLY,
    INITIAL_RANDOM,
    LEG_DOWN,
    LEG_FD,
    LEG_H,
    LEG_W,
    LOWER_FD,
    MOTORS_TORQUE,
    add_hull,
    add_legs,
)
from gymnasium.envs.box2d._walker.lidar import LIDAR_RANGE, RAY_ENDS
from gymnasium.envs.box2d._walker.motors import NUMBERS, OWN, SCROLL, SEEN_NUMBERS, SPEED_HIP, SPEED_KNEE
from gymnasium.envs.box2d._walker.step import WIDTH, WORDS, Body, board, python_stepper
from gymnasium.envs.box2d._walker.terrain import (
    FLAT,
    FRICTION,
    SCALE,
    TERRAIN_GRASS,
    TERRAIN_HEIGHT,
    TERRAIN_LENGTH,
    TERRAIN_STARTPAD,
    TERRAIN_STEP,
    VIEWPORT_H,
    VIEWPORT_W,
    Terrain,
    add_terrain,
    random_sky,
    random_terrain,
    shown,
    surveyed,
)
from gymnasium.envs.box2d.bipedal_policy import BipedalWalkerHeuristics
from gymnasium.envs.box2d.drawing.bipedal_ground import EARTH_COLOR
from gymnasium.envs.box2d.drawing.bipedal_walker import GRASS_COLORS, OBSTACLE_COLORS, Painter, Scene
from gymnasium.envs.box2d.drawing.outlines import pose_of
from gymnasium.envs.box2d.legged import ContactDetector, LeggedEnv, Sizes, batch_stepper_of
from gymnasium.error import Error
from gymnasium.functional.attributes import Derived, Later, is_replaced
from gymnasium.rendering.canvas import Color
from gymnasium.spaces import Box
from gymnasium.utils.ezpickle import EzPickle

__all__ = [
    "FPS",
    "FRICTION",
    "HULL_FD",
    "HULL_POLY",
    "INITIAL_RANDOM",
    "LEG_DOWN",
    "LEG_FD",
    "LEG_H",
    "LEG_W",
    "LIDAR_RANGE",
    "LOWER_FD",
    "MOTORS_TORQUE",
    "SCALE",
    "SPEED_HIP",
    "SPEED_KNEE",
    "TERRAIN_GRASS",
    "TERRAIN_HEIGHT",
    "TERRAIN_LENGTH",
    "TERRAIN_STARTPAD",
    "TERRAIN_STEP",
    "VIEWPORT_H",
    "VIEWPORT_W",
    "BipedalWalker",
    "BipedalWalkerHardcore",
    "BipedalWalkerHeuristics",
    "ContactDetector",
]

_AHEAD: Final = (5.0, 1.0)  # m, from the start to before the first obstacle of a trial


class Piece(NamedTuple):
    """A piece of the ground."""

    fixtures: list[engine.Fixture]
    color1: Color
    """Of its face."""
    color2: Color
    """Of its edge."""


def _polygon() -> engine.FixtureDef:
    """Returns the definition of obstacles for subclasses, which set the vertices of its shape."""
    return engine.polygon([(0.0, 0.0), (1.0, 0.0), (1.0, -1.0), (0.0, -1.0)], friction=FRICTION)


def _edge() -> engine.FixtureDef:
    """Returns that of pieces of the surface."""
    return engine.edge((0.0, 0.0), (1.0, 1.0), friction=FRICTION, categoryBits=0x0001)


class LidarRay(NamedTuple):
    """A ray of the range finder: its ends in the world, and the free fraction of its range."""

    fraction: float
    p1: Any
    p2: Any


class BipedalWalker(LeggedEnv[NDArray[np.float32]]):
    """BipedalWalker: walk to the far end. BipedalWalker-v3 limits an episode to 1600 steps, the hardcore one to 2000.

    Observation, `Box` of shape (24,), float32: angle of the hull (rad), angular velocity of the hull (scaled), velocity
    along x (scaled), velocity along y (scaled), angle of hip 1 (rad), speed of hip 1 (as a fraction of the motor's),
    angle of knee 1 (rad), speed of knee 1 (likewise), contact of leg 1 (1 on the ground, else 0), angle of hip 2 (rad),
    speed of hip 2 (likewise), angle of knee 2 (rad), speed of knee 2 (likewise), contact of leg 2 (likewise), range
    finder 1 (straight down, the free fraction of 5.3 m), range finder 2 (likewise, and so on), range finder 3, range
    finder 4, range finder 5, range finder 6, range finder 7, range finder 8, range finder 9, range finder 10 (to the
    front).

    Action, `Box` of shape (4,) within [-1, 1]: hip 1, knee 1, hip 2, knee 2. The sign is the direction of the motor,
    the size the fraction of its maximum torque.

    Reward: 4.3 for a metre forwards (300 points to the far end), less 5 for a rad by which the hull's angle grew, less
    0.028 for each motor at full torque; instead -100 for a fall, which ends the episode, as does the far end.

    Args:
        render_mode: `"human"`, `"rgb_array"` or None.
        hardcore: Whether there are stumps, stairs and pits.

    Attributes:
        hull: The hull, a body of the engine.
        legs: Upper and lower leg, twice; the lower ones have an attribute `ground_contact`.
        joints: Hip and knee, twice.
        terrain: The pieces of the ground, the surface from right to left first, each with its `fixtures` and
            the colours of its face and edge, `color1` and `color2`.
        terrain_x, terrain_y: The points of the surface from left to right, m.
        lidar: The ten rays of the range finder, each with `fraction`, `p1` and `p2`.
        game_over: Whether the hull has touched the ground.
    """

    episodic = ("terrain", "terrain_x", "terrain_y", "terrain_poly", "cloud_poly", "drawlist", "lidar")
    lidar_render = 0  # not used: pictures show all rays
    hull: engine.Body = None
    left_out: ClassVar[dict[str, Any]] = {
        "joints": Later(lambda env: []),
        "fd_polygon": Later(lambda env: _polygon()),
        "fd_edge": Later(lambda env: _edge()),
        "hardcore": False,
    }
    joints: list[engine.Joint]
    fd_polygon: engine.FixtureDef
    fd_edge: engine.FixtureDef
    landscape: Terrain = FLAT
    _painter: Painter | None = None
    _batch_stepper = staticmethod(batch_stepper_of)
    _sizes = Sizes(WIDTH, SEEN_NUMBERS, NUMBERS, WORDS)

    def __init__(self, render_mode: str | None = None, hardcore: bool = False) -> None:
        EzPickle.__init__(self, render_mode, hardcore)
        self.hardcore = hardcore
        joints = [math.pi, 5.0, math.pi, 5.0, 5.0]
        high = np.array([math.pi, 5.0, 5.0, 5.0, *joints, *joints, *[1.0] * 10], np.float32)
        low = -high
        low[[8, 13]] = -0.0  # contacts
        self.observation_space = Box(low, high)
        self.action_space = Box(-1, 1, (4,), np.float32)
        self.joints = []
        self.fd_polygon, self.fd_edge = _polygon(), _edge()
        super().__init__(render_mode)

    def _build(self, rng: Any, options: dict[str, Any] | None) -> None:
        self.scroll = 0.0
        self._begin_world(-10.0)
        self._generate_terrain(self.hardcore)
        if is_replaced(self, "_generate_terrain"):
            self._survey()
        self._generate_clouds()
        self.hull = add_hull(self.world)
        self.hull.ApplyForceToCenter((rng.uniform(float(-INITIAL_RANDOM), float(INITIAL_RANDOM)), 0), True)
        self.legs, self.joints = add_legs(self.world, self.hull)
        self._watch(self.hull, self.legs[1::2])

    def _generate_terrain(self, hardcore: bool) -> None:
        """Add a random ground to `world`.

        A subclass may override it. It makes static bodies, from `fd_edge` and `fd_polygon` say, and lists the points of
        its surface in `terrain_x` and `terrain_y` for pictures; the range finder finds whatever stands still.
        """
        self._felt = self.landscape = random_terrain(self._rng, hardcore)
        self._pieces = add_terrain(self.world, self.landscape, self._code)

    def _generate_clouds(self) -> None:
        """Draw the clouds; a subclass may override it."""
        self.landscape = self.landscape._replace(sky=random_sky(self._rng))

    def _survey(self) -> None:
        """Find the ground that a subclass has made."""
        self._felt, self._pieces = surveyed(self.world)
        self.landscape = shown(self.world, vars(self).get("terrain_x", ()), vars(self).get("terrain_y", ()))

    def _find_code(self) -> MachineCode | None:
        return None if is_replaced(self, "_generate_terrain") else super()._find_code()

    def _destroy(self) -> None:
        """Take the ground and the walker out of the world."""
        if self.hull is None:
            return
        self.world.contactListener = None
        for body in list(self.world.bodies):
            self.world.DestroyBody(body)
        self.hull, self.legs, self.joints = None, [], []

    def _settle(self) -> None:
        self._act((0.0, 0.0, 0.0, 0.0))

    @staticmethod
    def _program() -> Program:
        return Program("BipedalWalker", extension("box2d.walker"), _played, marks_contacts=True)

    def _switch_to(self, code: MachineCode) -> None:
        self._pieces = self._pieces.addresses()
        super()._switch_to(code)

    def _body(self) -> Body:
        return Body(self.world, self.hull, self.joints, self._marks, self._numbers, self._seen)

    def _python_stepper(self) -> PythonStepper:
        return python_stepper(self._body(), self._felt, self._pieces)

    def _board(self, stepper: MachineStepper, code: MachineCode) -> None:
        board(stepper, self._body(), self._felt, self._pieces, self._listener, code)

    @property
    def scroll(self) -> float:
        """The left end of the view, m."""
        return self._numbers[SCROLL]

    @scroll.setter
    def scroll(self, left: float) -> None:
        self._numbers[SCROLL] = left

    @Derived
    def terrain_x(self) -> list[float]:
        """The points of the surface, m."""
        return [x for x, _ in self.landscape.points]

    @Derived
    def terrain_y(self) -> list[float]:
        """Their heights, m."""
        return list(self.landscape.heights)

    @Derived
    def terrain_poly(self) -> list[tuple[list[engine.Point], Color]]:
        """The ground below each piece of the surface, with its colour."""
        pieces = pairwise(zip(self.terrain_x, self.terrain_y, strict=True))
        return [([one, other, (other[0], 0.0), (one[0], 0.0)], EARTH_COLOR) for one, other in pieces]

    @Derived
    def cloud_poly(self) -> list[tuple[list[engine.Point], float, float]]:
        """The clouds: the corners of each, and its ends."""
        clouds = self.landscape.clouds
        return [(corners, min(x for x, _ in corners), max(x for x, _ in corners)) for corners in clouds]

    @Derived
    def lidar(self) -> list[LidarRay]:
        """The rays of the range finder as of the last step."""
        x, y = self.hull.position
        rays = zip(RAY_ENDS, self._seen[OWN:].tolist(), strict=True)
        return [LidarRay(f, engine.vector(x, y), engine.vector(x + f * dx, y + f * dy)) for (dx, dy), f in rays]

    @Derived
    def drawlist(self) -> list[Any]:
        """The ground, the legs and the hull."""
        return [*self.terrain, *self.legs, self.hull]

    @Derived
    def terrain(self) -> list[Piece]:
        """The pieces of the ground."""
        ground = self.world.bodies[0]  # the first body of a world
        grass = [(GRASS_COLORS[i % 2],) * 2 for i in range(TERRAIN_LENGTH - 1)]
        colors = [*reversed(grass), *[OBSTACLE_COLORS] * len(self.landscape.obstacles)]
        return [Piece([fixture], *pair) for fixture, pair in zip(reversed(ground.fixtures), colors, strict=True)]

    def _act(self, move: Sequence[float]) -> tuple[float, bool, dict[str, Any]]:
        return *self._stepper.whole(*move), {}

    def _frame(self) -> NDArray[np.uint8]:
        if self._painter is None:
            self._painter = Painter()
        return self._painter.picture(self._scene())

    def _scene(self) -> Scene:
        """Returns the contents of the picture."""
        legs, fractions = [pose_of(leg) for leg in self.legs], self._seen[OWN:].tolist()
        return Scene(self.landscape, self.scroll, pose_of(self.hull), legs, fractions)


def _played(code: MachineCode | None) -> list[Any]:
    """A walker stumbles at the first obstacle."""
    moves = [tuple(math.sin(speed * t) for speed in (0.2, 0.3, 0.5, 0.7)) for t in range(60)]
    return play(BipedalWalker(hardcore=True), "hull", _AHEAD, moves, code)


class BipedalWalkerHardcore:
    """Raises an error that names its replacement."""

    def __init__(self) -> NoReturn:
        raise Error('BipedalWalkerHardcore is now an argument: gymnasium.make("BipedalWalker-v3", hardcore=True)')
