"""`RecordVideo`, of one environment and of a batch: what is filmed, when, and that the files hold it."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import textwrap
from copy import deepcopy

import av
import numpy as np
import pytest

import gymnasium
from gymnasium.error import DependencyNotInstalled
from gymnasium.rendering import video
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import RecordVideo, RenderCollection
from gymnasium.wrappers.vector import RecordVideo as VectorRecordVideo

pytestmark = pytest.mark.usefixtures("quick_garbage_collection")
SHADE = 20  # of grey, a step; far enough apart to survive the encoder


class Shades:
    """Mixed into the counting environment: its frames are grey, the lighter the later."""

    def render(self):
        return np.full((32, 48, 3), SHADE * (self.t % 12), np.uint8)


@pytest.fixture
def shades(counting):
    return type("ShadesEnv", (Shades, counting), {})


def played(path):
    """The steps whose frames are in the video."""
    with av.open(str(path)) as file:
        means = [frame.to_ndarray(format="rgb24").mean() for frame in file.decode(video=0)]
    return [round(mean / SHADE) for mean in means]


def recorded(folder):
    return {path.stem: played(path) for path in sorted(folder.iterdir())}


def run(env, steps):
    """Act, and reset where an episode ends."""
    env.reset(seed=1)
    for _ in range(steps):
        _, _, terminated, truncated, _ = env.step(0)
        if terminated or truncated:
            env.reset()
    env.close()


def test_a_triggered_episode_is_filmed_from_its_reset_to_its_end(shades, tmp_path):
    env = RecordVideo(shades(3, "rgb_array"), tmp_path / "new", episode_trigger=lambda i: i in (0, 2))
    run(env, 10)
    assert recorded(tmp_path / "new") == {"rl-video-episode-0": [0, 1, 2, 3], "rl-video-episode-2": [0, 1, 2, 3]}
    assert (env.episode_id, env.step_id) == (3, 9)


def test_a_triggered_step_begins_a_video_of_a_length(shades, tmp_path):
    env = RecordVideo(shades(6, "rgb_array"), tmp_path / "new", step_trigger=lambda i: i == 1, video_length=3)
    run(env, 12)
    assert recorded(tmp_path / "new") == {"rl-video-step-1": [2, 3, 4, 5]}


def test_a_length_goes_on_over_the_end_of_an_episode(shades, tmp_path):
    env = RecordVideo(
        shades(2, "rgb_array"), tmp_path / "new", episode_trigger=lambda i: i == 0, video_length=4, name_prefix="it"
    )
    run(env, 6)
    assert recorded(tmp_path / "new") == {"it-episode-0": [0, 1, 2, 0, 1]}


def test_without_triggers_cubes_are_filmed(shades, tmp_path):
    run(RecordVideo(shades(1, "rgb_array"), tmp_path / "new"), 9)
    assert set(recorded(tmp_path / "new")) == {f"rl-video-episode-{i}" for i in (0, 1, 8)}


def test_the_speed_is_that_of_the_metadata_or_the_one_given(shades, tmp_path):
    for name, fps, wanted in (("a", None, 1000), ("b", 25, 25)):
        run(RecordVideo(shades(2, "rgb_array"), tmp_path / name, fps=fps), 2)
        with av.open(str(tmp_path / name / "rl-video-episode-0.mp4")) as file:
            assert file.streams.video[0].average_rate == wanted


def test_a_frame_is_written_before_the_next_one_comes(shades, tmp_path):
    """Nothing is kept for the end."""
    env = RecordVideo(shades(10**9, "rgb_array"), tmp_path / "new", fps=10)
    env.reset()
    file = tmp_path / "new" / "rl-video-episode-0.mp4"
    sizes = []
    for _ in range(8):
        for _ in range(30):
            env.step(0)
        sizes.append(file.stat().st_size)
    env.close()
    assert sizes == sorted(set(sizes))
    assert not [value for value in vars(env).values() if isinstance(value, list) and value]


KILLED = """
    import os, sys
    import numpy as np
    from gymnasium.core import Env
    from gymnasium.spaces import Box, Discrete
    from gymnasium.wrappers import RecordVideo

    class Pictures(Env):
        metadata = {"render_modes": ["rgb_array"], "render_fps": 10}
        render_mode = "rgb_array"
        observation_space, action_space = Box(0, 1), Discrete(2)

        def reset(self, *, seed=None, options=None):
            return np.zeros(1, np.float32), {}

        def step(self, action):
            return np.zeros(1, np.float32), 0.0, False, False, {}

        def render(self):
            return np.zeros((32, 32, 3), np.uint8)

    env = RecordVideo(Pictures(), sys.argv[1])
    env.reset()
    for _ in range(100):
        env.step(0)
    if sys.argv[2] == "kill":
        os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize(("how", "code", "at_least"), [("kill", -signal.SIGKILL, 60), ("forget", 0, 101)])
