"""`palaestra studio`."""

from __future__ import annotations

import html
import os
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from gymnasium.specs import EnvSpec
from palaestra.cli import console
from palaestra.cli.arguments import WrapperName
from palaestra.cli.environments import requested_env
from palaestra.cli.errors import INTERRUPTED, CommandError
from palaestra.cli.families import condition, register_games
from palaestra.cli.listing import families
from palaestra.cli.policies import find_in_current_folder, load_policy
from palaestra.cli.replaying import loaded

if TYPE_CHECKING:
    from palaestra.studio.gallery import Family
    from palaestra.studio.player_pool import PlayerPool
    from palaestra.studio.recordings import Recorded
    from palaestra.studio.server import Server

_RUNS = Path("runs")  # where `studio.watch` writes unless told otherwise
_DATA_SETS = (".hdf5", ".h5")
_OUTDATED = "moved elsewhere"  # the family of ids that only say where they are now
_READY = ("ready", "registered")  # beginnings of a family's condition


class StudioOptions(NamedTuple):
    """The options of the command, under their names."""

    id: str | None
    kwargs: list[tuple[str, Any]]
    wrappers: list[WrapperName]
    seed: int | None = None
    policy: str | None = None
    replay: Path | None = None
    trust: bool = False
    runs: Path | None = None
    host: str = "127.0.0.1"
    port: int | None = None
    browser: bool = True


def studio(options: StudioOptions) -> int:
    """Serve the studio until Ctrl-C; returns the exit code.

    Raises:
        CommandError: If the id is unknown, or options do not belong together.
        gymnasium.error.Error: If a library is missing, or the port is taken.
    """
    if options.id is None and (options.kwargs or options.wrappers or (options.policy and options.replay is None)):
        raise CommandError("--policy, -k and --wrapper need the ID of an environment: palaestra studio ID ...")
    if options.replay is not None and (options.id is not None or options.seed is not None):
        raise CommandError("--replay brings its environment and its seed: leave ID and --seed out")
    if options.runs is not None and (options.id is not None or options.replay is not None):
        raise CommandError("--runs shows trainings: leave ID and --replay out")
    server = _server(None if options.runs is not None else _players(options), options)
    console.echo(server.link)
    if server.is_open:
        console.echo("Other machines can connect: anyone with this link can watch and play.")
    console.echo("The link holds a secret token. Ctrl-C ends the studio.")
    sys.stdout.flush()
    with _opened(server.link) if options.browser and _has_screen() else nullcontext():
        try:
            server.run()
        except KeyboardInterrupt:  # which is how it ends, and nothing to complain of
            return INTERRUPTED
    return 0


def _players(options: StudioOptions) -> PlayerPool:
    from palaestra.studio.making import Registered
    from palaestra.studio.player_pool import PlayerPool
    from palaestra.studio.recorded import Recorded
    from palaestra.studio.recordings import local_sets

    policy = None if options.policy is None else (load_policy(options.policy), options.policy)
    if options.replay is not None and (options.replay.is_dir() or options.replay.suffix in _DATA_SETS):
        return PlayerPool(alone=_recorded(options.replay, options.trust), policy=policy)
    if options.replay is not None:
        recorded = Recorded(loaded(options.replay, options.trust))
        return PlayerPool(alone=recorded, seed=recorded.seed, policy=policy)
    if options.id is None:
        find_in_current_folder()
        register_games()
        groups = [_family(name, environments) for name, environments in families().items() if name != _OUTDATED]
        return PlayerPool(groups, seed=options.seed or 0, sets=local_sets())
    requested = requested_env(options.id, options.kwargs, options.wrappers)
    return PlayerPool(
        alone=Registered(requested.spec, requested.kwargs, requested.wrappers), seed=options.seed or 0, policy=policy
    )


def _recorded(path: Path, trusted: bool) -> Recorded:
    """Returns the episodes in a folder of replays, or in a data set; raises `CommandError` if there are none."""
    from palaestra.studio.recordings import Recorded, opened
    from palaestra.studio.session import StudioError

    try:
        return Recorded(opened(path, trusted))
    except (StudioError, OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be shown: {error}") from error


def _family(name: str, environments: Sequence[Sequence[EnvSpec]]) -> Family:
    from palaestra.studio.gallery import Family

    needs = condition(name, environments[0][-1])
    latest = [versions[-1] for versions in environments if versions[-1].entry_point is not None]
    return Family(name, needs, needs.startswith(_READY), sorted(latest, key=lambda spec: spec.id))


def _server(players: PlayerPool | None, options: StudioOptions) -> Server:
    """Returns a server at the port asked for, or at the usual one if that is free, or at any."""
    from palaestra.studio.server import serving
    from palaestra.studio.training.dashboard import Dashboard

    if options.runs is not None and not options.runs.is_dir():
        raise CommandError(f"there is no folder {options.runs}")
    chooses = options.id is None and options.replay is None
    runs = options.runs or (_RUNS if chooses and any(_RUNS.glob("*/run.json")) else None)
    return serving(players, options.host, options.port, None if runs is None else Dashboard(runs))


@contextmanager
def _opened(link: str) -> Iterator[None]:
    """Open a browser, by a file that leads on to the link: all users can read the arguments of its process."""
    with TemporaryDirectory(prefix="studio-") as folder:  # of mode 0700
        path = Path(folder) / "open.html"
        address = html.escape(link)
        path.touch(0o600)
        path.write_text(
            f'<!doctype html><title>Studio</title><meta http-equiv="refresh" content="0; url={address}">'
            f'<a href="{address}">Open the studio</a>\n',
            encoding="utf-8",
        )
        webbrowser.open(path.as_uri())
        yield


def _has_screen() -> bool:
    """Whether a browser would open a window; on a server it might take over the terminal."""
    return sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
