"""What each command can say of its environment: any that `make` makes, with arguments and wrappers, one or many."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gymnasium.envs.registration import make_vec
from gymnasium.vector.vector_env import AutoresetMode
from palaestra.cli import main
from palaestra.cli.arguments import WrapperName, argument, wrapper
from palaestra.cli.batches import play_batch
from palaestra.cli.environments import requested_env
from palaestra.cli.episodes import Tally
from palaestra.cli.errors import described
from palaestra.cli.interrupt import StopRequest
from palaestra.cli.pictures import made_with_pictures
from palaestra.cli.text_frames import without_colour
from tests.palaestra.cli.conftest import Cli

Refused = Callable[..., str]

PLAIN = '''
import gymnasium as gym


class Plain(gym.Env):
    """Knows nothing of rendering."""

    observation_space = gym.spaces.Discrete(11)
    action_space = gym.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t = 0
        return 0, {}

    def step(self, action):
        self.t += 1
        return self.t, float(action), self.t == 10, False, {}


class Double(gym.RewardWrapper):
    def __init__(self, env, factor=2):
        super().__init__(env)
        self.factor = factor

    def reward(self, reward):
        return self.factor * reward


gym.register("Plain-v0", Plain)


def one(observation):
    return 1
'''


@pytest.fixture
def plain(folder: Path) -> str:
    """The id of an environment whose constructor takes nothing."""
    (folder / "plain.py").write_text(PLAIN)
    return "plain:Plain-v0"


def run(cli: Cli, *arguments: str) -> dict[str, object]:
    """What `palaestra run ARGUMENTS --json` reports."""
    done = cli("run", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report: dict[str, object] = json.loads(done.stdout)
    return report


def test_an_environment_that_knows_no_rendering(plain: str, cli: Cli, folder: Path) -> None:
    """It can be run, measured and filmed."""
    assert run(cli, plain, "--policy", "plain:one", "--episodes", "2")["returns"] == [10, 10]
    assert cli("bench", plain, "--modes", "single,sync", "--num-envs", "2", "--seconds", "0.05").returncode == 0
    assert cli("record", plain, "--out", "film.gif").returncode == 0
    assert (folder / "film.gif").read_bytes().startswith(b"GIF8")


def test_pictures_of_text(plain: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step has another."""
    monkeypatch.chdir(folder)
    env = made_with_pictures(requested_env(plain, [], []))
    env.reset(seed=0)
    first = env.render()
    env.step(1)
    second = env.render()

    assert (env.render_mode, first.dtype, first.shape[2]) == ("rgb_array", np.uint8, 3)
    assert not np.array_equal(first, second)
    assert not (second == 255).all()


def test_arguments_and_wrappers(plain: str, cli: Cli) -> None:
    """Wrappers stand around each other in the order of the options."""
    assert run(cli, "counting:Counting-v2", "-k", "goal=7", "--episodes", "1")["lengths"] == [7]
    options = ["--wrapper", "plain:Double", "--wrapper", "plain:Double:factor=3", "--policy", "plain:one"]
    report = run(cli, plain, *options, "--wrapper", "TimeLimit:max_episode_steps=4", "--episodes", "1")
    assert (report["returns"], report["lengths"]) == ([24], [4])


def test_a_wrapper_that_records_is_found_by_its_name(cli: Cli, folder: Path) -> None:
    options = ["--wrapper", f"RecordReplays:folder={str(folder / 'kept')!r}", "--episodes", "1"]
    assert run(cli, "counting:Counting-v2", *options)["lengths"]
    assert list((folder / "kept").iterdir())


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["-k", "goal"], "name=value"),
        (["-k", "colour=red"], "colour"),
        (["--wrapper", "No"], "'No'"),
        (["--wrapper", "nowhere:No"], "nowhere"),
        (["--wrapper", "a b"], "[module:]Class"),
        (["--wrapper", "TimeLimit"], "max_episode_steps"),
        (["--wrapper", "TimeLimit:5"], "name=value"),
    ],
)
def test_wrong_arguments_and_wrappers(options: list[str], hint: str, cli: Cli) -> None:
    """One line says which."""
    done = cli("run", "counting:Counting-v2", *options)

    (line,) = done.stderr.splitlines()
    assert (done.stdout, hint in line) == ("", True), line
    assert ".py, line" not in line


