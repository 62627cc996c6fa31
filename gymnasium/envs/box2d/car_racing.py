"""Car racing: drive round a random track, seen from above.

Source: O. Klimov's environment for OpenAI Gym (2016). The track is in `_racing/track.py`, the car in
`car_dynamics.py` and the pixels, also those of the observation, in `drawing/car_racing.py`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.bindings import FPS
from gymnasium.envs.box2d._racing.track import (
    BORDER,
    BORDER_MIN_COUNT,
    MAX_POINTS,
    PLAYFIELD,
    SCALE,
    START_ALPHA,
    TRACK_DETAIL_STEP,
    TRACK_RAD,
    TRACK_TURN_RATE,
    TRACK_WIDTH,
    TrackPoint,
    kerb_outline,
    kerbs,
    random_track,
    tile_outlines,
)
from gymnasium.envs.box2d._racing.trial import play
from gymnasium.envs.box2d._stepping.program import Program
from gymnasium.envs.box2d.base import Box2DEnv
from gymnasium.envs.box2d.car_dynamics import Car, Tile
from gymnasium.envs.box2d.drawing.car_racing import (
    GRASS_DIM,
    MAX_SHAPE_DIM,
    STATE_H,
    STATE_W,
    VIDEO_H,
    VIDEO_W,
    WINDOW_H,
    WINDOW_W,
    ZOOM,
    ZOOM_FOLLOW,
    Colors,
    Painter,
)
from gymnasium.envs.box2d.drawing.race_ground import KERB_COLORS
from gymnasium.functional.attributes import Derived, Later
from gymnasium.rendering.raster import RGB, Raster
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.ezpickle import EzPickle

__all__ = [
    "BORDER",
    "BORDER_MIN_COUNT",
    "FPS",
    "GRASS_DIM",
    "MAX_SHAPE_DIM",
    "PLAYFIELD",
    "SCALE",
    "STATE_H",
    "STATE_W",
    "TRACK_DETAIL_STEP",
    "TRACK_RAD",
    "TRACK_TURN_RATE",
    "TRACK_WIDTH",
    "VIDEO_H",
    "VIDEO_W",
    "WINDOW_H",
    "WINDOW_W",
    "ZOOM",
    "ZOOM_FOLLOW",
    "CarRacing",
    "FrictionDetector",
]

_ROAD: Final = (102, 102, 102)
_FIELD: Final = (102, 204, 102)
_GRASS: Final = (102, 230, 102)

# Sub-pixels per pixel, across and down, of the observation and of other pictures. pygame fills a row more slowly than a
# column; it scales powers of two without loss.
_FINE: Final = (4, 2)
_FINE_FRAMES: Final = (2, 2)
_DARKER: Final = {STATE_W: 2, VIDEO_W: 1, WINDOW_W: 0}  # of 255, the loss by the reference's scaling, per width

_TILES: Final = engine.Polygons(isSensor=True)
# The names of tiles in the engine: it never releases them, so they are the same in each episode.
_NUMBERS: Final = tuple(range(MAX_POINTS))

# Steering to the left, gas and brake of the discrete actions: none, right, left, gas, brake.
_KEYS: Final = ((0.0, 0.0, 0.0), (-0.6, 0.0, 0.0), (0.6, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.8))


class FrictionDetector(engine.ContactListener):
    """Records which tiles each wheel is on, and rewards the first visit of each."""

    def __init__(self, env: CarRacing, lap_complete_percent: float) -> None:
        super().__init__()
        self.env = env
        self.lap_complete_percent = lap_complete_percent

    def begin(self, one: Any, other: Any) -> None:
        """A wheel rolls onto a tile."""
        found = self._found(one, other)
        if found is None:
            return
        tile, tiles = found
        env = self.env
        tile.color = env.road_color
        env.painter.visit(tile.idx)
        tiles.add(tile)
        if not tile.road_visited:
            tile.road_visited = True
            env.reward += 1000.0 / len(env.track)
            env.tile_visited_count += 1
        if tile.idx == 0 and env.tile_visited_count / len(env.track) > self.lap_complete_percent:
            env.new_lap = True

    def end(self, one: Any, other: Any) -> None:
        """A wheel leaves a tile."""
        found = self._found(one, other)
        if found is not None:
            found[1].discard(found[0])

    def _found(self, one: int | None, other: int | None) -> tuple[Tile, set[Tile]] | None:
        """The numbers of the touching tile and wheel, if there are any: tiles count from 0, wheels from -1 down."""
        if one is None or other is None or (one < 0) == (other < 0):
            return None
        wheel, tile = min(one, other), max(one, other)
        return self.env.road[tile], self.env.car.wheels[~wheel].tiles


def _tile() -> engine.FixtureDef:
    """Returns the definition of tiles for subclasses."""
    return engine.polygon([(0.0, 0.0), (1.0, 0.0), (1.0, -1.0), (0.0, -1.0)])


def _small_raster() -> Raster:
    """Returns the raster of the observations."""
    return Raster((STATE_W, STATE_H), (WINDOW_W, WINDOW_H), _FINE, _DARKER[STATE_W])


class CarRacing(Box2DEnv[NDArray[np.uint8], Any]):
    """CarRacing: visit every tile of the road. CarRacing-v3 limits an episode to 1000 steps.

    Observation, `Box` of shape (96, 96, 3), uint8: the view from above, with bars below for the speed (white), the
    angular velocity of each wheel (blue), the steering (green) and the car's angular velocity (red).

    Action, `Box` of shape (3,): steering (-1 left to 1 right), gas (0 to 1), brake (0 to 1). Without `continuous`,
    `Discrete(5)`: nothing, right, left, gas, brake.

    Reward: 1000 / n for the first visit of each of the n tiles, less 0.1 a step; -100 for leaving the field. An
    episode ends when all tiles are visited or a lap is completed, and at the field's edge; the info of that step tells
    them apart by `"lap_finished"`.

    Reset options: `"randomize"` (True), whether new colours are drawn, with `domain_randomize`.

    Args:
        render_mode: `"human"`, `"rgb_array"` (600 x 400), `"state_pixels"` (the observation) or None.
        verbose: Whether each track's length is printed.
        lap_complete_percent: The fraction of the tiles that must be visited before the start completes a lap.
        domain_randomize: Whether each episode has other colours of road, field and grass.
        continuous: Whether actions are three numbers.

    Attributes:
        car: The car, see `car_dynamics.Car`.
        track: Points of the road's middle: direction from the field's middle, direction across, x, y.
        road: The tiles.
        state: The last observation.
        tile_visited_count: The number of visited tiles.
        road_color, bg_color, grass_color: Of shape (3,), 0 to 255.

    Raises:
        gymnasium.error.DependencyNotInstalled: Without pygame, which draws the observations.
    """

    metadata = {"render_modes": ["human", "rgb_array", "state_pixels"], "render_fps": FPS}
    settings = ("road_color", "bg_color", "grass_color")
    uncalled = ("_render_indicators", "_render_road", "_draw_colored_polygon", "_create_image_array")
    episodic = ("road_poly", "start_alpha")
    start_alpha = START_ALPHA
    state: NDArray[np.uint8] | None = None
    contactListener_keepref: FrictionDetector | None = None  # noqa: N815  (the API's name)
    surf = invisible_state_window = invisible_video_window = None  # pictures are drawn without pygame's surfaces
    left_out: ClassVar[dict[str, Any]] = {
        "car": None,
        "track": Later(lambda env: []),
        "road": Later(lambda env: []),
        "fd_tile": Later(lambda env: _tile()),
        "road_color": Later(lambda env: np.array(_ROAD)),
        "bg_color": Later(lambda env: np.array(_FIELD)),
        "grass_color": Later(lambda env: np.array(_GRASS)),
        "_small": Later(lambda env: _small_raster()),
        "_frames": None,
        "verbose": False,
        "lap_complete_percent": 0.95,
        "domain_randomize": False,
        "continuous": True,
    }
    car: Any
    track: list[TrackPoint]
    road: list[Tile]
    fd_tile: engine.FixtureDef

    def __init__(
        self,
        render_mode: str | None = None,
        verbose: bool = False,
        lap_complete_percent: float = 0.95,
        domain_randomize: bool = False,
        continuous: bool = True,
    ) -> None:
        EzPickle.__init__(self, render_mode, verbose, lap_complete_percent, domain_randomize, continuous)
        self.verbose = verbose
        self.lap_complete_percent = lap_complete_percent
        self.domain_randomize = domain_randomize
        self.continuous = continuous
        self.observation_space = Box(0, 255, (STATE_H, STATE_W, 3), np.uint8)
        self.action_space = (
            Box(np.array([-1, 0, 0], np.float32), np.array([1, 1, 1], np.float32)) if continuous else Discrete(5)
        )
        self.reward = self.prev_reward = self.t = 0.0
        self.tile_visited_count = 0
        self.new_lap = False
        self._init_colors()
        self.car = None
        self.track, self.road = [], []
        self.fd_tile = _tile()
        self._small = _small_raster()
        self._frames: Raster | None = None
        super().__init__(render_mode)

    def _init_colors(self) -> None:
        """Set the colours of the first episode; a subclass may override it."""
        self.road_color, self.bg_color, self.grass_color = np.array(_ROAD), np.array(_FIELD), np.array(_GRASS)
        if self.domain_randomize:
            self._draw_colors(self.np_random)

    def _reinit_colors(self, randomize: bool) -> None:
        """Set the colours of an episode with domain randomization; a subclass may override it."""
        if randomize:
            self._draw_colors(self._rng)

    def _draw_colors(self, rng: Any) -> None:
        """Draws the colours of road and field; the grass is the field with one part lighter."""
        self.road_color = rng.uniform(0, 210, size=3)
        self.bg_color = rng.uniform(0, 210, size=3)
        self.grass_color = self.bg_color.copy()
        self.grass_color[rng.integers(3)] += 20

    def _build(self, rng: Any, options: dict[str, Any] | None) -> None:
        self.reward = self.prev_reward = 0.0
        self.tile_visited_count = 0
        self.t = 0.0
        self.new_lap = False
        if self.domain_randomize:
            self._reinit_colors((options or {}).get("randomize", True))
        self.contactListener_keepref = FrictionDetector(self, self.lap_complete_percent)
        self.world = engine.new_world((0, 0), self.contactListener_keepref)
        self.track, self.road = [], []
        while not self._create_track():
            pass
        if self.verbose:
            print(f"CarRacing: a track of {len(self.track)} tiles")
        self.track = [TrackPoint(*point) for point in self.track]  # a subclass's may be tuples
        outlines = tile_outlines(self.track)
        colors = Colors(_rgb(self.road_color), _rgb(self.bg_color), _rgb(self.grass_color))
        self.painter = Painter(self.track, outlines, colors)
        self._lay_road(outlines)
        self.car = Car(self.world, *self.track[0][1:])
        for i, wheel in enumerate(self.car.wheels):
            engine.name(wheel.body, ~i)

    def _settle(self) -> None:
        self._simulate()

    @staticmethod
    def _program() -> Program:
        return Program("CarRacing", (), play)  # the hinges of the wheels are all

    def _create_track(self) -> bool:
        """Set `track`; returns whether that worked, and is called again if it did not.

        A subclass may override it: it sets `track`, points as those of this class. The tiles are laid here, in place of
        bodies that it lists in `road`.
        """
        self.track = random_track(self._rng)
        return True

    def _destroy(self) -> None:
        """Take road and car out of the world."""
        if self.car is None:
            return
        self.world.contactListener = None
        for body in list(self.world.bodies):
            self.world.DestroyBody(body)
        self.car, self.road = None, []

    @Derived
    def road_poly(self) -> list[tuple[list[engine.Point], Any]]:
        """The corners and the colour of each tile and kerb."""
        found: list[tuple[list[engine.Point], Any]] = []
        tiles = zip(self.road, tile_outlines(self.track), kerbs(self.track), strict=True)
        for i, (tile, outline, kerbed) in enumerate(tiles):
            found.append((outline, tile.color))
            if kerbed:
                found.append((kerb_outline(self.track, i), KERB_COLORS[i % 2]))
        return found

    def _lay_road(self, outlines: list[list[engine.Point]]) -> None:
        """Add the tiles, which notice wheels but do not stop them."""
        for body in self.road:  # a subclass's
            self.world.DestroyBody(body)
        ground = engine.add_ground(self.world)
        shades = [self.road_color + 0.01 * k * 255 for k in range(3)]
        for i, outline in enumerate(outlines):
            _TILES.add(ground, outline).userData = _NUMBERS[i]
        self.road = [Tile(i, shades[i % 3]) for i in range(len(outlines))]

    def _act(self, move: Any) -> tuple[float, bool, dict[str, Any]]:
        steer, gas, brake = (-move[0], move[1], move[2]) if self.continuous else _KEYS[move]
        self.car.steer(max(-1.0, min(steer, 1.0)))
        self.car.gas(gas)
        self.car.brake(max(0.0, min(brake, 1.0)))
        self._simulate()
        self.reward -= 0.1
        self.car.fuel_spent = 0.0  # counts per step
        gained = self.reward - self.prev_reward
        self.prev_reward = self.reward
        x, y = self.car.hull.position
        if abs(x) > PLAYFIELD or abs(y) > PLAYFIELD:
            return -100.0, True, {"lap_finished": False}
        if self.tile_visited_count == len(self.track) or self.new_lap:
            return gained, True, {"lap_finished": True}
        return gained, False, {}

    def _simulate(self) -> None:
        self.car.step(1.0 / FPS)
        engine.advance(self.world)
        self.t += 1.0 / FPS

    def _observation(self) -> NDArray[np.uint8]:
        self.state = self._render("state_pixels")
        return self.state

    def _frame(self) -> NDArray[np.uint8]:
        return self._render(str(self.render_mode))

    def _render(self, mode: str) -> NDArray[np.uint8]:
        """Returns the picture of a render mode, `"state_pixels"` for observations; a subclass may override it."""
        small = mode == "state_pixels"
        return self.painter.paint(self._small if small else self._large(), self.car, self.t, self.reward, not small)

    def _large(self) -> Raster:
        """The raster of the frames; made when first needed."""
        if self._frames is None:
            size = (WINDOW_W, WINDOW_H) if self.render_mode == "human" else (VIDEO_W, VIDEO_H)
            self._frames = Raster(size, (WINDOW_W, WINDOW_H), _FINE_FRAMES, _DARKER[size[0]])
        return self._frames


def _rgb(color: NDArray[np.float64]) -> RGB:
    red, green, blue = (int(part) for part in color)
    return red, green, blue
