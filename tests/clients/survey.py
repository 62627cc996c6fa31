"""Run the environments and agents of other packages on whichever `gymnasium` is installed here.

It is a program and no module of the tests: the interpreter that runs it decides which implementation it is. Beside
this file there is nothing called `gymnasium`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from findings import Findings, failed
from known import reason
from processes import perform_all

# What takes long first.
ORDER = (
    "agents",
    "adapted",
    "highway_env",
    "shimmy",
    "gym_electric_motor",
    "miniworld",
    "mo_gymnasium",
    "gymnasium_robotics",
    "popgym",
    "gym_anytrading",
    "rware",
    "gym_simplegrid",
    "minigrid",
    "ale_py",
)
# How many steps the first environment of each id makes, in short and in thorough surveys.
STEPS = {
    "ale_py": (10, 60),
    "gym_anytrading": (20, 100),
    "gym_electric_motor": (10, 40),
    "gym_simplegrid": (20, 60),
    "gymnasium_robotics": (20, 100),
    "highway_env": (5, 15),
    "minigrid": (40, 100),
    "miniworld": (5, 20),
    "mo_gymnasium": (10, 40),
    "popgym": (20, 60),
    "rware": (20, 60),
    "shimmy": (10, 40),  # the control suite of dm-control
}
# Importing these opens a driver for pictures, which a forked process cannot use, or registers hundreds of sizes of one
# task: each task imports them itself, and has no batches in worker processes. Short and thorough surveys take one id in
# so many.
LATE = {"miniworld": (4, 1), "shimmy": (8, 1), "rware": (38, 6)}
# In short surveys each id of these obeys one law, which its name chooses, since it takes seconds to obey them all; and
# each id of the others the cheap ones and one of the dear ones.
SLOW = ("ale_py", "gym_electric_motor", "highway_env", "miniworld", "shimmy")
CHEAP = ("pickle", "spec", "sync", "check")
DEAR = ("render", "json", "async")


class Task(NamedTuple):
    """One environment, with what is done with it, or one agent."""

    package: str
    name: str
    steps: int = 0
    laws: tuple[str, ...] = ()


def tasks(thorough: bool) -> list[Task]:
    """Returns all there is to do; all that it needs is imported then."""
    from adapted import ADAPTED
    from agents import AGENTS

    import gymnasium

    for package in [name for name in STEPS if name not in LATE]:
        gymnasium.register_envs(import_module(package))
    found, entries = [Task("agents", name) for name in AGENTS], set()
    if find_spec("palaestra.adapters"):  # the reference has none
        found += [Task("adapted", name) for name in ADAPTED]
    for env_id, spec in gymnasium.registry.items():
        entry = spec.entry_point
        package = _package(entry)
        if package in STEPS:
            if isinstance(entry, str):
                with suppress(ImportError):  # which `make` will meet again
                    gymnasium.envs.registration.load_env_creator(entry)
            laws = _laws(package, env_id, entry not in entries, thorough)
            found.append(Task(package, env_id, STEPS[package][thorough], laws))
            entries.add(entry)
    for package, one_in in LATE.items():
        for env_id in _ids(package)[:: one_in[thorough]]:
            laws = [law for law in _laws(package, env_id, False, thorough) if law != "async"]
            found.append(Task(package, f"{package}:{env_id}", STEPS[package][thorough], tuple(laws)))
    return sorted(found, key=lambda task: (ORDER.index(task.package), -len(task.laws)))


def _ids(package: str) -> list[str]:
    """Returns the ids of a package, which another process imports."""
    program = f"import gymnasium, {package}; print('\\n', *gymnasium.registry, sep='\\n')"
    lists = [
        subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True).stdout.split()
        for text in (program, program.replace(f", {package}", ""))
    ]
    return [env_id for env_id in lists[0] if env_id not in lists[1]]


def _package(entry: Any) -> str:
    """Returns the package of an entry point, which is a string, a function, or a part of one."""
    name = entry if isinstance(entry, str) else getattr(getattr(entry, "func", entry), "__module__", "")
    return re.split("[.:]", name)[0]


def _laws(package: str, env_id: str, new: bool, thorough: bool) -> tuple[str, ...]:
    """Returns the names of the laws that an id is to obey; `new`: it is the first one of its class."""
    from visits import LAWS

    laws = tuple(LAWS)
    number = crc32(env_id.encode())  # not its place among the ids, which a new id before it would move
    one = (laws[number % len(laws)],)
    if package == "ale_py" and not env_id.startswith("ALE/"):  # an older id of a game, other arguments of one class
        return one if thorough else ()
    if thorough:
        return laws
    if package in SLOW:
        return one
    return laws if new else (*CHEAP, DEAR[number % len(DEAR)])


def perform(task: Task) -> tuple[Findings, float]:
    """Returns the findings of a task, and how many seconds of a processor it took."""
    from agents import learn
    from visits import visit

    found = learn(task.name) if task.package in ("agents", "adapted") else visit(task.name, task.steps, task.laws)
    spent = os.times()
    return found, spent.user + spent.system + spent.children_user + spent.children_system


def survey(todo: list[Task], jobs: int, out: Path) -> dict[str, dict[str, Any]]:
    """Returns the findings of all tasks, and writes them, what there is of them also before the end."""
    out.parent.mkdir(parents=True, exist_ok=True)
    report: dict[str, dict[str, Any]] = {}
    for task, (found, seconds) in perform_all(todo, perform, lambda why: ({"process": [f"!{why}"]}, 0.0), jobs):
        report[task.name] = {"package": task.package, "seconds": seconds, "found": found}
        if len(report) % 100 == 0 or len(report) == len(todo):
            print(f"  {len(report)} of {len(todo)}", flush=True)
            out.write_text(json.dumps(report, indent=1, sort_keys=True))
    return report


def failures(report: dict[str, dict[str, Any]]) -> tuple[list[str], Counter[str]]:
    """Returns what failed in words, and for each reason that is known how often it was met."""
    lines, known = [], Counter[str]()
    for name, entry in sorted(report.items()):
        for law, found in entry["found"].items():
            if failed(found):
                why = reason(name, law, found[0])
                if why:
                    known[why] += 1
                else:
                    lines.append(f"{name}, {law}: {found[0][1:]}")
    return lines, known


def main() -> int:
    """Run the survey, print what failed, and return whether any of that is news."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where the findings go, as JSON")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--thorough", action="store_true", help="more steps, and all laws for every id")
    parser.add_argument("--only", nargs="*", default=[""], help="run only what has one of these in its name or package")
    options = parser.parse_args()
    os.environ.setdefault("MUJOCO_GL", "egl")
    os.environ.setdefault("PYGLET_HEADLESS", "1")  # Miniworld's, without a display

    import gymnasium

    print(f"gymnasium {gymnasium.__version__} of {Path(gymnasium.__file__).parent}", flush=True)
    start = time.perf_counter()
    todo = [
        task for task in tasks(options.thorough) if any(part in f"{task.package} {task.name}" for part in options.only)
    ]
    report = survey(todo, options.jobs, options.out)
    lines, known = failures(report)
    print(f"{len(report)} environments and agents in {time.perf_counter() - start:.0f} s:")
    for package, count in sorted(Counter(entry["package"] for entry in report.values()).items()):
        print(f"  {count:4} of {package}")
    for why, count in known.items():
        print(f"  {count:4} times known: {why}")
    for line in lines:
        print(f"  FAILED {line}")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
