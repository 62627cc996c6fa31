"""What it costs that a training is watched: `python -m benchmarks.studio`.

The same training goes on in turns: bare, watched by nobody, and watched by a page that shows 16 environments 20 times a
second, which is another process here. Each round compares the three; the medians of all rounds are printed. The
process that serves the page runs beside the training, as always, so that its work counts as far as it takes the
processor away. Wall time shows that too, processor time only what the training itself does. A turn takes a second or
more, which is many pictures: what is drawn at its beginning and after its end does not matter then.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import statistics
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import gymnasium as gym
from gymnasium import studio

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

TURNS = ("bare", "nobody looks", "16 tiles")
STEPS, UPDATES = 5000, 15  # of a turn
ACTIONS = 200  # that are repeated


class Took(NamedTuple):
    """Seconds of a turn."""

    wall: float
    cpu: float


class Viewer:
    """A page that looks at the latest run, in a process of its own."""

    def __init__(self, link: str) -> None:
        self._host, self._token = link.split("/")[2:4]
        self._pipe, other = multiprocessing.get_context("spawn").Pipe()
        arguments = (self._host, self._token, other)
        self._process = multiprocessing.get_context("spawn").Process(target=look, args=arguments, daemon=True)
        self._process.start()
        other.close()

    def begin(self, work: Callable[[], None]) -> None:
        """Look; `work` goes on until the first picture is there."""
        self._pipe.send(True)
        while not self._pipe.poll():
            work()
        self._pipe.recv()

    def end(self) -> int:
        """Look away; returns the number of pictures after the first."""
        self._pipe.send(False)
        pictures: int = self._pipe.recv()
        return pictures

    def close(self) -> None:
        """Go."""
        self._process.kill()
        self._process.join()


def look(host: str, token: str, pipe: Any) -> None:
    """Connect whenever told so, and count pictures."""
    from websockets.sync.client import connect
    from websockets.typing import Origin

    while pipe.recv():
        with connect(f"ws://{host}/{token}/training", origin=Origin(f"http://{host}"), max_size=None) as page:
            run = json.loads(page.recv())["changed"][0]["id"]
            page.send(json.dumps({"do": "show", "runs": [run]}))
            page.send(json.dumps({"do": "look", "run": run}))
            pictures = 0
            while not pipe.poll():
                with contextlib.suppress(TimeoutError):
                    if isinstance(page.recv(0.05), bytes):
                        page.send(json.dumps({"do": "seen"}))
                        pictures += 1
                        if pictures == 1:
                            pipe.send(True)
            pipe.recv()
        pipe.send(pictures - 1)


def cartpole() -> tuple[Any, Callable[[Any], None]]:
    """PPO of examples/ppo.py on CartPole: the batch, and some updates on it, or on what is around it."""
    import torch

    ppo = import_module("ppo")  # of examples/

    with contextlib.redirect_stdout(io.StringIO()):
        options = ppo.parser.parse_args([])
    torch.manual_seed(1)
    torch.set_num_threads(1)  # as the example does
    envs = ppo.made(options)
    agent = ppo.Agent(4, envs.single_action_space)
    player, adam = ppo.Player(agent, envs, options), ppo.Adam(agent)

    def update(chosen: Any) -> None:
        player.envs = chosen
        for _ in range(UPDATES):
            player.collect()
            batch = player.batch()
            ppo.learn(agent, adam, batch, 1e-4, options)
            agent.adapt(batch.observations)
            studio.log(loss=0.0)

    return envs, update


def lander() -> tuple[Any, Callable[[Any], None]]:
    """Steps of 16 LunarLanders in worker processes, with random actions."""
    envs = gym.make_vec("LunarLander-v3", 16, vectorization_mode="async")
    envs.reset(seed=1)
    envs.action_space.seed(1)
    actions = [envs.action_space.sample() for _ in range(ACTIONS)]
    for t in range(2000):  # from 10,000 steps of a process on, machine code steps
        envs.step(actions[t % ACTIONS])

    def step(chosen: Any) -> None:
        for t in range(STEPS):
            chosen.step(actions[t % ACTIONS])

    return envs, step


def timed(work: Callable[[Any], None], envs: Any) -> Took:
    """How long some work takes."""
    wall, cpu = perf_counter(), process_time()
    work(envs)
    return Took(perf_counter() - wall, process_time() - cpu)


def measured(case: Callable[[], tuple[Any, Callable[[Any], None]]], rounds: int) -> str:
    """Returns a line with the costs of a case."""
    envs, work = case()
    with tempfile.TemporaryDirectory() as folder:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            watched = studio.watch(envs, folder=folder, port=0)
        viewer = Viewer(said.getvalue().split()[-1])
        work(watched)  # so that all is loaded and compiled
        found: dict[str, list[Took]] = {turn: [] for turn in TURNS}
        pictures, shown = 0, 0.0
        for _ in range(rounds):
            found["bare"].append(timed(work, envs))
            found["nobody looks"].append(timed(work, watched))
            viewer.begin(lambda: work(watched))
            found["16 tiles"].append(timed(work, watched))
            pictures += viewer.end()
            shown += found["16 tiles"][-1].wall
        viewer.close()
        watched.close()
    return _line(case.__name__, found, pictures / shown)


def _line(name: str, found: dict[str, list[Took]], fps: float) -> str:
    costs = []
    for turn in TURNS[1:]:
        pairs = list(zip(found[turn], found["bare"], strict=True))
        wall = statistics.median(one.wall / bare.wall for one, bare in pairs) - 1
        cpu = statistics.median(one.cpu / bare.cpu for one, bare in pairs) - 1
        costs.append(f"{turn} {wall:+.1%} (processor {cpu:+.1%})")
    return f"{name:10} {'   '.join(costs)}   {fps:.1f} pictures of 16 environments a second"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studio", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    for case in (cartpole, lander):
        print(measured(case, options.rounds), flush=True)


if __name__ == "__main__":
    main()
