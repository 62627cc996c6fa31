"""`palaestra replay`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from gymnasium.error import Error
from palaestra.cli import console
from palaestra.cli.environments import RequestedEnv
from palaestra.cli.errors import CommandError
from palaestra.cli.families import register_games
from palaestra.cli.film import Film
from palaestra.cli.listing import register_from
from palaestra.cli.pictures import made_with_pictures
from palaestra.recording.replays import Replay, Verification

_DEFAULT_FPS = 30  # if the environment does not define it


class ReplayOptions(NamedTuple):
    """The options of the command, under their names."""

    file: Path
    modules: Sequence[str] = ()
    trust: bool = False
    verify: bool = False
    video: Path | None = None
    video_limit: float = 120.0
    json: bool = False


def replay(options: ReplayOptions) -> int:
    """Run a recorded episode again and report it; returns the exit code.

    Returns:
        1 if the episode was verified and is another one, else 0.

    Raises:
        CommandError: If the file is no replay, or the episode cannot run.
        gymnasium.error.Error: If the environment cannot be made or shown here.
    """
    for module in options.modules:
        register_from(module)
    episode = loaded(options.file, options.trust)
    try:
        verification = episode.verify() if options.verify else None
        rerun = _run(episode, options) if verification is None or options.video is not None else None
    except ValueError as error:
        raise CommandError(f"{options.file} cannot run again: {error}", exit_code=1) from error
    _report(options, episode, rerun, verification)
    return int(verification is not None and not verification)


def loaded(path: Path, trusted: bool) -> Replay:
    """Returns the replay in a file; raises `CommandError` if it is none. If trusted, it may ask for anything."""
    if path.is_dir():
        raise CommandError(f"{path} is a folder; name one of the files in it")
    try:
        try:
            return Replay.load(path, trusted=trusted)
        except Error:
            if not register_games():
                raise
            return Replay.load(path, trusted=trusted)
    except FileNotFoundError as error:
        raise CommandError(f"there is no file {path}") from error
    except ValueError as error:
        raise CommandError(str(error)) from error


class _Rerun(NamedTuple):
    """The episode as it ran again."""

    total: float
    length: int
    film: Film | None


def _run(episode: Replay, options: ReplayOptions) -> _Rerun:
    total, length, film = 0.0, -1, None
    requested = RequestedEnv(episode.spec, {}, [])
    with closing(requested.made() if options.video is None else made_with_pictures(requested)) as env:
        if options.video is not None:
            film = Film(options.video, env.metadata.get("render_fps", _DEFAULT_FPS), options.video_limit)
        try:
            for step in episode.run(env):
                total += step.reward
                length += 1
                if film is not None:
                    film.write(env.render())
        finally:
            if film is not None:
                film.__exit__(None, None, None)
    return _Rerun(total, length, film)


def _report(options: ReplayOptions, episode: Replay, rerun: _Rerun | None, verification: Verification | None) -> None:
    total = float(episode.rewards.sum()) if rerun is None else rerun.total
    if options.json:
        console.print_json(_facts(options, episode, total, rerun, verification))
        return
    console.heading(episode.spec.id, f"recorded in {episode.runner}")
    seed = "none of its own" if episode.seed is None else str(episode.seed)
    end = "terminated" if episode.terminated else "truncated" if episode.truncated else "interrupted"
    console.table([("return", f"{total:g}"), ("length", f"{len(episode)}, {end}"), ("seed", seed)])
    if rerun is not None and total != float(episode.rewards.sum()):
        console.echo(f"another return was recorded, {episode.rewards.sum():g}; --verify shows where they differ")
    if verification is not None:
        console.echo(("equal: " if verification else "different: ") + str(verification))
        if not verification:
            console.table([(name, text) for name, text in episode.made_on.items()], ("recorded with", ""))
    if rerun is not None and rerun.film is not None:
        console.echo(f"video: {options.video}{rerun.film.remark()}")


def _facts(
    options: ReplayOptions, episode: Replay, total: float, rerun: _Rerun | None, verification: Verification | None
) -> dict[str, Any]:
    film = None if rerun is None else rerun.film
    facts = {
        "file": options.file,
        "id": episode.spec.id,
        "seed": episode.seed,
        "return": total,
        "length": len(episode),
        "terminated": episode.terminated,
        "truncated": episode.truncated,
        "runner": episode.runner,
        "made_on": episode.made_on,
        "video": options.video,
        "video_is_cut": film is not None and film.is_cut(),
        "verified": None,
    }
    if verification is not None:
        facts["verified"] = {"equal": bool(verification), **verification._asdict()}
    return facts
