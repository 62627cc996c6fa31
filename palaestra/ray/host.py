"""The actor: a process of Ray's that holds some of the environments, as an ordinary vector environment."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gymnasium.vector._batch.beginnings import CHECK_HOLD, CHECK_OPTIONS, DRAW, HOLD, NAMES, OF_EACH, OPTIONS
from gymnasium.vector._batch.requests import split_values
from gymnasium.vector._workers.failures import PackedError, packed
from gymnasium.vector.sync_vector_env import SyncVectorEnv
from gymnasium.vector.vector_env import VectorEnv
from palaestra.ray import cluster
from palaestra.ray.batches import own
from palaestra.ray.collecting import Start, end_of
from palaestra.ray.lost import Lost
from palaestra.ray.moments import Checkpointer, put_state, resume, states_of
from palaestra.ray.naming import named, place_of
from palaestra.ray.protocol import CALL, RESET, ROLLOUT, SET, STEP, Answer, Report, Request, Setup
from palaestra.rollouts import Rollout, rollout


class Host:
    """The environments of one actor.

    `ask` does each request once: it keeps the answers that the caller may not have, and gives them again. So a caller
    may repeat a request whose answer did not arrive.
    """

    def __init__(self) -> None:
        # Ray ends processes by this signal, for which its own handler prints a traceback on the driver's terminal.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        self._answers: dict[int, Answer] = {}
        self._next: int | None = None  # the number of the request that comes next; None before the first
        self._acted, self._began = 0, False

    def ask(self, request: Request, done: int) -> Answer:
        """Do a request.

        Args:
            request: The request.
            done: The number up to which the caller has all answers.
        """
        for number in [number for number in self._answers if number <= done]:
            del self._answers[number]
        if request.number in self._answers:
            return self._answers[request.number]
        if self._next is not None and request.number != self._next:
            return Answer(request.number, missed=True)
        self._next = request.number + 1
        self._acted, self._began = 0, False
        try:
            value = self._do(request)
            kept = (
                self._checkpointer.look(self._acted, self._began, self._course)
                if self._checkpointer is not None
                else None
            )
            answer = Answer(request.number, value, kept=kept)
        except BaseException as error:
            answer = Answer(request.number, failure=self._failed(error))
        self._answers[request.number] = answer
        return answer

    def _do(self, request: Request) -> Any:
        method: Callable[..., Any] = getattr(self, request.kind)
        return method(*own(request.contents))

    def begin(self, setup: Setup) -> Report:
        """Make the environments, and bring them to the moment at which another actor died."""
        self._envs = setup.envs
        self._checkpointer: Checkpointer | None = None
        self._lost: Lost | None = None
        self._course: Start | None = None  # where the last rollout ended
        make: Callable[[int], VectorEnv] = pickle.loads(setup.make)[0]
        self._batch: Any = named(make(len(setup.envs)))
        report = self._report()
        for name, values in setup.beginnings:
            self._begin_with(name, values)
        if setup.every is not None:
            self._checkpointer = Checkpointer(self._batch, setup.every, setup.entropy + setup.envs.start)
        if setup.resumption is not None:
            resume(self._batch, setup.resumption, self._repeat, self._remember)
        if setup.losses is not None:
            self._lost = Lost(self._batch, self._batch.reset(), setup.losses, report.autoreset_mode)
        return report

    def _report(self) -> Report:
        batch, node = self._batch, cluster.this_node()
        if not isinstance(batch, VectorEnv):
            raise TypeError(f"The function must return a gymnasium.vector.VectorEnv, but it returned {batch!r}")
        envs = batch.envs if isinstance(batch, SyncVectorEnv) and batch.observation_mode != "same" else ()
        return Report(
            batch.num_envs,
            batch.single_observation_space,
            batch.single_action_space,
            batch.metadata,
            batch.render_mode,
            batch.metadata["autoreset_mode"],
            os.getpid(),
            *node,
            [env.observation_space for env in envs],
        )

    def _repeat(self, request: Request) -> Any:
        """Do a request again whose answer the caller has. Returns the observations of all environments, if known."""
        try:
            value = self._do(request)
        except Exception:
            if request.kind not in (CALL, SET):  # the caller has seen it
                raise
            return None
        if request.kind == ROLLOUT:
            return end_of(value).observations
        return value[0] if request.kind in (RESET, STEP) else None

    def _remember(self, course: Start | None) -> None:
        self._course = course

    def _failed(self, error: BaseException) -> PackedError:
        """Returns an exception, with the environment that raised it; -1 where that is unknown."""
        place = place_of(error, self._envs.start)
        return packed(error, -1 if place is None else self._envs.start + place)

    def reset(self, seeds: list[int | None] | None, options: Any) -> Any:
        """Reset all environments, or those of the mask in the options: as `VectorEnv.reset`."""
        mask = options.get("reset_mask") if isinstance(options, dict) else None
        result = self._batch.reset(seed=seeds, options=options)
        self._acted, self._began = self._acted + 1, mask is None
        if self._lost is not None:
            self._lost.reset(range(len(self._envs)) if mask is None else np.flatnonzero(mask).tolist())
        return result

    def step(self, actions: Any) -> Any:
        """Step all environments: as `VectorEnv.step`."""
        self._acted += 1
        if self._lost:
            return self._lost.step(actions, range(len(self._envs)))
        return self._batch.step(actions)

    def send(self, places: list[int], actions: Any) -> Any:
        """Step some environments. Returns their places in the order of the results, and the results."""
        self._acted += 1
        if self._lost:
            return places, *self._lost.step(actions, places)
        self._batch.send(actions, places)
        *arrays, infos = self._batch.recv(len(places))
        return infos.pop("env_id").tolist(), *arrays, infos

    def call(self, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Returns each environment's attribute, or its result for these arguments if it is callable."""
        if name in ("np_random", "np_random_seed"):
            return tuple(getattr(self._batch, name))
        if name == "render":
            frames = self._batch.render()
            return (None,) * len(self._envs) if frames is None else tuple(frames)
        if args or kwargs:
            return tuple(self._batch.call(name, *args, **kwargs))
        return tuple(self._batch.get_attr(name))

    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute of each environment."""
        if name in NAMES:
            self._begin_with(name, values)
            return
        if self._checkpointer is not None:
            self._checkpointer.wait_for_resets()
        self._batch.set_attr(name, split_values(values, len(self._envs)))

    def _begin_with(self, name: str, values: Any) -> None:
        """Set how episodes begin, under a name of `beginnings`."""
        if name == DRAW:
            self._batch._begin_with(values)
        elif name in OF_EACH:
            self._begin_each(name, {place: value for place, value in enumerate(values) if value is not None})

    def _begin_each(self, name: str, values: dict[int, Any]) -> None:
        """Set how episodes of some environments begin, or check the values."""
        if name == HOLD and self._checkpointer is not None:
            self._checkpointer.wait_for_resets(list(values))
        if name == CHECK_OPTIONS:
            each = [values.get(place, (None,))[0] for place in range(len(self._envs))]
            self._batch._check_reset_with(None, each)
        elif name == OPTIONS and values:
            self._batch.set_reset_options(list(values), [options for (options,) in values.values()])
        else:
            put = self._batch._check_params if name == CHECK_HOLD else self._batch.set_params
            for place, params in values.items():
                put([place], params)

    def get_states(self, place: int | None) -> list[Any]:
        """Returns the moment of one environment, or of all."""
        if self._lost is not None:
            self._lost.check_none()
        return states_of(self._batch, place)

    def put_states(self, states: list[tuple[int, Any, int | None]]) -> None:
        """Put environments, by their places, into moments, each with a seed or None."""
        for place, state, seed in states:
            put_state(self._batch, place, state, seed)
        if self._lost is not None:
            self._lost.reset([place for place, _, _ in states])

    def rollout(self, policy: list[Any], steps: int, start: Start | None) -> Rollout:
        """Returns the rollout of all environments.

        Args:
            policy: The reference to the policy, alone in a list.
            steps: The number of steps.
            start: Where it begins; None: where the last rollout ended, if there was one.
        """
        if self._lost is not None:
            self._lost.check_none()
        begin = self._course if start is None else start
        known = pickle.loads(cluster.values(policy)[0])
        result = rollout(self._batch, known, steps, start=None if begin is None else begin.as_rollout())
        self._course = end_of(result)
        self._acted += steps
        return result

    def close(self) -> None:
        """Close the environments."""
        self._batch.close()
