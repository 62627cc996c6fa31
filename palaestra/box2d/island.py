"""A step of a world in machine code: the same numbers as the engine's, bit for bit, from fewer iterations.

The engine goes over an island's constraints 180 times in each step. In 32 bits, the velocities soon come back to what
they were one or a few iterations before, and go round in that cycle from then on. The impulses of hinges, on which the
velocities do not depend, may go on growing, by the same numbers in each cycle. So the rest of the iterations is sums.

Source: b2World::Step and b2Island::Solve of Box2D. `simulate` is an altered version of the first. The licence of Box2D
is in LICENSE.Box2D.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._engine.bindings import FPS, POSITION_ITERATIONS, VELOCITY_ITERATIONS
from palaestra.box2d.hinge import (
    GROWTH_BYTE,
    HINGES,
    INVERSE_BYTE,
    INVERSE_NUMBERS,
    invert,
    is_cut,
    solve,
    workspace_of,
)
from palaestra.box2d.impacts import pass_by
from palaestra.box2d.stand_ins import (
    begin_hinge,
    clear_forces,
    collide,
    find_contacts,
    solve_contacts,
    solve_impacts,
    solve_islands,
)
from palaestra.language.jit.addresses import rows_at
from palaestra.language.jit.backend import types

LONGEST: Final = 8  # iterations of a cycle
BODIES, CONTACTS = 8, 8  # the maximum of an island
_GROWING: Final = 3  # impulses of a hinge: of the common point, along x and y, and of the limit

# Words of the workspace: the world that `simulate` steps, 0 if none; the inverses of the hinges' masses; by how much
# their impulses have grown in the last iterations; a b2TimeStep, a b2ContactSolver; velocities and impulses some
# iterations ago; and for each hinge the last iteration that cut the impulse of its limit off.
_WORLD, _GROWTH = 0, GROWTH_BYTE // 8
_STEP: Final = _GROWTH + LONGEST * HINGES * _GROWING // 2
_CONTACTS: Final = _STEP + at.STEP_WORDS // 2
_SEEN: Final = _CONTACTS + at.CONTACTS_WORDS_64
# Places of the numbers seen, after the velocities: impulses of motors, of limits, and of contacts.
_MOTORS: Final = 3 * BODIES
_LIMITS: Final = _MOTORS + HINGES
_IMPULSES: Final = _LIMITS + HINGES
_SEEN_NUMBERS: Final = _IMPULSES + len(at.CONTACT_IMPULSES) * CONTACTS
_CUT: Final = _SEEN + _SEEN_NUMBERS // 2
_WORDS: Final = _CUT + HINGES


def new_workspace() -> NDArray[np.int64]:
    """Returns the memory of `simulate` and of the hinges, one for all worlds: one of them is stepped at a time."""
    return np.zeros(_WORDS, np.int64)


def simulate(world: int, workspace: int) -> None:
    """Simulate 1/50 s.

    Args:
        world: Address of a b2World, which calls no Python.
        workspace: Address of the workspace that its hinges know.
    """
    integers, numbers = _integers(world, at.WORLD_WORDS), rows_at(world, (at.WORLD_WORDS,), types.float32)
    words, step = rows_at(workspace, (_WORDS,), types.int64), workspace + 8 * _STEP
    contacts = world + at.WORLD_CONTACTS_BYTE
    if integers[at.WORLD_FLAGS] & at.NEW_FIXTURE_FLAG:
        find_contacts(contacts)
        integers[at.WORLD_FLAGS] &= ~at.NEW_FIXTURE_FLAG
    integers[at.WORLD_FLAGS] |= at.LOCKED_FLAG
    inverse = _time_step(step, numbers[at.WORLD_INVERSE_STEP], _byte(world + at.WORLD_WARM_BYTE))
    collide(contacts)
    if _byte(world + at.WORLD_COMPLETE_BYTE):
        words[_WORLD] = world
        solve_islands(world, step)
        words[_WORLD] = 0
    if _byte(world + at.WORLD_CONTINUOUS_BYTE) and not (_byte(world + at.WORLD_COMPLETE_BYTE) and pass_by(world)):
        _integers(step, at.STEP_WORDS)[at.STEP_VELOCITY_ITERATIONS] = VELOCITY_ITERATIONS
        solve_impacts(world, step)
    numbers[at.WORLD_INVERSE_STEP] = inverse
    if integers[at.WORLD_FLAGS] & at.CLEAR_FORCES_FLAG:
        clear_forces(world)
    integers[at.WORLD_FLAGS] &= ~at.LOCKED_FLAG


def _time_step(step: int, inverse_before: float, warm: int) -> float:
    """Write a b2TimeStep; returns 1 over its time."""
    integers, numbers = _integers(step, at.STEP_WORDS), rows_at(step, (at.STEP_WORDS,), types.float32)
    time = types.float32(1.0 / FPS)
    numbers[at.STEP_TIME], numbers[at.STEP_INVERSE] = time, types.float32(1) / time
    numbers[at.STEP_RATIO] = inverse_before * time
    integers[at.STEP_VELOCITY_ITERATIONS] = VELOCITY_ITERATIONS
    integers[at.STEP_POSITION_ITERATIONS] = POSITION_ITERATIONS
    rows_at(step + at.STEP_WARM_BYTE, (1,), types.uint8)[0] = warm
    inverse: float = numbers[at.STEP_INVERSE]
    return inverse


def begin_velocity(hinge: int, data: int) -> None:
    """Prepare a hinge for the iterations, for the engine to call; in a world of one island, the last one runs them all.

    Args:
        hinge: Address of a b2RevoluteJoint.
        data: Address of a b2SolverData.
    """
    begin_hinge(hinge, data)
    workspace = workspace_of(hinge)
    world = rows_at(workspace, (1,), types.int64)[_WORLD]
    if world != 0 and _is_last(hinge, data, world) and _is_one_island(world):
        _iterate(data, world, rows_at(workspace, (_WORDS,), types.int64), workspace)
        _integers(workspace + 8 * _STEP, at.STEP_WORDS)[at.STEP_VELOCITY_ITERATIONS] = 0


def _is_last(hinge: int, data: int, world: int) -> bool:
    """Whether this is the last hinge of an island that has only such hinges, and not too many of anything."""
    integers = _integers(world, at.WORLD_WORDS)
    bodies, hinges = integers[at.WORLD_BODY_COUNT], integers[at.WORLD_HINGE_COUNT]
    entries = _entries(world)
    if integers[at.WORLD_STACK_COUNT] != at.ENTRIES or entries[at.ENTRY_VELOCITIES, 0] != _velocities(data):
        return False
    if bodies > BODIES or hinges > HINGES or _contacts_size(world) > CONTACTS * at.CONTACT_BYTES:
        return False
    all_hinges = rows_at(entries[at.ENTRY_HINGES, 0], (HINGES,), types.int64)
    if all_hinges[hinges - 1] != hinge:
        return False
    alike, table = True, rows_at(hinge, (1,), types.int64)[0]
    for k in range(hinges):
        alike = alike and rows_at(all_hinges[k], (1,), types.int64)[0] == table
    return alike


def _is_one_island(world: int) -> bool:
    """Whether the first island has all bodies that can move: nothing else needs iterations in this step."""
    body = rows_at(world, (at.WORLD_WORDS_64,), types.int64)[at.WORLD_BODIES_64]
    while body != 0:
        moves = _integers(body, at.BODY_WORDS)[at.BODY_TYPE] != at.STATIC
        if moves and not rows_at(body + at.BODY_FLAGS_BYTE, (1,), types.uint16)[0] & at.ISLAND_FLAG:
            return False
        body = rows_at(body, (at.BODY_NEXT_64 + 1,), types.int64)[at.BODY_NEXT_64]
    return True


def _iterate(data: int, world: int, words: Any, workspace: int) -> None:
    """Run all iterations of an island."""
    integers, entries = _integers(world, at.WORLD_WORDS), _entries(world)
    hinges = rows_at(entries[at.ENTRY_HINGES, 0], (HINGES,), types.int64)[: integers[at.WORLD_HINGE_COUNT]]
    velocities = _integers(entries[at.ENTRY_VELOCITIES, 0], 3 * BODIES)[: 3 * integers[at.WORLD_BODY_COUNT]]
    first, count = entries[at.ENTRY_CONTACTS, 0], _contacts_size(world) // at.CONTACT_BYTES
    solver = workspace + 8 * _CONTACTS
    words[_CONTACTS + at.CONTACTS_VELOCITIES_64] = entries[at.ENTRY_VELOCITIES, 0]
    words[_CONTACTS + at.CONTACTS_FIRST_64], words[_CONTACTS + at.CONTACTS_COUNT_64] = first, count
    seen = _integers(workspace + 8 * _SEEN, _SEEN_NUMBERS)
    inverses, growths = workspace + INVERSE_BYTE, workspace + GROWTH_BYTE
    log = rows_at(growths, (LONGEST, HINGES, _GROWING), types.float32)
    cut = words[_CUT : _CUT + HINGES]
    cut[:] = -1
    for k in range(len(hinges)):
        invert(hinges[k], inverses + 4 * INVERSE_NUMBERS * k)
    done = since = 0
    while done < VELOCITY_ITERATIONS:
        for k in range(len(hinges)):
            growth = growths + 4 * _GROWING * (HINGES * (done % LONGEST) + k)
            if solve(hinges[k], data, inverses + 4 * INVERSE_NUMBERS * k, growth):
                cut[k] = done
        if count != 0:
            solve_contacts(solver)
        done += 1
        skipped = 0
        if done > 1 and _repeats(seen, velocities, hinges, first, count):
            skipped = _repeated(seen, hinges, log, cut, done, done - since)
        if skipped != 0 or done % LONGEST == 1:
            done += skipped
            since = done
            _remember(seen, velocities, hinges, first, count)


def _remember(seen: Any, velocities: Any, hinges: Any, first: int, count: int) -> None:
    """Write down the numbers from which the next iterations follow."""
    for k in range(len(velocities)):
        seen[k] = velocities[k]
    for k in range(len(hinges)):
        hinge = _integers(hinges[k], at.HINGE_WORDS)
        seen[_MOTORS + k], seen[_LIMITS + k] = hinge[at.HINGE_MOTOR_IMPULSE], hinge[at.HINGE_IMPULSE_LIMIT]
    for k in range(count):
        contact = _integers(first + at.CONTACT_BYTES * k, at.CONTACT_WORDS)
        for i in range(len(at.CONTACT_IMPULSES)):
            seen[_IMPULSES + len(at.CONTACT_IMPULSES) * k + i] = contact[at.CONTACT_IMPULSES[i]]


def _repeats(seen: Any, velocities: Any, hinges: Any, first: int, count: int) -> bool:
    """Whether these numbers are the same again, apart from the impulses of limits."""
    for k in range(len(velocities)):
        if seen[k] != velocities[k]:
            return False
    for k in range(len(hinges)):
        if seen[_MOTORS + k] != _integers(hinges[k], at.HINGE_WORDS)[at.HINGE_MOTOR_IMPULSE]:
            return False
    for k in range(count):
        contact = _integers(first + at.CONTACT_BYTES * k, at.CONTACT_WORDS)
        for i in range(len(at.CONTACT_IMPULSES)):
            if seen[_IMPULSES + len(at.CONTACT_IMPULSES) * k + i] != contact[at.CONTACT_IMPULSES[i]]:
                return False
    return True


def _repeated(seen: Any, hinges: Any, log: Any, cut: Any, done: int, period: int) -> int:
    """Repeat the last iterations as often as they remain the same; returns how many were done.

    A limit's impulse takes part in a cycle if it came back as well. Another one must not be cut off at 0, neither in
    this cycle nor in one to come, because the velocities then depend on it.
    """
    cycles = (VELOCITY_ITERATIONS - done) // period
    for k in range(len(hinges)):
        if _grows(seen, hinges, k):
            if cut[k] >= done - period:
                return 0
            cycles = _uncut(hinges[k], log[:, k, 2], done - period, done, cycles)
    for k in range(len(hinges)):
        impulses = rows_at(hinges[k], (at.HINGE_WORDS,), types.float32)[at.HINGE_IMPULSE_X :]
        for i in range(3 if _grows(seen, hinges, k) else 2):
            impulses[i] = _summed(impulses[i], log[:, k, i], done - period, done, cycles)
    return cycles * period


def _grows(seen: Any, hinges: Any, k: int) -> bool:
    """Whether the impulse of a hinge's limit has not come back."""
    changed: bool = seen[_LIMITS + k] != _integers(hinges[k], at.HINGE_WORDS)[at.HINGE_IMPULSE_LIMIT]
    return changed


