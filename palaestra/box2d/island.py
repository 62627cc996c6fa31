"""A step of a world in machine code: the same numbers as the engine's, bit for bit, from fewer iterations.

The engine goes over an island's constraints 180 times in each step. In 32 bits, the velocities soon come back to what
they were one or a few iterations before, and go round in that cycle from then on. The impulses of hinges, on which the
velocities do not depend, may go on growing, by the same numbers in each cycle. So the rest of the iterations is sums.

Source: b2World::Step and b2Island::Solve of Box2D. `simulate` is an altered version of the first. The licence of Box2D
is in LICENSE.Box2D.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._engine.bindings import FPS, POSITION_ITERATIONS, VELOCITY_ITERATIONS
from palaestra.box2d.columns import flags, floats, integers, octets, words
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
from palaestra.language.operations.memory import column_at, row_at

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
    states, numbers, bools = integers(world), floats(world), octets(world)
    step, contacts = row_at(workspace, 8, _STEP), row_at(world, 1, at.WORLD_CONTACTS_BYTE)
    if states[at.WORLD_FLAGS] & at.NEW_FIXTURE_FLAG:
        find_contacts(contacts)
        states[at.WORLD_FLAGS] &= ~at.NEW_FIXTURE_FLAG
    states[at.WORLD_FLAGS] |= at.LOCKED_FLAG
    inverse = _time_step(step, numbers[at.WORLD_INVERSE_STEP], bools[at.WORLD_WARM_BYTE])
    collide(contacts)
    if bools[at.WORLD_COMPLETE_BYTE]:
        words(workspace)[_WORLD] = world
        solve_islands(world, step)
        words(workspace)[_WORLD] = 0
    if bools[at.WORLD_CONTINUOUS_BYTE] and not (bools[at.WORLD_COMPLETE_BYTE] and pass_by(world)):
        integers(step)[at.STEP_VELOCITY_ITERATIONS] = VELOCITY_ITERATIONS
        solve_impacts(world, step)
    numbers[at.WORLD_INVERSE_STEP] = inverse
    if states[at.WORLD_FLAGS] & at.CLEAR_FORCES_FLAG:
        clear_forces(world)
    states[at.WORLD_FLAGS] &= ~at.LOCKED_FLAG


def _time_step(step: int, inverse_before: Any, warm: Any) -> Any:
    """Write a b2TimeStep; returns 1 over its time."""
    counts, numbers = integers(step), floats(step)
    time = np.float32(1.0 / FPS)
    inverse = np.float32(1) / time
    numbers[at.STEP_TIME], numbers[at.STEP_INVERSE], numbers[at.STEP_RATIO] = time, inverse, inverse_before * time
    counts[at.STEP_VELOCITY_ITERATIONS] = VELOCITY_ITERATIONS
    counts[at.STEP_POSITION_ITERATIONS] = POSITION_ITERATIONS
    octets(step)[at.STEP_WARM_BYTE] = warm
    return inverse


def begin_velocity(hinge: int, data: int) -> None:
    """Prepare a hinge for the iterations, for the engine to call; in a world of one island, the last one runs them all.

    Args:
        hinge: Address of a b2RevoluteJoint.
        data: Address of a b2SolverData.
    """
    begin_hinge(hinge, data)
    workspace = workspace_of(hinge)
    world = words(workspace)[_WORLD]
    if world != 0 and _is_last(hinge, data, world) and _is_one_island(world):
        _iterate(data, _island_of(world), workspace)
        integers(row_at(workspace, 8, _STEP))[at.STEP_VELOCITY_ITERATIONS] = 0


def _is_last(hinge: int, data: int, world: int) -> bool:
    """Whether this is the last hinge of an island that has only such hinges, and not too many of anything."""
    counts, island = integers(world), _island_of(world)
    if counts[at.WORLD_STACK_COUNT] != at.ENTRIES or island.velocities != words(data)[at.SOLVER_VELOCITIES_64]:
        return False
    if island.bodies > BODIES or island.joints > HINGES or _contacts_size(world) > CONTACTS * at.CONTACT_BYTES:
        return False
    hinges = words(island.hinges)
    if hinges[island.joints - 1] != hinge:
        return False
    alike, table = True, words(hinge)[0]
    for k in range(island.joints):
        alike = alike and words(hinges[k])[0] == table
    return alike


def _is_one_island(world: int) -> bool:
    """Whether the first island has all bodies that can move: nothing else needs iterations in this step."""
    body = words(world)[at.WORLD_BODIES_64]
    while body != 0:
        moves = integers(body)[at.BODY_TYPE] != at.STATIC
        if moves and not flags(body, at.BODY_FLAGS_BYTE)[0] & at.ISLAND_FLAG:
            return False
        body = words(body)[at.BODY_NEXT_64]
    return True


class Island(NamedTuple):
    """The parts of an island while its velocities are solved: addresses of arrays, and how many items those have."""

    hinges: int  # of the addresses of the hinges
    joints: int
    velocities: int
    bodies: int
    contacts: int
    touching: int


def _island_of(world: int) -> Island:
    counts, entries = integers(world), column_at(row_at(world, 1, at.WORLD_STACK_BYTE), np.int64, (at.ENTRY_WORDS_64,))
    return Island(
        int(entries[at.ENTRY_HINGES][0]),
        int(counts[at.WORLD_HINGE_COUNT]),
        int(entries[at.ENTRY_VELOCITIES][0]),
        int(counts[at.WORLD_BODY_COUNT]),
        int(entries[at.ENTRY_CONTACTS][0]),
        _contacts_size(world) // at.CONTACT_BYTES,
    )


def _contacts_size(world: int) -> int:
    """The size in bytes of the contacts to solve."""
    entries = row_at(world, 1, at.WORLD_STACK_BYTE)
    return int(integers(row_at(entries, 8 * at.ENTRY_WORDS_64, at.ENTRY_CONTACTS))[at.ENTRY_SIZE])


def _iterate(data: int, island: Island, workspace: int) -> None:
    """Run all iterations of an island."""
    hinges = words(island.hinges)
    solver, cut = row_at(workspace, 8, _CONTACTS), words(row_at(workspace, 8, _CUT))
    words(solver)[at.CONTACTS_VELOCITIES_64] = island.velocities
    words(solver)[at.CONTACTS_FIRST_64], words(solver)[at.CONTACTS_COUNT_64] = island.contacts, island.touching
    seen = integers(row_at(workspace, 8, _SEEN))
    inverses, growths = row_at(workspace, 1, INVERSE_BYTE), row_at(workspace, 1, GROWTH_BYTE)
    for k in range(island.joints):
        cut[k] = -1
        invert(hinges[k], row_at(inverses, 4 * INVERSE_NUMBERS, k))
    done = since = 0
    while done < VELOCITY_ITERATIONS:
        for k in range(island.joints):
            if solve(hinges[k], data, row_at(inverses, 4 * INVERSE_NUMBERS, k), _growth(growths, done, k)):
                cut[k] = done
        if island.touching != 0:
            solve_contacts(solver)
        done += 1
        skipped = 0
        if done > 1 and _repeats(seen, island):
            skipped = _repeated(seen, island, growths, cut, done, done - since)
        if skipped != 0 or done % LONGEST == 1:
            done += skipped
            since = done
            _remember(seen, island)


def _growth(growths: int, t: int, k: int) -> int:
    """The address of the growth of hinge k's impulses in iteration t."""
    return row_at(row_at(growths, 4 * _GROWING * HINGES, t % LONGEST), 4 * _GROWING, k)


