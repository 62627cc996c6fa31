"""`palaestra bench`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gymnasium
from palaestra.cli import benching, main, memory
from palaestra.cli.benching import Measurement, _verdict
from palaestra.cli.environments import RequestedEnv
from tests.palaestra.cli.conftest import Cli

Refused = Callable[..., str]
QUICK = ["--seconds", "0.05"]


def test_a_table_with_bars_and_the_best(cli: Cli, folder: Path) -> None:
    """Each mode and number has a line; a picture is drawn on request."""
    options = ["--num-envs", "2,3", "--modes", "single,sync,compiled", "--plot", "speed.png"]
    done = cli("bench", "counting:Counting-v2", *options, *QUICK)
    lines = {line.strip().partition("  ")[0]: line for line in done.stdout.splitlines() if line.strip()}

    assert (done.returncode, done.stderr) == (0, "")
    assert {"single", "sync x 2", "sync x 3", "compiled x 2", "compiled x 3"} <= set(lines)
    assert "█" in lines["sync x 2"]
    assert "SyncVectorEnv" in lines["sync x 2"]
    assert "PlainVectorEnv" in lines["compiled x 2"]
    assert "best here: " in done.stdout
    assert "step takes " in done.stdout
    assert (folder / "speed.png").read_bytes().startswith(b"\x89PNG")


def test_worker_processes(cli: Cli) -> None:
    """They can be measured as well."""
    done = cli("bench", "CartPole-v1", "--num-envs", "2", "--modes", "async", *QUICK)

    assert (done.returncode, done.stderr) == (0, "")
    assert "AsyncVectorEnv" in done.stdout
    assert "best here" not in done.stdout  # there is nothing to compare it with


def test_no_mode_works(cli: Cli) -> None:
    """What was tried is shown before the error."""
    wrapped = ["--wrapper", "gymnasium.wrappers:TimeAwareObservation"]
    done = cli("bench", "counting:Counting-v2", *wrapped, "--num-envs", "2", "--modes", "compiled", *QUICK)

    assert done.returncode == 1
    assert "not available" in done.stdout
    assert "none of the modes compiled" in done.stderr


# Raises at its sixth step, or only when it is single, or when it is closed.
RAISING = """
import gymnasium as gym

class Raising(gym.Env):
    observation_space = action_space = gym.spaces.Discrete(2)
    made = 0

    def __init__(self, where="step"):
        self.where = where
        Raising.made += 1
        self.single = Raising.made == 1

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t = 0
        return 0, {}

    def step(self, action):
        self.t += 1
        if self.t > 5 and (self.where == "step" or self.where == "single" and self.single):
            raise RuntimeError("boom\\nand more")
        return 0, 0.0, False, False, {}

    def close(self):
        if self.where == "close":
            raise RuntimeError("boom, closed")

for where in ("step", "single", "close"):
    gym.register(f"{where.title()}-v0", Raising, kwargs={"where": where})
