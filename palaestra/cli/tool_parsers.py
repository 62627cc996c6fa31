"""The command lines of the tools, and the texts of their `--help`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from palaestra.cli.arguments import (
    ID_HELP,
    Commands,
    add_environment,
    add_episodes,
    add_json,
    add_record,
    add_video_limit,
    listed,
    one_of,
    options_of,
    output_file,
    positive,
    whole_number,
    with_examples,
)

_CHECK_EXAMPLES = """\
Each finding has the id of its rule: G1.. spaces, G2.. reset, G3.. step, G4.. observations and infos, G5.. render,
G6.. close, G7.. the checks of --deep. Errors break programs, warnings may break them; notes are matters of taste, or
mark checks that could not run. The exit code is 1 if there are errors.

examples:
  palaestra check my_package:MyEnv-v0
  palaestra check my_package:MyEnv-v0 --deep --ignore G113,G114
  palaestra check CartPole-v1 --json
  palaestra check my_module:MyEnv --compile
  palaestra check my_module:MyEnv --jax
"""

_BENCH_EXAMPLES = """\
Modes: single, one environment; sync, one after the other in this process; async, in worker processes; compiled, the
environment's own vector class, or for a class of yours its source as machine code. The numbers are steps of single
environments per second, with random actions.

examples:
  palaestra bench CartPole-v1
  palaestra bench HalfCheetah-v5 --num-envs 8,64 --modes sync,async
  palaestra bench FrozenLake-v1 -k map_name=8x8 --json
"""

_PLAY_EXAMPLES = """\
The keys are printed first. An episode begins with its first key. Escape, or closing the window, ends the game.

examples:
  palaestra play MountainCar-v0
  palaestra play CartPole-v1 --keys left=0,right=1
  palaestra play FrozenLake-v1 --wait --zoom 1.5
"""

_STUDIO_EXAMPLES = """\
It prints a link with a secret token, and opens it in the browser if there is a screen. On another machine, forward the
port: ssh -L 8765:localhost:8765 HOST, then open the printed link. Without ID it shows all environments to choose from.

examples:
  palaestra studio
  palaestra studio CartPole-v1
  palaestra studio LunarLander-v3 --policy my_agent:act --seed 3
  palaestra studio --replay replays/CartPole-v1_0.replay
  palaestra studio --replay ~/.minari/datasets/cartpole/random-v0
  palaestra studio --runs runs
"""

_RECORD_EXAMPLES = """\
examples:
  palaestra record CartPole-v1 --out cartpole.mp4
  palaestra record LunarLander-v3 --out lander.gif --policy my_agent:act
"""

_REPLAY_EXAMPLES = """\
Episodes are recorded by `palaestra run --record DIR`, or by palaestra.recording.RecordReplays in a program. The exit
code is 1 if --verify finds a difference.

examples:
  palaestra replay replays/CartPole-v1_0.replay
  palaestra replay replays/CartPole-v1_0.replay --verify
  palaestra replay replays/CartPole-v1_0.replay --video cartpole.mp4
"""

_DOCTOR_EXAMPLES = """\
examples:
  palaestra doctor
  palaestra doctor > report.txt
  palaestra doctor --json
"""

_COMPLETION_EXAMPLES = """\
examples:
  palaestra completion bash >> ~/.bashrc
  palaestra completion zsh >> ~/.zshrc
  palaestra completion fish > ~/.config/fish/completions/palaestra.fish