def _uncut(hinge: int, growth: Any, start: int, stop: int, cycles: int) -> int:
    """How many of these cycles of iterations leave the impulse of a hinge's limit on its side of 0."""
    total = rows_at(hinge, (at.HINGE_WORDS,), types.float32)[at.HINGE_IMPULSE_LIMIT]
    limit = _integers(hinge, at.HINGE_WORDS)[at.HINGE_LIMIT_STATE]
    for cycle in range(cycles):
        for t in range(start, stop):
            total += growth[t % LONGEST]
            if is_cut(limit, total):
                return cycle
    return cycles


def _summed(total: float, growth: Any, start: int, stop: int, cycles: int) -> float:
    """What has become of an impulse after these cycles, one addition after the other."""
    for _ in range(cycles):
        for t in range(start, stop):
            total += growth[t % LONGEST]
    return total


def _integers(address: int, count: int) -> Any:
    return rows_at(address, (count,), types.int32)


def _byte(address: int) -> int:
    byte: int = rows_at(address, (1,), types.uint8)[0]
    return byte


def _entries(world: int) -> Any:
    """The parts of a world's stack: the address of each, and a word with its size."""
    return rows_at(world + at.WORLD_STACK_BYTE, (at.ENTRIES, at.ENTRY_WORDS_64), types.int64)


def _contacts_size(world: int) -> int:
    """The size in bytes of the contacts to solve."""
    entry = world + at.WORLD_STACK_BYTE + 8 * at.ENTRY_WORDS_64 * at.ENTRY_CONTACTS
    size: int = _integers(entry, at.ENTRY_SIZE + 1)[at.ENTRY_SIZE]
    return size


def _velocities(data: int) -> int:
    found: int = rows_at(data, (at.SOLVER_VELOCITIES_64 + 1,), types.int64)[at.SOLVER_VELOCITIES_64]
    return found
