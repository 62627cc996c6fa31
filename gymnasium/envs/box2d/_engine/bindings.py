"""The physics engine: Box2D through its Python bindings, imported here and nowhere else.

The engine computes in 32-bit floats, and its results depend on the order in which bodies are made.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Sequence
from itertools import pairwise
from threading import RLock
from typing import Any, Final, NamedTuple

from gymnasium.dependencies import not_installed
from gymnasium.envs.box2d._engine import vtable

try:
    with warnings.catch_warnings():
        # If warnings are errors, those of its bindings would crash the interpreter.
        warnings.simplefilter("ignore", DeprecationWarning)
        import Box2D
        from Box2D import _Box2D
except ImportError as reason:
    raise not_installed("Box2D", "its environments", reason, "box2d") from reason

FPS: Final = 50  # steps per simulated second
VELOCITY_ITERATIONS: Final = 180  # of the solver, per step
POSITION_ITERATIONS: Final = 60

BINDINGS: Final = _Box2D
World = Any
Body = Any
Fixture = Any
Joint = Any
FixtureDef = Any
Point = tuple[float, float]
Column = Any
"""Handles or numbers, one for each object of a group: a list, or in machine code an array."""
Handle = Any
"""The handles of objects. The bindings' functions look them up in each object; given a handle directly, they take a
third of the time, so every step uses handles. The handle of a body or joint is valid as long as the world."""

BUILDING: Final = RLock()  # held while a world is built: the definitions below are shared by all worlds and threads
# Definitions that are filled in anew for each body: making one takes longer than making the body.
_STILL: Final = Box2D.b2BodyDef(type=Box2D.b2_staticBody)
_MOVING: Final = Box2D.b2BodyDef(type=Box2D.b2_dynamicBody)

# Functions of the bindings, for handles.
apply_force: Final = _Box2D.b2Body_ApplyForceToCenter  # body, force, whether to wake it
apply_torque: Final = _Box2D.b2Body_ApplyTorque  # body, torque, whether to wake it
apply_impulse: Final = _Box2D.b2Body_ApplyLinearImpulse  # body, impulse, point of the world, whether to wake it
is_awake: Final = _Box2D.b2Body___IsAwake
joint_angle: Final = _Box2D.b2RevoluteJoint___GetJointAngle
joint_speed: Final = _Box2D.b2RevoluteJoint___GetJointSpeed
set_motor_speed: Final = _Box2D.b2RevoluteJoint___SetMotorSpeed
set_motor_torque: Final = _Box2D.b2RevoluteJoint___SetMaxMotorTorque  # the maximum

_step: Final = _Box2D.b2World_Step
_create_body: Final = _Box2D.b2World___CreateBody
_create_joint: Final = _Box2D.b2World___CreateJoint
_create_fixture: Final = _Box2D.b2Body___CreateFixture
_last_fixture: Final = _Box2D.b2Body___GetFixtureList_internal
_world: Final = _Box2D.b2Body___GetWorld
_set_joined: Final = _Box2D.b2JointDef_bodyA_set
_set_turning: Final = _Box2D.b2JointDef_bodyB_set
_set_reference: Final = _Box2D.b2RevoluteJointDef_referenceAngle_set
_set_user_data: Final = _Box2D.b2Fixture___SetUserData
_set_vertex: Final = _Box2D.b2PolygonShape_set_vertex
_set_vertex_count: Final = _Box2D.b2PolygonShape_vertexCount_set
_make_polygon: Final = _Box2D.b2PolygonShape___set_vertices_internal  # from the vertices that were set
_set_start: Final = _Box2D.b2EdgeShape_vertex1_set
_set_end: Final = _Box2D.b2EdgeShape_vertex2_set
_position: Final = _Box2D.b2Body___GetPosition
_velocity: Final = _Box2D.b2Body___GetLinearVelocity
_angle: Final = _Box2D.b2Body___GetAngle
_angular_velocity: Final = _Box2D.b2Body___GetAngularVelocity
_x: Final = _Box2D.b2Vec2_x_get
_y: Final = _Box2D.b2Vec2_y_get
_set_ray_start: Final = _Box2D.b2RayCastInput_p1_set
_set_ray_end: Final = _Box2D.b2RayCastInput_p2_set
_meets: Final = _Box2D.b2Fixture_RayCast  # fixture, result, ray, 0
_fraction: Final = _Box2D.b2RayCastOutput_fraction_get
_shape: Final = _Box2D.b2Fixture___GetShape
_fixture_a: Final = _Box2D.b2Contact___GetFixtureA
_fixture_b: Final = _Box2D.b2Contact___GetFixtureB
_user_data: Final = _Box2D.b2Fixture___GetUserData


def motion(body: Handle) -> tuple[float, float, float, float, float, float]:
    """Returns x, y, velocity along x and y, angle and angular velocity of a body, in metres, radians and seconds."""
    position, velocity = _position(body).this, _velocity(body).this
    return _x(position), _y(position), _x(velocity), _y(velocity), _angle(body), _angular_velocity(body)


def new_world(gravity: Point, contacts: ContactListener) -> World:
    """Returns an empty world that reports its contacts."""
    return Box2D.b2World(gravity=gravity, contactListener=contacts)


def advance(world: World) -> None:
    """Simulate 1/50 s."""
    _step(world.this, 1.0 / FPS, VELOCITY_ITERATIONS, POSITION_ITERATIONS)


class ContactListener(Box2D.b2ContactListener):  # type: ignore[misc]  # Box2D ships no types
    """Called, during a step, when shapes begin and cease to touch: override `begin` and `end`."""

    # The engine calls these for every contact in every step, unless it is told not to: a builtin is the cheapest call
    # that does nothing.
    PreSolve = PostSolve = staticmethod(operator.is_)

    def __init__(self) -> None:
        super().__init__()
        if self.PreSolve is self.PostSolve is operator.is_:
            vtable.silence(self, _Box2D)

    def begin(self, one: Any, other: Any) -> None:
        """Two shapes, given by the `userData` of their fixtures, touch from now on."""

    def end(self, one: Any, other: Any) -> None:
        """Two shapes, given by the `userData` of their fixtures, no longer touch."""

    def BeginContact(self, contact: Any) -> None:  # noqa: N802  # the engine's name
        """Called by the engine."""
        self.begin(*_touching(contact.this))

    def EndContact(self, contact: Any) -> None:  # noqa: N802  # the engine's name
        """Called by the engine."""
        self.end(*_touching(contact.this))


def _touching(contact: Handle) -> tuple[Any, Any]:
    return _user_data(_fixture_a(contact).this), _user_data(_fixture_b(contact).this)


def polygon(vertices: Sequence[Point], **fixture: Any) -> FixtureDef:
    """Returns the definition of a convex polygon; `fixture`: `density`, `friction`, `categoryBits`, ..."""
    return Box2D.b2FixtureDef(shape=Box2D.b2PolygonShape(vertices=vertices), **fixture)


def box(half_width: float, half_height: float, **fixture: Any) -> FixtureDef:
    """Returns the definition of a rectangle around the body's origin."""
    return Box2D.b2FixtureDef(shape=Box2D.b2PolygonShape(box=(half_width, half_height)), **fixture)