def test_a_killed_process_leaves_a_playable_file_and_one_that_forgets_to_close_a_whole(tmp_path, how, code, at_least):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), tmp_path / "new", how], timeout=60)
    assert done.returncode == code
    assert len(played(tmp_path / "new" / "rl-video-episode-0.mp4")) >= at_least


def test_a_forgotten_close_is_reported_and_the_video_finished(shades, tmp_path):
    env = RecordVideo(shades(9, "rgb_array"), tmp_path / "new")
    env.reset()
    env.step(0)
    with pytest.warns(UserWarning, match=r"call close\(\)"):
        del env
        gc.collect()
    assert recorded(tmp_path / "new") == {"rl-video-episode-0": [0, 1]}


def test_a_video_can_be_started_and_stopped_by_hand(shades, tmp_path):
    env = RecordVideo(shades(9, "rgb_array"), tmp_path / "new", episode_trigger=lambda i: False)
    env.reset()
    env.start_recording("mine")
    env.step(0)
    env.stop_recording()
    assert not env.recording
    env.start_recording("empty")
    with pytest.warns(UserWarning, match="before its first frame"):
        env.close()
    assert recorded(tmp_path / "new") == {"mine": [1]}
    with pytest.raises(AssertionError, match="start_recording"):
        env.stop_recording()


def test_a_copy_does_not_record_and_the_original_goes_on(shades, tmp_path):
    env = RecordVideo(shades(2, "rgb_array"), tmp_path / "new")
    env.reset()
    copy = deepcopy(env)
    assert not copy.recording
    copy.step(0)
    env.step(0)
    env.close()
    assert recorded(tmp_path / "new") == {"rl-video-episode-0": [0, 1]}


