"""The physics engine: Box2D through its Python bindings, imported here and nowhere else.

The engine computes in 32-bit floats, and the order in which bodies are made is part of what it computes.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Sequence
from threading import Lock
from typing import Any, Final

from gymnasium.error import DependencyNotInstalled

try:
    with warnings.catch_warnings():
        # Where warnings are errors, those of its bindings would crash the interpreter.
        warnings.simplefilter("ignore", DeprecationWarning)
        import Box2D
except ImportError as reason:
    raise DependencyNotInstalled(
        f"The Box2D environments need Box2D, which cannot be imported ({reason}). Wheels exist, so no compiler and no "
        'swig is needed; run: pip install "gymnasium[box2d]"'
    ) from reason

FPS: Final = 50  # steps per simulated second
VELOCITY_ITERATIONS: Final = 180  # of the solver, per step
POSITION_ITERATIONS: Final = 60

World = Any
Body = Any
Fixture = Any
Joint = Any
FixtureDef = Any
Point = tuple[float, float]


BUILDING: Final = Lock()  # to be held while a world is built: what follows serves all worlds, of all threads
# Definitions that are filled in anew for each body and joint: to make one takes longer than to make the body.
_STILL: Final = Box2D.b2BodyDef(type=Box2D.b2_staticBody)
_MOVING: Final = Box2D.b2BodyDef(type=Box2D.b2_dynamicBody)
_HINGE: Final = Box2D.b2RevoluteJointDef(enableMotor=True, enableLimit=True)


def new_world(gravity: Point, contacts: ContactListener) -> World:
    """Returns an empty world that reports its contacts."""
    return Box2D.b2World(gravity=gravity, contactListener=contacts)


def advance(world: World) -> None:
    """Simulate 1/50 s."""
    world.Step(1.0 / FPS, VELOCITY_ITERATIONS, POSITION_ITERATIONS)


class ContactListener(Box2D.b2ContactListener):  # type: ignore[misc]  # Box2D ships no types
    """Is told, during a step, which shapes begin and cease to touch: override `begin` and `end`."""

    # The engine calls these two for every contact in every step. A builtin is the cheapest call that does nothing.
    PreSolve = PostSolve = staticmethod(operator.is_)

    def begin(self, one: Any, other: Any) -> None:
        """Two shapes, given by the `userData` of their fixtures, touch from now on."""

    def end(self, one: Any, other: Any) -> None:
        """Two shapes, given by the `userData` of their fixtures, no longer touch."""

    def BeginContact(self, contact: Any) -> None:  # noqa: N802  # the engine's name
        """Called by the engine."""
        self.begin(contact.fixtureA.userData, contact.fixtureB.userData)

    def EndContact(self, contact: Any) -> None:  # noqa: N802  # the engine's name
        """Called by the engine."""
        self.end(contact.fixtureA.userData, contact.fixtureB.userData)


def polygon(vertices: Sequence[Point], **fixture: Any) -> FixtureDef:
    """Returns the definition of a convex polygon; `fixture`: `density`, `friction`, `categoryBits`, ..."""
    return Box2D.b2FixtureDef(shape=Box2D.b2PolygonShape(vertices=vertices), **fixture)


def box(half_width: float, half_height: float, **fixture: Any) -> FixtureDef:
    """Returns the definition of a rectangle around the body's origin."""
    return Box2D.b2FixtureDef(shape=Box2D.b2PolygonShape(box=(half_width, half_height)), **fixture)


def add_ground(world: World) -> Body:
    """Adds a body that never moves, for all that is still: the engine visits every body in every step."""
    return world.CreateBody(_STILL)


def add_body(world: World, position: Point, angle: float, fixtures: FixtureDef | Sequence[FixtureDef]) -> Body:
    """Adds a body that moves, of one fixture or of several; `angle` in rad."""
    _MOVING.position, _MOVING.angle = position, angle
    body = world.CreateBody(_MOVING)
    for fixture in fixtures if isinstance(fixtures, Sequence) else (fixtures,):
        body.CreateFixture(fixture)
    return body


class Polygons:
    """Makes convex polygons that differ in their vertices only; `fixture`: `density`, `friction`, ..."""

    def __init__(self, **fixture: Any) -> None:
        self._shape = Box2D.b2PolygonShape(box=(1.0, 1.0))
        self._definition = Box2D.b2FixtureDef(shape=self._shape, **fixture)

    def add(self, body: Body, vertices: Sequence[Point]) -> Fixture:
        """Adds one to a body."""
        self._shape.vertices = vertices
        return body.CreateFixture(self._definition)


class Edges:
    """Makes line segments that differ in their ends only; `fixture`: `density`, `friction`, ..."""

    def __init__(self, **fixture: Any) -> None:
        self._shape = Box2D.b2EdgeShape(vertices=[(0.0, 0.0), (1.0, 0.0)])
        self._definition = Box2D.b2FixtureDef(shape=self._shape, **fixture)

    def add(self, body: Body, start: Point, end: Point) -> Fixture:
        """Adds one to a body."""
        self._shape.vertex1, self._shape.vertex2 = start, end
        return body.CreateFixture(self._definition)


def name(body: Body, user_data: int | str) -> None:
    """Sets what a body of one fixture is called by in contacts. The engine never lets go of it: a constant."""
    body.fixtures[0].userData = user_data


def motor_joint(
    one: Body,
    other: Body,
    anchors: tuple[Point, Point],
    limits: tuple[float, float],
    max_torque: float,
    speed: float,
) -> Joint:
    """Join two bodies at a point of each, in their own coordinates, by a hinge with a motor.

    Args:
        one: The body that angles are measured from.
        other: The body that turns.
        anchors: The hinge in the coordinates of `one` and of `other`.
        limits: Least and greatest angle in radians.
        max_torque: Of the motor, N m.
        speed: Of the motor, rad/s.
    """
    _HINGE.bodyA, _HINGE.bodyB = one, other
    _HINGE.referenceAngle = other.angle - one.angle
    _HINGE.localAnchorA, _HINGE.localAnchorB = anchors
    _HINGE.lowerAngle, _HINGE.upperAngle = limits
    _HINGE.maxMotorTorque, _HINGE.motorSpeed = max_torque, speed
    return one.world.CreateJoint(_HINGE)


def ray() -> tuple[Any, Any]:
    """Returns what a fixture's `RayCast` reads (set its `p1` and `p2`), and what it writes (`fraction`)."""
    return Box2D.b2RayCastInput(maxFraction=1.0), Box2D.b2RayCastOutput()
