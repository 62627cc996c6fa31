"""`RecordVideo` where a video cannot be written: an error, once, and everything else as if nothing had happened."""

from __future__ import annotations

import errno
import gc
import json
import os
import shutil
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import av
import numpy as np
import pytest

from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import RecordVideo
from gymnasium.wrappers.vector import RecordVideo as VectorRecordVideo

pytestmark = pytest.mark.usefixtures("quick_garbage_collection")
posix = pytest.mark.skipif(sys.platform == "win32", reason="a limit as POSIX has it, and open files that are deleted")


def count(path):
    with av.open(str(path)) as file:
        return sum(1 for _ in file.decode(video=0))


# The library used to crash, so this runs in a process of its own. Five episodes of 15 steps are filmed, and the disk is
# full from the second one's start until an error comes.
PROGRAM = """
import json, resource, sys
import numpy as np
from gymnasium import Env
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import RecordVideo
from gymnasium.wrappers.vector import RecordVideo as VectorRecordVideo

class Noise(Env):
    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}
    render_mode = "rgb_array"
    observation_space, action_space = Box(0, 1), Discrete(2)

    def reset(self, *, seed=None, options=None):
        self.t = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.t += 1
        return np.zeros(1, np.float32), 0.0, self.t >= 15, False, {}

    def render(self):
        return np.random.default_rng(self.t).integers(0, 255, (32, 48, 3), np.uint8)

kind, folder, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
errors = []

def attempt(call, *arguments):
    try:
        call(*arguments)
    except OSError as error:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        errors.append([call.__name__, error.errno, error.filename, env.recording])

if kind == "single":
    env, action = RecordVideo(Noise(), folder, lambda i: True), 0
else:
    env = VectorRecordVideo(SyncVectorEnv([Noise]), folder, episode_trigger=lambda i: True)
    action = np.zeros(1, np.int64)
attempt(env.reset)
for t in range(1, 80):
    if t == 17:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
    if kind == "single" and t % 16 == 0:
        attempt(env.reset)
    else:
        attempt(env.step, action)
env.close()
env.close()
print(json.dumps(errors))
"""


@posix
@pytest.mark.parametrize("kind", ["single", "vector"])
@pytest.mark.parametrize("room", ["none", "for a frame", "but for a byte"])
def test_a_full_disk_is_one_error_and_costs_one_video(tmp_path, kind, room):
    """The error of a video that cannot be ended comes when the next begins, which is recorded whole."""

    def run(folder, limit):
        command = [sys.executable, "-c", PROGRAM, kind, str(folder), str(limit)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout), {path.name: path.read_bytes() for path in folder.iterdir()}

    def name(i):
        return f"rl-video-episode-{i}.mp4"

    errors, videos = run(tmp_path / "roomy", 10**8)
    assert errors == []
    assert set(videos) == {name(i) for i in range(5)}
    size = len(videos[name(1)])

    limit = {"none": 0, "for a frame": 6000, "but for a byte": size - 1}[room]
    errors, left = run(tmp_path / "full", limit)
    ending = room == "but for a byte"
    call = "reset" if ending and kind == "single" else "step"
    assert errors == [[call, errno.EFBIG, str(tmp_path / "full" / name(1)), ending]]
    partial = left.pop("rl-video-episode-1.partial.mp4", b"")
    assert bool(partial) == (room != "none")
    assert videos.pop(name(1)).startswith(partial)
    assert left == videos


FORGETFUL = (
    PROGRAM[: PROGRAM.index("attempt(env.reset)")]
    + """
env.reset()
for _ in range(5):
    env.step(action)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
if sys.argv[4] == "deleted":
    del env
"""
)


@posix
@pytest.mark.parametrize("kind", ["single", "vector"])
@pytest.mark.parametrize("how", ["deleted", "at the end"])
def test_a_forgotten_video_on_a_full_disk_is_a_warning(tmp_path, kind, how):
    command = [sys.executable, "-c", FORGETFUL, kind, str(tmp_path / "new"), "1000", how]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "rl-video-episode-0.mp4" in done.stderr
    assert "File too large" in done.stderr


class Grey:
    def render(self):
        return np.full((16, 16, 3), 10 * self.t, np.uint8)


