"""What can be typed, and what `--help` says about it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import Any

from gymnasium.cli.arguments import ID_HELP, Parser, output_file, whole_number, with_examples
from gymnasium.cli.tool_parsers import add_tools

_EXAMPLES = """\
examples:
  gymnasium list
  gymnasium show CartPole-v1
  gymnasium run CartPole-v1 --episodes 100
  gymnasium check my_package:MyEnv-v0
  gymnasium doctor
"""

_LIST_EXAMPLES = """\
examples:
  gymnasium list
  gymnasium list --family toy_text
  gymnasium list --family ALE
"""

_SHOW_EXAMPLES = """\
examples:
  gymnasium show FrozenLake-v1
  gymnasium show ALE/Pong-v5
"""

_RUN_EXAMPLES = """\
The policy is a function: it is called as policy(observation) and returns an action. `module` is looked for in the
current folder too. With --seed, equal commands give equal episodes, if the policy does.

Ctrl-C ends the run after the step under way, and what there is so far is reported; a second one ends it at once.

examples:
  gymnasium run CartPole-v1 --episodes 100 --seed 0
  gymnasium run CartPole-v1 --policy my_agent:act --video cartpole.mp4 --plot returns.png
  gymnasium run FrozenLake-v1 --episodes 1 --render ansi
  gymnasium run Pendulum-v1 --episodes 3 --render human
"""


def build_parser() -> ArgumentParser:
    """Returns the parser; what it parses has the function to call in `command`."""
    top = Parser("gymnasium", description="Reinforcement-learning environments.", **with_examples(_EXAMPLES))
    # The root package is always loaded here; importing it by name would turn the layers upside down.
    version = sys.modules["gymnasium"].__version__
    top.add_argument("--version", action="version", version=f"gymnasium {version}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_list(commands)
    _add_show(commands)
    _add_run(commands)
    add_tools(commands)
    return top


def _add_list(commands: _SubParsersAction[Any]) -> None:
    text = "List the environments by family, with their versions and what is installed."
    command = commands.add_parser("list", help="what there is", description=text, **with_examples(_LIST_EXAMPLES))
    command.add_argument("--family", metavar="F", help="only this family or namespace")
    command.add_argument(
        "--import",
        dest="modules",
        metavar="MODULE",
        action="append",
        default=[],
        help="import a package that registers environments first; may be repeated",
    )
    command.set_defaults(command=_list)


def _add_show(commands: _SubParsersAction[Any]) -> None:
    text = "Show one environment: spaces, rewards, limits, arguments, render modes, wrappers."
    command = commands.add_parser("show", help="what one is like", description=text, **with_examples(_SHOW_EXAMPLES))
    command.add_argument("id", metavar="ID", help=ID_HELP)
    command.set_defaults(command=_show)


def _add_run(commands: _SubParsersAction[Any]) -> None:
    text = "Run episodes, then print their returns, their lengths and the steps per second."
    command = commands.add_parser("run", help="run episodes", description=text, **with_examples(_RUN_EXAMPLES))
    command.add_argument("id", metavar="ID", help=ID_HELP)
    command.add_argument(
        "--policy", metavar="random|module:function", default="random", help="what chooses the actions (random)"
    )
    command.add_argument("--episodes", metavar="N", type=whole_number(1), default=10, help="how many episodes (10)")
    command.add_argument("--seed", metavar="S", type=whole_number(0), help="seed of environment and random actions")
    command.add_argument(
        "--max-steps", metavar="T", type=whole_number(1), help="end an episode after T steps, in place of its own limit"
    )
    command.add_argument(
        "--video", metavar="FILE.mp4|.gif", type=output_file(".mp4", ".gif"), help="record all episodes into a video"
    )
    command.add_argument(
        "--plot", metavar="FILE.png", type=output_file(".png"), help="draw the return and length of each episode"
    )
    command.add_argument("--render", choices=["human", "ansi"], help="watch: in a window, or as text")
    command.set_defaults(command=_run)


def _list(arguments: Namespace) -> int:
    from gymnasium.cli.listing import list_environments

    return list_environments(arguments.family, arguments.modules)


def _show(arguments: Namespace) -> int:
    from gymnasium.cli.showing import show

    return show(arguments.id)


def _run(arguments: Namespace) -> int:
    from gymnasium.cli.running import RunOptions, run

    values = {name: value for name, value in vars(arguments).items() if name != "command"}
    return run(RunOptions(**values))
