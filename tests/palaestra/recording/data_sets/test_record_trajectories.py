"""Episodes of single environments, in the file as they were."""

from __future__ import annotations

import json
import pickle
import re
import sys
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium import spaces
from gymnasium.error import DependencyNotInstalled
from gymnasium.wrappers import TransformObservation
from palaestra.recording import RecordTrajectories
from palaestra.recording.data_sets import encoding, recorder
from tests.palaestra.recording.data_sets.files import Remember, check_episode
from tests.wrapper_zoo import TOYS, Sampled, make_env

h5py = pytest.importorskip("h5py")
TYPES = ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8"]
NAMES = [name for name in TOYS if "Game" not in name]


def played(env: Any, episodes: int, seed: int = 1) -> None:
    env.action_space.seed(seed)
    for k in range(episodes):
        env.reset(seed=seed + k)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            over = terminated or truncated


def opened(folder: Any, name: str = "x-v0") -> Any:
    return h5py.File(folder / name / "data" / "main_data.hdf5", "r")


@pytest.mark.parametrize("dtype", TYPES)
def test_types_are_described_as_h5py_describes_them(dtype: str) -> None:
    whole = h5py.h5t.py_create(np.dtype(dtype), logical=True).encode()
    assert whole[2:] == encoding.datatype(np.dtype(dtype))  # after the version of the description


class Sized(Sampled):
    observation_space = spaces.Dict({"größe": spaces.Box(0, 1)})


def test_names_beyond_ascii_are_marked_as_utf_8(tmp_path: Any) -> None:
    env = RecordTrajectories(gymnasium.wrappers.TimeLimit(Sized(), 3), "x-v0", tmp_path)
    played(env, 1)
    env.close()
    with opened(tmp_path) as file:
        (name,) = observations = file["episode_0/observations"]
        assert name == "größe"
        assert observations.id.links.get_info(name.encode()).cset == h5py.h5t.CSET_UTF8


def metadata(folder: Any, name: str = "x-v0") -> Any:
    return json.loads((folder / name / "data" / "metadata.json").read_text())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("memory", [2**17, 700, 1], ids=["whole", "in blocks", "step by step"])
def test_the_file_holds_what_happened(tmp_path, monkeypatch, name, memory):
    monkeypatch.setattr(recorder, "_OF_ONE", memory)
    seen: list[Any] = []
    env = RecordTrajectories(Remember(make_env(name, max_episode_steps=80), seen), "x-v0", tmp_path)
    played(env, 12)

    with opened(tmp_path) as file:  # before it is closed: each episode is there as it ends
        assert len(file) == env.recorded_episodes == 12
        for k, episode in enumerate(seen):
            check_episode(file[f"episode_{k}"], episode, env)
            assert (file[f"episode_{k}"].attrs["id"], file[f"episode_{k}"].attrs["seed"]) == (k, 1 + k)
    env.close()
    entries = metadata(tmp_path)
    assert (entries["total_episodes"], entries["jpeg_encoding"], entries["data_format"]) == (12, False, "hdf5")
    assert entries["total_steps"] == sum(len(episode["rewards"]) for episode in seen)
    assert entries["dataset_id"] == "x-v0"


def test_an_episode_in_thousands_of_chunks(tmp_path, monkeypatch):
    """Their tree has three levels."""
    monkeypatch.setattr(recorder, "_OF_ONE", 1)
    seen: list[Any] = []
    env = RecordTrajectories(Remember(make_env("MountainCar-v0", max_episode_steps=5000), seen), "x-v0", tmp_path)
    played(env, 1)
    env.close()

    with opened(tmp_path) as file:
        assert file["episode_0/observations"].chunks == (1, 2)
        assert np.array_equal(file["episode_0/observations"], np.array(seen[0]["observations"]))
        assert file["episode_0/actions"][:].tolist() == seen[0]["actions"]


