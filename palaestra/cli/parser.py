"""The command line, and the texts of `--help`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from palaestra.cli.arguments import (
    Commands,
    Parser,
    add_environment,
    add_episodes,
    add_json,
    add_record,
    add_video_limit,
    options_of,
    output_file,
    varied,
    whole_number,
    with_examples,
)
from palaestra.cli.tool_parsers import add_tools

_EXAMPLES = """\
examples:
  palaestra list
  palaestra show CartPole-v1
  palaestra run CartPole-v1 --episodes 100
  palaestra check my_package:MyEnv-v0
  palaestra doctor
"""

_LIST_EXAMPLES = """\
examples:
  palaestra list
  palaestra list --family toy_text
  palaestra list --family ALE
  palaestra list --all --json
"""

_SHOW_EXAMPLES = """\
examples:
  palaestra show FrozenLake-v1
  palaestra show ALE/Pong-v5
  palaestra show FrozenLake-v1 -k map_name=8x8 --json
  palaestra show CartPole-v1 --kernel
"""

_RUN_EXAMPLES = """\
The policy is a function: it is called as policy(observation) and returns an action. `module` is also searched in the
current folder. With --seed, the same command gives the same episodes if the policy is deterministic. With --num-envs,
several environments run at once and share the episodes.

Ctrl-C ends the run after the current step and reports the results so far; a second Ctrl-C ends it at once.

examples:
  palaestra run CartPole-v1 --episodes 100 --seed 0
  palaestra run CartPole-v1 --policy my_agent:act --plot returns.png
  palaestra run CartPole-v1 --policy my_agent:act --video cartpole.mp4
  palaestra run FrozenLake-v1 --episodes 1 --render ansi
  palaestra run Pendulum-v1 --episodes 3 --render human
  palaestra run FrozenLake-v1 --wrapper TimeLimit:max_episode_steps=50
  palaestra run LunarLander-v3 --episodes 1000 --num-envs 16 --json
  palaestra run CartPole-v1 --vary gravity=8:12 --vary length=0.4,0.5,0.6
"""


def build_parser() -> ArgumentParser:
    """Returns the parser; its results have the function to call in `command`."""
    top = Parser("palaestra", description="Reinforcement-learning environments.", **with_examples(_EXAMPLES))
    # The root package is always loaded here; importing it by name would invert the layers.
    version = sys.modules["gymnasium"].__version__
    top.add_argument("--version", action="version", version=f"palaestra {version}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=False)
    top.set_defaults(command=lambda _: _help(top))
    _add_list(commands)
    _add_show(commands)
    _add_run(commands)
    add_tools(commands)
    return top


def _add_list(commands: Commands) -> None:
    text = "List the environments by family, with their versions and whether their libraries are installed."
    command = commands.add_parser("list", help="list environments", description=text, **with_examples(_LIST_EXAMPLES))
    command.add_argument("--family", metavar="F", help="only this family or namespace")
    command.add_argument(
        "--import",
        dest="modules",
        metavar="MODULE",
        action="append",
        default=[],
        help="import a package that registers environments first; may be repeated",
    )
    command.add_argument("--all", dest="every", action="store_true", help="list the Atari games too")
    add_json(command)
    command.set_defaults(command=_list)


def _add_show(commands: Commands) -> None:
    text = "Show one environment: spaces, rewards, limits, arguments, render modes, wrappers."
    command = commands.add_parser(
        "show",
        help="describe an environment",
        description=text,
        **with_examples(_SHOW_EXAMPLES),
    )
    add_environment(command)
    command.add_argument("--kernel", action="store_true", help="print the function that steps a compiled batch")
    add_json(command)
    command.set_defaults(command=_show)


def _add_run(commands: Commands) -> None:
    text = "Run episodes, then print their returns, their lengths and the steps per second."
    command = commands.add_parser("run", help="run episodes", description=text, **with_examples(_RUN_EXAMPLES))
    add_environment(command)
    add_episodes(command, 10)
    command.add_argument(
        "--num-envs",
        metavar="N",
        type=whole_number(1),
        default=1,
        help="environments that run at once (1)",
    )
    command.add_argument(
        "--video", metavar="FILE.mp4|.gif", type=output_file(".mp4", ".gif"), help="record all episodes into a video"
    )
    add_video_limit(command)
    command.add_argument(
        "--vary",
        metavar="NAME=LOW:HIGH",
        type=varied,
        action="append",
        default=[],
        help="draw a param for each episode, from a range, or from values: NAME=A,B,C; may be repeated",
    )
    command.add_argument(
        "--plot", metavar="FILE.png", type=output_file(".png"), help="plot the return and length of each episode"
    )
    command.add_argument("--render", choices=["human", "ansi"], help="watch: in a window, or as text")
    add_record(command)
    add_json(command)
    command.set_defaults(command=_run)


def _help(parser: ArgumentParser) -> int:
    parser.print_help()
    return 0


def _list(arguments: Namespace) -> int:
    from palaestra.cli.listing import list_environments

    return list_environments(arguments.family, arguments.modules, arguments.every, arguments.json)


def _show(arguments: Namespace) -> int:
    from palaestra.cli.showing import show, show_kernel

    if arguments.kernel:
        return show_kernel(arguments.id, arguments.kwargs)
    return show(arguments.id, arguments.kwargs, arguments.wrappers, arguments.json)


def _run(arguments: Namespace) -> int:
    from palaestra.cli.running import RunOptions, run

    return run(RunOptions(**options_of(arguments)))