def edge(start: Point, end: Point, **fixture: Any) -> FixtureDef:
    """Returns the definition of a segment."""
    return Box2D.b2FixtureDef(shape=Box2D.b2EdgeShape(vertices=[start, end]), **fixture)


def vector(x: float, y: float) -> Any:
    """Returns a vector of the engine."""
    return Box2D.b2Vec2(x, y)


def circle(radius: float, **fixture: Any) -> FixtureDef:
    """Returns the definition of a circle around the body's origin."""
    return Box2D.b2FixtureDef(shape=Box2D.b2CircleShape(radius=radius), **fixture)


def add_ground(world: World) -> Body:
    """Adds a body that never moves, for all static shapes: the engine visits every body in every step."""
    return _create_body(world.this, _STILL.this)


def add_body(world: World, position: Point, angle: float, fixtures: FixtureDef | Sequence[FixtureDef]) -> Body:
    """Adds a body that moves, of one fixture or of several; `angle` in rad."""
    _MOVING.position, _MOVING.angle = position, angle
    body = _create_body(world.this, _MOVING.this)
    for fixture in fixtures if isinstance(fixtures, (list, tuple)) else (fixtures,):
        _create_fixture(body.this, fixture.this)
    return body


class Polygons:
    """Makes convex polygons that differ only in their vertices; `fixture`: `density`, `friction`, ..."""

    def __init__(self, **fixture: Any) -> None:
        self._shape = Box2D.b2PolygonShape(box=(1.0, 1.0))
        self._definition = Box2D.b2FixtureDef(shape=self._shape, **fixture)

    def add(self, body: Body, vertices: Sequence[Point]) -> Fixture:
        """Adds one to a body."""
        shape = self._shape.this
        for i, (x, y) in enumerate(vertices):
            _set_vertex(shape, i, x, y)
        _set_vertex_count(shape, len(vertices))
        _make_polygon(shape)
        return _create_fixture(body.this, self._definition.this)


