"""Episodes of batches, in the file as each environment saw them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from palaestra.recording.data_sets import recorder
from palaestra.recording.vector import RecordTrajectories
from tests.palaestra.recording.data_sets.files import Remember, check_episode, same, stored
from tests.palaestra.recording.data_sets.test_record_trajectories import NAMES, metadata, opened
from tests.wrapper_zoo import make_env

h5py = pytest.importorskip("h5py")
N = 5
MODES = list(AutoresetMode)


def played(envs: Any, steps: int) -> None:
    """Steps of a batch, whose finished environments are reset if it does not do so by itself."""
    envs.reset(seed=1)
    envs.action_space.seed(1)
    for _ in range(steps):
        *_, terminations, truncations, _ = envs.step(envs.action_space.sample())
        over = terminations | truncations
        if over.any() and envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            envs.reset(options={"reset_mask": over, "note": 3})


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", [*NAMES, "CartPole-v1"])
@pytest.mark.parametrize("memory", [2**17, 700, 1], ids=["whole", "in blocks", "step by step"])
def test_the_file_holds_what_each_environment_saw(tmp_path, monkeypatch, name, mode, memory):
    monkeypatch.setattr(recorder, "_OF_ONE", memory)
    seen: list[list[Any]] = [[] for _ in range(N)]
    envs = SyncVectorEnv(
        [partial(lambda i: Remember(make_env(name, max_episode_steps=20 + i), seen[i]), i) for i in range(N)],
        autoreset_mode=mode,
    )
    envs = RecordTrajectories(envs, "x-v0", tmp_path)
    played(envs, 50)

    single = make_env(name)
    left = [list(episodes) for episodes in seen]
    with opened(tmp_path) as file:
        assert len(file) == envs.recorded_episodes == sum(map(len, seen)) > N
        for k in range(len(file)):
            group = file[f"episode_{k}"]
            row = next(i for i in range(N) if left[i] and _matches(group, left[i][0], single.observation_space))
            check_episode(group, left[row].pop(0), single)
    envs.close()
    assert metadata(tmp_path)["total_episodes"] == sum(map(len, seen))


def _matches(group: Any, episode: Any, space: Any) -> bool:
    """Whether this may be the episode; `check_episode` tells."""
    first = stored(group["observations"], space, 0)
    return same(first, episode["observations"][0]) and group["rewards"][:].tolist() == episode["rewards"]


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("vectorization", ["vector_entry_point", "async"])
def test_other_runners_record_the_same(tmp_path, mode, vectorization):
    for runner in (vectorization, "sync"):
        envs = gymnasium.make_vec("CartPole-v1", 4, runner, vector_kwargs={"autoreset_mode": mode})
        envs = RecordTrajectories(envs, f"{runner}-v0", tmp_path)
        played(envs, 150)
        envs.close()

    with opened(tmp_path, f"{vectorization}-v0") as one, opened(tmp_path, "sync-v0") as two:
        assert set(one) == set(two)
        for name in one:
            assert dict(one[name].attrs) == dict(two[name].attrs)
            for part in ("observations", "actions", "rewards", "terminations", "truncations"):
                assert np.array_equal(one[name][part], two[name][part])


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_infos_of_the_steps_they_belong_to(tmp_path, mode):
    """Each action is in the info of its step, the last one's too."""
    envs = SyncVectorEnv([partial(make_env, "zoo/Grid-v0")] * 3, autoreset_mode=mode)
    envs = RecordTrajectories(envs, "x-v0", tmp_path, record_infos=True)
    played(envs, 60)
    envs.close()

    with opened(tmp_path) as file:
        assert len(file) > 9
        for group in file.values():
            assert np.array_equal(group["infos/action"][1:], group["actions"])
            assert group["infos/begun"][:].tolist() == [True] + [False] * len(group["actions"])
            assert group["infos/_action"][:].tolist() == [False] + [True] * len(group["actions"])


def test_seeds_and_options_of_the_reset_environments(tmp_path):
    envs = gymnasium.make_vec("CartPole-v1", 3, vector_kwargs={"autoreset_mode": AutoresetMode.DISABLED})
    envs = RecordTrajectories(envs, "x-v0", tmp_path)
    played(envs, 60)
    envs.close()

    with opened(tmp_path) as file:
        attributes = [dict(group.attrs) for group in file.values()]
    seeded = [found for found in attributes if "seed" in found]
    assert sorted(found["seed"] for found in seeded) == [1, 2, 3]
    assert all("options/note" not in found for found in seeded)
    assert all(found["options/note"] == 3 for found in attributes if "seed" not in found)
    assert not any("options/reset_mask" in found for found in attributes)


@pytest.mark.parametrize("kept", [False, True])
def test_episodes_under_way_when_the_batch_is_closed(tmp_path, kept):
    envs = RecordTrajectories(gymnasium.make_vec("CartPole-v1", 4), "x-v0", tmp_path, keep_unfinished=kept)
    envs.reset(seed=1)
    envs.step(envs.action_space.sample())
    envs.reset(seed=2)
    for _ in range(3):
        envs.step(envs.action_space.sample())
    envs.close()

    with opened(tmp_path) as file:
        assert len(file) == 8 * kept
        assert all(group["truncations"][-1] for group in file.values())


def test_a_restored_batch_records_from_the_next_episodes_on(tmp_path):
    envs = RecordTrajectories(gymnasium.make_vec("CartPole-v1", 4), "x-v0", tmp_path)
    envs.reset(seed=1)
    moment = palaestra.snapshot(envs)
    palaestra.restore(envs, moment)
    for _ in range(60):
        envs.step(envs.action_space.sample())
    envs.close()

    with opened(tmp_path) as file:
        assert len(file) > 0
        assert not any("seed" in group.attrs for group in file.values())
