"""Laws of sync vector environments, over every environment that is built and every space."""

from __future__ import annotations

import importlib.util
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.envs.registration import make, make_vec, registry
from gymnasium.spaces import Dict, Discrete, Space, Tuple
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector._batch.infos import add_info
from gymnasium.vector._batch.member import Member
from gymnasium.vector.utils import concatenate, create_empty_array, iterate
from tests.spaces_zoo import SPACES, Letters, agree, seeded
from tests.thorough import THOROUGH

pytestmark = pytest.mark.usefixtures("little_optimised")

N, SEED, STEPS = 3, 11, 60 if THOROUGH else 40


def built(env_id: str) -> bool:
    """Whether the environment's family is in this version; what is in it has to work."""
    family = str(registry[env_id].entry_point).partition(":")[0].rpartition(".")[0]
    return family.startswith("gymnasium.envs.") and importlib.util.find_spec(family) is not None


# Pusher-v4 is for MuJoCo before version 3, and says so.
IDS = [env_id for env_id in registry if built(env_id) and env_id != "Pusher-v4"]
# Made with a warning: a newer version is registered.
OLD = pytest.mark.filterwarnings("ignore::DeprecationWarning")

every_id = pytest.mark.parametrize("env_id", IDS)
every_mode = pytest.mark.parametrize("mode", AutoresetMode)


def sync(env_id: str, mode: AutoresetMode) -> Any:
    """Short episodes, so that each ends several times."""
    return make_vec(env_id, N, "sync", vector_kwargs={"autoreset_mode": mode}, max_episode_steps=17)


def sampled_actions(space: Space[Any], steps: int = STEPS) -> list[Any]:
    return [space.sample() for _ in range(steps)]


def rollout(envs: Any, mode: AutoresetMode, actions: list[Any]) -> list[Any]:
    """Everything that comes of the actions; without autoreset the finished are reset before each step."""
    trajectory = [envs.reset(seed=SEED)]
    for batch in actions:
        result = envs.step(batch)
        trajectory.append(result)
        ended = result[2] | result[3]
        if mode is AutoresetMode.DISABLED and ended.any():
            trajectory.append(envs.reset(options={"reset_mask": ended}))
    return trajectory


def by_hand(env_id: str, mode: AutoresetMode, actions: list[Any]) -> list[Any]:
    """The same from single environments, each seeded alone and stepped by the transition table."""
    members = [Member(make(env_id, max_episode_steps=17), mode) for _ in range(N)]
    space = members[0].env.observation_space
    last: list[Any] = [None] * N

    def batch(results: dict[int, tuple[Any, ...]]) -> tuple[Any, ...]:
        infos: dict[str, Any] = {}
        for i, (observation, *_, info) in results.items():
            last[i] = observation
            add_info(infos, info, i, N)
        columns = zip(*(result[1:-1] for result in results.values()), strict=True)
        arrays = [
            np.array(column, dtype) for column, dtype in zip(columns, (np.float64, np.bool_, np.bool_), strict=False)
        ]
        return (concatenate(space, last, create_empty_array(space, N)), *arrays, infos)

    trajectory = [batch({i: member.reset(SEED + i, None) for i, member in enumerate(members)})]
    for row in actions:
        trajectory.append(batch({i: member.step(row[i]) for i, member in enumerate(members)}))
        ended = [i for i, member in enumerate(members) if member.finished]
        if mode is AutoresetMode.DISABLED and ended:
            trajectory.append(batch({i: members[i].reset(None, None) for i in ended}))
    return trajectory


