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


_VECTOR_REWARDS = "its rewards are vectors, for which it has batches of its own"
KNOWN = (
    Known("*", "*sync", "must be one number", _VECTOR_REWARDS),
    Known("rware:*", "*sync", "step 1 differs", "its rewards are lists of one, which batches make numbers"),
    Known("minecart-rgb-v0", "*", "step 0 differs", "its pictures differ from one environment to the next"),
    Known("minecart-rgb-v0", "check", "G411", "its observations share memory"),
    Known("mo-supermario-v0", "make", "gym_super_mario_bros", "a game that does not run on this NumPy"),
    Known("popgym-CountRecall*", "check", "G411", "it returns one info again and again"),
    Known("popgym-MultiarmedBandit*", "check", "G411", "it returns one info again and again"),
    Known("popgym-*OnlyPendulum*", "render", "'render_mode'", "its constructor takes no `render_mode`"),
    Known("popgym-*OnlyCartPole*", "render", "'render_mode'", "its constructor takes no `render_mode`"),
    Known("popgym-*Only*", "render", "NoneType", "its constructor does not pass the `render_mode` on"),
    Known("miniworld:*", "check", "G411", "it returns one info again and again"),
    Known("miniworld:*", "sync", "differs from that", "those of a process share a context, and shift a few pixels"),
    Known("SimpleGrid-v0", "make", "obstacle_map", "it is given a map"),
    Known("*-v0", "json", "kwargs['df'] is", "its prices are a table of pandas, which JSON does not hold"),
    Known("stocks-v0", "check", "G411", "its observations are views of one table"),
    Known("forex-v0", "check", "G411", "its observations are views of one table"),
    Known("rware:*", "render", "<class 'bool'>", "it draws into a window, which needs a display"),
    Known("*-[CST]C-*", "steps", "outside of its space", "its currents leave the bounds that it tells"),
    Known("*-[CST]C-*", "check", "G212", "it draws from a generator of its own"),
    Known("*-[CST]C-*", "pickle", "MotorDashboard", "its dashboard holds a class that is local to a function"),
    Known("shimmy:*", "json", "has no JSON", "its entry point is a function, which JSON does not hold"),
    Known("shimmy:dm_control/compatibility-env-v0", "make", "", "it is given an environment"),
    Known("shimmy:*", "pickle", "weakref", "its arena of movable things holds weak references"),
    Known("shimmy:dm_control/Rodent*", "pickle", "parse.<locals>", "its skin holds a function local to another"),
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
