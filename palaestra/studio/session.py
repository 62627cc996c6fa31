"""An environment with its past: every step of every episode can be shown again, and continued from.

A moment is kept every so many steps. To return to a step, the latest moment before it is restored, and the actions
since then are repeated. An environment whose classes cannot return their state is reset with its seed, and repeats them
all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from gymnasium.core import Env
from gymnasium.spaces import Space
from palaestra.error import CannotSnapshot
from palaestra.snapshots import Snapshot, restore, snapshot
from palaestra.studio.values import number, numbers, shown

EVERY: Final = 50  # steps between moments
MAX_STEPS: Final = 100_000  # of a branch
MAX_BRANCHES: Final = 40
_PICTURE_BYTES: Final = 64 * 2**20

Draw = Callable[[Env], "bytes | None"]
Begin = Callable[[Env], tuple[Any, dict[str, Any]]]


class StudioError(Exception):
    """A request cannot be fulfilled; the text is for the user.

    Attributes:
        kind: The place for it on the page: "refused", "over", "arguments" or "action".
    """

    kind = "refused"


class EpisodeOver(StudioError):
    """The step looked at is the last one of its episode, after which no action can be taken."""

    kind = "over"


@dataclass(slots=True, eq=False)
class Step:
    """A step, or the beginning of an episode, whose action is None.

    Attributes:
        action: The action that led here.
        total: The return so far.
        over: Whether the episode ended here.
        row: The values for the page: reward, return, flags (1 terminated, 2 truncated), action, the numbers of the
            observation, info.
        moment: The state of the environment after this step, if it was kept.
        observation: The observation, kept beside a moment.
        picture: The encoded picture, if it was drawn and is still kept.
    """

    action: Any
    total: float
    over: bool
    row: list[Any]
    moment: Snapshot | None = None
    observation: Any = None
    picture: bytes | None = None


@dataclass(eq=False)
class Branch:
    """A course of steps from a seeded reset.

    Attributes:
        number: Its number, from 1.
        seed: The seed of the reset.
        parent: The number of the branch that it left; None for a new episode.
        fork: The last step that it shares with its parent.
        steps: All steps, those shared with the parent included.
        begin: Brings an environment to its beginning; None: a reset with the seed.
        episode: The number of the recorded episode that it is; None for one that was played here.
        is_drawn: Whether the environment can be brought to its steps; if not, they are values alone.
        record: "" for steps that were taken here; for recorded ones "verified" or "differs", as they came out when they
            were repeated, or "values" if they were not.
    """

    number: int
    seed: int
    parent: int | None = None
    fork: int = 0
    steps: list[Step] = field(default_factory=list)
    begin: Begin | None = None
    episode: int | None = None
    is_drawn: bool = True
    record: str = ""

    @property
    def last(self) -> int:
        """The number of its last step."""
        return len(self.steps) - 1

    def check_drawn(self) -> None:
        """Raise `StudioError` if the environment cannot be brought to its steps."""
        if not self.is_drawn:
            raise StudioError("It is not known how this episode began, so it can be looked at only")


class Episode(NamedTuple):
    """A recorded episode.

    Attributes:
        number: Its number among the others.
        seed: The seed of its reset, or None.
        begin: Brings an environment to its beginning; None if nobody knows how.
        actions: Its actions.
        rewards: Its rewards.
        observations: Its observations, one more than actions; None if only its replay tells them.
        flags: How it ended: 1 terminated, 2 truncated.
    """

    number: int
    seed: int | None
    begin: Begin | None
    actions: Sequence[Any]
    rewards: Sequence[float]
    observations: Sequence[Any] | None
    flags: int

    def differs(self, space: Space, t: int, row: list[Any]) -> bool:
        """Returns whether a step came out in another way than it was recorded."""
        if t and row[0] != number(self.rewards[t - 1]):
            return True
        return self.observations is not None and numbers(space, self.observations[t]) != row[4]

    def values(self, space: Space) -> list[Step]:
        """Returns its steps as they were recorded."""
        steps, total = [], 0.0
        for t, observation in enumerate(self.observations or []):
            action = self.actions[t - 1] if t else None
            reward = float(self.rewards[t - 1]) if t else None
            total += reward or 0.0
            flags = self.flags if t == len(self.actions) else 0
            values = numbers(space, observation)
            row = [None if reward is None else number(reward), number(total), flags, shown(action), values, {}]
            steps.append(Step(action, total, flags > 0, row))
        return steps


class Session:
    """An environment, the branches of its episodes, and the step that is looked at.

    Args:
        env: The environment. Nobody else may use it.
        seed: The seed of the first episode.

    Attributes:
        branches: The branches by their numbers, oldest first.
        branch: The one looked at.
        cursor: The step of it that is looked at.
        drifted: Whether the environment once did not repeat itself.
        observation: The observation of the environment's own latest step, which is the one looked at while it plays.

    Raises:
        Exception: Whatever `env.reset` raises.
    """

    def __init__(self, env: Env, seed: int = 0) -> None:
        self.env = env
        self.branches: dict[int, Branch] = {}
        self.drifted = False
        self._space = env.observation_space
        self._at: Step | None = None  # where the environment is; None: unknown
        self._pictures: deque[Step] = deque()
        self._bytes = 0
        self._next_number = 1
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin an episode, as a new branch."""
        self._at = None
        observation, info = self.env.reset(seed=seed)
        first = Step(None, 0.0, False, [None, 0.0, 0, None, numbers(self._space, observation), shown(info)])
        self.observation = observation
        self._keep(first)
        self._open(Branch(self._next_number, seed, steps=[first]))
        self._at = first

    def step(self, action: Any) -> Step:
        """Take an action after the step looked at; if that is in the past, this opens a branch.

        Raises:
            StudioError: If the episode is over there, or too long.
            Exception: Whatever `env.step` raises; the past stays as it is.
        """
        here = self.branch.steps[self.cursor]
        self.branch.check_drawn()
        if here.over:
            raise EpisodeOver("The episode is over: begin another one, or continue from an earlier step")
        if self.cursor >= MAX_STEPS:
            raise StudioError(f"The studio keeps {MAX_STEPS:,} steps of an episode: begin another one")
        self.settle(self.branch, self.cursor)
        self._at = None
        observation, reward, terminated, truncated, info = self.env.step(action)
        if self.cursor < self.branch.last or self.branch.record:
            self.fork()
        values = numbers(self._space, observation)
        flags = int(bool(terminated)) + 2 * int(bool(truncated))
        total = here.total + float(reward)
        row = [number(reward), number(total), flags, shown(action), values, shown(info)]
        step = Step(action, total, flags > 0, row)
        self.branch.steps.append(step)
        self.cursor += 1
        self.observation = observation
        if self.cursor % EVERY == 0:
            self._keep(step)
        self._at = step
        return step

    def record(self, episode: Episode) -> None:
        """Take the actions of a recorded episode, as a new branch, and compare the results with the record."""
        self._at = None
        began = None if episode.begin is None else episode.begin(self.env)
        if began is None:
            branch = Branch(self._next_number, 0, steps=episode.values(self._space), is_drawn=False, record="values")
            branch.episode = episode.number
            self._open(branch)
            return
        self.observation, info = began
        values = numbers(self._space, self.observation)
        first = Step(None, 0.0, False, [None, 0.0, 0, None, values, shown(info)])
        self._keep(first)
        begin: Begin = episode.begin  # type: ignore[assignment]  # it has begun
        self._open(Branch(self._next_number, episode.seed or 0, steps=[first], begin=begin, episode=episode.number))
        self._at = first
        differs = episode.differs(self._space, 0, first.row)
        for t, action in enumerate(episode.actions, 1):
            if self.branch.steps[-1].over:
                differs = True
                break
            step = self.step(action)
            differs = differs or episode.differs(self._space, t, step.row)
        self.repeated(differs)

    def repeated(self, differs: bool) -> None:
        """Note that all steps of the branch looked at are recorded ones, and whether any came out otherwise."""
        self.branch.record = "differs" if differs else "verified"
        self.drifted = self.drifted or differs

    def forget(self, number: int) -> None:
        """Forget a branch, unless it is looked at."""
        if number != self.branch.number:
            self.branches.pop(number, None)

    def seek(self, cursor: int) -> None:
        """Look at a step of the branch; the environment itself follows when it is needed."""
        self.cursor = max(0, min(cursor, self.branch.last))

    def choose(self, number: int, cursor: int | None = None) -> None:
        """Look at another branch, at this step or its last one.

        Raises:
            StudioError: If it does not exist.
        """
        self.branch = self.found(number)
        self.seek(self.branch.last if cursor is None else cursor)

    def found(self, number: int) -> Branch:
        """Returns the branch of a number; raises `StudioError` if there is none."""
        if number not in self.branches:
            raise StudioError(f"There is no branch {number}")
        return self.branches[number]

    def fork(self) -> None:
        """Open a branch that goes on from the step looked at."""
        old = self.branch
        old.check_drawn()
        steps = old.steps[: self.cursor + 1]
        self._open(Branch(self._next_number, old.seed, old.number, self.cursor, steps, old.begin))

    def begin(self, env: Env) -> None:
        """Bring the environment, or one around it, to the beginning of the branch."""
        branch = self.branch
        branch.check_drawn()
        self._at = None
        if branch.begin is None:
            env.reset(seed=branch.seed)
        else:
            branch.begin(env)

    def picture(self, branch: Branch, cursor: int, draw: Draw) -> bytes | None:
        """Returns the picture of a step, from memory or drawn again; None if the environment has none."""
        step = branch.steps[cursor]
        if step.picture is None and branch.is_drawn:
            self.settle(branch, cursor)
            step.picture = draw(self.env)
            self._remember(step)
        return step.picture

    def moment(self) -> Snapshot:
        """Returns a snapshot of the step looked at.

        Raises:
            palaestra.error.CannotSnapshot: If a class cannot return its state.
        """
        self.settle(self.branch, self.cursor)
        return snapshot(self.env)

    def _open(self, branch: Branch) -> None:
        self._next_number += 1
        self.branches[branch.number] = branch
        self.branch, self.cursor = branch, branch.last
        while len(self.branches) > MAX_BRANCHES:
            del self.branches[next(iter(self.branches))]

    def _keep(self, step: Step) -> None:
        """Keep the moment of the latest step, if the environment can return it."""
        with suppress(CannotSnapshot):
            step.moment = snapshot(self.env)
            step.observation = deepcopy(self.observation)

    def settle(self, branch: Branch, cursor: int) -> None:
        """Bring the environment to a step; raises whatever it raises."""
        steps = branch.steps
        branch.check_drawn()
        if steps[cursor] is self._at:
            return
        near = next((k for k in range(cursor, -1, -1) if steps[k] is self._at or steps[k].moment is not None), 0)
        place, self._at = self._at, None
        if place is None or steps[near] is not place:
            self._return_to(branch, steps[near])
        for step in steps[near + 1 : cursor + 1]:
            self.observation, reward, *_ = self.env.step(step.action)
            if [number(reward), numbers(self._space, self.observation)] != [step.row[0], step.row[4]]:
                self.drifted = True
        self._at = steps[cursor]

    def _return_to(self, branch: Branch, step: Step) -> None:
        if step.moment is None and branch.begin is not None:
            self.observation, _ = branch.begin(self.env)
        elif step.moment is None:
            self.observation, _ = self.env.reset(seed=branch.seed)
        else:
            restore(self.env, step.moment)
            self.observation = deepcopy(step.observation)

    def _remember(self, step: Step) -> None:
        """Keep a picture, and forget the oldest ones if there are too many."""
        self._pictures.append(step)
        self._bytes += len(step.picture or b"")
        while self._bytes > _PICTURE_BYTES and len(self._pictures) > 1:
            oldest = self._pictures.popleft()
            self._bytes -= len(oldest.picture or b"")
            oldest.picture = None
