"""A batch of plain environments that is one compiled function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.error import Error
from gymnasium.logger import warn
from gymnasium.vector._batch.actions import action_checker
from gymnasium.vector.vector_env import AutoresetMode
from palaestra.error import CannotCompile
from palaestra.language.frontend import refusals
from palaestra.language.program import WIDTH
from palaestra.runner.batch.failures import NO_ROOM
from palaestra.runner.batch.single import Environment
from palaestra.runner.batch.snapshots import BatchedState, CompiledState
from palaestra.runner.classes.actions import is_packed, packed, unpacked
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.own_generators import RANDOMS, fill_unused, seed_rows, waiting_seed
from palaestra.runner.classes.results import FINAL, formed
from palaestra.runner.classes.single import PlainAttributes, PlainEnv
from palaestra.runner.classes.trial import FEW, LIMIT, compare
from palaestra.runner.kernels.columns import own_value
from palaestra.runner.kernels.layout import DISABLED, SAME_STEP, RowRaised, final_info_name
from palaestra.runner.kernels.packing import has_texts, with_texts
from palaestra.runner.vector_env import CompiledVectorEnv

__all__ = ["PlainVectorEnv"]

TRIALS = ("on", "off")
OWN = (
    "{name} draws from {used}, which the whole process shares. In a compiled batch each copy has generators of its own "
    "instead: reset with seed s, copy i draws what {name} alone draws after {seeding}"
)


class PlainVectorEnv(CompiledVectorEnv):
    """Copies of an ordinary environment class, compiled to machine code and stepped on all cores.

    The class stays as it is. Its source is read; the attributes that `reset` and `step` change become the state, all
    others constants; and both methods are translated to functions of state and action, for the kernels that run a
    `FuncEnv`. Trajectories equal those of `SyncVectorEnv` bit for bit: differences are refused.

        envs = PlainVectorEnv(MyEnv, 4096, max_episode_steps=200)

    Before the first batch is handed out, a trial of less than a second compares episodes with the class itself.

    Args:
        environment: The class, or a function, that makes one environment.
        num_envs: The number of copies.
        max_episode_steps: The number of steps after which an episode is truncated; None or -1 for no limit.
        autoreset_mode: The autoreset mode.
        render_mode: None, or one of the environment's render modes but `"human"`.
        num_threads: The maximum number of threads; None for one for each processor. Small batches run on one.
        copy: Whether each call returns arrays without other references; see `CompiledVectorEnv`.
        trial: `"on"` or `"off"`.
        rtol: The relative difference of floats that the trial allows; None for none.
        **kwargs: Arguments for `environment`.

    Raises:
        palaestra.error.CannotCompile: If the class cannot be compiled; all reasons are told, with their lines. What
            only the compiler or the trial can find is raised by the first reset.
        ValueError, TypeError: See `CompiledVectorEnv`.
    """

    vector_kwargs = ("autoreset_mode", "copy", "num_threads", "trial", "rtol")

    def __init__(
        self,
        environment: Callable[..., Any],
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        num_threads: int | None = None,
        copy: bool = True,
        trial: str = "on",
        rtol: float | None = None,
        **kwargs: object,
    ) -> None:
        if trial not in TRIALS:
            raise ValueError(f"trial is one of {TRIALS}, but got {trial!r}")
        self._trial, self._rtol = trial, rtol
        self._keeps_final = AutoresetMode(autoreset_mode) is AutoresetMode.SAME_STEP
        super().__init__(
            environment if render_mode is None else partial(environment, render_mode=render_mode),
            num_envs,
            max_episode_steps=max_episode_steps,
            autoreset_mode=autoreset_mode,
            render_mode=render_mode,
            num_threads=num_threads,
            copy=copy,
            **kwargs,
        )
        self._plain.settle()
        if used := [RANDOMS[name] for name in RANDOMS if name in self.dynamics.model.hidden]:
            seeding = " and ".join(f"{one}.seed(s + i)" for one in used)
            warn(OWN.format(name=self.dynamics.name, used=" and ".join(used), seeding=seeding))
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self.dynamics.reused:
            names = ", ".join(one.removeprefix("self_") for one in self.dynamics.reused)
            raise self.dynamics.refused(
                f"step returns the array {names} itself, and reset writes into it, which changes `final_obs` here",
                "return a copy, .copy()",
            )

    @property
    def dynamics(self) -> ClassDynamics:
        """The class as dynamics."""
        dynamics: ClassDynamics = self._single.func_env  # type: ignore[assignment]
        return dynamics

    def _single_of(self, environment: Environment, params: dict[str, Any]) -> PlainEnv:
        if not callable(environment):
            raise TypeError(f"PlainVectorEnv runs a class of environments, but got {environment!r}")
        return PlainEnv(partial(environment, **params), self._keeps_final, self.num_envs)

    @property
    def _plain(self) -> PlainEnv:
        single: Any = self._single
        assert isinstance(single, PlainEnv)
        return single

    def _attributes_of(self, kind: type) -> Any:
        return PlainAttributes(self._single, self._runner, self._streams)

    # Lists that grow.

    def _make_room(self, row: int, actions: np.ndarray | None) -> None:
        """Let lists have the room that a row needs, which was left: Python steps it, and shows it.

        Raises:
            RowRaised: If it raises in Python.
        """
        memory = self._runner.memory
        try:
            self.dynamics.make_room(self._held_after(row, None if actions is None else actions[row]))
        except CannotCompile as error:
            memory.fail(row)
            raise RowRaised(NO_ROOM) from error
        except Exception:
            memory.fail(row)
            raise RowRaised from None
        self._runner.follow()

    def _take_room(self, columns: Mapping[str, np.ndarray]) -> None:
        shapes = [columns[f"state{k}"].shape[1:] for k in range(len(self._runner.memory.plan.state))]
        if self.dynamics.grows and self.dynamics.make_room_of(shapes):
            self._runner.follow()

    def set_state(self, i: int | None, state: BatchedState | CompiledState) -> None:
        """See `CompiledVectorEnv.set_state`: lists of the state get room for those of the snapshot."""
        self._check_ready("set_state", i)
        if self.dynamics.grows and isinstance(state, CompiledState):
            state = self._roomy(state, state.columns)
        elif self.dynamics.grows and isinstance(state, BatchedState):
            rows = {f"state{k}": np.asarray(one)[None] for k, one in enumerate(state.environment.state)}
            state = self._roomy(state, rows)
        super().set_state(i, state)

    def _roomy(self, state: Any, columns: Mapping[str, np.ndarray]) -> Any:
        """A snapshot, whose columns or rows are given, with as much room for lists as the columns have now."""
        names = [f"state{k}" for k in range(len(self._runner.memory.plan.state))]
        if not all(name in columns for name in names):
            return state
        self._take_room(columns)
        found = {}
        for name in names:
            found[name] = self._runner.memory.longer(name, columns[name])
        if isinstance(state, CompiledState):
            return state._replace(columns={**state.columns, **found})
        values = type(state.environment.state)(*(own_value(one[0]) for one in found.values()))
        return state._replace(environment=state.environment._replace(state=values))

    def _held_after(self, row: int, action: Any) -> Iterator[Any]:
        """Yields an environment in Python after each part of the step of a row; see `step_again`."""
        memory, env = self._runner.memory, self._attributes.at(row)
        plain: Any = env.plain()  # type: ignore[attr-defined]  # a `PlainEnv`
        if action is None or (memory.mode != DISABLED and memory.columns["finished"][row]):
            plain.reset(seed=waiting_seed(plain))
            yield plain
            return
        taken = unpacked(self.single_action_space, action) if is_packed(self.single_action_space) else action
        _, _, terminated, truncated, _ = plain.step(taken)
        yield plain
        is_over = terminated or truncated or memory.columns["elapsed"][row] + 1 >= memory.limit
        if memory.mode == SAME_STEP and is_over:
            plain.reset()
            yield plain

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """See `CompiledVectorEnv.reset`.

        Raises:
            palaestra.error.CannotCompile: If the compiler or the trial finds that machine code would differ.
            gymnasium.error.Error: For a mask, if an empty dict of options is something else to the class than None.
        """
        if isinstance(options, Mapping) and "reset_mask" in options and self.dynamics.reads_options:
            raise Error(
                f"{self.dynamics.name}.reset does something else for options={{}}, which a reset by a mask passes, "
                'than for None, and machine code does the latter: use vectorization_mode="sync"'
            )
        try:
            return super().reset(seed=seed, options=options)
        except TypeError as error:
            is_ours = isinstance(error, refusals.CannotCompile) or "cannot be compiled" in str(error)
            if isinstance(error, CannotCompile) or not is_ours:
                raise
            raise self.dynamics.compile_error(error) from error

    def _seed(self, seeds: Sequence[int | None], mask: NDArray[np.bool_]) -> None:
        for name in self.dynamics.model.hidden:
            seed_rows(name, self._columns_of(name), seeds, mask)
        super()._seed(seeds, mask)

    def _reseed(self, rows: list[int], seeds: list[int]) -> None:
        mask, each = np.zeros(self.num_envs, np.bool_), dict(zip(rows, seeds, strict=True))
        mask[rows] = True
        for name in filter(RANDOMS.get, self.dynamics.model.hidden):
            seed_rows(name, self._columns_of(name), [each.get(i) for i in range(self.num_envs)], mask)
        super()._reseed(rows, seeds)

    def _columns_of(self, name: str) -> list[NDArray[Any]]:
        """Returns the columns of a generator of the environments' own."""
        return [self._runner.memory.columns[f"state{k}"] for k in self.dynamics.places_of(name)]

    def _leaves(self, prefix: str, rows: Any) -> Iterator[np.ndarray]:
        leaves = super()._leaves(prefix, rows)
        if prefix != "final":
            return leaves
        kept = self._runner.memory.columns
        names = (final_info_name(FINAL.format(k)) for k in count())
        return (kept[name][rows] if name in kept else leaf for name, leaf in zip(names, leaves, strict=False))

    def _with_texts(self, batch: Any) -> Any:
        texts = self.dynamics.methods.texts
        return with_texts(self.single_observation_space, batch, np.array([*texts], object))

    def _final(self, last: Any, k: int, i: int) -> Any:
        kept = self._runner.memory.columns
        return formed(self.dynamics.final_form, last, k, lambda name: bool(kept[name][i]))

    def _start(self, limit: int | None, num_threads: int | None) -> None:
        super()._start(limit, num_threads)
        self._runner.make_room = self._make_room
        self._has_texts = has_texts(self.single_observation_space)
        self._begin_as_made(self._plain.made)
        self._check_actions = action_checker(self.single_action_space)  # a class takes actions of any dtype
        if is_packed(self.single_action_space):
            self._form = np.dtype(object), (-1,)  # of no array: each batch is packed

    def _begin_as_made(self, made: Sequence[Any]) -> None:
        """Let copies hold what they do as they are made, of which some may stand for others."""
        copies = [made[i % len(made)] for i in range(self.num_envs)]
        for i, env in enumerate(copies):
            if env._np_random is not None:
                self._streams.assign(i, env._np_random, env._np_random_seed)
        columns = self._runner.memory.columns
        for k, values in self.dynamics.beginnings(made).items() if len(made) > 1 else ():
            each = np.array(values)
            rows: Any = np.resize(each, (self.num_envs, *each.shape[1:]))
            self._runner.memory.put(f"state{k}", rows)
            fill_unused([columns[f"state{k}"]])

    def _cast(self, actions: object, n: int) -> np.ndarray:
        if is_packed(self.single_action_space):
            return packed(self.single_action_space, self._check_actions(actions, n), n)
        return super()._cast(actions, n)

    def _passes_trial(self) -> bool:
        note = self._runner.passed().on(self.dynamics.digest())  # the class may do more than was translated
        if self._trial == "off" or note.exists():
            return True
        mode = self.autoreset_mode
        if mode is AutoresetMode.DISABLED:
            mode = AutoresetMode.NEXT_STEP
        other = PlainVectorEnv.__new__(PlainVectorEnv)
        other.__dict__.update(self.__dict__)
        copies = WIDTH if self.num_envs >= WIDTH else FEW
        other._trial, other.num_envs, other.autoreset_mode = "off", copies, mode
        other._built_with = LIMIT, 1
        other._resize()
        other._runner.share_kernels(self._runner)
        passed = compare(other, self._plain.makes(copies), self._rtol)
        other._runner.close()
        if self.dynamics.grows:
            self._runner.follow()
        if passed and self._rtol is None:
            note.write()
        return passed

    def _resize(self) -> None:
        """Begin again with another number of environments."""
        from gymnasium.spaces.batching import batch_space

        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.copy = True
        self._start(*self._built_with)
