"""The engine's functions for machine code, which calls them directly and not through the bindings.

`STAND_INS` maps those of `bindings` to them; `add_edges` and `new_ray` are two more. Objects are given by their
addresses, a fixture by that of its shape.
"""

from __future__ import annotations

from ctypes import c_bool, c_float, c_int32, c_int64
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._engine.bindings import FREE
from gymnasium.envs.box2d._engine.library import library_of
from gymnasium.envs.box2d._stepping import draws
from palaestra.box2d.columns import flags, floats, integers, words
from palaestra.language.operations.foreign import Foreign, drawn_at
from palaestra.language.operations.memory import column_at, row_at

_LIBRARY: Final = library_of(engine.BINDINGS)


def _engines(symbol: str, result: Any, *taken: Any) -> Foreign:
    """Returns a function of the engine."""
    return Foreign(_LIBRARY, symbol, result, *taken)


_angle = _engines("_ZNK15b2RevoluteJoint13GetJointAngleEv", c_float, c_int64)
_speed = _engines("_ZNK15b2RevoluteJoint13GetJointSpeedEv", c_float, c_int64)
_set_speed = _engines("_ZN15b2RevoluteJoint13SetMotorSpeedEf", None, c_int64, c_float)
_set_torque = _engines("_ZN15b2RevoluteJoint17SetMaxMotorTorqueEf", None, c_int64, c_float)
_create_fixture = _engines("_ZN6b2Body13CreateFixtureEPK12b2FixtureDef", c_int64, c_int64, c_int64)
# The parts of a world's step: for its contacts, its islands, and fast bodies that would pass through others.
find_contacts = _engines("_ZN16b2ContactManager15FindNewContactsEv", None, c_int64)
collide = _engines("_ZN16b2ContactManager7CollideEv", None, c_int64)
solve_islands = _engines("_ZN7b2World5SolveERK10b2TimeStep", None, c_int64, c_int64)
solve_impacts = _engines("_ZN7b2World8SolveTOIERK10b2TimeStep", None, c_int64, c_int64)
clear_forces = _engines("_ZN7b2World11ClearForcesEv", None, c_int64)
# The parts of an island: a hinge before the iterations, and the contacts in each.
BEGIN_HINGE: Final = "_ZN15b2RevoluteJoint23InitVelocityConstraintsERK12b2SolverData"
begin_hinge = _engines(BEGIN_HINGE, None, c_int64, c_int64)
solve_contacts = _engines("_ZN15b2ContactSolver24SolveVelocityConstraintsEv", None, c_int64)
_RAY_CAST: Final = "7RayCastEP15b2RayCastOutputRK14b2RayCastInputRK11b2Transformi"
_CASTS: Final = (c_bool, c_int64, c_int64, c_int64, c_int64, c_int32)
_cast_at_edge = _engines("_ZNK11b2EdgeShape" + _RAY_CAST, *_CASTS)
_cast_at_polygon = _engines("_ZNK14b2PolygonShape" + _RAY_CAST, *_CASTS)


def _motion(body: int) -> tuple[float, float, float, float, float, float]:
    b = floats(body)
    x, y, vx, vy = float(b[at.BODY_X]), float(b[at.BODY_Y]), float(b[at.BODY_VX]), float(b[at.BODY_VY])
    return x, y, vx, vy, float(b[at.BODY_ANGLE]), float(b[at.BODY_SPIN])


def _set_ray_start(ray: int, x: float, y: float) -> None:
    given = floats(ray)
    given[at.RAY_START], given[at.RAY_START + 1] = x, y


def _set_ray_end(ray: int, x: float, y: float) -> None:
    given = floats(ray)
    given[at.RAY_END], given[at.RAY_END + 1] = x, y


def _apply_impulse(body: int, impulse: tuple[float, float], point: tuple[float, float], wake: bool) -> None:
    b, states = floats(body), flags(body, at.BODY_FLAGS_BYTE)
    if wake and not states[0] & at.AWAKE_FLAG:
        states[0] |= at.AWAKE_FLAG
        b[at.BODY_SLEEP_TIME] = 0.0
    if states[0] & at.AWAKE_FLAG:
        x, y = np.float32(impulse[0]), np.float32(impulse[1])
        arm_x, arm_y = np.float32(point[0]) - b[at.BODY_CENTRE_X], np.float32(point[1]) - b[at.BODY_CENTRE_Y]
        b[at.BODY_VX] += b[at.BODY_INVERSE_MASS] * x
        b[at.BODY_VY] += b[at.BODY_INVERSE_MASS] * y
        b[at.BODY_SPIN] += b[at.BODY_INVERSE_INERTIA] * (arm_x * y - arm_y * x)


def _is_awake(body: int) -> Any:
    return flags(body, at.BODY_FLAGS_BYTE)[0] & at.AWAKE_FLAG != 0


def _cast_ray(ray: int, shape: int) -> Any:
    result, transform = row_at(ray, 1, at.RAY_RESULT_BYTE), row_at(ray, 1, at.RAY_TRANSFORM_BYTE)
    if integers(shape)[at.SHAPE_TYPE] == at.EDGE_TYPE:
        meets = _cast_at_edge(shape, result, ray, transform, 0)
    else:
        meets = _cast_at_polygon(shape, result, ray, transform, 0)
    return float(floats(ray)[at.RAY_FRACTION]) if meets else FREE


def _random(source: Any) -> Any:
    return drawn_at(source.draw, source.state)


STAND_INS: Final[dict[Any, Any]] = {
    engine.motion: _motion,
    engine.joint_angle: _angle,
    engine.joint_speed: _speed,
    engine.apply_impulse: _apply_impulse,
    engine.is_awake: _is_awake,
    engine.set_motor_speed: _set_speed,
    engine.set_motor_torque: _set_torque,
    engine.set_ray_start: _set_ray_start,
    engine.set_ray_end: _set_ray_end,
    engine.cast_ray: _cast_ray,
    draws.random: _random,
}
"""Maps functions of `bindings`, and `random`, to the compiled functions that replace them."""


def add_edges(body: int, definition: int, shape: int, points_at: int, shapes_at: int, count: int) -> None:
    """Add segments that join points to a body, and record the shapes of their fixtures.

    Args:
        body: Address of a b2Body.
        definition: Address of a b2FixtureDef of `shape`.
        shape: Address of a b2EdgeShape, which is modified.
        points_at: Address of points, of shape (count + 1, 2), float64.
        shapes_at: Where to write the addresses of the shapes, of shape (count,), int64.
        count: The number of segments.
    """
    points, shapes, ends = column_at(points_at, np.float64, (2,)), words(shapes_at), floats(shape, at.EDGE_ENDS_BYTE)
    for k in range(count):
        ends[0], ends[1] = points[k][0], points[k][1]
        ends[2], ends[3] = points[k + 1][0], points[k + 1][1]
        shapes[k] = words(_create_fixture(body, definition))[at.FIXTURE_SHAPE_64]


def new_ray() -> NDArray[np.float32]:
    """Returns the memory of a ray; machine code takes its address where Python takes an `engine.Ray`."""
    ray = np.zeros(at.RAY_WORDS, np.float32)
    ray[[at.RAY_MAX_FRACTION, at.RAY_COSINE]] = 1.0  # of a target that is not turned
    return ray
