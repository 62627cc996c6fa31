"""Many copies of an Atari game, on the threads of the emulator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.atari import library
from gymnasium.vector._batch.actions import action_checker


class AtariVectorEnv(library.vector_env.AtariVectorEnv):
    """Copies of an Atari game, stepped and preprocessed by ale-py.

    It is ale-py's class, which here refuses actions that the game lacks, because the emulator would hang on one. Its
    autoreset modes are NEXT_STEP and SAME_STEP, its rewards integers, and its infos hold a value for every environment.
    """

    # The value that `make_vec` passes for its argument of this name: it concerns the run, not the game.
    vector_kwargs = ("autoreset_mode", "batch_size", "num_threads", "thread_affinity_offset")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.metadata = {}  # private: the constructor writes its mode into it, and would change that of all classes
        super().__init__(*args, **kwargs)
        self._check_actions = action_checker(self.single_action_space)

    def reset(
        self, *, seed: int | Sequence[int | None] | np.ndarray | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every environment, or in the k of `options["reset_mask"]`.

        Args:
            seed: An int, `seed + i` for the i-th of those that are reset; a sequence of k ints or Nones; None. At most
                2**31 - 2.
            options: With `"reset_mask"` or nothing.
        """
        if isinstance(seed, np.integer):
            seed = int(seed)
        elif isinstance(seed, Sequence):
            seed = np.array([-1 if one is None else one for one in seed])  # -1: continue with the emulator's generator
        return super().reset(seed=seed, options=options)

    def send(self, actions: Any) -> None:  # type: ignore[override]  # no `env_ids`: the next batch is known
        """Send `batch_size` actions to the environments.

        Raises:
            TypeError, ValueError, gymnasium.error.ActionOutsideSpace: For an invalid batch; nothing moves then.
        """
        rows = self._check_actions(actions, self.batch_size)
        super().send(rows.astype(np.float32 if self.continuous else np.int64, copy=False))

    def recv(  # type: ignore[override]  # always as many as `batch_size`
        self,
    ) -> tuple[NDArray[np.uint8], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Returns the results of `step` for the `batch_size` environments that finish first, `infos["env_id"]`."""
        observations, rewards, terminations, truncations, infos = super().recv()
        if "final_obs" in infos:
            infos |= _masked(infos["final_obs"], terminations | truncations)
        return observations, rewards, terminations, truncations, infos

    def step(self, actions: Any) -> tuple[NDArray[np.uint8], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Step the environments.

        Raises:
            TypeError, ValueError, gymnasium.error.ActionOutsideSpace: For an invalid batch; nothing moves then.
        """
        self.send(actions)
        return self.recv()


def _masked(finals: NDArray[np.uint8], ended: NDArray[np.bool_]) -> dict[str, np.ndarray]:
    """Returns `final_obs` and its mask in the form of all vector environments; other rows of `finals` are arbitrary."""
    rows = np.full(len(ended), None, object)
    for i in np.flatnonzero(ended):
        rows[i] = finals[i]
    return {"final_obs": rows, "_final_obs": ended}