def test_thousands_of_episodes_are_found_by_name(tmp_path):
    env = RecordTrajectories(make_env("CartPole-v1", max_episode_steps=1), "x-v0", tmp_path)
    played(env, 3000)
    env.close()

    with opened(tmp_path) as file:
        assert set(file) == {f"episode_{i}" for i in range(3000)}
        assert [file[f"episode_{i}"].attrs["id"] for i in range(3000)] == list(range(3000))
        assert file.get("episode_3000") is None
    with h5py.File(tmp_path / "x-v0" / "data" / "main_data.hdf5", "r+") as file:  # the library can go on with it
        for i in range(3000, 3100):
            file.create_group(f"episode_{i}")["rewards"] = np.arange(i)
        file["episode_7"].attrs["note"] = "x" * 100
        file["episode_7"]["more"] = [1, 2]
        assert len(file) == 3100
        assert file["episode_2999/actions"].shape == (1,)


@pytest.mark.parametrize("memory", [2**17, 1], ids=["whole", "step by step"])
def test_seeds_options_and_infos(tmp_path, monkeypatch, memory):
    monkeypatch.setattr(recorder, "_OF_ONE", memory)

    class Telling(Sampled):
        t = 0

        def reset(self, *, seed: Any = None, options: Any = None) -> Any:
            self.t = 0
            return super().reset(seed=seed)[0], {"place": {"x": 1.5}, "word": "ä"}

        def step(self, action: Any) -> Any:
            self.t += 1
            info = {"place": {"x": self.t}} | ({"late": np.arange(2)} if self.t == 2 else {})
            return *super().step(action)[:2], self.t == 3, False, info

    env = RecordTrajectories(Telling(), "x-v0", tmp_path, record_infos=True)
    env.reset(seed=2**70, options={"k": 3, "s": "text", "nested": {"a": np.ones(2)}, "none": None})
    for _ in range(3):
        env.step(env.action_space.sample())
    env.close()

    with opened(tmp_path) as file:
        group = file["episode_0"]
        assert group.attrs["seed"] == str(2**70)
        assert (group.attrs["options/k"], group.attrs["options/s"]) == (3, "text")
        assert group.attrs["options/nested/a"].tolist() == [1, 1]
        assert group["infos/place/x"][:].tolist() == [1.5, 1, 2, 3]
        assert group["infos/word"].asstr()[:].tolist() == ["ä", "", "", ""]
        assert group["infos/_word"][:].tolist() == [True, False, False, False]
        assert group["infos/late"][:].tolist() == [[0, 0], [0, 0], [0, 1], [0, 0]]
        assert "_x" not in group["infos/place"]


def test_an_interrupted_episode_is_left_out(tmp_path):
    env = RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path)
    env.reset(seed=1)
    env.step(0)
    played(env, 1)
    env.reset()
    env.step(0)
    env.close()

    assert metadata(tmp_path)["total_episodes"] == 1


@pytest.mark.parametrize("memory", [2**17, 1])
def test_an_interrupted_episode_can_be_kept_as_truncated(tmp_path, monkeypatch, memory):
    monkeypatch.setattr(recorder, "_OF_ONE", memory)
    env = RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path, keep_unfinished=True)
    for _ in range(2):
        env.reset(seed=1)
        env.step(0)
        env.step(1)
    env.reset()
    env.close()

    with opened(tmp_path) as file:
        assert len(file) == 2
        assert file["episode_1/truncations"][:].tolist() == [False, True]


def test_a_restored_moment_ends_the_recording_of_the_episode(tmp_path):
    env = RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path)
    env.reset(seed=1)
    moment = palaestra.snapshot(env)
    env.step(0)
    palaestra.restore(env, moment)
    env.step(0)
    env.reset(seed=2)
    played(env, 2)
    env.close()

    assert metadata(tmp_path)["total_episodes"] == 2


