"""The engine's functions for machine code, which calls them directly and not through the bindings.

`STAND_INS` maps those of `bindings` to them; `add_edges` and `new_ray` are two more. Objects are given by their
addresses, a fixture by that of its shape.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._engine.bindings import FREE
from gymnasium.envs.box2d._engine.library import address_of, library_of
from gymnasium.envs.box2d._stepping import draws
from palaestra.language.jit.addresses import rows_at
from palaestra.language.jit.backend import intrinsic, ir, llvm, types

_LIBRARY: Final = library_of(engine.BINDINGS)


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
# The parts of a world's step: for its contacts, its islands, and fast bodies that would pass through others.
find_contacts = _external("_ZN16b2ContactManager15FindNewContactsEv", types.void, types.int64)
collide = _external("_ZN16b2ContactManager7CollideEv", types.void, types.int64)
solve_islands = _external("_ZN7b2World5SolveERK10b2TimeStep", types.void, types.int64, types.int64)
solve_impacts = _external("_ZN7b2World8SolveTOIERK10b2TimeStep", types.void, types.int64, types.int64)
clear_forces = _external("_ZN7b2World11ClearForcesEv", types.void, types.int64)
# The parts of an island: a hinge before the iterations, and the contacts in each.
BEGIN_HINGE: Final = "_ZN15b2RevoluteJoint23InitVelocityConstraintsERK12b2SolverData"
begin_hinge = _external(BEGIN_HINGE, types.void, types.int64, types.int64)
solve_contacts = _external("_ZN15b2ContactSolver24SolveVelocityConstraintsEv", types.void, types.int64)
_RAY_CAST: Final = "7RayCastEP15b2RayCastOutputRK14b2RayCastInputRK11b2Transformi"
_CASTS: Final = (types.uint8, types.int64, types.int64, types.int64, types.int64, types.int32)
_cast_at_edge = _external("_ZNK11b2EdgeShape" + _RAY_CAST, *_CASTS)
_cast_at_polygon = _external("_ZNK14b2PolygonShape" + _RAY_CAST, *_CASTS)


def _motion(body: int) -> tuple[float, float, float, float, float, float]:
    b = rows_at(body, (at.BODY_WORDS,), types.float32)
    double = types.float64
    x, y, vx, vy = double(b[at.BODY_X]), double(b[at.BODY_Y]), double(b[at.BODY_VX]), double(b[at.BODY_VY])
    return x, y, vx, vy, double(b[at.BODY_ANGLE]), double(b[at.BODY_SPIN])


def _joint_angle(hinge: int) -> Any:
    return types.float64(_angle(hinge))


def _joint_speed(hinge: int) -> Any:
    return types.float64(_speed(hinge))


def _set_motor_speed(hinge: int, speed: float) -> None:
    _set_speed(hinge, types.float32(speed))


def _set_motor_torque(hinge: int, torque: float) -> None:
    _set_torque(hinge, types.float32(torque))


def _set_ray_start(ray: int, x: float, y: float) -> None:
    given = rows_at(ray, (at.RAY_WORDS,), types.float32)
    given[at.RAY_START], given[at.RAY_START + 1] = x, y


def _set_ray_end(ray: int, x: float, y: float) -> None:
    given = rows_at(ray, (at.RAY_WORDS,), types.float32)
    given[at.RAY_END], given[at.RAY_END + 1] = x, y


def _apply_impulse(body: int, impulse: tuple[float, float], point: tuple[float, float], wake: bool) -> None:
    float32 = types.float32
    b = rows_at(body, (at.BODY_WORDS,), float32)
    flags = rows_at(body + at.BODY_FLAGS_BYTE, (1,), types.uint16)
    if wake and not flags[0] & at.AWAKE_FLAG:
        flags[0] |= at.AWAKE_FLAG
        b[at.BODY_SLEEP_TIME] = 0.0
    if flags[0] & at.AWAKE_FLAG:
        x, y = float32(impulse[0]), float32(impulse[1])
        arm_x, arm_y = float32(point[0]) - b[at.BODY_CENTRE_X], float32(point[1]) - b[at.BODY_CENTRE_Y]
        b[at.BODY_VX] += b[at.BODY_INVERSE_MASS] * x
        b[at.BODY_VY] += b[at.BODY_INVERSE_MASS] * y
        b[at.BODY_SPIN] += b[at.BODY_INVERSE_INERTIA] * (arm_x * y - arm_y * x)


def _is_awake(body: int) -> Any:
    return rows_at(body + at.BODY_FLAGS_BYTE, (1,), types.uint16)[0] & at.AWAKE_FLAG != 0


def _cast_ray(ray: int, shape: int) -> Any:
    result, transform = ray + at.RAY_RESULT_BYTE, ray + at.RAY_TRANSFORM_BYTE
    if rows_at(shape, (at.SHAPE_TYPE + 1,), types.int32)[at.SHAPE_TYPE] == at.EDGE_TYPE:
        meets = _cast_at_edge(shape, result, ray, transform, 0)
    else:
        meets = _cast_at_polygon(shape, result, ray, transform, 0)
    return types.float64(rows_at(ray, (at.RAY_WORDS,), types.float32)[at.RAY_FRACTION]) if meets else FREE


@intrinsic
def _drawn_by(typing_context: Any, function: Any, state: Any) -> Any:
    """Calls a C function of one pointer that draws a float64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.DoubleType(), [pointer]).as_pointer()
        return builder.call(builder.inttoptr(arguments[0], kind), [builder.inttoptr(arguments[1], pointer)])

    return types.float64(types.int64, types.int64), generate


def _random(source: Any) -> Any:
    return _drawn_by(source.draw, source.state)


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
    draws.random: _random,
}
"""Maps functions of `bindings`, and `random`, to the compiled functions that replace them."""


def add_edges(body: int, definition: int, shape: int, points: Any, shapes: Any) -> None:
    """Add segments that join points to a body, and record the shapes of their fixtures.

    Args:
        body: Address of a b2Body.
        definition: Address of a b2FixtureDef of `shape`.
        shape: Address of a b2EdgeShape, which is modified.
        points: Of shape (n, 2), float64.
        shapes: Receives n - 1 addresses.
    """
    ends = rows_at(shape + at.EDGE_ENDS_BYTE, (2, 2), types.float32)
    for k in range(len(shapes)):
        for i in range(2):
            ends[i, 0], ends[i, 1] = points[k + i, 0], points[k + i, 1]
        fixture = rows_at(_create_fixture(body, definition), (at.FIXTURE_WORDS_64,), types.int64)
        shapes[k] = fixture[at.FIXTURE_SHAPE_64]


ADD_EDGES: Final = "int64, int64, int64, float64[:, ::1], int64[::1]"
"""The types of its arguments."""


def new_ray() -> NDArray[np.float32]:
    """Returns the memory of a ray; machine code takes its address where Python takes an `engine.Ray`."""
    ray = np.zeros(at.RAY_WORDS, np.float32)
    ray[[at.RAY_MAX_FRACTION, at.RAY_COSINE]] = 1.0  # of a target that is not turned
    return ray