"""


def add_tools(commands: Commands) -> None:
    """Add the subcommands."""
    _add_check(commands)
    _add_bench(commands)
    _add_play(commands)
    _add_studio(commands)
    _add_record(commands)
    _add_replay(commands)
    _add_doctor(commands)
    _add_completion(commands)


def _add_check(commands: Commands) -> None:
    text = "Check an environment: each finding is listed once, with its remedy."
    command = commands.add_parser(
        "check", help="check an environment for faults", description=text, **with_examples(_CHECK_EXAMPLES)
    )
    command.add_argument("id", metavar="ID", help=ID_HELP)
    add_json(command)
    command.add_argument(
        "--select", metavar="G..", type=listed(str), help="only these rules, or those whose ids begin so: G307,G5"
    )
    command.add_argument("--ignore", metavar="G..", type=listed(str), default=[], help="leave these rules out")
    command.add_argument(
        "--deep", action="store_true", help="also try other processes, copies, many random actions and rendering"
    )
    command.add_argument(
        "--compile", action="store_true", help="report instead whether your own class can be compiled, and why not"
    )
    command.add_argument(
        "--jax",
        action="store_true",
        help="report instead whether your own class runs under JAX, and what differs",
    )
    command.set_defaults(command=_check)


def _add_bench(commands: Commands) -> None:
    text = "Measure the speed of an environment, and name the fastest way to run many here, with the reason."
    command = commands.add_parser(
        "bench",
        help="measure the speed of an environment",
        description=text,
        **with_examples(_BENCH_EXAMPLES),
    )
    add_environment(command)
    command.add_argument(
        "--num-envs", metavar="N,..", type=listed(whole_number(1)), default=[16, 256], help="batch sizes (16,256)"
    )
    command.add_argument(
        "--modes",
        metavar="MODE,..",
        type=listed(one_of("single", "sync", "async", "compiled", "ray")),
        default=["single", "sync", "async", "compiled"],
        help="ways to run them (single,sync,async,compiled); also ray: on a cluster, or on a Ray started here",
    )
    command.add_argument("--seconds", metavar="S", type=positive, default=1.0, help="duration of each measurement (1)")
    command.add_argument("--plot", metavar="FILE.png", type=output_file(".png"), help="write a bar chart")
    add_json(command)
    command.set_defaults(command=_bench)


def _add_play(commands: Commands) -> None:
    text = "Play an environment yourself, by keyboard, in a window."
    command = commands.add_parser("play", help="play in a window", description=text, **with_examples(_PLAY_EXAMPLES))
    add_environment(command)
    command.add_argument(
        "--keys", metavar="KEY=ACTION,..", help="keys and the numbers of their actions: a letter, left, right, up, ..."
    )
    command.add_argument("--seed", metavar="S", type=whole_number(0), help="seed of each episode")
    command.add_argument(
        "--fps",
        metavar="F",
        type=whole_number(1),
        help="steps per second, instead of the environment's own",
    )
    command.add_argument("--zoom", metavar="Z", type=positive, help="initial zoom of the window")
    command.add_argument(
        "--wait", action="store_true", help="step only while a key is pressed, as always in board games"
    )
    add_record(command)
    command.set_defaults(command=_play)


def _add_studio(commands: Commands) -> None:
    text = "See, play and rewind an environment in a browser, or watch trainings."
    command = commands.add_parser(
        "studio", help="open environments in a browser", description=text, **with_examples(_STUDIO_EXAMPLES)
    )
    add_environment(command, optional=True)
    command.add_argument("--seed", metavar="S", type=whole_number(0), help="seed of the first episode (0)")
    command.add_argument("--policy", metavar="module:function", help="a policy that can choose the actions")
    command.add_argument(
        "--replay", metavar="FILE", type=Path, help="a recorded episode, a folder of them, or a data set"
    )
    _add_trust(command)
    command.add_argument(
        "--runs",
        metavar="DIR",
        type=Path,
        help="a folder of trainings that `studio.watch` has written",
    )
    command.add_argument("--host", metavar="H", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    command.add_argument("--port", metavar="P", type=whole_number(0), help="port (8765, or any free one)")
    command.add_argument("--no-browser", dest="browser", action="store_false", help="print the link only")
    command.set_defaults(command=_studio)


def _add_record(commands: Commands) -> None:
    text = "Run episodes and record them into one video."
    command = commands.add_parser("record", help="record a video", description=text, **with_examples(_RECORD_EXAMPLES))
    add_environment(command)
    command.add_argument(
        "--out",
        dest="video",
        metavar="FILE.mp4|.gif",
        type=output_file(".mp4", ".gif"),
        required=True,
        help="the video",
    )
    add_episodes(command, 1)
    add_video_limit(command)
    command.set_defaults(command=_record)


def _add_replay(commands: Commands) -> None:
    text = "Run a recorded episode again: print its return and length, film it, or compare it with the record."
    command = commands.add_parser(
        "replay", help="run a recorded episode again", description=text, **with_examples(_REPLAY_EXAMPLES)
    )
    command.add_argument("file", metavar="FILE", type=Path, help="the recorded episode")
    command.add_argument(
        "--import",
        dest="modules",
        metavar="MODULE",
        action="append",
        default=[],
        help="import a package that registers the environment first; may be repeated",
    )
    _add_trust(command)
    command.add_argument(
        "--verify",
        action="store_true",
        help="compare each observation, reward and end; name the first that differs",
    )
    command.add_argument(
        "--video", metavar="FILE.mp4|.gif", type=output_file(".mp4", ".gif"), help="record the episode into a video"
    )
    add_video_limit(command)
    add_json(command)
    command.set_defaults(command=_replay)


def _add_trust(command: ArgumentParser) -> None:
    command.add_argument(
        "--trust", action="store_true", help="let the file name any wrapper and argument: only for a file of your own"
    )


def _add_doctor(commands: Commands) -> None:
    text = "Examine this installation: versions, extras, display, OpenGL, video; and print the commands that repair it."
    command = commands.add_parser(
        "doctor",
        help="examine this installation",
        description=text,
        **with_examples(_DOCTOR_EXAMPLES),
    )
    add_json(command)
    command.set_defaults(command=_doctor)


def _add_completion(commands: Commands) -> None:
    text = "Print a script with which a shell completes commands, options and ids of environments."
    command = commands.add_parser(
        "completion", help="print completions for a shell", description=text, **with_examples(_COMPLETION_EXAMPLES)
    )
    command.add_argument("shell", choices=["bash", "zsh", "fish"], help="the shell")
    command.set_defaults(command=lambda arguments: _completion(arguments, commands))


def _check(arguments: Namespace) -> int:
    if arguments.compile:
        from palaestra.cli.compiling import check_compiled

        return check_compiled(arguments.id, arguments.json)
    if arguments.jax:
        from palaestra.cli.compiling import check_under_jax

        return check_under_jax(arguments.id, arguments.json)
    from palaestra.cli.checking import check

    return check(arguments.id, arguments.select, arguments.ignore, arguments.deep, arguments.json)


def _bench(arguments: Namespace) -> int:
    from palaestra.cli.benching import BenchOptions, bench

    return bench(BenchOptions(**options_of(arguments)))


def _play(arguments: Namespace) -> int:
    from palaestra.cli.playing import PlayOptions, play

    return play(PlayOptions(**options_of(arguments)))


def _studio(arguments: Namespace) -> int:
    from palaestra.cli.serving import StudioOptions, studio

    return studio(StudioOptions(**options_of(arguments)))


def _record(arguments: Namespace) -> int:
    from palaestra.cli.running import RunOptions, run

    return run(RunOptions(**options_of(arguments)))


def _replay(arguments: Namespace) -> int:
    from palaestra.cli.replaying import ReplayOptions, replay

    return replay(ReplayOptions(**options_of(arguments)))


def _doctor(arguments: Namespace) -> int:
    from palaestra.cli.doctor import examine

    return examine(arguments.json)


def _completion(arguments: Namespace, commands: Commands) -> int:
    from palaestra.cli.completion import print_script

    return print_script(arguments.shell, commands)