@OLD
@every_mode
@every_id
def test_a_seed_makes_one_trajectory_of_what_single_environments_give(env_id: str, mode: AutoresetMode) -> None:
    envs = sync(env_id, mode)
    envs.action_space.seed(SEED)
    actions = sampled_actions(envs.action_space)
    first, again = rollout(envs, mode, actions), rollout(envs, mode, actions)

    assert envs.np_random_seed == tuple(range(SEED, SEED + N))
    for one, other, alone in zip(first, again, by_hand(env_id, mode, actions), strict=True):
        assert same(one, other)
        assert same(one, alone)
        assert one[0] in envs.observation_space
        if len(one) == 5:
            assert [part.dtype for part in one[1:4]] == [np.float64, np.bool_, np.bool_]
            assert [part.shape for part in one[1:4]] == [(N,)] * 3


@OLD
@every_id
def test_a_masked_reset_leaves_the_other_rows_alone(env_id: str) -> None:
    envs = sync(env_id, AutoresetMode.NEXT_STEP)
    envs.action_space.seed(SEED)
    envs.reset(seed=SEED)
    before = envs.step(envs.action_space.sample())[0]
    after, infos = envs.reset(seed=99, options={"reset_mask": np.array([False, True, False])})
    alone, info = make(env_id, max_episode_steps=17).reset(seed=100)

    rows = [list(iterate(envs.observation_space, batch)) for batch in (before, after)]
    assert all(agree(rows[0][i], rows[1][i]) for i in (0, 2))
    assert np.all(np.asarray(rows[1][1]) == np.asarray(alone))
    assert {key for key in infos if not key.startswith("_")} == info.keys()
    assert all(infos[f"_{key}"].tolist() == [False, True, False] for key in info)


def same(a: Any, b: Any) -> bool:
    """Whether two results agree to the bit, arrays of objects row by row."""
    if isinstance(a, np.ndarray) and a.dtype == object:
        return isinstance(b, np.ndarray) and b.dtype == object and same(list(a), list(b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return agree(a, b)


class Echo(Env[Any, Any]):
    """Observes samples of a space; takes actions of it, which it keeps."""

    def __init__(self, space: Space[Any]) -> None:
        self.observation_space, self.action_space = space, space
        self.seen: list[Any] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self.observation_space.seed(seed)
        return self.observation_space.sample(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.seen.append(action)
        return self.observation_space.sample(), 1.0, False, len(self.seen) % 3 == 0, {}


class Clock(Echo):
    """Observes samples of a space; takes Discrete actions."""

    def __init__(self, space: Space[Any]) -> None:
        super().__init__(space)
        self.action_space = Discrete(2)


def copied(space: Space[Any]) -> Any:
    return deepcopy(seeded(space))


def is_hollow(space: Space[Any]) -> bool:
    """Whether a batch of the space is empty and does not say how many there are."""
    return isinstance(space, (Tuple, Dict)) and not len(space.spaces)


@every_mode
@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("space", [*SPACES, Letters()], ids=repr)
def test_every_space_can_be_observed_and_acted_in(space: Space[Any], copy: bool, mode: AutoresetMode) -> None:
    envs: Any = SyncVectorEnv([lambda: Echo(copied(space))] * N, copy, autoreset_mode=mode)
    observations, _ = envs.reset(seed=5)
    actions = sampled_actions(envs.action_space, 3)

    assert observations in envs.observation_space
    assert agree(observations, expected_first(space))
    for batch in actions:
        assert envs.step(batch)[0] in envs.observation_space
    if not is_hollow(space):
        for t, batch in enumerate(actions):
            assert agree([env.seen[t] for env in envs.envs], list(iterate(envs.action_space, batch)))


def expected_first(space: Space[Any]) -> Any:
    values = [seeded(copied(space), 5 + i).sample() for i in range(N)]
    return concatenate(space, values, create_empty_array(space, N))


@pytest.mark.parametrize("space", [*SPACES, Letters()], ids=repr)
def test_new_observations_stay_as_they_were(space: Space[Any]) -> None:
    envs: Any = SyncVectorEnv([lambda: Clock(copied(space))] * N)
    first, _ = envs.reset(seed=5)
    kept = deepcopy(first)
    envs.step([0, 1, 0])

    assert agree(first, kept)