@pytest.fixture(params=["single", "vector"])
def film(request, counting):
    """Makes a filming environment, and a function that steps it."""
    grey = type("GreyEnv", (Grey, counting), {})

    def make(folder, **arguments):
        if request.param == "single":
            env = RecordVideo(grey(9, "rgb_array"), folder, **arguments)
            return env, lambda: env.step(0)
        envs = VectorRecordVideo(SyncVectorEnv([lambda: grey(9, "rgb_array")]), folder, **arguments)
        return envs, lambda: envs.step(np.zeros(1, np.int64))

    return make


@posix
def test_a_deleted_folder_costs_the_video_under_way_and_is_made_again_for_the_next(tmp_path, film):
    env, step = film(tmp_path / "new" / "inner", episode_trigger=lambda i: True)
    env.reset()
    shutil.rmtree(tmp_path / "new")
    with pytest.raises(FileNotFoundError, match=r"rl-video-episode-0\.mp4"):
        step()
    assert not env.recording
    step()
    env.reset()
    step()
    env.close()
    assert [path.name for path in (tmp_path / "new" / "inner").iterdir()] == ["rl-video-episode-1.mp4"]
    assert count(tmp_path / "new" / "inner" / "rl-video-episode-1.mp4") == 2


def test_a_folder_that_vanished_between_two_episodes_is_made_again(tmp_path, film):
    env, step = film(tmp_path / "new", episode_trigger=lambda i: i != 1)
    env.reset()
    step()
    env.reset()
    shutil.rmtree(tmp_path / "new")
    step()
    env.reset()
    step()
    env.close()
    assert count(tmp_path / "new" / "rl-video-episode-2.mp4") == 2


def test_a_folder_that_cannot_be_made_again_is_an_error_that_says_so(tmp_path, film):
    env, _ = film(tmp_path / "new", episode_trigger=lambda i: True)
    shutil.rmtree(tmp_path / "new")
    (tmp_path / "new").touch()
    with pytest.raises(OSError, match="choose another video_folder"):
        env.reset()
    assert not env.recording
    (tmp_path / "new").unlink()
    env.reset()
    env.close()


@pytest.mark.parametrize("missing", [os.W_OK, os.X_OK], ids=["to write", "to search"])
def test_a_folder_without_a_right_is_refused(tmp_path, film, missing, monkeypatch):
    """Root has all rights, so the answer is made up."""
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & missing)
    with pytest.raises(PermissionError, match="choose a video_folder"):
        film(tmp_path / "new")


@posix
def test_a_video_that_fails_in_close_leaves_the_environment_closed(tmp_path, film):
    env, step = film(tmp_path / "new")
    env.reset()
    step()
    shutil.rmtree(tmp_path / "new")
    with pytest.raises(FileNotFoundError, match=r"rl-video-episode-0\.mp4"):
        env.close()
    env.close()
    del env, step
    gc.collect()


@posix
def test_a_video_that_cannot_be_ended_does_not_keep_another_from_beginning(tmp_path, film):
    env, step = film(tmp_path / "new", step_trigger=lambda i: i in (0, 3))
    env.reset()
    for _ in range(3):
        step()
    (tmp_path / "new" / "rl-video-step-0.mp4").unlink()
    with pytest.raises(FileNotFoundError, match="step-0"):
        step()
    step()
    env.close()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["rl-video-step-3.mp4"]
    assert count(tmp_path / "new" / "rl-video-step-3.mp4") == 2


@pytest.mark.parametrize("fps", [np.float32(30), np.float64(30), np.int8(30), 30, Fraction(30), Decimal(30)])
def test_a_rate_is_any_real_number(tmp_path, film, fps):
    env, step = film(tmp_path / "new", fps=fps)
    env.reset()
    step()
    env.close()
    with av.open(str(tmp_path / "new" / "rl-video-episode-0.mp4")) as file:
        assert file.streams.video[0].average_rate == 30


@pytest.mark.parametrize(
    "fps", [1e-9, 1e12, 10**400, -30, np.nan, np.float32(np.inf), True, "30", 30j, np.timedelta64(30, "s"), np.ones(1)]
)
def test_what_cannot_be_a_rate_is_refused_before_there_is_a_folder(tmp_path, film, fps):
    with pytest.raises(ValueError, match="fps="):
        film(tmp_path / "new", fps=fps)
    assert not (tmp_path / "new").exists()
