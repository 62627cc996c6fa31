"""The engine's functions for machine code, which calls them directly and not through the bindings.

Objects are given by their addresses, a fixture by that of its shape. The layout of the objects and the names of the
functions are those of the engine's version 2.3 with 64-bit addresses.
"""

from __future__ import annotations

from typing import Any, Final

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.bindings import FREE
from gymnasium.envs.box2d._engine.vtable import address_of, library_of
from gymnasium.jit.addresses import rows_at
from gymnasium.jit.backend import llvm, types

_LIBRARY: Final = library_of(engine.BINDINGS)
_EDGE: Final = 1  # kind of a shape
_BODY: Final = 46  # 32-bit words of a b2Body
_AWAKE: Final = 2  # of its flags

RAY: Final = 14
"""The number of 32-bit floats of a ray: start, end and maximum fraction; then the result, normal and fraction, from 6
on; then the position of the target, which is the world's own, from 10 on."""


def _external(symbol: str, result: Any, *taken: Any) -> Any:
    """Returns a function of the engine's library, for compiled code."""
    name = f"palaestra_{symbol}"
    llvm.add_symbol(name, address_of(_LIBRARY, symbol))
    return types.ExternalFunction(name, result(*taken))


_angle = _external("_ZNK15b2RevoluteJoint13GetJointAngleEv", types.float32, types.int64)
_speed = _external("_ZNK15b2RevoluteJoint13GetJointSpeedEv", types.float32, types.int64)
_set_speed = _external("_ZN15b2RevoluteJoint13SetMotorSpeedEf", types.void, types.int64, types.float32)
_set_torque = _external("_ZN15b2RevoluteJoint17SetMaxMotorTorqueEf", types.void, types.int64, types.float32)
_create_fixture = _external("_ZN6b2Body13CreateFixtureEPK12b2FixtureDef", types.int64, types.int64, types.int64)
_RAY_CAST: Final = "7RayCastEP15b2RayCastOutputRK14b2RayCastInputRK11b2Transformi"
_CASTS: Final = (types.uint8, types.int64, types.int64, types.int64, types.int64, types.int32)
_cast_at_edge = _external("_ZNK11b2EdgeShape" + _RAY_CAST, *_CASTS)
_cast_at_polygon = _external("_ZNK14b2PolygonShape" + _RAY_CAST, *_CASTS)


def _motion(body: int) -> tuple[float, float, float, float, float, float]:
    at = rows_at(body, (_BODY,), types.float32)
    double = types.float64
    return double(at[3]), double(at[4]), double(at[16]), double(at[17]), double(at[14]), double(at[18])


def _joint_angle(hinge: int) -> Any:
    return types.float64(_angle(hinge))


def _joint_speed(hinge: int) -> Any:
    return types.float64(_speed(hinge))


def _set_motor_speed(hinge: int, speed: float) -> None:
    _set_speed(hinge, types.float32(speed))


def _set_motor_torque(hinge: int, torque: float) -> None:
    _set_torque(hinge, types.float32(torque))


def _set_ray_start(ray: int, x: float, y: float) -> None:
    given = rows_at(ray, (RAY,), types.float32)
    given[0], given[1] = x, y


def _set_ray_end(ray: int, x: float, y: float) -> None:
    given = rows_at(ray, (RAY,), types.float32)
    given[2], given[3] = x, y


def _apply_impulse(body: int, impulse: tuple[float, float], point: tuple[float, float], wake: bool) -> None:
    float32 = types.float32
    b = rows_at(body, (_BODY,), float32)
    flags = rows_at(body + 4, (1,), types.uint16)
    if wake and not flags[0] & _AWAKE:
        flags[0] |= _AWAKE
        b[43] = 0.0  # the time for which it has been still
    if flags[0] & _AWAKE:
        x, y = float32(impulse[0]), float32(impulse[1])
        b[16] += b[37] * x
        b[17] += b[37] * y
        b[18] += b[39] * ((float32(point[0]) - b[11]) * y - (float32(point[1]) - b[12]) * x)


def _is_awake(body: int) -> Any:
    return rows_at(body + 4, (1,), types.uint16)[0] & _AWAKE != 0


def _cast_ray(ray: int, shape: int) -> Any:
    if rows_at(shape, (3,), types.int32)[2] == _EDGE:
        meets = _cast_at_edge(shape, ray + 24, ray, ray + 40, 0)
    else:
        meets = _cast_at_polygon(shape, ray + 24, ray, ray + 40, 0)
    return types.float64(rows_at(ray, (RAY,), types.float32)[8]) if meets else FREE


STAND_INS: Final[dict[Any, Any]] = {
    engine.motion: _motion,
    engine.joint_angle: _joint_angle,
    engine.joint_speed: _joint_speed,
    engine.apply_impulse: _apply_impulse,
    engine.is_awake: _is_awake,
    engine.set_motor_speed: _set_motor_speed,
    engine.set_motor_torque: _set_motor_torque,
    engine.set_ray_start: _set_ray_start,
    engine.set_ray_end: _set_ray_end,
    engine.cast_ray: _cast_ray,
}
"""Maps functions of `bindings` to the compiled functions that replace them."""


def add_edges(body: int, definition: int, shape: int, points: Any, shapes: Any) -> None:
    """Add segments that join points to a body, and record the shapes of their fixtures.

    Args:
        body: Address of a b2Body.
        definition: Address of a b2FixtureDef of `shape`.
        shape: Address of a b2EdgeShape, which is modified.
        points: Of shape (n, 2), float64.
        shapes: Receives n - 1 addresses.
    """
    ends = rows_at(shape + 16, (2, 2), types.float32)
    for k in range(len(shapes)):
        for i in range(2):
            ends[i, 0], ends[i, 1] = points[k + i, 0], points[k + i, 1]
        shapes[k] = rows_at(_create_fixture(body, definition), (4,), types.int64)[3]