def _remember(seen: Any, island: Island) -> None:
    """Write down the numbers from which the next iterations follow."""
    velocities, hinges = integers(island.velocities), words(island.hinges)
    for k in range(3 * island.bodies):
        seen[k] = velocities[k]
    for k in range(island.joints):
        hinge = integers(hinges[k])
        seen[_MOTORS + k], seen[_LIMITS + k] = hinge[at.HINGE_MOTOR_IMPULSE], hinge[at.HINGE_IMPULSE_LIMIT]
    for k in range(island.touching):
        contact = integers(row_at(island.contacts, at.CONTACT_BYTES, k))
        for i, place in enumerate(at.CONTACT_IMPULSES):
            seen[_IMPULSES + len(at.CONTACT_IMPULSES) * k + i] = contact[place]


def _repeats(seen: Any, island: Island) -> bool:
    """Whether these numbers are the same again, apart from the impulses of limits."""
    velocities, hinges = integers(island.velocities), words(island.hinges)
    for k in range(3 * island.bodies):
        if seen[k] != velocities[k]:
            return False
    for k in range(island.joints):
        if seen[_MOTORS + k] != integers(hinges[k])[at.HINGE_MOTOR_IMPULSE]:
            return False
    for k in range(island.touching):
        contact = integers(row_at(island.contacts, at.CONTACT_BYTES, k))
        for i, place in enumerate(at.CONTACT_IMPULSES):
            if seen[_IMPULSES + len(at.CONTACT_IMPULSES) * k + i] != contact[place]:
                return False
    return True


def _repeated(seen: Any, island: Island, growths: int, cut: Any, done: int, period: int) -> int:
    """Repeat the last iterations as often as they remain the same; returns how many were done.

    A limit's impulse takes part in a cycle if it came back as well. Another one must not be cut off at 0, neither in
    this cycle nor in one to come, because the velocities then depend on it.
    """
    hinges, cycles = words(island.hinges), (VELOCITY_ITERATIONS - done) // period
    for k in range(island.joints):
        if _grows(seen, hinges, k):
            if cut[k] >= done - period:
                return 0
            cycles = _uncut(hinges[k], growths, k, done - period, done, cycles)
    for k in range(island.joints):
        impulses = floats(row_at(hinges[k], 4, at.HINGE_IMPULSE_X))
        for i in range(3 if _grows(seen, hinges, k) else 2):
            impulses[i] = _summed(impulses[i], growths, k, i, done - period, done, cycles)
    return cycles * period


def _grows(seen: Any, hinges: Any, k: int) -> bool:
    """Whether the impulse of a hinge's limit has not come back."""
    changed: bool = seen[_LIMITS + k] != integers(hinges[k])[at.HINGE_IMPULSE_LIMIT]
    return changed


def _uncut(hinge: int, growths: int, k: int, start: int, stop: int, cycles: int) -> int:
    """How many of these cycles of iterations leave the impulse of hinge k's limit on its side of 0."""
    total, limit = floats(hinge)[at.HINGE_IMPULSE_LIMIT], integers(hinge)[at.HINGE_LIMIT_STATE]
    for cycle in range(cycles):
        for t in range(start, stop):
            total += floats(_growth(growths, t, k))[2]
            if is_cut(limit, total):
                return cycle
    return cycles


def _summed(total: Any, growths: int, k: int, i: int, start: int, stop: int, cycles: int) -> Any:
    """What has become of impulse i of hinge k after these cycles, one addition after the other."""
    for _ in range(cycles):
        for t in range(start, stop):
            total += floats(_growth(growths, t, k))[i]
    return total
