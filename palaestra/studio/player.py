"""The effect of each command on an environment, without threads."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from gymnasium.core import Env
from palaestra.studio import messages as say
from palaestra.studio.forms import checked_arguments, constants_of, described, fps_of
from palaestra.studio.keys import noop_for
from palaestra.studio.making import Origin
from palaestra.studio.recordings import Recorded
from palaestra.studio.session import Branch, EpisodeOver, Session, StudioError
from palaestra.studio.values import action_of, shown


class WrongArguments(StudioError):
    """Arguments with which the environment cannot be made."""

    kind = "arguments"


class WrongAction(StudioError):
    """A choice of the page that is no action."""

    kind = "action"


class Player:
    """An environment, the way in which it is played, and the errors on the way.

    Args:
        origin: Where the environment comes from.
        seed: The seed of the first episode.
        policy: A function from observation to action, or None.
        policy_name: Its name for the page.

    Attributes:
        session: The environment with its past; None if it could not be made.
        description: Its description for the page, or None.
        generation: Counts the environments that were made.
        playing: Whether `tick` is to be called again and again.
        constants: Those of the environment's params that differ from what it was made with.
    """

    def __init__(self, origin: Origin, seed: int, policy: Callable[[Any], Any] | None, policy_name: str) -> None:
        self.session: Session | None = None
        self.description: dict[str, Any] | None = None
        self.generation = 0
        self.playing = False
        self._compared: int | None = None
        self._origin, self._seed = origin, seed
        self._policy, self._policy_name = policy, policy_name
        self._source = "random" if policy is None else "policy"
        self._speed, self._loop = 1.0, False
        self._held: Any = None
        self._arguments: dict[str, Any] = {}
        self._fields: list[dict[str, Any]] = []
        self.constants: dict[str, Any] = {}
        self._problem: dict[str, Any] | None = None
        self._env: Env | None = None

    @property
    def compared(self) -> Branch | None:
        """The branch to compare with, or None."""
        return None if self.session is None or self._compared is None else self.session.branches.get(self._compared)

    @property
    def interval(self) -> float:
        """The seconds from one step to the next."""
        if self._env is None or self._speed == 0:
            return 0.0
        return 1 / (fps_of(self._env) * self._speed)

    def do(self, command: say.Command) -> None:
        """Do a command of a page.

        Raises:
            StudioError: If it cannot be done.
            Exception: Whatever the environment or the policy raises.
        """
        if isinstance(command, say.Remake):
            self._remake_with(command.arguments)
            return
        self._problem = None
        match command:
            case say.Play():
                self.playing = self._can_go_on(self._ready())
            case say.Pause():
                self.playing = False
            case say.Speed(value):
                self._speed = value
            case say.Source(value):
                if value == "policy" and self._policy is None:
                    raise StudioError("No policy was given: start the studio with --policy module:function")
                self._source = value
            case say.Loop(value):
                self._loop = value
            case say.Hold(action):
                self._held = None if action is None else self._action(action)
            case _:
                self._do_in(self._ready(), command)

    def _do_in(self, session: Session, command: say.Command) -> None:
        """Do a command about the episodes."""
        match command:
            case say.Next():
                self._advance(session)
            case say.Act(action):
                session.step(self._action(action))
            case say.Fork():
                session.fork()
            case say.Reset(seed):
                session.reset(session.branch.seed + 1 if seed is None else seed)
            case say.Seek(step):
                self.playing = False
                session.seek(step)
            case say.Choose(branch, step):
                self.playing = False
                session.choose(branch, step)
            case say.Compare(branch):
                self._compared = None if branch is None else session.found(branch).number
            case say.Episode(number, compare):
                self._open(session, number, compare)

    def _open(self, session: Session, number: int, compare: bool) -> None:
        """Look at a recorded episode, or compare with it."""
        self.playing = False
        recorded = self._origin if isinstance(self._origin, Recorded) else None
        here, cursor = session.branch.number, session.cursor
        known = next((one.number for one in session.branches.values() if one.episode == number), None)
        if known is not None:
            session.choose(known, 0)
        elif recorded is None:
            raise StudioError("No recorded episodes are open here")
        else:
            session.record(recorded.episode(number))
            session.seek(0)
        if compare and session.branch.number != here:
            self._compared = session.branch.number
            session.choose(here, cursor)

    def tick(self) -> None:
        """Take the next step of playing; at the end, stop or begin another episode."""
        session = self._ready()
        if not self._is_over(session):
            self._advance(session)
        elif self._loop:
            session.reset(session.branch.seed + 1)
        else:
            self.playing = False

    def remake(self, arguments: dict[str, Any] | None = None) -> None:
        """Make the environment, and begin an episode.

        Args:
            arguments: Its arguments; None for those registered with it.

        Raises:
            Exception: Whatever its constructor raises; the environment until now then stays.
        """
        chosen = arguments or {}
        fields = self._origin.fields()
        own = {name: chosen[name] for name in (field["name"] for field in fields) if name in chosen}
        env = self._origin.made(own)
        if env is not self._env:
            self.close()
        self._env, self._arguments = env, own
        self.session, self._compared, self.playing, self._held = None, None, False, None
        if self._origin.takes_constants():
            fields += constants_of(env, fields)
        self._fields = fields
        values = [{**field, "value": shown(chosen.get(field["name"], field["value"]))} for field in fields]
        self.constants = _set(env, fields, chosen)
        self.generation += 1
        self.description = described(env, values, self._policy_name or None)
        self.description["episodes"] = self._origin.listed() if isinstance(self._origin, Recorded) else None
        self._sampler = deepcopy(env.action_space)
        self._sampler.seed()
        self.session = Session(env, self._seed)
        self._origin.prepare(self.session)

    def close(self) -> None:
        """Close the environment, if there is one."""
        env, self._env = self._env, None
        if env is not None:
            env.close()

    def kwargs(self) -> dict[str, Any]:
        """Returns the arguments with which a program makes the same environment."""
        return self._origin.kwargs(self._arguments)

    def begins_with_seed(self) -> bool:
        """Returns whether a program can begin the same episodes by their seeds."""
        return self._origin.begins_with_seed()

    def refuse(self, error: StudioError) -> None:
        """Note that something was asked for in vain."""
        self.playing = False
        self._problem = {"kind": error.kind, "text": str(error), "place": ""}

    def fail(self, error: Exception) -> None:
        """Note an exception of the environment or the policy, with the last line of its code."""
        self.playing = False
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{frames[-1].filename}, line {frames[-1].lineno}: {frames[-1].line or ''}" if frames else ""
        self._problem = {"kind": "failed", "text": _said(error), "place": place[:400]}

    def status(self) -> dict[str, Any]:
        """Returns the state of playing, as JSON."""
        session = self.session
        return {
            "playing": self.playing,
            "speed": self._speed,
            "source": self._source,
            "loop": self._loop,
            "problem": self._problem,
            "drifted": session is not None and session.drifted,
            "branch": None if session is None else session.branch.number,
            "step": 0 if session is None else session.cursor,
            "compared": None if self.compared is None else self.compared.number,
        }

    def _ready(self) -> Session:
        if self.session is None:
            raise StudioError("The environment could not be made: change its arguments, and make it again")
        return self.session

    def _remake_with(self, sent: dict[str, Any]) -> None:
        try:
            arguments = checked_arguments(self._fields, sent)
        except ValueError as error:
            raise WrongArguments(str(error)) from error
        self._problem = None
        self._seed = self._seed if self.session is None else self.session.branch.seed
        try:
            self.remake(self._changed(arguments))
        except Exception as error:  # constructors raise what they like
            raise WrongArguments(_said(error)) from error

    def _changed(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the arguments that differ from the defaults: the page has rounded the others."""
        chosen = {**self._arguments, **self.constants}
        now = {field["name"]: field["value"] for field in self._fields} | chosen
        changed = {name: value for name, value in sent.items() if shown(value) != shown(now[name])}
        return {**chosen, **changed}

    def _can_go_on(self, session: Session) -> bool:
        """Returns whether a step follows the one looked at; raises `EpisodeOver` where none does."""
        if self._is_over(session) and not self._loop:
            raise EpisodeOver("The episode is over: begin another one, or continue from an earlier step")
        return True

    @staticmethod
    def _is_over(session: Session) -> bool:
        return session.cursor == session.branch.last and session.branch.steps[-1].over

    def _advance(self, session: Session) -> None:
        """Look at the next step, which is taken if it is not known yet."""
        if session.cursor < session.branch.last:
            session.seek(session.cursor + 1)
        else:
            session.step(self._chosen(session))

    def _chosen(self, session: Session) -> Any:
        if self._source == "policy" and self._policy is not None:
            session.settle(session.branch, session.cursor)
            return self._policy(session.observation)
        if self._source == "random":
            return self._sampler.sample()
        if self._held is not None:
            return self._held
        noop = noop_for(session.env)
        return self._sampler.sample() if noop is None else noop

    def _action(self, value: object) -> Any:
        try:
            return action_of(self._ready().env.action_space, value)
        except ValueError as error:
            raise WrongAction(str(error)) from error


def _set(env: Env, fields: list[dict[str, Any]], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Set the constants that were chosen, and return those that differ from what they were."""
    constants = {field["name"]: field["value"] for field in fields if field.get("constant")}
    changed = {name: chosen[name] for name, value in constants.items() if chosen.get(name, value) != value}
    for name, value in changed.items():
        env.set_wrapper_attr(name, value)
    return changed


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]
