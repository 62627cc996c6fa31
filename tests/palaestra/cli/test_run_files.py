"""`palaestra run`: what it writes."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from palaestra.cli.plots import plot_episodes
from tests.palaestra.cli.conftest import Cli


def frames(path: Path) -> list[NDArray[np.uint8]]:
    """The pictures of a video."""
    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]


@pytest.mark.parametrize("name", ["a.mp4", "a.gif"])
def test_a_video_has_all_frames(name: str, cli: Cli, folder: Path) -> None:
    """Each of the two episodes gives one after the reset and one after each of five steps, brighter by 20 each."""
    done = cli("run", "counting:Counting-v2", "--episodes", "2", "--video", name)

    assert done.returncode == 0, done.stderr
    assert f"video: {name}\n" in done.stdout
    pictures = frames(folder / name)
    assert {picture.shape for picture in pictures} == {(32, 48, 3)}
    np.testing.assert_allclose([picture.mean() for picture in pictures], [0, 20, 40, 60, 80, 100] * 2, atol=3)


def test_a_video_of_an_environment_of_ours(cli: Cli, folder: Path) -> None:
    """Pixels of CartPole, and they move."""
    done = cli("run", "CartPole-v1", "--episodes", "1", "--max-steps", "5", "--seed", "0", "--video", "a.mp4")

    assert done.returncode == 0, done.stderr
    pictures = frames(folder / "a.mp4")
    assert [picture.shape for picture in pictures] == [(400, 600, 3)] * 6
    assert (pictures[0] != pictures[-1]).any()


def test_a_plot_is_a_picture(cli: Cli, folder: Path) -> None:
    """A PNG that is not empty paper."""
    done = cli("run", "counting:Counting-v2", "--episodes", "30", "--plot", "a.png")

    assert done.returncode == 0, done.stderr
    assert "plot: a.png\n" in done.stdout
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG\r\n")
    (picture,) = frames(folder / "a.png")
    assert picture.shape == (720, 960, 3)
    colours = np.unique(picture.reshape(-1, 3), axis=0)
    assert len(colours) > 50


@pytest.mark.parametrize("episodes", [1, 2, 19, 20, 300])
def test_a_plot_of_few_or_many_episodes(episodes: int, tmp_path: Path) -> None:
    """A running mean is drawn where it says something."""
    path = tmp_path / "a.png"

    plot_episodes(path, "title", [float(i) for i in range(episodes)], [1] * episodes)

    (picture,) = frames(path)
    assert (picture != 255).mean() > 0.01


def test_a_plot_that_cannot_be_written_after_all(cli: Cli, folder: Path) -> None:
    """The folder vanished meanwhile: the table is there, the error is one line."""
    (folder / "gone").mkdir()
    (folder / "remover.py").write_text(
        "import pathlib, shutil\ndef act(observation):\n    shutil.rmtree('gone', ignore_errors=True)\n    return 1\n"
    )

    done = cli("run", "counting:Counting-v2", "--policy", "remover:act", "--plot", "gone/a.png")

    assert done.returncode == 1
    assert "10 episodes, 50 steps" in done.stdout
    (line,) = done.stderr.splitlines()
    assert "gone/a.png" in line


def test_a_plot_on_a_full_disk_is_named_and_leaves_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.png"

    def full(_: object, name: Path, **__: object) -> None:
        name.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*a\.png'"):
        plot_episodes(path, "title", [1.0], [1])
    assert not path.exists()
