"""`watch`: shows a training in a browser while it runs."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar
from weakref import WeakSet

from gymnasium.core import Env
from gymnasium.utils._counts import positive
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector._episodes import autoreset_mode
from palaestra.studio.training.helper import Helper
from palaestra.studio.training.monitor import Monitor
from palaestra.studio.training.run import Run
from palaestra.studio.training.wrappers import WatchedEnv, WatchedVectorEnv
from palaestra.studio.values import shown as readable

_Any = TypeVar("_Any", Env, VectorEnv)
_helpers: dict[Path, Helper] = {}
_monitors: WeakSet[Monitor] = WeakSet()
_MOST_SETTINGS = 200
_latest: list[Monitor] = []  # the one that `log` means


def watch(
    envs: _Any,
    tiles: int = 16,
    *,
    name: str | None = None,
    config: Mapping[str, object] | None = None,
    folder: str | os.PathLike[str] = "runs",
    host: str = "127.0.0.1",
    port: int | None = None,
) -> _Any:
    """Show a training in the studio while it goes on, and print the link to its page.

        envs = palaestra.studio.watch(gymnasium.make_vec("CartPole-v1", 64))

    The page is served by another process, which goes on after the end of the program for as long as somebody looks. The
    program never waits for it. Environments are drawn there, and only while somebody looks: 20 times a second where a
    processor is free, else as often as 4 % of one allow, or a quarter of what nobody uses. They are drawn in pauses
    between steps, such as those in which the program learns, and seen up to a quarter of a second later. Those of
    classes without `get_state` are drawn here, in at most a thirtieth of the time, if they were made with
    `render_mode="rgb_array"`.

    Args:
        envs: The batch of environments, or one environment, with all wrappers.
        tiles: The number of environments that can be seen; 0 for none.
        name: The name of the run; None for the environment's id.
        config: The settings of the training, such as `{"learning_rate": 3e-4}`: they are shown with the run, and found
            by its search.
        folder: The folder of all runs, which the page shows together.
        host: The address to listen on; any but the usual one lets other machines connect.
        port: The port; None for 8765, or any free one.

    Returns:
        A wrapper around `envs`, to be used in their place. It changes nothing, has all their attributes, and adds
        nothing to snapshots. `palaestra.rollout` is as fast with it, as long as it is the outermost wrapper.

    Raises:
        TypeError: If `envs` is neither an `Env` nor a `VectorEnv`, `tiles` no integer, or `config` no mapping.
        ValueError: If `tiles` is negative.
        OSError: If the folder cannot be written to.
        gymnasium.error.Error: If the page cannot be served.
    """
    if not isinstance(envs, (Env, VectorEnv)):
        raise TypeError(f"watch expects a gymnasium.Env or a gymnasium.vector.VectorEnv, but a {type(envs)} came")
    number = 1 if isinstance(envs, Env) else envs.num_envs
    if config is not None and not isinstance(config, Mapping):
        raise TypeError(f"config is a mapping from names to settings, such as a dict, but is a {type(config).__name__}")
    shown = min(positive("tiles", tiles), number) if tiles != 0 else 0
    env_id = type(envs.unwrapped).__name__ if envs.spec is None else envs.spec.id
    helper = _helper_of(Path(folder), host, port)
    about = {
        "env": env_id,
        "envs": number,
        "tiles": shown,
        "made_of": str(envs)[:400],
        "config": _settings(config or {}),
    }
    run = Run(folder, name or env_id, about)
    rests = isinstance(envs, VectorEnv) and autoreset_mode(envs) is AutoresetMode.NEXT_STEP
    monitor = Monitor(envs, run, shown, rests)
    _monitors.add(monitor)
    _latest[:] = [monitor]
    helper.follow(run.path, monitor.tiles)
    print(f"Studio: {helper.link}", flush=True)
    if helper.is_open:
        print("Other machines can connect: anyone with this link can see the trainings of its folder.", flush=True)
    watched: Any = WatchedEnv(envs, monitor) if isinstance(envs, Env) else WatchedVectorEnv(envs, monitor)
    watching: _Any = watched
    return watching


def log(**scalars: Any) -> None:
    """Add numbers of one's own to the page of the latest watched environments: `log(loss=0.3, entropy=1.2)`.

    Each has a chart, of the mean values between two points. Where nothing is watched, this does nothing.

    Args:
        **scalars: Numbers, or arrays or tensors of one number.

    Raises:
        TypeError, ValueError: If a value is no number.
    """
    numbers = {name: float(value) for name, value in scalars.items()}
    if _latest and _latest[-1].run.is_open:
        _latest[-1].run.note(numbers)


@contextmanager
def learning() -> Iterator[None]:
    """Count the time of a `with` block as learning, in the page's times of acting, stepping and learning.

    Without it, pauses between steps that are ten times as long as usual count as learning, and so does all that happens
    between two calls of `palaestra.rollout`.
    """
    began = perf_counter()
    try:
        yield
    finally:
        if _latest and _latest[-1].run.is_open:
            _latest[-1].note_learning(perf_counter() - began)


def _settings(config: Mapping[str, object]) -> dict[str, Any]:
    """Returns settings as JSON: numbers, and the texts of all else."""
    plain = {str(name): readable(value) for name, value in list(config.items())[:_MOST_SETTINGS]}
    return {name: value if isinstance(value, (int, float, str)) else str(value) for name, value in plain.items()}


def _helper_of(folder: Path, host: str, port: int | None) -> Helper:
    """Returns the process that serves this folder, which is started if there is none."""
    place = folder.absolute()
    known = _helpers.get(place)
    if known is None or not known.is_alive:
        _helpers[place] = known = Helper(place, host, port)
    return known


@atexit.register
def _close_all() -> None:
    for monitor in list(_monitors):
        monitor.close("the program has ended")
