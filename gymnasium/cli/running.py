"""`gymnasium run`."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

from gymnasium.cli import console
from gymnasium.cli.environments import check_render_mode, made, spec_of
from gymnasium.cli.episodes import Policy, Tally, Viewer, play
from gymnasium.cli.errors import INTERRUPTED, CommandError, described, one_line
from gymnasium.cli.interrupt import StopRequest
from gymnasium.cli.policies import load_policy
from gymnasium.cli.warning_lines import ESCAPE
from gymnasium.core import Env
from gymnasium.specs import EnvSpec

_DEFAULT_FPS = 30  # where the environment does not say


class RunOptions(NamedTuple):
    """What was asked for; the fields are the options of the command line."""

    id: str
    policy: str = "random"
    episodes: int = 10
    seed: int | None = None
    max_steps: int | None = None
    video: Path | None = None
    plot: Path | None = None
    render: str | None = None


def run(options: RunOptions) -> int:
    """Run episodes and report them; also what there is of them after Ctrl-C or an error.

    Returns:
        The exit code: 0, or 130 after Ctrl-C.

    Raises:
        CommandError: If something asked for is wrong, before anything runs; or if an episode fails.
        gymnasium.error.Error: If the environment cannot be made or shown here.
    """
    policy = None if options.policy == "random" else load_policy(options.policy)
    if options.plot is not None:
        from gymnasium.cli import plots  # noqa: F401  # without matplotlib, end here rather than after the run
    spec = spec_of(options.id)
    mode = _render_mode(options, spec)
    tally = Tally()
    with ExitStack() as stack:
        env = stack.enter_context(closing(made(spec, options.max_steps, render_mode=mode)))
        env.action_space.seed(options.seed)
        views = stack.enter_context(ExitStack())
        viewers = _viewers(options, env, views)
        stop = stack.enter_context(StopRequest())
        if options.render != "ansi":
            stack.enter_context(console.progress(options.episodes, tally.progress))
        failure = _attempt(env, policy or (lambda _: env.action_space.sample()), options, viewers, views, tally, stop)
    unfilmed = isinstance(failure, OSError) and failure.filename == str(options.video)
    _report(options, spec, tally, filmed=not unfilmed)
    if unfilmed:
        raise CommandError(one_line(failure), exit_code=1) from failure
    if failure is not None:
        raise CommandError(
            f"episode {len(tally.returns) + 1} of {options.episodes} failed: {described(failure)}", exit_code=1
        ) from failure
    return INTERRUPTED if stop.made else 0


def _attempt(
    env: Env[Any, Any],
    policy: Policy,
    options: RunOptions,
    viewers: list[Viewer],
    views: ExitStack,
    tally: Tally,
    stop: StopRequest,
) -> Exception | None:
    """Play, and close the `views`. What went wrong is returned, so that the finished part can be reported first."""
    try:
        with views:
            play(env, policy, options.episodes, options.seed, viewers, tally, stop)
    except KeyboardInterrupt:  # the second Ctrl-C
        return None
    except Exception as error:
        return error
    return None


def _render_mode(options: RunOptions, spec: EnvSpec) -> str | None:
    """Returns the mode to make the environment with: frames if any are to be kept."""
    if options.video is None:
        mode, option = options.render, f"--render {options.render}"
    elif options.render == "ansi":
        raise CommandError("--video needs pictures and --render ansi text, but only one can be had: leave one out")
    else:
        mode, option = "rgb_array", "--video"
    if mode is not None:
        check_render_mode(spec, mode, option)
    return mode


def _viewers(options: RunOptions, env: Env[Any, Any], stack: ExitStack) -> list[Viewer]:
    """Returns what is to be given the frames; a window that the environment opens by itself needs none."""
    if options.render == "ansi":
        return [_print_frame]
    if options.video is None:
        return []
    from gymnasium.rendering import VideoWriter, Window, require_display

    fps = env.metadata.get("render_fps", _DEFAULT_FPS)
    try:
        film = stack.enter_context(VideoWriter(options.video, fps))
    except ValueError as reason:
        raise CommandError(f"{options.id} has a wrong `render_fps` in its metadata. {reason}", exit_code=1) from reason
    viewers: list[Viewer] = [film.write]
    if options.render == "human":
        require_display()
        viewers.append(stack.enter_context(closing(Window(options.id, fps))).show)
    return viewers


def _print_frame(frame: Any) -> None:
    text = str(frame)
    print(text if sys.stdout.isatty() else ESCAPE.sub("", text), flush=True)


def _report(options: RunOptions, spec: EnvSpec, tally: Tally, *, filmed: bool) -> None:
    finished = len(tally.returns)
    console.heading(spec.id, f"{options.policy} policy")
    if finished:
        console.table(tally.statistics(), ("", "mean", "std", "min", "max"), numbers=True)
    else:
        console.echo("no episode was finished")
    part = "" if finished == options.episodes else f" of {options.episodes}"
    noun = "episode" if options.episodes == 1 else "episodes"
    console.echo(f"{finished}{part} {noun}, {tally.steps:,} steps, {tally.speed():,.0f} steps/s")
    if filmed and options.video is not None and options.video.exists():
        console.echo(f"video: {options.video}")
    if options.plot is not None and finished:
        from gymnasium.cli.plots import plot_episodes

        plot_episodes(options.plot, f"{spec.id}, {options.policy} policy", tally.returns, tally.lengths)
        console.echo(f"plot: {options.plot}")
