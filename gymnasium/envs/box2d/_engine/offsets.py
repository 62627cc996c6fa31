"""Where the engine's objects keep their numbers, for code that reads and writes them by their addresses.

The constants hold for the version and the pointers below, in the builds of `builds`, and for no others;
`library.is_known` checks all, and has to say yes before any constant is used. Names are those of the C++ classes and
their members. Most members have 32 bits: unless a comment says otherwise, a constant counts 32-bit words from the start
of the object.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = (2, 3, 0)
"""Of the engine, as its constant `b2_version` states it; the bindings count on their own (2.3.10)."""
POINTER_BITS: Final = 64

# b2Body
BODY_WORDS: Final = 46  # its size
BODY_TYPE: Final = 0  # m_type: an integer, `STATIC` for a body that never moves
STATIC: Final = 0  # b2_staticBody
BODY_FLAGS_BYTE: Final = 4  # m_flags, 16 bits; in bytes
BODY_X, BODY_Y = 3, 4  # m_xf.p: the position of its origin
BODY_SINE, BODY_COSINE = 5, 6  # m_xf.q: of its angle
BODY_LOCAL_X, BODY_LOCAL_Y = 7, 8  # m_sweep.localCenter: its centre of mass, from its origin
BODY_CENTRE_BEFORE_X, BODY_CENTRE_BEFORE_Y = 9, 10  # m_sweep.c0: its centre of mass at the start of the step
BODY_CENTRE_X, BODY_CENTRE_Y = 11, 12  # m_sweep.c: its centre of mass
BODY_ANGLE_BEFORE, BODY_ANGLE = 13, 14  # m_sweep.a0, m_sweep.a: at the start of the step, and now
BODY_MOVED: Final = 15  # m_sweep.alpha0: the part of the step that its start has been moved by
BODY_VX, BODY_VY, BODY_SPIN = 16, 17, 18  # m_linearVelocity, m_angularVelocity
BODY_INVERSE_MASS: Final = 37  # m_invMass
BODY_INVERSE_INERTIA: Final = 39  # m_invI
BODY_SLEEP_TIME: Final = 43  # m_sleepTime: seconds without motion
ISLAND_FLAG, AWAKE_FLAG = 1, 2  # e_islandFlag, e_awakeFlag, of m_flags
BODY_NEXT_64: Final = 13  # m_next: a pointer to the next body of the world; in 64-bit words

# b2World
WORLD_WORDS: Final = 25815  # up to the last one used
WORLD_STACK_BYTE: Final = 102544  # m_stackAllocator.m_entries: the parts of its memory in use; in bytes
WORLD_STACK_COUNT: Final = 25764  # m_stackAllocator.m_entryCount: how many
WORLD_FLAGS: Final = 25766  # m_flags: of the following
NEW_FIXTURE_FLAG, LOCKED_FLAG, CLEAR_FORCES_FLAG = 1, 2, 4  # e_newFixture, e_locked, e_clearForces
WORLD_CONTACTS_BYTE: Final = 103072  # m_contactManager; in bytes
WORLD_BODY_COUNT, WORLD_HINGE_COUNT = 25804, 25805  # m_bodyCount, m_jointCount
WORLD_INVERSE_STEP: Final = 25814  # m_inv_dt0: of the previous step
WORLD_WARM_BYTE: Final = 103260  # m_warmStarting, a bool; in bytes
WORLD_CONTINUOUS_BYTE: Final = 103261  # m_continuousPhysics, likewise
WORLD_COMPLETE_BYTE: Final = 103263  # m_stepComplete, likewise

# b2World, in 64-bit words
WORLD_WORDS_64: Final = 12901  # up to the last one used
WORLD_CONTACT_LIST_64: Final = 12895  # m_contactManager.m_contactList: a pointer to the first contact
WORLD_FILTER_64: Final = 12897  # m_contactManager.m_contactFilter: a pointer
WORLD_LISTENER_64: Final = 12898  # m_contactManager.m_contactListener: a pointer

WORLD_BODIES_64: Final = 12900  # m_bodyList: a pointer

# b2Contact
CONTACT_FLAGS: Final = 2  # m_flags: of the following
CONTACT_ISLAND_FLAG, CONTACT_IMPACT_FLAG = 1, 32  # e_islandFlag, e_toiFlag: whether m_toi is known
CONTACT_IMPACTS, CONTACT_IMPACT = 46, 47  # m_toiCount: an integer; m_toi: the part of the step before an impact

# b2Contact, in 64-bit words
CONTACT_WORDS_64: Final = 24  # up to the last one used
CONTACT_NEXT_64: Final = 3  # m_next: a pointer to the next contact of the world
CONTACT_FIXTURE_A_64, CONTACT_FIXTURE_B_64 = 12, 13  # m_fixtureA, m_fixtureB: pointers

# b2Fixture, in 64-bit words
FIXTURE_WORDS_64: Final = 9  # up to the last one used
FIXTURE_BODY_64: Final = 2  # m_body: a pointer
FIXTURE_SHAPE_64: Final = 3  # m_shape: a pointer
FIXTURE_USER_DATA_64: Final = 8  # m_userData: a pointer; the bindings let it point to an object of Python

# b2Shape, b2EdgeShape, b2PolygonShape
SHAPE_TYPE: Final = 2  # m_type
EDGE_TYPE, POLYGON_TYPE = 1, 2  # b2Shape::e_edge, b2Shape::e_polygon
SHAPE_RADIUS: Final = 3  # m_radius
EDGE_ENDS_BYTE: Final = 16  # m_vertex1 and m_vertex2, x and y of each; in bytes
POLYGON_WORDS: Final = 71  # up to the last one used
POLYGON_CORNERS_BYTE: Final = 24  # m_vertices, x and y of each; in bytes
POLYGON_NORMALS_BYTE: Final = 152  # m_normals, likewise: of the side from each corner to the next
POLYGON_COUNT: Final = 70  # m_count: of corners, an integer

# b2RevoluteJoint: a hinge between two bodies, A and B
HINGE_WORDS: Final = 72  # its size
HINGE_IMPULSE_X, HINGE_IMPULSE_Y, HINGE_IMPULSE_LIMIT = 36, 37, 38  # m_impulse: of the point, and of the limit
HINGE_MOTOR_IMPULSE: Final = 39  # m_motorImpulse
HINGE_MOTOR_BYTE: Final = 160  # m_enableMotor, a bool; in bytes
HINGE_MAX_TORQUE: Final = 41  # m_maxMotorTorque
HINGE_MOTOR_SPEED: Final = 42  # m_motorSpeed
HINGE_LIMIT_BYTE: Final = 172  # m_enableLimit, a bool; in bytes
HINGE_INDEX_A, HINGE_INDEX_B = 47, 48  # m_indexA, m_indexB: of the bodies in the solver's arrays; integers
HINGE_ARM_AX, HINGE_ARM_AY, HINGE_ARM_BX, HINGE_ARM_BY = 49, 50, 51, 52  # m_rA, m_rB: from the centres to the hinge
HINGE_INVERSE_MASS_A, HINGE_INVERSE_MASS_B = 57, 58  # m_invMassA, m_invMassB
HINGE_INVERSE_INERTIA_A, HINGE_INVERSE_INERTIA_B = 59, 60  # m_invIA, m_invIB
HINGE_MASS_BYTE: Final = 244  # m_mass: nine numbers, the columns ex, ey and ez one after the other; in bytes
HINGE_MOTOR_MASS: Final = 70  # m_motorMass
HINGE_LIMIT_STATE: Final = 71  # m_limitState: one of the following, an integer
INACTIVE_LIMIT, AT_LOWER_LIMIT, AT_UPPER_LIMIT, EQUAL_LIMITS = range(4)  # b2LimitState

# b2TimeStep
STEP_WORDS: Final = 6  # its size
STEP_TIME, STEP_INVERSE, STEP_RATIO = 0, 1, 2  # dt, inv_dt, dtRatio: the time, 1 over it, and it over the previous one
STEP_VELOCITY_ITERATIONS, STEP_POSITION_ITERATIONS = 3, 4  # velocityIterations, positionIterations: integers
STEP_WARM_BYTE: Final = 20  # warmStarting, a bool; in bytes

# b2SolverData
SOLVER_TIME_STEP: Final = 0  # step.dt
SOLVER_VELOCITIES_64: Final = 4  # velocities: a pointer to a b2Velocity for each body; in 64-bit words
VELOCITY_BYTES: Final = 12  # the size of a b2Velocity: along x, along y, of the angle

# The entries of m_stackAllocator while an island's velocities are solved: a pointer and a size of each
ENTRY_WORDS_64: Final = 2  # the size of an entry
ENTRY_SIZE: Final = 2  # size, in bytes: an integer, behind the pointer
ENTRIES: Final = 8  # how many there are
ENTRY_HINGES, ENTRY_VELOCITIES, ENTRY_CONTACTS = 2, 3, 7  # of the island's hinges, velocities, and contacts to solve

# b2ContactSolver, in 64-bit words
CONTACTS_WORDS_64: Final = 10  # its size
CONTACTS_VELOCITIES_64: Final = 4  # m_velocities: a pointer
CONTACTS_FIRST_64: Final = 7  # m_velocityConstraints: a pointer
CONTACTS_COUNT_64: Final = 9  # m_count, the lower half of this word

# b2ContactVelocityConstraint
CONTACT_BYTES: Final = 156  # its size; in bytes
CONTACT_WORDS: Final = 39  # likewise
CONTACT_IMPULSES: Final = (4, 5, 13, 14)  # points[0] and points[1]: normalImpulse, tangentImpulse of each

# Three objects that a cast of a ray takes, one after the other in an array of ours
RAY_WORDS: Final = 14  # its size
RAY_START, RAY_END, RAY_MAX_FRACTION = 0, 2, 4  # b2RayCastInput: p1, p2, maxFraction
RAY_RESULT_BYTE: Final = 24  # b2RayCastOutput, behind a word that keeps it aligned; in bytes
RAY_FRACTION: Final = 8  # its fraction; the normal is before it
RAY_TRANSFORM_BYTE: Final = 40  # b2Transform, of the target: p, sine, cosine; in bytes
RAY_COSINE: Final = 13
