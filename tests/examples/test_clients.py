"""The examples that learn with PyTorch, with settings that take seconds."""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from docs._tools.atari import register

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRESS = re.compile(r"([\d,]+) steps .*mean return +(\S+) ")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[..., str]]:
    """Runs an example in this process, which imports PyTorch once for all of them; returns what it prints."""

    def run(script: str, *arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", [script, *map(str, arguments)])
        monkeypatch.syspath_prepend(str(EXAMPLES))  # as Python does for a script
        runpy.run_path(str(EXAMPLES / script), run_name="__main__")
        return capsys.readouterr().out

    threads = torch.get_num_threads()
    yield run
    torch.set_num_threads(threads)


@pytest.fixture(autouse=True)
def _games() -> None:
    """As if ale-py were imported for the first time, which another test of this process may have done."""
    register()


@pytest.mark.parametrize(
    ("script", "arguments", "files"),
    [
        ("ppo.py", ("CartPole-v1", "--steps=20480"), {"agent.pt", "learning_curve.csv"}),
        ("ppo.py", ("Pendulum-v1", "--steps=20480"), {"agent.pt", "learning_curve.csv"}),
        ("ppo.py", ("LunarLander-v3", "--steps=3072", "--num-envs=6"), {"agent.pt", "learning_curve.csv"}),
        ("ppo.py", ("Taxi-v4", "--steps=8", "--num-envs=1", "--horizon=2"), {"agent.pt", "learning_curve.csv"}),
        ("ppo_pong.py", ("--steps=256", "--num-envs=4"), {"agent.pt", "learning_curve.csv"}),
        ("ppo_sb3.py", ("CartPole-v1", "--steps=20480"), {"model.zip"}),
        (
            "dqn_pong.py",
            ("--steps=140", "--num-envs=4", "--warmup=100", "--memory=130", "--device=cpu"),
            {"network.pt"},
        ),
    ],
    ids=lambda value: value.removesuffix(".py") if isinstance(value, str) else "",
)
def test_an_example_runs(
    script: str, arguments: tuple[str, ...], files: set[str], run: Callable[..., str], tmp_path: Path
) -> None:
    """To its last step, on compiled, worker and single environments; the agent is left in the folder."""
    *_, (steps, mean) = PROGRESS.findall(run(script, *arguments, "--out", tmp_path / "out"))

    (wanted,) = [int(argument.partition("=")[2]) for argument in arguments if argument.startswith("--steps=")]
    assert int(steps.replace(",", "")) == wanted
    assert {path.name for path in (tmp_path / "out").iterdir()} == files
    if arguments[0] == "CartPole-v1":
        assert float(mean) > 60  # chance gives 22


@pytest.mark.parametrize(
    ("script", "arguments", "files"),
    [
        ("random_search.py", ("Reacher-v5", "--iterations=4"), {"policy.npz", "learning_curve.csv"}),
        (
            "car_racing.py",
            ("--generations=1", "--population=2", "--elite=1", "--steps=5"),
            {"policy.npz", "learning_curve.csv"},
        ),
        ("q_learning.py", ("CliffWalking-v1", "--episodes=200", "--evaluation=20"), {"table.npz"}),
        ("q_learning.py", ("MountainCar-v0", "--episodes=5", "--evaluation=5"), {"table.npz"}),
        ("q_learning.py", ("Blackjack-v1", "--episodes=50", "--evaluation=50"), {"table.npz"}),
        ("cross_entropy.py", ("--generations=1",), {"policy.npz"}),
    ],
    ids=lambda value: value.removesuffix(".py") if isinstance(value, str) else "",
)
def test_an_example_without_networks_runs(
    script: str, arguments: tuple[str, ...], files: set[str], run: Callable[..., str], tmp_path: Path
) -> None:
    """And leaves its policy in the folder."""
    printed = run(script, *arguments, "--out", tmp_path / "out")

    assert "mean return" in printed
    assert {path.name for path in (tmp_path / "out").iterdir()} == files


def test_the_driver_of_car_racing_sees_the_road_and_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A straight road ahead is in the middle; one to the right turns the wheel to the right."""
    car = runpy.run_path(str(EXAMPLES / "car_racing.py"))
    picture = np.full((96, 96, 3), (100, 200, 100), np.uint8)  # grass
    picture[:, 40:56] = 100
    assert np.allclose(car["features"](picture)[:4], 0, atol=0.02)
    picture[:50] = (100, 200, 100)
    picture[:50, 56:70] = 100
    seen = car["features"](picture)
    assert seen[0] < 0.02 and seen[2] > 0.1
    steering, gas, brake = car["driven"](seen[None], np.array([0, 0, 1, 1, 0.5, 0, 0]))[0]
    assert steering > 0.1 and gas == 0.5 and brake == 0


def test_stable_baselines_sees_the_same_on_any_vectorisation(run: Callable[..., str]) -> None:
    """Learning on `make_vec` is learning on one environment after the other: same seeds, same returns, to the digit."""
    ours, theirs = (
        PROGRESS.findall(run("ppo_sb3.py", "--steps=4096", "--num-envs=8", "--vectorisation", name))
        for name in ("make_vec", "dummy")
    )

    assert ours == theirs != []


@pytest.mark.parametrize(
    ("script", "arguments", "complaint"),
    [
        ("ppo.py", ["--num-envs=0"], "at least 1"),
        ("ppo.py", ["Taxi-v4", "--epochs=0"], "at least 1"),
        ("ppo.py", ["--horizon=1"], "at least 2"),
        ("random_search.py", ["--best=9"], "between 1 and"),
        ("car_racing.py", ["--elite=0"], "between 1 and"),
        ("q_learning.py", ["--episodes=0"], "at least 1"),
        ("q_learning.py", ["--evaluation=0"], "at least 1"),
        ("cross_entropy.py", ["--generations=0"], "at least 1"),
        ("ppo_sb3.py", ["--steps=0"], "at least 1"),
        ("dqn_pong.py", ["--warmup=500", "--memory=400"], "--memory"),
        ("dqn_pong.py", ["--warmup=500", "--num-envs=100"], "between 600"),
        ("dqn_pong.py", ["--num-envs=0"], "at least 1"),
    ],
)
def test_bad_options_are_refused(
    script: str, arguments: list[str], complaint: str, run: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(script, *arguments)
    assert complaint in capsys.readouterr().err


def test_the_memory_of_dqn_is_what_was_seen() -> None:
    """Observations put together from single pictures are the stacks that were seen, game by game."""
    dqn = runpy.run_path(str(EXAMPLES / "dqn_pong.py"))
    n, rng = 3, np.random.default_rng(0)
    memory = dqn["Memory"](capacity=100, num_envs=n, shape=(2, 2), seed=0)
    seen: dict[int, list[int]] = {}  # by the newest picture of a stack; pictures are numbered, and so are actions
    last = set()  # actions that ended their episodes
    ages, over, stacks = np.zeros(n, np.int64), np.zeros(n, bool), np.zeros((n, 0), np.int64)
    for row in range(90):
        numbers = row * n + np.arange(n)
        began = ages == 0
        stacks = np.stack([numbers] * dqn["STACK"], 1) if row == 0 else np.column_stack([stacks[:, 1:], numbers])
        stacks[began] = numbers[began, None]
        seen |= {int(number): stack.tolist() for number, stack in zip(numbers, stacks, strict=True)}
        memory.see(np.broadcast_to(numbers[:, None, None], (n, 2, 2)) % 256, ages)
        assert memory.newest()[:, :, 0, 0].tolist() == (stacks % 256).tolist()
        ended = ~over & (rng.random(n) < 0.2)
        memory.act(numbers, numbers.astype(np.float32), ended, ~over)
        last |= set(numbers[ended].tolist())
        ages, over = np.where(over, 0, ages + 1), ended

    for _ in range(20):
        batch = memory.sample("cpu")
        actions = batch.actions.tolist()
        assert (batch.observations[:, :, 0, 0].numpy() == np.array([seen[action] for action in actions]) % 256).all()
        following = np.array([seen[action + n] for action in actions]) % 256
        assert (batch.following[:, :, 0, 0].numpy() == following).all()
        assert batch.rewards.tolist() == actions
        assert batch.terminated.tolist() == [action in last for action in actions]


def test_dqn_learns_what_actions_are_worth() -> None:
    """Where an episode ends with the action, that is its reward."""
    torch.manual_seed(0)
    dqn = runpy.run_path(str(EXAMPLES / "dqn_pong.py"))
    learner = dqn["Learner"](actions=2, rate=1e-3, device="cpu")
    pictures = torch.randint(0, 256, (8, dqn["STACK"], 84, 84), dtype=torch.uint8)
    actions = torch.arange(8) % 2
    rewards = 1.0 - 2.0 * actions  # the first action is right, the second wrong
    batch = dqn["Transitions"](pictures, actions, rewards, torch.ones(8, dtype=torch.bool), pictures)

    losses = [learner.update(batch) for _ in range(20)]

    assert losses[0] > 0.3
    assert losses[-1] < 0.05
    assert learner.best(pictures[::2].numpy()).tolist() == [0] * 4
