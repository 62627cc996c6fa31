"""The physics engine: Box2D through its Python bindings, imported here and nowhere else.

The engine computes in 32-bit floats, and the order in which bodies are made is part of what it computes.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Sequence
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


_STATIC: Final = Box2D.b2BodyDef(type=Box2D.b2_staticBody)


def new_world(gravity: Point, contacts: ContactListener) -> World:
    """Returns an empty world that reports its contacts."""
    return Box2D.b2World(gravity=gravity, contactListener=contacts)


def advance(world: World) -> None:
    """Simulate 1/50 s."""
    world.Step(1.0 / FPS, VELOCITY_ITERATIONS, POSITION_ITERATIONS)


class ContactListener(Box2D.b2ContactListener):  # type: ignore[misc]  # Box2D ships no types
    """Is told, during a step, which bodies begin and cease to touch: override `begin` and `end`."""

    # The engine calls these two for every contact in every step. A builtin is the cheapest call that does nothing.
    PreSolve = PostSolve = staticmethod(operator.is_)

    def begin(self, one: Any, other: Any) -> None:
        """Two bodies, given by their `userData`, touch from now on at two more of their shapes."""

    def end(self, one: Any, other: Any) -> None:
        """Two bodies, given by their `userData`, no longer touch at two of their shapes."""

    def BeginContact(self, contact: Any) -> None:  # noqa: N802  # the engine's name
        """Called by the engine."""
        self.begin(contact.fixtureA.body.userData, contact.fixtureB.body.userData)

    def EndContact(self, contact: Any) -> None:  # noqa: N802  # the engine's name
        """Called by the engine."""
        self.end(contact.fixtureA.body.userData, contact.fixtureB.body.userData)


def polygon(vertices: Sequence[Point], **fixture: Any) -> FixtureDef:
    """Returns the definition of a convex polygon; `fixture`: `density`, `friction`, `categoryBits`, ..."""
    return Box2D.b2FixtureDef(shape=Box2D.b2PolygonShape(vertices=vertices), **fixture)


def box(half_width: float, half_height: float, **fixture: Any) -> FixtureDef:
    """Returns the definition of a rectangle around the body's origin."""
    return Box2D.b2FixtureDef(shape=Box2D.b2PolygonShape(box=(half_width, half_height)), **fixture)


def edge(start: Point, end: Point, **fixture: Any) -> FixtureDef:
    """Returns the definition of a line segment."""
    return Box2D.b2FixtureDef(shape=Box2D.b2EdgeShape(vertices=[start, end]), **fixture)


def add_static(world: World, definition: FixtureDef) -> Fixture:
    """Adds a body that never moves, with one fixture, and returns that; its `body` is the body."""
    return world.CreateBody(_STATIC).CreateFixture(definition)


def reshaped(definition: FixtureDef, vertices: Sequence[Point]) -> FixtureDef:
    """Returns the same definition with other vertices. For what is made in each episode: its shape is never freed."""
    definition.shape.vertices = vertices
    return definition


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
    return one.world.CreateRevoluteJoint(
        bodyA=one,
        bodyB=other,
        localAnchorA=anchors[0],
        localAnchorB=anchors[1],
        enableMotor=True,
        enableLimit=True,
        maxMotorTorque=max_torque,
        motorSpeed=speed,
        lowerAngle=limits[0],
        upperAngle=limits[1],
    )


def ray() -> tuple[Any, Any]:
    """Returns what a fixture's `RayCast` reads (set its `p1` and `p2`), and what it writes (`fraction`)."""
    return Box2D.b2RayCastInput(maxFraction=1.0), Box2D.b2RayCastOutput()
