"""The engine's hinge in machine code: the same numbers, bit for bit, in half the time.

The solver visits each hinge 180 times in every step, which is half the time of a walker's step. The engine's own
function calls others for each system of equations and spills its values in between; this one keeps them in registers.

Source: E. Catto, "Iterative Dynamics with Temporal Coherence" (2005), and b2RevoluteJoint::SolveVelocityConstraints of
Box2D. This is an altered version of that function: written anew, in its order of operations, because in 32 bits every
other order gives other numbers. The licence of Box2D is in LICENSE.Box2D.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._engine.vtable import NOTE
from palaestra.box2d.columns import floats, integers, octets, words
from palaestra.language.operations.memory import rarely, row_at

HINGES: Final = 4  # the maximum of an island
# Of a hinge: one over the determinants of its two systems of equations, three minors of the larger one, and a spare.
INVERSE_NUMBERS: Final = 6
_DET_2, _DET_3, _MINORS = 0, 1, 2
# Of a workspace: room for these numbers of all hinges, and behind it for what they write.
INVERSE_BYTE: Final = 8
GROWTH_BYTE: Final = INVERSE_BYTE + 4 * INVERSE_NUMBERS * HINGES
_ZERO, _ONE = np.float32(0), np.float32(1)


def solve_velocity(hinge: int, data: int) -> None:
    """Change both bodies' velocities to those allowed by the hinge, for the engine to call.

    Args:
        hinge: Address of a b2RevoluteJoint.
        data: Address of a b2SolverData.
    """
    workspace = workspace_of(hinge)
    inverse = row_at(workspace, 1, INVERSE_BYTE)
    invert(hinge, inverse)
    solve(hinge, data, inverse, row_at(workspace, 1, GROWTH_BYTE))


def workspace_of(hinge: int) -> int:
    """Returns the address of the workspace of a hinge, which its table knows."""
    workspace: int = words(words(hinge)[0], 8 * NOTE)[0]
    return workspace


def invert(hinge: int, inverse: int) -> None:
    """Write what follows from the masses of a hinge, for `solve`: address of `INVERSE_NUMBERS` 32-bit numbers."""
    mass = floats(hinge, at.HINGE_MASS_BYTE)
    exx, exy, exz = mass[0], mass[1], mass[2]
    eyx, eyy, eyz = mass[3], mass[4], mass[5]
    ezx, ezy, ezz = mass[6], mass[7], mass[8]
    kx, ky, kz = eyy * ezz - eyz * ezy, eyz * ezx - eyx * ezz, eyx * ezy - eyy * ezx
    found = floats(inverse)
    found[_DET_2] = _inverse(exx * eyy - eyx * exy)
    found[_DET_3] = _inverse(exx * kx + exy * ky + exz * kz)
    found[_MINORS], found[_MINORS + 1], found[_MINORS + 2] = kx, ky, kz


def _inverse(det: Any) -> Any:
    return _ONE / det if det != _ZERO else det


def solve(hinge: int, data: int, inverse: int, growth: int) -> bool:
    """Change both bodies' velocities to those allowed by the hinge: first motor, then limits and common point.

    Args:
        hinge: As above.
        data: As above.
        inverse: Where `invert` has written.
        growth: Where to write by how much the impulses of the common point, along x and y, and of the limit have
            grown: address of three 32-bit numbers.

    Returns:
        Whether the impulse of the limit was cut off at 0.
    """
    j, counts = floats(hinge), integers(hinge)
    has_motor, has_limit = octets(hinge)[at.HINGE_MOTOR_BYTE], octets(hinge)[at.HINGE_LIMIT_BYTE]
    mass, known = floats(hinge, at.HINGE_MASS_BYTE), floats(inverse)
    velocities = words(data)[at.SOLVER_VELOCITIES_64]
    va = floats(row_at(velocities, at.VELOCITY_BYTES, counts[at.HINGE_INDEX_A]))
    vb = floats(row_at(velocities, at.VELOCITY_BYTES, counts[at.HINGE_INDEX_B]))
    vax, vay, wa, vbx, vby, wb = va[0], va[1], va[2], vb[0], vb[1], vb[2]
    rax, ray, rbx, rby = j[at.HINGE_ARM_AX], j[at.HINGE_ARM_AY], j[at.HINGE_ARM_BX], j[at.HINGE_ARM_BY]
    ia, ib = j[at.HINGE_INVERSE_INERTIA_A], j[at.HINGE_INVERSE_INERTIA_B]
    limit, turns = counts[at.HINGE_LIMIT_STATE], ia + ib != _ZERO

    if has_motor and limit != at.EQUAL_LIMITS and turns:
        most = floats(data)[at.SOLVER_TIME_STEP] * j[at.HINGE_MAX_TORQUE]
        before = j[at.HINGE_MOTOR_IMPULSE]
        push = before - j[at.HINGE_MOTOR_MASS] * (wb - wa - j[at.HINGE_MOTOR_SPEED])
        if rarely(push < -most):  # what follows would wait for a choice
            push = -most
        elif rarely(push > most):
            push = most
        change = push - before
        j[at.HINGE_MOTOR_IMPULSE] = push
        wa -= ia * change
        wb += ib * change

    pz, cut = _ZERO, False
    cx, cy = vbx - wb * rby - vax + wa * ray, vby + wb * rbx - vay - wa * rax
    if has_limit and limit != at.INACTIVE_LIMIT and turns:
        px, py, pz = _impulse_3(mass, known, cx, cy, wb - wa)
        before = j[at.HINGE_IMPULSE_LIMIT]
        push = before + pz
        if is_cut(limit, push):
            px, py = _impulse_2(mass, known, before * mass[6] - cx, before * mass[7] - cy)
            pz, push, cut = -before, _ZERO, True
        j[at.HINGE_IMPULSE_LIMIT] = push
        wa -= ia * (rax * py - ray * px + pz)
        wb += ib * (rbx * py - rby * px + pz)
    else:
        px, py = _impulse_2(mass, known, -cx, -cy)
        wa -= ia * (rax * py - ray * px)
        wb += ib * (rbx * py - rby * px)
    ma, mb = j[at.HINGE_INVERSE_MASS_A], j[at.HINGE_INVERSE_MASS_B]
    j[at.HINGE_IMPULSE_X] += px
    j[at.HINGE_IMPULSE_Y] += py
    va[0], va[1], va[2] = vax - ma * px, vay - ma * py, wa
    vb[0], vb[1], vb[2] = vbx + mb * px, vby + mb * py, wb
    grown = floats(growth)
    grown[0], grown[1], grown[2] = px, py, pz
    return cut


def is_cut(limit: int, impulse: float) -> bool:
    """Whether a limit in this state would have to pull for such an impulse."""
    if rarely(limit == at.AT_LOWER_LIMIT):
        return impulse < 0
    return limit == at.AT_UPPER_LIMIT and impulse > 0


def _impulse_2(mass: Any, known: Any, x: float, y: float) -> Any:
    """Returns the impulse that gives the common point a velocity of x and y."""
    exx, exy, eyx, eyy, det = mass[0], mass[1], mass[3], mass[4], known[_DET_2]
    return det * (eyy * x - eyx * y), det * (exx * y - exy * x)


def _impulse_3(mass: Any, known: Any, x: float, y: float, z: float) -> Any:
    """Returns the impulse that removes a velocity of x and y from the common point, and one of z from the angle."""
    exx, exy, exz = mass[0], mass[1], mass[2]
    eyx, eyy, eyz = mass[3], mass[4], mass[5]
    ezx, ezy, ezz = mass[6], mass[7], mass[8]
    det, kx, ky, kz = known[_DET_3], known[_MINORS], known[_MINORS + 1], known[_MINORS + 2]
    px = det * (x * kx + y * ky + z * kz)
    py = det * (exx * (y * ezz - z * ezy) + exy * (z * ezx - x * ezz) + exz * (x * ezy - y * ezx))
    pz = det * (exx * (eyy * z - eyz * y) + exy * (eyz * x - eyx * z) + exz * (eyx * y - eyy * x))
    return -px, -py, -pz
