"""A batch of environments on a Ray cluster."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, Env, ObsType
from gymnasium.spaces.batching import batch_space
from gymnasium.utils._counts import positive
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector._batch.asking import AsyncState
from gymnasium.vector._batch.requests import checked_min_envs
from gymnasium.vector._batch.spaces import ObservationMode
from gymnasium.vector._batch.turns import alone, begin_turns
from gymnasium.vector._workers.board import some_actions
from gymnasium.vector.vector_env import AutoresetMode
from palaestra.ray.batches import joined, own
from palaestra.ray.collecting import AsyncRollouts, Start, collected
from palaestra.ray.protocol import CALL, RESET, SEND, SET, STEP
from palaestra.ray.start import Maker, Plan, maker_of, started
from palaestra.ray.states import RayMoments
from palaestra.rollouts.pure import PURE, streams_of
from palaestra.rollouts.record import Rollout, Running
from palaestra.rollouts.task import Task, first_of

__all__ = ["RayVectorEnv"]


class RayVectorEnv(RayMoments[ObsType, ActType]):
    """Environments in actors on a Ray cluster, several in each: a vector environment on many machines.

    Environment i has the seed that it has on one machine, and the results are those of `SyncVectorEnv`, bit for bit.
    Observations come as one array for each actor, are read where Ray has them, and copied once, into the batch. Results
    are always new.

    No call outlasts its timeout:

    - An exception in an environment is raised here, with its own type if it can be pickled, and names the environment,
      the actor, its process and its node. An actor that dies raises a `WorkerError`. After either, the vector
      environment is closed, unless `on_failure` says otherwise. An exception in `call` or `set_attr` leaves it open.
    - Calls out of order, and timeouts, raise the errors of `AsyncVectorEnv`. After a timeout the next call can be made
      at once; the environments complete the late one first, and its result is dropped.
    - `send` sends each actor its part, which it does as a whole: `recv` returns the parts that are done.
    - `close` leaves no actor and no placement group.

    Args:
        env_fns: Functions without arguments, one per environment, that make the environments. Or one function of a
            number n that makes a batch of n environments, a `VectorEnv`: `make_vec` gives one that makes the batch that
            is best on the actor. They are pickled by cloudpickle, and the nodes must have the modules that they import.
        num_envs: The number of environments, for a function that makes batches.
        autoreset_mode: The autoreset mode of single environments; by default `NEXT_STEP`.
        observation_mode: That of single environments, see `SyncVectorEnv`; by default `"same"`.
        num_workers: The number of actors; by default as many as the cluster has processors for.
        resources: The share of each actor: `num_cpus` (1 by default), `num_gpus`, `memory`, and custom resources.
        placement: How they are placed: `"SPREAD"` over the nodes, `"PACK"` on few nodes, `"STRICT_SPREAD"` each on
            another node, `"STRICT_PACK"` all on one.
        address: The address of the cluster, if this process is not connected; by default `RAY_ADDRESS`, else the
            cluster that this user has started on this machine, else a local Ray, which ends with the last vector
            environment. "local" for that.
        runtime_env: Ray's, for the actors.
        on_failure: "raise", "restart" or "resume", when an actor is lost: its process, or its node.

            - "restart": Another actor makes new environments. The running episodes end as truncated, with reward 0 and
              the last observation, and `infos["worker_restarted"]` is True for them. So it is after an exception in
              an environment. An actor that fails repeatedly raises, and so does a call whose answer is lost.
            - "resume": Another actor continues with the same environments, and nothing is lost. They return to their
              last checkpoint and repeat the requests since, which are numbered, so that each is done once. All results
              are those of an undisturbed run, bit for bit, and `infos["worker_resumed"]` is True for them in the next.
              The fourth death at the same request raises. An exception raises, because it would only be repeated.
        snapshot_every: With "resume", the number of steps between two checkpoints, which this process keeps; 1000 by
            default. The notes of `AsyncVectorEnv` on attributes, methods and environments without `get_state` hold
            here too.
        worker_timeout: The time limit, in seconds, for one request to an actor. An actor that takes longer is lost;
            another begins on another node, if there is one. None for no limit.
        timeout: The time limit, in seconds, of calls and waits without a timeout of their own; None for no limit.
        start_timeout: The time limit, in seconds, for actors to be placed and to make their environments.

    Raises:
        TypeError, ValueError: For any other value of an argument.
        gymnasium.error.DependencyNotInstalled: If Ray cannot be imported.
        ConnectionError: If there is no cluster at the address.
        RuntimeError: If the environments' spaces do not fit together; a `WorkerError` if the actors have no place in
            time.
    """

    def __init__(
        self,
        env_fns: Iterable[Callable[[], Env]] | Maker,
        num_envs: int | None = None,
        *,
        autoreset_mode: str | AutoresetMode | None = None,
        observation_mode: ObservationMode | None = None,
        num_workers: int | None = None,
        resources: Mapping[str, float] | None = None,
        placement: str = "SPREAD",
        address: str | None = None,
        runtime_env: Mapping[str, object] | None = None,
        on_failure: Literal["raise", "restart", "resume"] = "raise",
        snapshot_every: int | None = None,
        worker_timeout: float | None = None,
        timeout: float | None = None,
        start_timeout: float | None = 120.0,
    ) -> None:
        begin_turns(self, "_sole")
        mode = None if autoreset_mode is None else AutoresetMode(autoreset_mode)
        modes = {"autoreset_mode": mode, "observation_mode": observation_mode}
        maker, self.num_envs = maker_of(env_fns, num_envs, modes)
        self.on_failure, self.timeout = on_failure, timeout
        plan = Plan(
            self.num_envs,
            num_workers,
            resources,
            placement,
            address,
            runtime_env,
            on_failure,
            snapshot_every,
            worker_timeout,
            start_timeout,
        )
        actors = started(plan, maker, mode or AutoresetMode.NEXT_STEP, observation_mode or "same")
        self._supervisor, self._finished, report = actors.supervisor, actors.finished, actors.report
        self._end = weakref.finalize(self, self._supervisor.stop, 0.0)
        self._asked = {}
        self.autoreset_mode = report.autoreset_mode
        self.metadata, self.render_mode = report.metadata, report.render_mode
        self.observation_space = actors.observation_space
        self.single_observation_space = actors.single_observation_space
        self.single_action_space = report.single_action_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._check_actions = action_checker(self.single_action_space)

    @property
    def actors(self) -> list[dict[str, Any]]:
        """The environments and the place of each actor, `envs`, `pid`, `node` (an id) and `address`."""
        return [
            {"envs": worker.envs, "pid": report.pid, "node": report.node, "address": report.address}
            for worker in self._supervisor.workers
            if (report := worker.report) is not None
        ]

    def _ask_to_reset(self, seeds: Sequence[int | None], mask: NDArray[np.bool_], options: list[Any]) -> None:
        contents: dict[int, tuple[Any, ...]] = {}
        for worker in self._supervisor.workers:
            rows = slice(worker.envs.start, worker.envs.stop)
            if mask[rows].any():
                mine = list(seeds[rows])
                given = None if all(one is None for one in mine) else mine
                contents[worker.index] = given, _options(options[rows], mask[rows])
        self._ask(AsyncState.WAITING_RESET, RESET, contents)

    @alone
    def reset_wait(self, timeout: float | None = None) -> tuple[ObsType, dict[str, Any]]:
        """Returns the first observations and infos of the pending reset; for its errors, see the class."""
        values = self._wait(AsyncState.WAITING_RESET, timeout)
        self._reset_needed = False
        parts = [
            (values[k][1] if k in values else {}, worker.envs) for k, worker in enumerate(self._supervisor.workers)
        ]
        return self._observed(), self._merged(parts)

    def _ask_to_step(self, actions: object) -> None:
        contents = {}
        for worker in self._supervisor.workers:
            contents[worker.index] = (some_actions(actions, slice(worker.envs.start, worker.envs.stop)),)
        self._ask(AsyncState.WAITING_STEP, STEP, contents)

    @alone
    def step_wait(
        self, timeout: float | None = None
    ) -> tuple[ObsType, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Returns the results of the pending step; for its errors, see the class."""
        values = list(self._wait(AsyncState.WAITING_STEP, timeout).values())
        rewards, terminated, truncated = _numbers([value[1:4] for value in values])
        infos = self._merged(
            [(value[4], worker.envs) for value, worker in zip(values, self._supervisor.workers, strict=True)]
        )
        return self._observed(), rewards, terminated, truncated, infos

    @alone
    def send(self, actions: ActType, env_ids: Sequence[int] | NDArray[np.integer] | None = None) -> None:
        """Send actions to some environments, which act at once; those of one actor act together."""
        self._check_nothing_pending("send")
        ids = self._checked_send(env_ids)
        batch = self._check_actions(actions, len(ids))
        self._supervisor.poll()
        for worker in self._supervisor.workers:
            rows = [row for row, env in enumerate(ids) if env in worker.envs]
            if rows:
                envs = [ids[row] for row in rows]
                places = [env - worker.envs.start for env in envs]
                number = worker.ask(SEND, (places, some_actions(batch, rows)))
                self._supervisor.in_flight[worker.index, number] = envs

    @alone
    def recv(
        self, min_envs: int = 1, timeout: float | None = None
    ) -> tuple[ObsType, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Wait until `min_envs` of the environments in flight are done, in any order."""
        self._check_nothing_pending("recv")
        supervisor = self._supervisor
        wanted = checked_min_envs(min_envs, len(self._in_flight()))
        timeout = self.timeout if timeout is None else timeout
        self._await_landed(wanted, timeout, "recv")
        parts, envs = [], []
        completed, supervisor.completed = supervisor.completed, []
        for key in completed:
            del supervisor.in_flight[key]
            worker = supervisor.workers[key[0]]
            parts.append(worker.values.pop(key[1]))
            envs.append([worker.envs.start + place for place in parts[-1][0]])
        ids = np.concatenate(envs).astype(np.int64)
        observations = joined(self.single_observation_space, [part[1] for part in parts])
        rewards, terminated, truncated = _numbers([part[2:5] for part in parts])
        infos = self._merged([(part[5], own) for part, own in zip(parts, envs, strict=True)])
        infos["env_id"] = ids
        return observations, rewards, terminated, truncated, infos

    def _ask_to_call(self, name: str, args: tuple[object, ...], kwargs: dict[str, Any]) -> None:
        self._ask_all(AsyncState.WAITING_CALL, CALL, name, args, kwargs)

    @alone
    def call_wait(self, timeout: float | None = None) -> tuple[Any, ...]:
        """Returns the results of the pending call; for its errors, see the class."""
        found = self._wait(AsyncState.WAITING_CALL, timeout)
        return tuple(own(value) for values in found.values() for value in values)

    def _remember(self, name: str, values: object) -> None:
        if self._supervisor.replacement is not None:
            self._supervisor.replacement.set_again(name, values)

    def _ask_to_set(self, name: str, values: Any) -> None:
        contents = {
            worker.index: (name, values[worker.envs.start : worker.envs.stop]) for worker in self._supervisor.workers
        }
        self._ask(AsyncState.WAITING_CALL, SET, contents)

    @alone
    def collect_parts(
        self, policy: Any, steps: int, observations: Any, running: Running
    ) -> list[tuple[range, Rollout]]:
        """Returns each actor's environments and their rollout, which it collects by itself.

        `palaestra.rollout` calls it, and joins the parts.

        Args:
            policy: The policy, which is put into the object store once.
            steps: The number of steps.
            observations: The observations to begin with.
            running: The episodes that run.
        """
        return collected(self, policy, steps, Start(observations, running))

    @alone
    def async_rollouts(self, policy: Any, steps: int, *, in_flight: int = 2, start: Any = None) -> AsyncRollouts:
        """Returns an iterator of the actors' rollouts, as they come: no actor waits for another, or for learning.

            with envs.async_rollouts(policy, 128) as rollouts:
                for part in rollouts:
                    learn(policy, part.rollout)  # of the environments part.envs
                    rollouts.update(policy)  # from now on

        `part.version` is the number of updates before the policy that made the part. Until `close`, at the end of the
        block, the environments take no other call; then they need a reset.

        Args:
            policy: A policy of `palaestra.rollout`. It gets the observations of one actor's environments.
            steps: The number of steps of each part.
            in_flight: The number of parts that each actor has to do at any time.
            start: As of `palaestra.rollout`.

        Raises:
            TypeError, ValueError: For an invalid argument.
        """
        self._check_idle("async_rollouts")
        task = Task(self, policy, positive("steps", steps), start, None, False)
        count = positive("in_flight", in_flight)
        observations, running = first_of(task)
        if isinstance(policy, PURE) and running.streams is None:
            running = running._replace(streams=streams_of(policy, self.num_envs))
        self._collecting = AsyncRollouts(self, policy, task.steps, count, Start(observations, running))
        return self._collecting


def _options(each: list[Any], mask: NDArray[np.bool_]) -> Any:
    """Returns the options of one actor's environments, for its batch."""
    if any(one is not each[0] for one in each):
        return each
    return each[0] if mask.all() else {**(each[0] or {}), "reset_mask": mask}


def _numbers(parts: Sequence[Sequence[object]]) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Returns rewards and flags of several actors as those of one batch."""
    rewards, terminated, truncated = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return (
        rewards.astype(np.float64, copy=False),
        terminated.astype(np.bool_, copy=False),
        truncated.astype(np.bool_, copy=False),
    )
