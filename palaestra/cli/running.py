"""`palaestra run` and `palaestra record`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.cli import console
from palaestra.cli.arguments import WrapperName
from palaestra.cli.environments import RequestedEnv, recorded_batch, requested_env
from palaestra.cli.episodes import Policy, Tally, Viewer, play
from palaestra.cli.errors import INTERRUPTED, CommandError, described, one_line
from palaestra.cli.film import Film
from palaestra.cli.interrupt import StopRequest
from palaestra.cli.policies import load_policy
from palaestra.cli.text_frames import print_frame

_DEFAULT_FPS = 30  # if the environment does not define it


class RunOptions(NamedTuple):
    """The options of the command, under their names."""

    id: str
    kwargs: list[tuple[str, Any]]
    wrappers: list[WrapperName]
    policy: str = "random"
    episodes: int = 10
    num_envs: int = 1
    seed: int | None = None
    max_steps: int | None = None
    video: Path | None = None
    video_limit: float = 120.0
    plot: Path | None = None
    render: str | None = None
    record: Path | None = None
    json: bool = False
    vary: Sequence[tuple[str, Any]] = ()

    def has_pictures(self) -> bool:
        """Whether frames are needed as arrays."""
        return self.video is not None or (self.render == "human" and self.num_envs > 1)


def run(options: RunOptions) -> int:
    """Run episodes and report them, even after Ctrl-C or an error.

    Returns:
        The exit code: 0, or 130 after Ctrl-C.

    Raises:
        CommandError: If an option is wrong, before anything runs; or if an episode fails.
        gymnasium.error.Error: If the environment cannot be made or shown here.
    """
    policy = None if options.policy == "random" else load_policy(options.policy)
    if options.plot is not None:
        from palaestra.cli import plots  # noqa: F401  # without matplotlib, fail here, before the run
    requested = requested_env(options.id, options.kwargs, options.wrappers)
    if options.vary and options.num_envs == 1:
        requested = requested._replace(wrappers=[*requested.wrappers, partial(_varied, options)])
    if options.record is not None and options.num_envs == 1:
        requested = requested.recorded(options.record)
    _check_rendering(options, requested)
    tally = Tally()
    with ExitStack() as stack:
        env = stack.enter_context(closing(_made(options, requested)))
        env.action_space.seed(options.seed)
        views = stack.enter_context(ExitStack())
        film, viewers = _viewers(options, env, views)
        stop = stack.enter_context(StopRequest())
        if options.render != "ansi" and not options.json:
            stack.enter_context(console.progress(options.episodes, tally.progress))
        start = partial(_player(options), env, _policy(options, env, policy))
        failure = _attempt(partial(start, options.episodes, options.seed, viewers, tally, stop), views)
    unfilmed = isinstance(failure, OSError) and failure.filename == str(options.video)
    _report(options, requested, tally, None if unfilmed else film)
    if unfilmed:
        raise CommandError(one_line(failure), exit_code=1) from failure
    if failure is not None:
        raise CommandError(
            f"episode {len(tally.returns) + 1} of {options.episodes} failed: {described(failure)}", exit_code=1
        ) from failure
    return INTERRUPTED if stop.made else 0


def _attempt(start: Callable[[], None], views: ExitStack) -> Exception | None:
    """Play, and close the `views`. The error, if any, is returned, so that the finished part can be reported first."""
    try:
        with views:
            start()
    except KeyboardInterrupt:  # the second Ctrl-C
        return None
    except Exception as error:
        return error
    return None


def _check_rendering(options: RunOptions, requested: RequestedEnv) -> None:
    modes = requested.render_modes()
    if options.render == "ansi" and options.video is not None:
        raise CommandError("--video needs pictures and --render ansi text, but only one is possible: leave one out")
    if options.render == "ansi" and "ansi" not in modes:
        raise CommandError(
            f"--render ansi needs that render mode, but {requested.spec.id!r} has {', '.join(modes) or 'none'}"
        )
    if options.num_envs == 1:
        return
    if options.render == "ansi":
        raise CommandError("--render ansi shows one environment, but --num-envs asks for more: leave one out")
    if options.has_pictures() and "rgb_array" not in modes:
        raise CommandError(f"{requested.spec.id!r} has no pictures of its own, which --num-envs needs to show many")


def _made(options: RunOptions, requested: RequestedEnv) -> Any:
    if options.num_envs > 1:
        from palaestra.cli.memory import check_memory

        mode = "sync" if requested.wrappers else None
        check_memory(
            requested, "compiled" if requested.spec.vector_entry_point and mode is None else "sync", options.num_envs
        )
        envs = requested.made_vec(
            options.num_envs, mode, options.max_steps, "rgb_array" if options.has_pictures() else None
        )
        envs = _varied(options, envs)
        return envs if options.record is None else recorded_batch(envs, options.record)
    if options.has_pictures() or (options.render == "human" and not requested.render_modes()):
        from palaestra.cli.pictures import made_with_pictures

        return made_with_pictures(requested, options.max_steps)
    return requested.made(options.max_steps, options.render)


def _varied(options: RunOptions, env: Any) -> Any:
    """Returns the environments, with params drawn for each episode if that was asked.

    Raises:
        CommandError: If they have no such params, or refuse them.
    """
    if not options.vary:
        return env
    from palaestra.randomization import Choice, RandomizeParams, Uniform
    from palaestra.randomization.vector import RandomizeParams as RandomizeAll

    for name, _ in options.vary:
        if name in ("self", "env", "observe"):  # arguments of the wrappers
            env.close()
            raise CommandError(f"--vary: there is no param {name!r}")
    params: dict[str, Any] = {
        name: Choice(how) if isinstance(how, list) else Uniform(*how) for name, how in options.vary
    }
    try:
        return RandomizeParams(env, **params) if options.num_envs == 1 else RandomizeAll(env, **params)
    except (TypeError, ValueError) as error:
        env.close()
        raise CommandError(f"--vary: {one_line(error)}") from error


def _player(options: RunOptions) -> Callable[..., None]:
    if options.num_envs == 1:
        return play
    from palaestra.cli.batches import play_batch

    return play_batch


def _policy(options: RunOptions, env: Any, policy: Policy | None) -> Policy:
    if options.num_envs == 1:
        return policy or (lambda _: env.action_space.sample())
    from palaestra.cli.batches import batch_policy

    return batch_policy(env, policy)


def _viewers(options: RunOptions, env: Any, stack: ExitStack) -> tuple[Film | None, list[Viewer]]:
    """Returns the video, and the viewers of the frames; a window of the environment itself is not included."""
    if options.render == "ansi":
        return None, [print_frame]
    if env.render_mode != "rgb_array":
        return None, []
    fps = env.metadata.get("render_fps", _DEFAULT_FPS)
    film = None if options.video is None else stack.enter_context(_film(options, options.video, fps))
    viewers: list[Viewer] = [] if film is None else [film.write]
    if options.render == "human":
        from gymnasium.rendering import Window, require_display

        require_display()
        window = stack.enter_context(closing(Window(options.id, fps)))
        viewers.append(lambda frame, _: window.show(frame))
    return film, viewers


def _film(options: RunOptions, path: Path, fps: Any) -> Film:
    try:
        return Film(path, fps, options.video_limit)
    except ValueError as reason:
        raise CommandError(f"{options.id} has a wrong `render_fps` in its metadata. {reason}", exit_code=1) from reason


def _report(options: RunOptions, requested: RequestedEnv, tally: Tally, film: Film | None) -> None:
    finished = len(tally.returns)
    filmed = film is not None and options.video is not None and options.video.exists()
    plot = options.plot if finished else None
    if options.json:
        console.print_json(
            {
                "id": requested.spec.id,
                "policy": options.policy,
                "num_envs": options.num_envs,
                "returns": tally.returns,
                "lengths": tally.lengths,
                "steps": tally.steps,
                "steps_per_second": round(tally.speed(), 1),
                "video": options.video if filmed else None,
                "video_is_cut": filmed and film is not None and film.is_cut(),
                "plot": plot,
                "replays": options.record,
            }
        )
    else:
        _report_text(options, requested, tally)
        if filmed and film is not None:
            console.echo(f"video: {options.video}{film.remark()}")
        if options.record is not None:
            console.echo(f"replays: {options.record}")
    if plot is not None:
        from palaestra.cli.plots import plot_episodes

        plot_episodes(plot, f"{requested.spec.id}, {options.policy} policy", tally.returns, tally.lengths)
        if not options.json:
            console.echo(f"plot: {plot}")


def _report_text(options: RunOptions, requested: RequestedEnv, tally: Tally) -> None:
    finished = len(tally.returns)
    console.heading(requested.spec.id, f"{options.policy} policy")
    if finished:
        console.table(tally.statistics(), ("", "mean", "std", "min", "max"), numbers=True)
    else:
        console.echo("no episode was finished")
    part = "" if finished == options.episodes else f" of {options.episodes}"
    noun = "episode" if options.episodes == 1 else "episodes"
    steps = "step" if tally.steps == 1 else "steps"
    console.echo(f"{finished}{part} {noun}, {tally.steps:,} {steps}, {tally.speed():,.0f} steps/s")
