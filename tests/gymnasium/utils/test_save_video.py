"""`save_video`: which frames come into which file."""

from __future__ import annotations

import os

import av
import numpy as np
import pytest

from gymnasium.utils.save_video import capped_cubic_video_schedule, save_video

SHADE = 20
FRAMES = [np.full((16, 16, 3), SHADE * i, np.uint8) for i in range(8)]


def recorded(folder):
    videos = {}
    for path in folder.iterdir():
        with av.open(str(path)) as file:
            videos[path.stem] = [round(f.to_ndarray(format="rgb24").mean() / SHADE) for f in file.decode(video=0)]
    return videos


def test_cubes_and_later_thousands_are_filmed():
    assert [i for i in range(4001) if capped_cubic_video_schedule(i)] == [
        *(k**3 for k in range(10)),
        1000,
        2000,
        3000,
        4000,
    ]


def test_a_triggered_episode_is_written_whole_or_up_to_a_length(tmp_path):
    save_video(FRAMES, tmp_path, fps=30, episode_index=8)
    save_video(FRAMES, tmp_path, fps=30, episode_index=27, video_length=3, name_prefix="it")
    save_video(FRAMES, tmp_path, fps=30, episode_index=9)
    assert recorded(tmp_path) == {"rl-video-episode-8": list(range(8)), "it-episode-27": [0, 1, 2]}


def test_a_triggered_step_begins_a_video_with_the_frame_after_it(tmp_path):
    save_video(FRAMES, tmp_path, fps=30, step_trigger=lambda i: i % 4 == 0, step_starting_index=6, video_length=2)
    assert recorded(tmp_path) == {"rl-video-step-8": [3, 4], "rl-video-step-12": [7]}


def test_each_frame_may_have_its_duration(tmp_path):
    save_video(FRAMES[:3], tmp_path, durations=[0.1, 0.3, 0.2])
    assert recorded(tmp_path) == {"rl-video-episode-0": [0, 1, 1, 1, 2, 2]}


def test_frames_that_are_no_list_are_reported(tmp_path):
    with pytest.warns(UserWarning, match="tuple"):
        save_video(tuple(FRAMES), tmp_path, fps=30)
    assert recorded(tmp_path) == {"rl-video-episode-0": list(range(8))}


@pytest.mark.parametrize(
    "speed",
    [
        {},
        {"fps": 3, "durations": [1] * 8},
        {"durations": [1]},
        {"durations": [0] * 8},
        {"durations": [1e-9] * 8},
        {"durations": [float("inf")] * 8},
        {"durations": [1e4] * 8},
        {"fps": 0},
        {"fps": 1e-9},
    ],
)
def test_the_speed_is_said_once(tmp_path, speed):
    with pytest.raises(ValueError, match=r"fps|durations"):
        save_video(FRAMES, tmp_path / "new", **speed)
    assert not (tmp_path / "new").exists()


def test_the_speed_is_any_real_number(tmp_path):
    save_video(FRAMES, tmp_path, fps=np.float32(30))
    save_video(FRAMES[:2], tmp_path, durations=np.array([0.25, 0.5], np.float32), name_prefix="it")
    assert recorded(tmp_path) == {"rl-video-episode-0": list(range(8)), "it-episode-0": [0, 1, 1]}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_full_disk_is_an_error_that_names_the_file(tmp_path):
    path = tmp_path / "rl-video-episode-0.mp4"
    path.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as caught:
        save_video(FRAMES, tmp_path, fps=30)
    assert caught.value.filename == str(path)


def test_there_is_no_video_of_nothing(tmp_path):
    with pytest.raises(ValueError, match="empty"):
        save_video([], tmp_path, fps=30)