@pytest.mark.parametrize(
    ("text", "value"),
    [("a=1", 1), ("a=False", False), ("a=8x8", "8x8"), ("a='1'", "1"), ("a=(1,2)", (1, 2)), ("a=", "")],
)
def test_values_are_literals_or_text(text: str, value: object) -> None:
    assert argument(text) == ("a", value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Clip", WrapperName("gymnasium.wrappers", "Clip", {})),
        ("my.own:Clip", WrapperName("my.own", "Clip", {})),
        ("Clip:a=(1,2),b=x:y", WrapperName("gymnasium.wrappers", "Clip", {"a": (1, 2), "b": "x:y"})),
        ("my.own:Clip:a={'x': [1,2]}", WrapperName("my.own", "Clip", {"a": {"x": [1, 2]}})),
    ],
)
def test_wrappers_are_read(text: str, expected: WrapperName) -> None:
    assert wrapper(text) == expected


@pytest.mark.parametrize("text", ["", ":", "a:b:c", "Clip:=3", "1:2"])
def test_no_wrappers(text: str) -> None:
    with pytest.raises(ArgumentTypeError):
        wrapper(text)


@pytest.mark.parametrize("num_envs", ["1", "3", "8"])
def test_many_at_once(num_envs: str, cli: Cli) -> None:
    """The same episodes, shared among them; the policy sees the observation of one."""
    report = run(cli, "counting:Counting-v2", "--num-envs", num_envs, "--policy", "counting:odd", "--episodes", "7")

    assert (report["returns"], report["lengths"]) == ([2.0] * 7, [5] * 7)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_batch_in_every_autoreset_mode(mode: AutoresetMode) -> None:
    """Only steps are counted. An environment that is over early does not run the episodes of another."""
    envs = make_vec("CartPole-v1", 3, "sync", vector_kwargs={"autoreset_mode": mode})
    tally = Tally()
    with StopRequest() as stop:
        play_batch(envs, lambda _: np.ones(3, np.int64), 7, 1, [], tally, stop)

    assert tally.lengths == tally.returns
    assert len(tally.lengths) == 7
    assert all(8 <= length <= 11 for length in tally.lengths)


def test_many_in_one_video(cli: Cli, folder: Path) -> None:
    """Their pictures are side by side."""
    report = run(cli, "CartPole-v1", "--num-envs", "4", "--episodes", "4", "--video", "a.gif")

    assert report["video"] == "a.gif"
    width, height = np.frombuffer((folder / "a.gif").read_bytes()[6:10], "<u2")
    assert (width, height) == (1200, 800)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["counting:Counting-v2", "--num-envs", "2", "--render", "ansi"], "leave one out"),
        (["counting:Counting-v2", "--num-envs", "0"], "at least 1"),
        (["CartPole-v1", "--num-envs", "1000000000"], "memory"),
    ],
)
def test_what_many_cannot_do(options: list[str], hint: str, refused: Refused) -> None:
    assert hint in refused("run", *options, code=2)


def test_a_video_is_no_longer_than_its_limit(cli: Cli) -> None:
    """At ten frames per second, 5 episodes of 6 frames are 3 seconds; the limit is named."""
    command = ["run", "counting:Counting-v2", "--episodes", "5", "--video", "a.mp4"]

    assert "video: a.mp4\n" in cli(*command).stdout
    cut = cli(*command, "--video-limit", "2").stdout
    assert "video: a.mp4, the first 2 of 3 seconds; --video-limit 4 would film all\n" in cut


def test_show_and_its_json(cli: Cli) -> None:
    """Arguments change what is shown."""
    done = cli("show", "FrozenLake-v1", "-k", "map_name=8x8", "--json")
    report = json.loads(done.stdout)

    assert (report["id"], report["family"], report["observation_space"]) == (
        "FrozenLake-v1",
        "toy_text",
        "Discrete(64)",
    )
    assert {"name": "is_slippery", "default": "True", "type": "bool"} in report["arguments"]


def test_highlighted_text_is_bracketed() -> None:
    """The columns of a grid stay below one another; other lines keep their widths."""
    assert without_colour("  (Up)\nS\x1b[41mF\x1b[0m\nFG\n") == "  (Up)\n S [F]\n F  G \n"
    assert without_colour("count \x1b[1;41m7\x1b[0m, \x1b[31mred\x1b[0m") == "count [7], red"


def test_an_error_names_the_users_line_and_none_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    """Which is where to look."""
    with pytest.raises(ZeroDivisionError) as raised:
        _ = 1 / 0
    assert described(raised.value).startswith("ZeroDivisionError: division by zero (test_environment_options.py, line ")

    assert main(["run", "CartPole-v1", "-k", "gravity_of_the_moon=1"]) == 1
    assert ".py, line" not in capsys.readouterr().err