def test_frames_taken_for_the_video_are_still_in_the_list(shades, tmp_path):
    env = RecordVideo(RenderCollection(shades(9, "rgb_array")), tmp_path / "new")
    env.reset()
    env.step(0)
    env.step(0)
    assert [frame[0, 0, 0] // SHADE for frame in env.render()] == [0, 1, 2]
    env.step(0)
    assert [frame[0, 0, 0] // SHADE for frame in env.render()] == [3]
    env.step(0)
    env.reset()
    assert len(env.render()) == 1
    env.close()
    assert recorded(tmp_path / "new")["rl-video-episode-0"] == [0, 1, 2, 3, 4]


def test_a_list_that_is_kept_comes_once(shades, tmp_path):
    env = RecordVideo(RenderCollection(shades(9, "rgb_array"), pop_frames=False), tmp_path / "new")
    env.reset()
    env.step(0)
    assert [frame[0, 0, 0] // SHADE for frame in env.render()] == [0, 1]
    env.close()


def test_depth_is_filmed_in_grey(counting, tmp_path):
    class Deep(counting):
        def render(self):
            return np.linspace(0, 1, 32 * 32).reshape(32, 32)

    run(RecordVideo(Deep(2, "depth_array"), tmp_path / "new"), 2)
    assert len(recorded(tmp_path / "new")["rl-video-episode-0"]) == 3


def test_what_is_no_array_stops_the_video(shades, tmp_path):
    class Tired(shades):
        def render(self):
            return super().render() if self.t < 2 else None

    env = RecordVideo(Tired(9, "rgb_array"), tmp_path / "new")
    env.reset()
    env.step(0)
    with pytest.warns(UserWarning, match="NoneType"):
        env.step(0)
    env.step(0)
    assert recorded(tmp_path / "new") == {"rl-video-episode-0": [0, 1]}


def test_frames_must_not_change_their_size(shades, tmp_path):
    class Growing(shades):
        def render(self):
            return np.zeros((32, 32 + 2 * self.t, 3), np.uint8)

    env = RecordVideo(Growing(9, "rgb_array"), tmp_path / "new")
    env.reset()
    with pytest.raises(ValueError, match="one shape"):
        env.step(0)
    assert not env.recording
    assert len(recorded(tmp_path / "new")["rl-video-episode-0"]) == 1


def test_garbage_is_collected_after_the_episodes_chosen(shades, tmp_path, monkeypatch):
    collected = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(True))
    run(RecordVideo(shades(1, "rgb_array"), tmp_path / "new", gc_trigger=lambda i: i == 1), 9)
    assert len(collected) == 1


def test_an_existing_folder_is_reported(shades, tmp_path):
    with pytest.warns(UserWarning, match=f"Overwriting existing videos at {tmp_path}"):
        RecordVideo(shades(9, "rgb_array"), tmp_path)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"video_length": -1}, ValueError),
        ({"video_length": 2.5}, TypeError),
        ({"fps": 0}, ValueError),
        ({"fps": "fast"}, ValueError),
        ({"episode_trigger": 3}, TypeError),
        ({"step_trigger": "always"}, TypeError),
    ],
)
def test_arguments_out_of_range_are_refused_before_there_is_a_folder(shades, tmp_path, change, error):
    with pytest.raises(error, match=next(iter(change))):
        RecordVideo(shades(9, "rgb_array"), tmp_path / "new", **change)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("mode", [None, "human", "ansi"])
def test_only_arrays_can_be_filmed(shades, tmp_path, mode):
    with pytest.raises(ValueError, match="rgb_array"):
        RecordVideo(shades(9, mode), tmp_path / "new")
    with pytest.raises(ValueError, match="rgb_array"):
        VectorRecordVideo(SyncVectorEnv([lambda: shades(9, mode)]), tmp_path / "new")


def test_a_folder_that_cannot_be_made_or_written_to_is_refused(shades, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError, match=r"another video_folder.*file"):
        RecordVideo(shades(9, "rgb_array"), tmp_path / "file" / "folder")
    monkeypatch.setattr(os, "access", lambda path, how: False)
    with pytest.raises(PermissionError, match="video_folder"):
        RecordVideo(shades(9, "rgb_array"), tmp_path / "new")


def test_a_missing_encoder_is_named_at_construction(shades, tmp_path, monkeypatch):
    monkeypatch.setitem(video.CODECS, ".mp4", "no-such-codec")
    with pytest.raises(DependencyNotInstalled, match=r'no-such-codec.*pip install "av>='):
        RecordVideo(shades(9, "rgb_array"), tmp_path / "new")


def test_the_counters_go_on_in_another(shades, tmp_path):
    env, other = (RecordVideo(shades(2, "rgb_array"), tmp_path / name) for name in "ab")
    run(env, 5)
    other.set_state(env.get_state())
    other.reset()
    assert (other.episode_id, other.step_id) == (3, 4)
    other.close()


def test_spec_and_pickle_make_it_again(tmp_path):
    inner = gymnasium.make("CartPole-v1", render_mode="rgb_array")
    env = RecordVideo(inner, str(tmp_path / "new"), video_length=3, name_prefix="it", fps=7)
    with pytest.warns(UserWarning, match="Overwriting existing videos"):
        again = gymnasium.make(env.spec)
    assert again.spec == env.spec
    assert (again.video_length, again.name_prefix, again.frames_per_sec) == (3, "it", 7)
    restored = pickle.loads(pickle.dumps(env))
    assert str(restored) == str(env)
    restored.reset()
    restored.close()
    assert (tmp_path / "new" / "it-episode-0.mp4").exists()


