"""What a long program does over and over, each time with other environments, sizes and moments.

Each function does it once, compares the results with those of a calm run, and closes what it made.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import gymnasium as gym
import palaestra
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import RecordVideo
from palaestra import studio
from palaestra.policies import Random
from palaestra.recording.vector import RecordTrajectories

IDS = ("CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "Taxi-v3", "LunarLander-v3", "BipedalWalker-v3", "Hopper-v5")
DYNAMICS = ("CartPole-v1", "Pendulum-v1", "Acrobot-v1", "FrozenLake-v1", "Taxi-v3", "Blackjack-v1")
DRAWN = ("CartPole-v1", "Pendulum-v1", "LunarLander-v3")
MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
RUNS = tempfile.TemporaryDirectory(prefix="gymnasium-soak-")  # of all trainings that are watched


class Counts(dict[str, int]):
    """How often each thing was done."""

    def add(self, name: str, number: int = 1) -> None:
        """Count."""
        self[name] = self.get(name, 0) + number


def kills(rng: random.Random, counts: Counts) -> None:
    """Workers die at random times, and the batch goes on as if none had."""
    env_id, n, mode = rng.choice(IDS), rng.randrange(2, 25), rng.choice(MODES)
    steps = rng.randrange(50, 400)
    calm = gym.make_vec(env_id, n, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode})
    shaken = gym.make_vec(
        env_id,
        n,
        vectorization_mode="async",
        vector_kwargs={
            "autoreset_mode": mode,
            "num_workers": rng.randrange(1, 4),
            "on_failure": "resume",
            "snapshot_every": rng.choice((20, 100, 1000)),
            "timeout": 120,
        },
    )
    with contextlib.closing(calm), contextlib.closing(shaken):
        seed = rng.randrange(2**31)
        check(calm.reset(seed=seed)[0], shaken.reset(seed=seed)[0], f"{env_id}: reset")
        calm.action_space.seed(seed)
        for t in range(steps):
            if rng.random() < 0.02:
                process = rng.choice(shaken.processes)
                if process.pid is not None and process.is_alive():
                    os.kill(process.pid, signal.SIGKILL)
                    counts.add("kills")
            actions = calm.action_space.sample()
            for one, other in zip(calm.step(actions)[:4], shaken.step(actions)[:4], strict=True):
                check(one, other, f"{env_id} x {n}, {mode}: step {t}")
        counts.add("steps beside kills", n * steps)


def recording(rng: random.Random, counts: Counts) -> None:
    """A data set and a video are written, and read."""
    env_id, n = rng.choice(DRAWN), rng.randrange(1, 9)
    with tempfile.TemporaryDirectory() as folder:
        envs = RecordTrajectories(gym.make_vec(env_id, n, vectorization_mode="sync"), "soak/data-v0", folder)
        with contextlib.closing(envs):
            envs.reset(seed=rng.randrange(2**31))
            for _ in range(rng.randrange(50, 200)):
                envs.step(envs.action_space.sample())
        assert any(Path(folder).rglob("*.hdf5")), "no data set was written"
        env = RecordVideo(gym.make(env_id, render_mode="rgb_array"), str(Path(folder) / "videos"), lambda _: True)
        with contextlib.closing(env):
            env.reset(seed=1)
            for _ in range(rng.randrange(5, 40)):
                *_, terminated, truncated, _ = env.step(env.action_space.sample())
                if terminated or truncated:
                    env.reset()
        assert any((Path(folder) / "videos").glob("*.mp4")), "no video was written"
    counts.add("data sets and videos")


def watching(rng: random.Random, counts: Counts) -> None:
    """A page looks at a batch for a while, and leaves without a word."""
    from websockets.sync.client import connect
    from websockets.typing import Origin

    env_id, n = rng.choice(DRAWN), rng.randrange(1, 33)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        envs: Any = studio.watch(gym.make_vec(env_id, n), tiles=min(n, 16), folder=RUNS.name)
    host, token = printed.getvalue().split()[1].split("/")[2:4]
    pictures, end = 0, time.monotonic() + rng.uniform(1.0, 5.0)
    address, origin = f"ws://{host}/{token}/training", Origin(f"http://{host}")
    with contextlib.closing(envs), connect(address, origin=origin, max_size=None) as page:
        envs.reset(seed=1)
        run = json.loads(page.recv())["changed"][0]["id"]
        page.send(json.dumps({"do": "show", "runs": [run]}))
        page.send(json.dumps({"do": "look", "run": run}))
        while time.monotonic() < end:
            for _ in range(20):
                envs.step(envs.action_space.sample())
            with contextlib.suppress(TimeoutError):
                if isinstance(page.recv(0.01), bytes):
                    page.send(json.dumps({"do": "seen"}))
                    pictures += 1
    counts.add("pages that looked")
    counts.add("pictures", pictures)


def snapshots(rng: random.Random, counts: Counts) -> None:
    """A moment of a batch goes on in another one."""
    env_id, n, mode = rng.choice(IDS), rng.randrange(1, 17), rng.choice(MODES)
    kinds = ("sync", "async", None) if env_id in DYNAMICS else ("sync", "async")
    kind = rng.choice(kinds)
    one, other = (
        gym.make_vec(env_id, n, vectorization_mode=kind, vector_kwargs={"autoreset_mode": mode}) for _ in range(2)
    )
    with contextlib.closing(one), contextlib.closing(other):
        one.reset(seed=rng.randrange(2**31))
        other.reset(seed=0)
        for _ in range(rng.randrange(1, 100)):
            one.step(one.action_space.sample())
        palaestra.restore(other, palaestra.snapshot(one))
        for t in range(50):
            actions = one.action_space.sample()
            for mine, theirs in zip(one.step(actions)[:4], other.step(actions)[:4], strict=True):
                check(mine, theirs, f"{env_id} x {n}, {kind}, {mode}: step {t} after a snapshot")
    counts.add("snapshots")


def rollouts(rng: random.Random, counts: Counts) -> None:
    """Compiled batches of any size and number of threads collect as the plain ones do."""
    env_id, n = rng.choice(DYNAMICS), rng.choice((1, 7, 64, 1000, 5000))
    found = []
    seed = rng.randrange(2**31)
    for threads in (1, 2):
        envs = gym.make_vec(env_id, n, vectorization_mode="compiled", vector_kwargs={"num_threads": threads})
        with contextlib.closing(envs):
            envs.reset(seed=seed)
            batch = palaestra.rollout(envs, Random(envs.single_action_space), 32)
            found.append((batch.observations, batch.rewards, batch.terminated))
    for one, other in zip(*found, strict=True):
        check(one, other, f"{env_id} x {n}: rollouts with one thread and with two")
    counts.add("rollouts")


def check(one: Any, other: Any, where: str) -> None:
    """Compare two results, bit for bit."""
    pairs = zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
    for mine, theirs in pairs:
        if np.asarray(mine).tobytes() != np.asarray(theirs).tobytes():
            raise AssertionError(f"{where}: the results differ")


CYCLES: Sequence[Callable[[random.Random, Counts], None]] = (kills, recording, watching, snapshots, rollouts)


def quiet() -> None:
    """Say nothing about workers that are replaced, which is all that happens here."""
    warnings.simplefilter("ignore")
    gym.logger.min_level = gym.logger.ERROR
