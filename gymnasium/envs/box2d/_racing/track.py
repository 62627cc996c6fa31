"""Random race tracks: a closed road through twelve random checkpoints. Lengths in metres, angles in rad."""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt
from typing import Any, Final, NamedTuple

from gymnasium.envs.box2d._engine.bindings import Point

SCALE: Final = 6.0  # of the track
TRACK_RAD: Final = 900 / SCALE  # maximum distance of an inner checkpoint from the middle
PLAYFIELD: Final = 2000 / SCALE  # beyond which the car is lost
TRACK_DETAIL_STEP: Final = 21 / SCALE  # length of a tile
TRACK_TURN_RATE: Final = 0.31  # rad per tile at most
TRACK_WIDTH: Final = 40 / SCALE  # half the road's
BORDER: Final = 8 / SCALE  # width of a kerb
BORDER_MIN_COUNT: Final = 4  # tiles of sharp turn that get a kerb

_SHARP: Final = 0.2 * TRACK_TURN_RATE  # rad per tile, above which a turn is sharp
_CHECKPOINTS: Final = 12
START_ALPHA: Final = 2 * pi * (-0.5) / _CHECKPOINTS
_LAPS: Final = 4  # the number of laps walked before one of them is cut out
MAX_POINTS: Final = 2500


class TrackPoint(NamedTuple):
    """A point in the middle of the road."""

    alpha: float  # direction from the middle of the field to the point
    beta: float  # direction across the road, to the right
    x: float
    y: float


_Numbers = tuple[float, float, float, float]  # a TrackPoint that is faster to make: most points are not kept


def random_track(rng: Any) -> list[TrackPoint]:
    """Draws tracks until one closes well."""
    while True:
        track = _one_lap(_walk(_random_checkpoints(rng)))
        if track is not None:
            return track


def _random_checkpoints(rng: Any) -> list[tuple[float, float, float]]:
    """Draws direction, x and y of points around the field; the first and the last are fixed, for the start."""
    checkpoints = []
    for c in range(_CHECKPOINTS):
        alpha = 2 * pi * c / _CHECKPOINTS + rng.uniform(0.0, 2 * pi * 1 / _CHECKPOINTS)
        radius = rng.uniform(TRACK_RAD / 3, TRACK_RAD)
        if c in (0, _CHECKPOINTS - 1):
            alpha, radius = 2 * pi * c / _CHECKPOINTS, 1.5 * TRACK_RAD
        checkpoints.append((alpha, radius * cos(alpha), radius * sin(alpha)))
    return checkpoints


def _walk(checkpoints: list[tuple[float, float, float]]) -> list[_Numbers]:
    """Walks from checkpoint to checkpoint, turning a little at each step, for some laps."""
    x, y, beta = 1.5 * TRACK_RAD, 0.0, 0.0
    aim = laps = 0
    on_far_side = False
    track: list[_Numbers] = []
    while laps <= _LAPS and len(track) < MAX_POINTS:
        alpha = atan2(y, x)
        if alpha > 0 and on_far_side:
            laps += 1
            on_far_side = False
        if alpha < 0:
            on_far_side = True
            alpha += 2 * pi
        aim, alpha = _next_aim(aim, alpha, checkpoints)
        _, aim_x, aim_y = checkpoints[aim % _CHECKPOINTS]
        across_x, across_y = cos(beta), sin(beta)
        before, beta = _turned(beta, alpha, across_x * (aim_x - x) + across_y * (aim_y - y))
        x -= across_y * TRACK_DETAIL_STEP
        y += across_x * TRACK_DETAIL_STEP
        track.append((alpha, before * 0.5 + beta * 0.5, x, y))
    return track


def _next_aim(aim: int, alpha: float, checkpoints: list[tuple[float, float, float]]) -> tuple[int, float]:
    """The first checkpoint, from number `aim` on, that is ahead; `alpha` is less by a turn after the last one."""
    while alpha > checkpoints[aim % _CHECKPOINTS][0]:
        aim += 1
        if aim % _CHECKPOINTS == 0:
            alpha -= 2 * pi
    return aim, alpha


def _turned(beta: float, alpha: float, aside: float) -> tuple[float, float]:
    """Returns `beta` without whole turns, and turned towards a point at a distance `aside` to the right."""
    while beta - alpha > 1.5 * pi:
        beta -= 2 * pi
    while beta - alpha < -1.5 * pi:
        beta += 2 * pi
    aside *= SCALE
    turn = min(TRACK_TURN_RATE, abs(0.001 * aside)) if abs(aside) > 0.3 else 0.0
    return beta, beta - turn if aside > 0 else beta + turn


def _one_lap(track: list[_Numbers]) -> list[TrackPoint] | None:
    """Returns the last whole lap, from the start on, or None if its ends do not meet."""
    alphas = [alpha for alpha, *_ in track]
    crossings = [i for i in range(len(track) - 1, 0, -1) if alphas[i] > START_ALPHA >= alphas[i - 1]]
    if len(crossings) < 2:
        return None
    lap = [TrackPoint(*point) for point in track[crossings[1] : crossings[0] - 1]]
    first, last = lap[0], lap[-1]
    gap_x = cos(first.beta) * (first.x - last.x)
    gap_y = sin(first.beta) * (first.y - last.y)
    return lap if sqrt(gap_x * gap_x + gap_y * gap_y) <= TRACK_DETAIL_STEP else None


def kerbs(track: list[TrackPoint]) -> list[bool]:
    """Returns for each tile whether it has a kerb: in a sharp turn to one side, or just before its end."""
    turns = [here.beta - before.beta for here, before in zip(track, [track[-1], *track[:-1]], strict=True)]
    sharp = [(turn > _SHARP) - (turn < -_SHARP) for turn in turns]
    latest = zip(*(sharp[-back:] + sharp[:-back] for back in range(BORDER_MIN_COUNT)), strict=True)
    marked = [False] * len(track)
    for i, sides in enumerate(latest):
        if abs(sum(sides)) == BORDER_MIN_COUNT:
            for back in range(BORDER_MIN_COUNT):
                marked[i - back] = True
    return marked


def tile_outlines(track: list[TrackPoint]) -> list[list[Point]]:
    """Returns the corners of each tile: of the road between the points i - 1 and i."""
    edges = [_beside(point, -TRACK_WIDTH, TRACK_WIDTH) for point in track]
    return [[*edges[i], *reversed(edges[i - 1])] for i in range(len(edges))]


def kerb_outline(track: list[TrackPoint], i: int) -> list[Point]:
    """Returns the corners of the kerb beside the tile i, on the inner side of the turn."""
    here, before = track[i], track[i - 1]
    side = (before.beta > here.beta) - (before.beta < here.beta)
    near, far = side * TRACK_WIDTH, side * (TRACK_WIDTH + BORDER)
    return [*_beside(here, near, far), *_beside(before, far, near)]


def _beside(point: TrackPoint, *distances: float) -> list[Point]:
    return [(point.x + d * cos(point.beta), point.y + d * sin(point.beta)) for d in distances]