BAD_IDS = ["../x-v0", "/x-v0", "a/../x-v0", "a//x-v0", "x-v0/", "a/b/c/d-v0", "", ".", "a b-v0", "x-v0\n", None, 3]


@pytest.mark.parametrize("name", BAD_IDS)
def test_a_wrong_id_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match="The id of a data set is"):
        RecordTrajectories(make_env("CartPole-v1"), name, tmp_path / "sub")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_data_set_stays_as_it_is(tmp_path):
    env = RecordTrajectories(make_env("CartPole-v1"), "a/b/x-v0", tmp_path)
    played(env, 2)
    env.close()
    files = [path for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    before = [path.read_bytes() for path in files]

    with pytest.raises(FileExistsError, match="exists in"):
        RecordTrajectories(make_env("CartPole-v1"), "a/b/x-v0", tmp_path)
    with pytest.raises(ValueError, match="another observation_space"):
        RecordTrajectories(make_env("Pendulum-v1"), "a/b/x-v0", tmp_path, if_exists="append")
    with pytest.raises(ValueError, match="if_exists is one of"):
        RecordTrajectories(make_env("CartPole-v1"), "a/b/x-v0", tmp_path, if_exists="replace")
    assert [path.read_bytes() for path in files] == before


def test_appending_and_overwriting(tmp_path):
    seen: list[Any] = []
    for k in range(3):
        env = RecordTrajectories(Remember(make_env("CartPole-v1"), seen), "x-v0", tmp_path, if_exists="append")
        played(env, 30, seed=30 * k)
        env.close()
    assert (metadata(tmp_path)["total_episodes"], metadata(tmp_path)["total_steps"]) == (
        90,
        sum(len(episode["rewards"]) for episode in seen),
    )
    with opened(tmp_path) as file:
        for k, episode in enumerate(seen):
            check_episode(file[f"episode_{k}"], episode, env)
    RecordTrajectories(make_env("Pendulum-v1"), "x-v0", tmp_path, if_exists="overwrite").close()
    assert metadata(tmp_path)["total_episodes"] == 0
    with opened(tmp_path) as file:
        assert len(file) == 0


def test_a_torn_data_set_is_not_appended_to(tmp_path):
    env = RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path)
    played(env, 5)
    env.close()
    data = tmp_path / "x-v0" / "data"
    whole = {path: path.read_bytes() for path in data.iterdir()}
    for path, content in whole.items():
        for torn in (content[:50], content[: len(content) // 2], b"", b"x" * 1000):
            path.write_bytes(torn)
            with pytest.raises(ValueError, match=re.escape(str(path))):
                RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path, if_exists="append")
            assert path.read_bytes() == torn
        path.write_bytes(content)
    RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path, if_exists="append").close()
    assert metadata(tmp_path)["total_episodes"] == 5


def test_only_appending_needs_h5py(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    env = RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path)
    played(env, 1)
    env.close()

    with pytest.raises(DependencyNotInstalled, match='pip install "h5py'):
        RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path, if_exists="append")


def test_two_recorders_do_not_write_one_data_set(tmp_path):
    env = RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path)
    for way in ("append", "overwrite"):
        with pytest.raises(FileExistsError, match="Another recorder"):
            RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path, if_exists=way)
    played(env, 3)
    env.close()

    assert metadata(tmp_path)["total_episodes"] == 3


@pytest.mark.filterwarnings("error")
def test_infinite_rewards(tmp_path):
    rewards = iter([np.inf, -np.inf, 1.0])
    env = gymnasium.wrappers.TransformReward(make_env("CartPole-v1", max_episode_steps=3), lambda _: next(rewards))
    env = RecordTrajectories(env, "x-v0", tmp_path)
    played(env, 1)
    env.close()

    with opened(tmp_path) as file:
        assert file["episode_0/rewards"][:].tolist() == [np.inf, -np.inf, 1]
        assert np.isnan(file["episode_0"].attrs["rewards_sum"])


