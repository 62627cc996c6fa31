"""A batch of ordinary environments as one jitted program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs._jax.library import enable_x64, jax, jnp
from gymnasium.envs._jax.own_params import SharedParams
from gymnasium.envs._jax.program import on_numpy
from gymnasium.envs.functional_jax_env import FunctionalJaxVectorEnv
from gymnasium.error import Error
from gymnasium.params.randomization import Randomization
from gymnasium.spaces.batching import batch_space
from gymnasium.vector._batch.requests import checked_mask, split_seed
from gymnasium.vector._batch.turns import in_turn
from gymnasium.vector.vector_env import AutoresetMode
from palaestra.error import CannotCompile, Reason
from palaestra.jax.classes.precision import WideProgram, configured
from palaestra.jax.classes.runner import ClassRunner
from palaestra.language.jax.numbers import NotUnderJax
from palaestra.language.program import FULL
from palaestra.runner.batch.failures import failure_of
from palaestra.runner.classes.actions import is_packed, packed
from palaestra.runner.classes.own_generators import seed_rows
from palaestra.runner.classes.refusals import place_of_class
from palaestra.runner.classes.single import PlainEnv
from palaestra.runner.kernels.columns import own_value
from palaestra.runner.kernels.seeding import drawn_seeds, generator_at, seeded_rows

NO_PARAMS = "{name} runs under JAX with its constants as they are: {what} works with vectorization_mode='compiled'"


class ClassJaxVectorEnv(FunctionalJaxVectorEnv):
    """Copies of an ordinary class, or of a `FuncEnv` that branches, as one program; see `FunctionalJaxVectorEnv`.

    The class stays as it is: `gymnasium.make_vec(id, n, vectorization_mode="jax")`. Copy i draws the numbers of
    Python's copy i, whose seed is one more than that of the copy before. An environment that raises stays as it was,
    and the next call raises what Python raises.

    Args:
        environment: The class, or a function, that makes one environment.
        num_envs: The number of copies.
        max_episode_steps: The number of steps after which an episode is truncated; 0 or None for no limit.
        autoreset_mode: The autoreset mode.
        render_mode: None or `"rgb_array"`.
        **kwargs: Arguments for `environment`.

    Raises:
        palaestra.error.CannotCompile: If the class cannot run under JAX; all reasons are told, with their lines.
    """

    func_env: Any
    runner: ClassRunner
    is_its_runner = True
    """Whether its episodes are those of the functions of `runner`, of which a rollout makes a program of its own."""

    def __init__(
        self,
        environment: Callable[..., Any],
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **kwargs: object,
    ) -> None:
        if render_mode is not None:
            kwargs["render_mode"] = render_mode
        self._single = _single(partial(environment, **kwargs), num_envs)
        self.func_env = self._single.func_env
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self._single.metadata, "jax": True, "autoreset_mode": self.autoreset_mode}
        self.num_envs, self.params, self.spec = num_envs, None, None
        self.time_limit = max(max_episode_steps or 0, 0)
        self.render_mode = render_mode
        self.single_observation_space, self.single_action_space = (
            self._single.observation_space,
            self._single.action_space,
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch: Any = None
        self.render_state: Any = None
        self._own = self._randomization = self._scaled = None
        self._seeds: list[int | None] = [None] * num_envs
        self._moves: Any = None  # the actions of the last step, which led to the batch `_stepped`
        self._stepped: Any = None
        self._key = jax.random.PRNGKey(0)  # of nothing: each environment has a generator
        try:
            self._attach()
            self._check_traceable()
        except NotUnderJax as error:
            raise self._refused(error) from None

    def _refused(self, error: NotUnderJax) -> CannotCompile:
        kind = type(self.func_env.model.env) if isinstance(self._single, PlainEnv) else type(self.func_env)
        file, line = error.place or place_of_class(kind)
        reason = f"{error.args[0]} has no counterpart under JAX"
        return CannotCompile(kind.__name__, [Reason(file, line, "", reason, "use vectorization_mode='compiled'")])

    def _runner_of(self, randomization: Randomization | None, params: object) -> ClassRunner:
        mode, limit = self.autoreset_mode.value, self.time_limit or None
        source: Any = self._single if isinstance(self._single, PlainEnv) else self.func_env
        return ClassRunner(source, self.num_envs, max_episode_steps=limit, autoreset_mode=mode)

    def _run(self, runner: Any) -> None:
        self.runner = runner
        runner.is_wide = configured()
        self._begin_all = WideProgram(lambda moments, key, params: runner.begun(moments, key))
        self._reset_rows, self._advance_all = WideProgram(runner.reset_rows), WideProgram(runner.step)

        zeros = np.zeros((self.num_envs, 5), np.uint64)
        self._reset_all = WideProgram(lambda key, own, params: runner.begun(runner.made(zeros), key))

    def _check_traceable(self) -> None:
        moments = self.runner.made(np.zeros((self.num_envs, 5), np.uint64))
        batch, *_ = self._begin_all.shapes(moments, self._key, None)
        action = self.runner.functions.no_action()
        self._advance_all.shapes(batch, np.zeros((self.num_envs, *action.shape), action.dtype), None)

    def _usual(self) -> SharedParams:
        raise Error(NO_PARAMS.format(name=self.runner.functions.name, what="params for each environment"))

    @in_turn
    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every environment.

        Args:
            seed: An int, from which copy i gets `seed + i`; or a seed for each copy; None to go on drawing.
            options: `"reset_mask"`, see `FunctionalJaxVectorEnv.reset`; no others.

        Raises:
            TypeError, ValueError: If the mask or the seeds are invalid.
            gymnasium.error.Error: For other options, and for a mask before the first reset.
        """
        self._raise_marked()
        others = {**(options or {})}
        mask = others.pop("reset_mask", None)
        if others:
            raise Error(f"{self.runner.functions.name} takes no reset options under JAX, got {others!r}")
        rows = np.ones(self.num_envs, np.bool_) if mask is None else checked_mask(on_numpy(mask), self.num_envs)
        if mask is not None and self.batch is None:
            raise Error("The first reset needs all environments: leave out options['reset_mask']")
        moments = self._seeded(split_seed(seed, self.num_envs), rows)
        if mask is None:
            self.batch, observations, infos = self._begin_all(moments, self._key, None)
        else:
            self.batch, observations, infos = self._reset_rows(self.batch._replace(state=moments), rows, None)
        self._raise_marked()
        return observations, infos

    def _seeded(self, seeds: Sequence[int | None], mask: NDArray[np.bool_]) -> Any:
        """The environments before a reset, those of the mask with new generators if they are given seeds."""
        if self.batch is None:
            drawn = drawn_seeds(len(seeds))
            seeds = [other if seed is None else seed for seed, other in zip(seeds, drawn, strict=True)]
            moments = self.runner.made(np.zeros((self.num_envs, 5), np.uint64))
        else:
            moments = self.batch.state
        given = {i: seed for i in np.flatnonzero(mask).tolist() if (seed := seeds[i]) is not None}
        hidden = self.func_env.model.hidden if isinstance(self._single, PlainEnv) else ()
        if not given and not hidden:
            return moments
        stream = np.array(moments.stream)
        stream[[*given]] = seeded_rows([*given.values()])
        for i, seed in given.items():
            self._seeds[i] = seed
        fields = list(moments.fields)
        for name in hidden:
            places = self.func_env.places_of(name)
            columns = [np.array(fields[k]) for k in places]
            seed_rows(name, columns, seeds, mask)
            for k, column in zip(places, columns, strict=True):
                fields[k] = column
        return moments._replace(stream=stream, fields=tuple(fields))

    @in_turn
    def step(self, actions: Any) -> tuple[Any, jax.Array, jax.Array, jax.Array, dict[str, Any]]:
        """Take one action in every environment; see `FunctionalJaxVectorEnv.step`.

        Raises:
            Exception: Whatever an environment raised in the step before.
        """
        self._raise_marked()
        results = super().step(actions)
        self._stepped = self.batch
        return results

    def _on_device(self, actions: object) -> Any:
        moves = super()._on_device(actions)
        if is_packed(self.single_action_space):
            moves = packed(self.single_action_space, moves, self.num_envs)
        self._moves = moves
        return moves

    @in_turn
    def set_state(self, i: int | None, state: Any) -> None:
        """See `FunctionalJaxVectorEnv.set_state`: the generators of environments are part of their states."""
        with enable_x64(True):
            super().set_state(i, state)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        del state["_begin_all"], state["func_env"]
        return {**state, "batch": jax.device_get(self.batch), "_moves": None, "_stepped": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        with enable_x64(True):
            batch = jax.tree.map(jnp.asarray, state["batch"])
        super().__setstate__({**state, "batch": batch, "func_env": state["_single"].func_env})

    def _raise_marked(self) -> None:
        """Raise what an environment raised in the call before; those that did are as they were before it."""
        if self.batch is None:
            return
        marks = np.asarray(self.batch.state.mark)
        if not marks.any():
            return
        i = int(np.flatnonzero(marks)[0])
        place, name = self.runner.functions.place(int(marks[i]))
        moves = self._moves if self._stepped is self.batch else None
        self.batch = self.batch._replace(state=self.batch.state._replace(mark=jnp.zeros_like(self.batch.state.mark)))
        where = f" ({place.file}, line {place.line})" if place else ""
        text = f"{name}{where}" if name != FULL else f"a list has more items than there is room for{where}"
        raise failure_of(OverflowError(text), i, partial(self._again, i, int(marks[i]), moves))

    def _again(self, i: int, mark: int, moves: Any) -> None:
        """Do in Python what raised, unless it was a step of a rollout, whose actions are not kept."""
        env = self._plain(i)
        if mark < 0:
            env._begin(None, env.params)
        elif moves is not None:
            env._repeat(np.asarray(moves)[i])

    def _plain(self, i: int) -> Any:
        """Environment i in Python, with its generator."""
        moment = jax.tree.map(lambda rows: np.asarray(rows)[i], self.batch.state)
        env: Any = copy(self._single)
        env._dynamics_state = self.runner.functions.state_type(*map(own_value, moment.fields))
        env.np_random = generator_at(moment.stream)
        env._np_random_seed = self._seeds[i]
        return env

    def _image(self, i: int) -> Any:
        env = self._plain(i)
        return (env.plain() if isinstance(env, PlainEnv) else env).render()

    def close_extras(self, **kwargs: Any) -> None:
        """Close the environments as they were made."""
        if isinstance(self._single, PlainEnv):
            self._single.settle()


def _single(make: Callable[[], Any], n: int) -> Any:
    """Returns one environment that has a state for its attributes, or runs a `FuncEnv`."""
    made = make()
    return made.unwrapped if hasattr(made.unwrapped, "func_env") else PlainEnv(make, n=n, first=made)
