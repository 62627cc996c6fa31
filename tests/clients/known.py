"""What fails for a reason that is known, under the reference as well."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple


class Known(NamedTuple):
    """A failure that is no news.

    Attributes:
        names: A pattern of ids.
        law: The law's name.
        part: Of its message.
        reason: Why it is so.
    """

    names: str
    law: str
    part: str
    reason: str


KNOWN = (
    Known("*", "make", "No module named 'mujoco_py'", "mujoco-py, the old bindings, is no longer kept"),
    Known("MiniGrid-WFC-*", "steps", "minigrid/envs/wfc/patterns/", "its wheel lacks the pictures of the patterns"),
    Known("AdroitHand*Sparse-v1", "pickle", "step 1 differs", "its state for EzPickle lacks the kind of reward"),
    # Now and then: each process writes the file, and reads what another one is writing.
    Known("AntMaze*-v3", "async", "XML", "its model's file has one name in all processes"),
    Known("FrankaKitchen-v1", "check", "share", "its observations share memory"),
    Known(
        "intersection-multi-agent-v[12]", "*sync", "ValueError", "each agent has a reward, so that they make no batch"
    ),
    Known("lane-keeping-v0", "render", "'render_mode'", "its constructor takes no `render_mode`"),
    Known("parking-ActionRepeat-v0", "render", "'render_mode'", "its constructor takes no `render_mode`"),
    Known("parking-parked-v0", "render", "'render_mode'", "its constructor takes no `render_mode`"),
)


def reason(name: str, law: str, message: str) -> str | None:
    """Returns why a failure is no news, if it is none."""
    for entry in KNOWN:
        if fnmatchcase(name, entry.names) and fnmatchcase(law, entry.law) and entry.part in message:
            return entry.reason
    return None