def test_a_file_of_the_library_can_be_appended_to(tmp_path):
    env = RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path)
    env.close()
    with h5py.File(tmp_path / "x-v0" / "data" / "main_data.hdf5", "w") as file:
        for k in range(20):
            file.create_group(f"episode_{k}")["rewards"] = np.arange(k)
            file[f"episode_{k}"].attrs["total_steps"] = k
    env = RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path, if_exists="append")
    played(env, 5)
    env.close()

    with opened(tmp_path) as file:
        assert len(file) == 25
        assert file["episode_19/rewards"][:].tolist() == list(range(19))
        assert file["episode_24"].attrs["id"] == 24


class Odd(Sampled):
    def __init__(self, space: Any) -> None:
        super().__init__()
        self.observation_space = space


REFUSED = {
    "a sequence": (spaces.Sequence(spaces.Discrete(2)), "Sequence"),
    "a graph inside": (spaces.Dict(a=spaces.Graph(spaces.Discrete(2), None)), "Graph"),
    "one of": (spaces.Tuple([spaces.OneOf([spaces.Discrete(2), spaces.Discrete(3)])]), "OneOf"),
    "a slash": (spaces.Dict({"a/b": spaces.Discrete(2)}), "'a/b'"),
    "a number as a key": (spaces.Dict({1: spaces.Discrete(2)}), "the key 1"),
    "NUL": (spaces.Text(3, charset="a\0"), "NUL"),
    "long doubles": (spaces.Box(0, 1, (2,), np.longdouble), "Box"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_space_without_a_place_is_refused_by_name(tmp_path, case):
    space, name = REFUSED[case]
    with pytest.raises(TypeError, match=re.escape(name)):
        RecordTrajectories(Odd(space), "x-v0", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint64", "float16", "float32", "float64", "bool", ">f8"])
def test_types_of_numbers(tmp_path, dtype):
    space = spaces.Box(0, 1, (2, 3), np.dtype(dtype))
    seen: list[Any] = []
    env = RecordTrajectories(Remember(gymnasium.wrappers.TimeLimit(Odd(space), 5), seen), "x-v0", tmp_path)
    played(env, 1)
    env.close()

    with opened(tmp_path) as file:
        assert file["episode_0/observations"].dtype == np.dtype(dtype).newbyteorder("<")
        check_episode(file["episode_0"], seen[0], env)


def test_no_copies_and_no_odd_options(tmp_path):
    env = RecordTrajectories(make_env("CartPole-v1"), "x-v0", tmp_path, record_infos=True)
    with pytest.raises(TypeError, match="two recorders"):
        pickle.dumps(env)
    with pytest.raises(TypeError, match="The option 'f'"):
        env.reset(options={"f": print})
    env.close()
    env.close()
    with pytest.raises(ValueError, match="total_steps"):
        RecordTrajectories(make_env("CartPole-v1"), "y-v0", tmp_path, about={"total_steps": 3})
    assert not (tmp_path / "y-v0").exists()


def test_the_spec_and_what_is_said_about_it(tmp_path):
    env = make_env("CartPole-v1")
    RecordTrajectories(env, "x-v0", tmp_path, about={"author": "A", "description": "d"}).close()
    assert gymnasium.spec("CartPole-v1").id == json.loads(metadata(tmp_path)["env_spec"])["id"]
    assert (metadata(tmp_path)["author"], metadata(tmp_path)["description"]) == (["A"], "d")
    odd = TransformObservation(make_env("CartPole-v1"), lambda value: value, None)  # a spec without a text
    RecordTrajectories(odd, "y-v0", tmp_path).close()
    assert "env_spec" not in metadata(tmp_path, "y-v0")


def test_the_folder_of_the_environment_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    RecordTrajectories(make_env("CartPole-v1"), "x-v0").close()

    assert (tmp_path / "x-v0" / "data" / "main_data.hdf5").exists()