class Edges:
    """Makes lines of segments that differ only in their ends; `fixture`: `density`, `friction`, ..."""

    def __init__(self, **fixture: Any) -> None:
        self._shape = Box2D.b2EdgeShape(vertices=[(0.0, 0.0), (1.0, 0.0)])
        self._definition = Box2D.b2FixtureDef(shape=self._shape, **fixture)
        self.shape: Handle = self._shape.this
        self.definition: Handle = self._definition.this

    def add(self, body: Body, points: Sequence[Point]) -> list[Handle]:
        """Adds the segments that join the points, in this order, to a body; returns their fixtures."""
        shape, definition, handle = self.shape, self.definition, body.this
        fixtures = []
        for start, end in pairwise(points):
            _set_start(shape, start)
            _set_end(shape, end)
            fixtures.append(_create_fixture(handle, definition).this)
        return fixtures


class Solid(NamedTuple):
    """A static shape that rays may meet."""

    fixture: Handle
    left: float
    right: float
    bottom: float
    top: float
    corners: list[Point]
    """Of a polygon; else empty."""


def solids(world: World) -> list[Solid]:
    """Returns the static shapes of a world that are in the first category, from left to right."""
    found = []
    for body in world.bodies:
        for fixture in body.fixtures if body.type == Box2D.b2_staticBody else ():
            if fixture.filterData.categoryBits & 1:
                box, shape = fixture.GetAABB(0), fixture.shape
                low, high = box.lowerBound, box.upperBound
                polygon = isinstance(shape, Box2D.b2PolygonShape)
                corners = [tuple(body.GetWorldPoint(corner)) for corner in shape.vertices] if polygon else []
                found.append(Solid(fixture.this, low[0], high[0], low[1], high[1], corners))
    return sorted(found, key=lambda solid: solid.left)


def shape_address(fixture: Handle) -> int:
    """Returns the address of a fixture's shape."""
    return int(_shape(fixture).this)


def name(body: Body, user_data: int | str) -> None:
    """Sets the name of a body of one fixture in contacts. The engine never releases it, so use a constant."""
    _set_user_data(_last_fixture(body.this).this, user_data)


class Hinge:
    """Joins pairs of bodies at a point of each, in their own coordinates, by a hinge with a motor.

    Args:
        anchors: The hinge in the coordinates of the one body and of the other.
        limits: Minimum and maximum angle in radians.
        max_torque: The maximum torque of the motor, N m.
        speed: The speed of the motor, rad/s.
    """

    def __init__(
        self, anchors: tuple[Point, Point], limits: tuple[float, float], max_torque: float, speed: float
    ) -> None:
        definition = Box2D.b2RevoluteJointDef(enableMotor=True, enableLimit=True)
        definition.localAnchorA, definition.localAnchorB = anchors
        definition.lowerAngle, definition.upperAngle = limits
        definition.maxMotorTorque, definition.motorSpeed = max_torque, speed
        self._definition = definition
        self._handle: Handle = definition.this

    def join(self, one: Body, other: Body) -> Joint:
        """Joins two bodies; angles are those by which `other` has turned from `one`."""
        definition, a, b = self._handle, one.this, other.this
        _set_joined(definition, a)
        _set_turning(definition, b)
        _set_reference(definition, _angle(b) - _angle(a))
        return _create_joint(_world(a).this, definition)


class Ray:
    """A ray, to be set and cast by the functions below."""

    __slots__ = ("found", "given")

    def __init__(self) -> None:
        self.given: Handle = Box2D.b2RayCastInput(maxFraction=1.0).this
        self.found: Handle = Box2D.b2RayCastOutput().this


FREE: Final = 1.0  # the fraction of a ray that meets nothing


def set_ray_start(ray: Ray, x: float, y: float) -> None:
    """Sets the start of a ray, in metres."""
    _set_ray_start(ray.given, (x, y))


def set_ray_end(ray: Ray, x: float, y: float) -> None:
    """Sets the end of a ray, in metres."""
    _set_ray_end(ray.given, (x, y))


def cast_ray(ray: Ray, piece: Handle) -> float:
    """Returns the fraction of a ray in front of a fixture; `FREE` if they do not meet."""
    return _fraction(ray.found) if _meets(piece, ray.found, ray.given, 0) else FREE
