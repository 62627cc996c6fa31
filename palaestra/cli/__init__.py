"""The command `palaestra`: lists, describes and runs environments.

Each subcommand is a separate module, imported with its dependencies when it is called.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from gymnasium.error import Error
from palaestra.cli.errors import INTERRUPTED, CommandError, one_line
from palaestra.cli.lines import folded
from palaestra.cli.parser import build_parser
from palaestra.cli.warning_lines import warning_lines

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        argv: The arguments after the command's name; None for those of the process.

    Returns:
        0 on success; 1 after a failure; 2 for a wrong command line; 130 after Ctrl-C.

    Raises:
        SystemExit: After `--help` and `--version`, and for arguments that cannot be parsed.
    """
    arguments = build_parser().parse_args(argv)
    try:
        with warning_lines():
            code: int = arguments.command(arguments)
        sys.stdout.flush()
        return code
    except CommandError as error:
        return _failed(error, error.exit_code)
    except BrokenPipeError:
        # The reader, such as `head`, has enough. The rest of the buffer must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (Error, OSError) as error:
        return _failed(error, 1)
    except KeyboardInterrupt:
        return _failed("interrupted", INTERRUPTED)


def _failed(reason: object, code: int) -> int:
    print(folded(f"palaestra: error: {one_line(reason)}", sys.stderr), file=sys.stderr)
    return code
