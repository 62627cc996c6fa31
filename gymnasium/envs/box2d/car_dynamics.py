"""A car seen from above, with rear-wheel drive: converts gas, brake and steering to forces on its wheels.

Source: O. Klimov's environment for OpenAI Gym (2016); the wheels follow C. Campbell's "Top-Down Car Physics" (2014).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.bindings import Point

__all__ = [
    "ENGINE_POWER",
    "FRICTION_LIMIT",
    "HULL_POLY1",
    "HULL_POLY2",
    "HULL_POLY3",
    "HULL_POLY4",
    "MUD_COLOR",
    "SIZE",
    "WHEELPOS",
    "WHEEL_COLOR",
    "WHEEL_MOMENT_OF_INERTIA",
    "WHEEL_R",
    "WHEEL_W",
    "WHEEL_WHITE",
    "Car",
    "Particle",
]

SIZE: Final = 0.02  # metres per unit of the outlines below
ENGINE_POWER: Final = 100000000 * SIZE * SIZE  # W
WHEEL_MOMENT_OF_INERTIA: Final = 4000 * SIZE * SIZE  # kg m^2
FRICTION_LIMIT: Final = 1000000 * SIZE * SIZE  # N, the maximum force of a wheel on the road
WHEEL_R: Final = 27
WHEEL_W: Final = 14
WHEELPOS: Final = [(-55, +80), (+55, +80), (-55, -82), (+55, -82)]  # front left, front right, rear left, rear right
HULL_POLY1: Final = [(-60, +130), (+60, +130), (+60, +110), (-60, +110)]
HULL_POLY2: Final = [(-15, +120), (+15, +120), (+20, +20), (-20, 20)]
HULL_POLY3: Final = [
    (+25, +20),
    (+50, -10),
    (+50, -40),
    (+20, -90),
    (-20, -90),
    (-50, -40),
    (-50, -10),
    (-25, +20),
]
HULL_POLY4: Final = [(-50, -120), (+50, -120), (+50, -90), (-50, -90)]
HULL_COLOR: Final = (204, 0, 0)
WHEEL_COLOR: Final = (0, 0, 0)
WHEEL_WHITE: Final = (77, 77, 77)  # of a band painted on the tyre
MUD_COLOR: Final = (102, 102, 0)

GRASS_FRICTION: Final = 0.6  # of the road's
_STEERING_TORQUE: Final = 180 * 900 * SIZE * SIZE
_STEERING_LIMIT: Final = 0.4  # rad
_STIFFNESS: Final = 205000 * SIZE * SIZE  # N per m/s of slip of a wheel
_BRAKE_FORCE: Final = 15.0  # rad/s taken from a wheel in a step by the full brake
_BLOCKING_BRAKE: Final = 0.9  # from this value on a wheel stands still
_TRACE_POINTS: Final = 30  # of a skid mark


def _sized(outline: list[tuple[int, int]]) -> list[Point]:
    return [(x * SIZE, y * SIZE) for x, y in outline]


HULL_POLYS: Final = (HULL_POLY1, HULL_POLY2, HULL_POLY3, HULL_POLY4)
_HULL: Final = [engine.polygon(_sized(outline), density=1.0) for outline in HULL_POLYS]
_HINGES: Final = [
    engine.Hinge(((x * SIZE, y * SIZE), (0.0, 0.0)), (-_STEERING_LIMIT, _STEERING_LIMIT), _STEERING_TORQUE, 0.0)
    for x, y in WHEELPOS
]
_TYRE: Final = engine.box(
    WHEEL_W * SIZE, WHEEL_R * SIZE, density=0.1, categoryBits=0x0020, maskBits=0x001, restitution=0.0
)


@dataclass(slots=True)
class Particle:
    """A skid mark on the road, or a mud track on the grass."""

    color: tuple[int, int, int]
    poly: list[Point]
    grass: bool
    ttl: float = 1


@dataclass(slots=True, eq=False)
class Tile:
    """A piece of the road, to be visited."""

    idx: int
    color: NDArray[np.float64]  # of shape (3,), 0 to 255
    road_visited: bool = False
    road_friction: float = 1.0


@dataclass(eq=False)
class Wheel:
    """The state of a wheel, with the attributes (`position`, ...) of its body in the engine."""

    body: engine.Body
    joint: engine.Joint
    wheel_rad: float  # m
    gas: float = 0.0
    brake: float = 0.0
    steer: float = 0.0  # rad, the target angle
    phase: float = 0.0  # rad, how far it has rolled
    omega: float = 0.0  # rad/s
    skid_start: Point | None = None
    skid_particle: Particle | None = None
    tiles: set[Tile] = field(default_factory=set)  # under it

    def __getattr__(self, name: str) -> Any:
        if name == "body":  # missing while a copy is being made
            raise AttributeError(name)
        return getattr(self.body, name)


class Car:
    """The car in its world.

    Args:
        world: The engine's world.
        init_angle: Of the car, rad; 0 points up.
        init_x: Of its middle, m.
        init_y: Of its middle, m.

    Attributes:
        hull: A body of the engine.
        wheels: Front left, front right, rear left, rear right.
        fuel_spent: Energy so far, J.
        particles: The newest skid marks.
    """

    def __init__(self, world: engine.World, init_angle: float, init_x: float, init_y: float) -> None:
        self.world = world
        self.fuel_spent = 0.0
        self.particles: deque[Particle] = deque(maxlen=30)
        self.hull = engine.add_body(world, (init_x, init_y), init_angle, _HULL)
        self.wheels = [self._add_wheel(i, init_angle, init_x, init_y) for i in range(len(WHEELPOS))]

    def _add_wheel(self, i: int, angle: float, x: float, y: float) -> Wheel:
        wx, wy = WHEELPOS[i][0] * SIZE, WHEELPOS[i][1] * SIZE
        body = engine.add_body(self.world, (x + wx, y + wy), angle, _TYRE)
        return Wheel(body, _HINGES[i].join(self.hull, body), WHEEL_R * SIZE)

    def gas(self, gas: float) -> None:
        """Sets the throttle of the rear wheels, 0 to 1; it opens by 0.1 a step at most."""
        gas = max(0.0, min(gas, 1.0))
        for wheel in self.wheels[2:]:
            wheel.gas += min(gas - wheel.gas, 0.1)

    def brake(self, b: float) -> None:
        """Sets the brakes to `b`, 0 to 1; from 0.9 on the wheels block."""
        for wheel in self.wheels:
            wheel.brake = b

    def steer(self, s: float) -> None:
        """Sets the angle to turn the front wheels to, `s` rad, -1 to 1; positive is to the left."""
        for wheel in self.wheels[:2]:
            wheel.steer = s

    def step(self, dt: float) -> None:
        """Turn the wheels for `dt` seconds, and apply their forces to the car in the engine's next step."""
        for wheel in self.wheels:
            self._turn(wheel)
            self._drive(wheel, dt)

    def _turn(self, wheel: Wheel) -> None:
        off = wheel.steer - wheel.joint.angle
        speed = min(50.0 * abs(off), 3.0)
        wheel.joint.motorSpeed = speed if off > 0 else -speed

    def _drive(self, wheel: Wheel, dt: float) -> None:
        """The wheel turns by engine and brake; friction reduces the difference in speed between rim and ground."""
        body = wheel.body
        side = body.GetWorldVector((1, 0))
        sx, sy = side.x, side.y
        fx, fy = -sy, sx  # forward, a quarter turn to the left
        velocity = body.linearVelocity
        vx, vy = velocity.x, velocity.y
        along, across = fx * vx + fy * vy, sx * vx + sy * vy

        # Power = torque * omega, so the torque falls with the speed; + 5 avoids the infinity at rest.
        wheel.omega += dt * ENGINE_POWER * wheel.gas / WHEEL_MOMENT_OF_INERTIA / (abs(wheel.omega) + 5.0)
        self.fuel_spent += dt * ENGINE_POWER * wheel.gas
        _slow_down(wheel)
        wheel.phase += wheel.omega * dt

        grip = FRICTION_LIMIT * GRASS_FRICTION
        for tile in wheel.tiles:
            grip = max(grip, FRICTION_LIMIT * tile.road_friction)
        f_force = (-along + wheel.omega * wheel.wheel_rad) * _STIFFNESS
        p_force = -across * _STIFFNESS
        force = sqrt(f_force * f_force + p_force * p_force)
        self._leave_trace(wheel, skids=force > 2.0 * grip)
        if force > grip:
            f_force = f_force / force * grip
            p_force = p_force / force * grip
        wheel.omega -= dt * f_force * wheel.wheel_rad / WHEEL_MOMENT_OF_INERTIA
        body.ApplyForceToCenter((p_force * sx + f_force * fx, p_force * sy + f_force * fy), True)

    def _leave_trace(self, wheel: Wheel, skids: bool) -> None:
        """Lengthen the mark of a wheel that skids, or begin one."""
        if not skids:
            wheel.skid_start = wheel.skid_particle = None
            return
        x, y = wheel.body.position
        grass = not wheel.tiles
        mark = wheel.skid_particle
        if mark is not None and mark.grass == grass and len(mark.poly) < _TRACE_POINTS:
            mark.poly.append((x, y))
        elif wheel.skid_start is None:
            wheel.skid_start = (x, y)
        else:
            mark = Particle(MUD_COLOR if grass else WHEEL_COLOR, [wheel.skid_start, (x, y)], grass)
            self.particles.append(mark)
            wheel.skid_particle, wheel.skid_start = mark, None

    def destroy(self) -> None:
        """Take the car out of its world."""
        self.world.DestroyBody(self.hull)
        for wheel in self.wheels:
            self.world.DestroyBody(wheel.body)
        self.wheels = []


def _slow_down(wheel: Wheel) -> None:
    if wheel.brake >= _BLOCKING_BRAKE:
        wheel.omega = 0.0
    elif wheel.brake > 0:
        change = min(_BRAKE_FORCE * wheel.brake, abs(wheel.omega))
        wheel.omega += -change if wheel.omega > 0 else change
