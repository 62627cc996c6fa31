"""What it costs that a training is watched: `python -m benchmarks.studio`, on a machine that does nothing else.

The same training goes on in turns of equally many steps: bare and watched by nobody, then bare and watched by a page
that shows 16 environments, which is another process here. A bare turn is compared with the watched one beside it, and
every other pair is the other way round, so that a machine which gets slower does not look like a cost. The medians of
all pairs are printed, with the quartiles.

The process that serves the page runs beside the training, as always, so that its work counts as far as it takes the
processor away. Wall time shows that too, processor time only what the training itself does. The page only counts
pictures: a browser on the same machine takes its own time, which is not measured. Turns are as long as several
pictures, however seldom they come, since what is drawn at their beginnings and after their ends counts too.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import multiprocessing
import select
import socket
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import gymnasium as gym
from palaestra import studio

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

STEPS = 250  # at once
ACTIONS = 200  # that are repeated
SECONDS = {"nobody looks": 1.0, "16 tiles": 3.0}  # of a bare turn
WIDTH = 136  # pixels of a tile, in a window of 1,440
GLANCE = 0.05  # s, in which a page waits for news
SETTLES = 3.0  # s after the first picture, until pictures come as they do later

Work = Callable[[Any], None]


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
    while pipe.recv():
        page, run, pictures = Page(host, f"/{token}/training"), None, 0
        while not pipe.poll():
            for data in page.heard():
                if isinstance(data, bytes):
                    page.say(do="seen")
                    pictures += 1
                    if pictures == 1:
                        pipe.send(True)
                elif run is None and (changed := json.loads(data).get("changed")):
                    run = changed[0]["id"]
                    page.say(do="show", runs=[run])
                    page.say(do="look", run=run)
                    page.say(do="width", value=WIDTH)
        pipe.recv()
        page.close()
        pipe.send(pictures - 1)


class Page:
    """A page that shows nothing, in less time than the client of `websockets` with its thread takes."""

    def __init__(self, host: str, path: str) -> None:
        from websockets.client import ClientProtocol
        from websockets.typing import Origin
        from websockets.uri import parse_uri

        name, port = host.rsplit(":", 1)
        self._socket = socket.create_connection((name, int(port)))
        self._protocol = ClientProtocol(parse_uri(f"ws://{host}{path}"), origin=Origin(f"http://{host}"), max_size=None)
        self._protocol.send_request(self._protocol.connect())
        self._send()

    def heard(self) -> Iterator[str | bytes]:
        """Yields what comes within a short while."""
        if select.select([self._socket], [], [], GLANCE)[0]:
            self._protocol.receive_data(self._socket.recv(2**18))
            for event in self._protocol.events_received():
                data = getattr(event, "data", b"")
                opcode = getattr(event, "opcode", None)
                if opcode in (1, 2):
                    yield data.decode() if opcode == 1 else bytes(data)
            self._send()

    def say(self, **command: Any) -> None:
        """Send a command."""
        self._protocol.send_text(json.dumps(command).encode())
        self._send()

    def close(self) -> None:
        """Leave without a word."""
        self._socket.close()

    def _send(self) -> None:
        self._socket.sendall(b"".join(self._protocol.data_to_send()))


def cartpole() -> tuple[Any, Work]:
    """PPO of examples/ppo.py on CartPole: the batch, and an update on it, or on what is around it."""
    return training()


def lander() -> tuple[Any, Work]:
    """The same on LunarLander in worker processes."""
    from benchmarks import time_to_trained

    arguments = next(case.arguments for case in time_to_trained.CASES if case.env_id == "LunarLander-v3")
    return training("LunarLander-v3", "--mode=async", *arguments)


def training(*arguments: str) -> tuple[Any, Work]:
    """PPO of examples/ppo.py: the batch, and an update on it, or on what is around it."""
    import torch

    ppo = import_module("ppo")  # of examples/

    with contextlib.redirect_stdout(io.StringIO()):
        options = ppo.parser.parse_args(arguments)
    torch.manual_seed(1)
    torch.set_num_threads(1)  # as the example does
    envs = ppo.made(options)
    agent = ppo.Agent(math.prod(envs.single_observation_space.shape), envs.single_action_space)
    player, adam = ppo.Player(agent, envs, options), ppo.Adam(agent)

    def update(chosen: Any) -> None:
        player.envs = chosen
        player.collect()
        batch = player.batch()
        ppo.learn(agent, adam, batch, 1e-4, options)
        agent.adapt(batch.observations)
        studio.log(loss=0.0)

    return envs, update


def steps() -> tuple[Any, Work]:
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


CASES = {"cartpole": cartpole, "lander": lander, "steps": steps}


def timed(work: Work, times: int, envs: Any) -> Took:
    """How long some work takes."""
    wall, cpu = perf_counter(), process_time()
    for _ in range(times):
        work(envs)
    return Took(perf_counter() - wall, process_time() - cpu)


def fitting(work: Work, envs: Any, seconds: float) -> int:
    """How many times some work goes into some seconds."""
    return max(1, round(seconds * 5 / timed(work, 5, envs).wall))


def compared(name: str, work: Work, envs: Any, watched: Any, rounds: int) -> tuple[str, float]:
    """Returns the cost of being watched as text, and the seconds of all watched turns."""
    times, pairs = fitting(work, envs, SECONDS[name]), []
    for k in range(rounds):
        order = (envs, watched) if k % 2 else (watched, envs)
        took = {id(each): timed(work, times, each) for each in order}
        pairs.append((took[id(envs)], took[id(watched)]))
    walls = [one.wall / bare.wall - 1 for bare, one in pairs]
    low, middle, high = statistics.quantiles(walls, n=4)
    cpu = statistics.median(one.cpu / bare.cpu for bare, one in pairs) - 1
    text = f"{name} {middle:+.1%} ({low:+.1%} to {high:+.1%}; processor {cpu:+.1%})"
    return text, sum(one.wall for _, one in pairs)


def measured(case: Callable[[], tuple[Any, Work]], rounds: int) -> str:
    """Returns a line with the costs of a case."""
    envs, work = case()
    with tempfile.TemporaryDirectory() as folder:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            watched = studio.watch(envs, folder=folder, port=0)
        viewer = Viewer(said.getvalue().split()[-1])
        work(watched)  # so that all is loaded and compiled
        unseen, _ = compared("nobody looks", work, envs, watched, rounds)
        viewer.begin(lambda: work(watched))
        settled = perf_counter() + SETTLES
        while perf_counter() < settled:
            work(watched)
        viewer.end()
        viewer.begin(lambda: work(watched))
        seen, seconds = compared("16 tiles", work, envs, watched, rounds)
        pictures = viewer.end()
        viewer.close()
        watched.close()
    fps = pictures / seconds
    return f"{case.__name__:10} {unseen}   {seen}   {fps:.1f} pictures of 16 environments a second"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studio", description=__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--case", choices=CASES, help="only this one")
    options = parser.parse_args()
    for case in [CASES[options.case]] if options.case else CASES.values():
        print(measured(case, options.rounds), flush=True)


if __name__ == "__main__":
    main()