"""


@pytest.mark.parametrize("where", ["Step", "Close"])
def test_an_environment_that_raises(cli: Cli, folder: Path, where: str) -> None:
    """Each mode is tried, and says where it failed; the error is one line."""
    (folder / "raising.py").write_text(RAISING)
    done = cli("bench", f"raising:{where}-v0", "--num-envs", "2", "--modes", "single,sync,async", *QUICK)

    assert done.returncode == 1
    below = [line.partition(": failed: RuntimeError: boom") for line in done.stdout.splitlines()]
    failed = {mode for modes, found, _ in below if found for mode in modes.split(", ")}
    assert failed >= {"single", "sync"}  # workers that cannot be closed only warn of it
    assert "Traceback" not in done.stdout
    assert "best here" not in done.stdout
    *others, last = done.stderr.splitlines()
    assert not others or where == "Close"
    assert last.startswith("palaestra: error: ")
    assert "single failed: RuntimeError: boom" in last
    assert "raising.py, line " in last


def test_other_modes_are_measured_where_one_raises(cli: Cli, folder: Path) -> None:
    (folder / "raising.py").write_text(RAISING)
    done = cli("bench", "raising:Single-v0", "--num-envs", "2", "--modes", "single,sync", "--plot", "a.png", *QUICK)

    assert done.returncode == 1
    assert "best here" not in done.stdout
    assert "SyncVectorEnv" in done.stdout
    assert (folder / "a.png").exists()
    assert done.stderr.splitlines() == [
        "palaestra: error: 'Single-v0' did not run in all of the modes: single failed: RuntimeError: boom and more "
        "(raising.py, line 21)"
    ]


def test_an_engine_is_not_compiled(cli: Cli) -> None:
    """The table stays narrow: why a mode is missing is below it, once."""
    done = cli("bench", "LunarLander-v3", "--num-envs", "1,2", "--modes", "sync,compiled", *QUICK)

    assert done.stdout.count("its engine, Box2D, is not Python; use vectorization_mode='async'") == 1
    assert all(line == line.rstrip() for line in done.stdout.splitlines())
    own = cli("bench", "InvertedPendulum-v5", "--num-envs", "2", "--modes", "sync,compiled", "--json", *QUICK)
    assert [result["mode"] for result in json.loads(own.stdout)["results"]] == ["sync", "own"]


def test_what_was_measured_before_an_interrupt_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(requested: RequestedEnv, mode: str, n: int, seconds: float) -> Measurement:
        if mode == "async":
            raise KeyboardInterrupt
        return Measurement(mode, n, 5.0)

    monkeypatch.setattr(benching, "_vector", measured)
    assert main(["bench", "CartPole-v1", "--num-envs", "2", "--modes", "sync,async", *QUICK]) == 130
    assert "sync x 2" in capsys.readouterr().out


@pytest.mark.parametrize("mode", ["single", "sync", "async", "compiled", "own"])
def test_the_reason_fits_the_best(mode: str) -> None:
    """It names what a step costs, and what to write."""
    single = Measurement("single", 1, 1e5)
    results = [single, Measurement("sync", 4, 2e4), Measurement(mode, 8, 4e5)]

    best, why, *call = _verdict(RequestedEnv(gymnasium.spec("CartPole-v1"), {"g": "x"}, []), single, results)

    assert best.startswith(f"best here: {mode}")
    assert "400,000 steps/s" in best
    assert ("4.0 times a single" in best) == (mode != "single")
    assert "10.0 us" in why
    assert bool(call) == (mode != "single")
    assert all('"CartPole-v1", 8' in line and line.endswith(", g='x')") for line in call)


def test_no_more_is_said_than_the_figures_support() -> None:
    """A mode that is faster by less than the measurements differ is one of several."""
    single = Measurement("single", 1, 1e5, spread=2.0)
    results = [single, Measurement("sync", 4, 1.5e5), Measurement("async", 4, 4e4)]
    lines = _verdict(RequestedEnv(gymnasium.spec("CartPole-v1"), {}, []), single, results)
    assert "about as fast: single" in lines
    assert any("differed up to 2.0 times" in line for line in lines)


def test_what_is_deferred_happens_before_the_measurement() -> None:
    """However short it is: Box2D loads machine code after some thousands of steps."""
    steps: list[int] = []

    class Counted(gymnasium.wrappers.OrderEnforcing):  # type: ignore[type-arg]  # of any environment
        def step(self, action: object) -> Any:
            steps.append(1)
            return super().step(action)

    benching._warm_up(Counted(gymnasium.make("CartPole-v1")), 0.0)
    assert len(steps) > 10_000


def test_more_than_the_memory_holds(refused: Refused) -> None:
    """It is estimated, not tried."""
    line = refused("bench", "CartPole-v1", "--num-envs", "16,1000000000", code=2)

    assert "1,000,000,000 environments of 'CartPole-v1' need at least" in line
    assert "GB are free" in line


def test_objects_need_more_memory_than_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One mode is left out, the other measured."""
    monkeypatch.setattr(memory, "_free", lambda: 20e6)

    assert main(["bench", "CartPole-v1", "--num-envs", "20000", "--modes", "sync,compiled", *QUICK]) == 0
    text = " ".join(capsys.readouterr().out.split())  # wherever its lines break
    assert "20.0 MB are free" in text
    assert "CartPoleVectorEnv" in text


def test_arguments_wrappers_and_json(cli: Cli) -> None:
    """Without a wrapper, an episode would be five steps; the vector class of one's own takes no wrappers."""
    options = ["-k", "goal=7", "--wrapper", "TimeLimit:max_episode_steps=2", "--num-envs", "2", "--json", *QUICK]
    done = cli("bench", "counting:Counting-v2", "--modes", "single,sync", *options)
    report = json.loads(done.stdout)

    assert (done.returncode, done.stderr, report["id"]) == (0, "", "Counting-v2")
    assert [(result["mode"], result["num_envs"]) for result in report["results"]] == [("single", 1), ("sync", 2)]
    assert all(result["speed"] > 0 for result in report["results"])


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--modes", "fast"], "single, sync, async, compiled"),
        (["--num-envs", "2,0"], "at least 1"),
        (["--seconds", "0"], "positive"),
        (["--plot", "speed.txt"], ".png"),
    ],
)
def test_wrong_options(options: list[str], hint: str, refused: Refused) -> None:
    """One line, before anything is measured."""
    assert hint in refused("bench", "CartPole-v1", *options, code=2)


def test_a_class_without_an_id_is_registered_by_the_line_to_copy(cli: Cli, folder: Path) -> None:
    (folder / "simple.py").write_text("from counting import Counting\n\n\nclass Simple(Counting):\n    pass\n")
    done = cli("bench", "simple:Simple", "--num-envs", "64", "--modes", "single,compiled", *QUICK)
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("to use it: "))
    begin, _, call = line.removeprefix("to use it: ").partition("; ")

    assert begin == 'gymnasium.register("Simple", entry_point="simple:Simple")'
    assert call == 'gymnasium.make_vec("Simple", 64, vectorization_mode="compiled")'