# Batches.


def run_batch(env, steps):
    env.reset(seed=1)
    for _ in range(steps):
        _, _, terminations, truncations, _ = env.step(np.zeros(env.num_envs, np.int64))
        ended = terminations | truncations
        if ended.any() and env.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            env.reset(options={"reset_mask": ended})
    env.close()


def batch(shades, mode, lengths=(3, 5)):
    return SyncVectorEnv([lambda k=k: shades(k, "rgb_array") for k in lengths], autoreset_mode=mode)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_the_episodes_of_the_first_environment_are_filmed(shades, tmp_path, mode):
    env = VectorRecordVideo(
        batch(shades, mode), tmp_path / "new", record_first_only=True, episode_trigger=lambda i: i in (0, 2)
    )
    run_batch(env, 11)
    videos = recorded(tmp_path / "new")
    assert videos["rl-video-episode-0"] == [0, 1, 2, 3]
    assert videos["rl-video-episode-2"][:3] == [0, 1, 2]


def test_in_the_same_step_a_video_lacks_the_last_frame(shades, tmp_path):
    with pytest.warns(UserWarning, match="SAME_STEP"):
        env = VectorRecordVideo(batch(shades, AutoresetMode.SAME_STEP), tmp_path / "new", record_first_only=True)
    run_batch(env, 7)
    assert recorded(tmp_path / "new")["rl-video-episode-1"] == [0, 1, 2]


def test_the_pictures_stand_side_by_side(counting, tmp_path):
    class Coloured(counting):
        def render(self):
            frame = np.zeros((32, 48, 3), np.uint8)
            frame[..., self.length % 3] = 200
            return frame

    make = [lambda k=k: Coloured(k, "rgb_array") for k in (30, 31, 32, 33)]
    run_batch(VectorRecordVideo(SyncVectorEnv(make), tmp_path / "new"), 2)
    with av.open(str(tmp_path / "new" / "rl-video-episode-0.mp4")) as file:
        frame = next(file.decode(video=0)).to_ndarray(format="rgb24")
    assert frame.shape == (64, 96, 3)
    centers = frame[16::32, 24::48].argmax(-1)
    assert centers.tolist() == [[0, 1], [2, 0]]


def test_steps_trigger_too_and_a_length_holds(shades, tmp_path):
    env = VectorRecordVideo(
        batch(shades, AutoresetMode.NEXT_STEP),
        tmp_path / "new",
        record_first_only=True,
        step_trigger=lambda i: i == 0,
        video_length=1,
    )
    run_batch(env, 5)
    assert recorded(tmp_path / "new") == {"rl-video-step-0": [1, 2]}


def test_a_batch_of_lists_is_filmed_and_the_lists_stay_whole(shades, tmp_path):
    make = [lambda: RenderCollection(shades(9, "rgb_array"))] * 2
    env = VectorRecordVideo(SyncVectorEnv(make), tmp_path / "new")
    env.reset()
    env.step(np.zeros(2, np.int64))
    assert [len(frames) for frames in env.render()] == [2, 2]
    env.close()
    assert recorded(tmp_path / "new") == {"rl-video-episode-0": [0, 1]}


@pytest.mark.parametrize("ratio", [(1,), (0, 1), 3, (1, -2)])
def test_an_aspect_ratio_is_two_lengths(shades, tmp_path, ratio):
    with pytest.raises(ValueError, match="video_aspect_ratio"):
        VectorRecordVideo(batch(shades, AutoresetMode.NEXT_STEP), tmp_path / "new", video_aspect_ratio=ratio)


def test_every_argument_is_recorded(shades, tmp_path):
    env = VectorRecordVideo(batch(shades, AutoresetMode.NEXT_STEP), tmp_path / "new", record_first_only=True, fps=7)
    assert env._saved_kwargs["record_first_only"] is True
    assert env._saved_kwargs["fps"] == 7
    assert len(env._saved_kwargs) == 10
