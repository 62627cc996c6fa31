"""Run the environments and agents of other packages on whichever `gymnasium` is installed here.

It is a program and no module of the tests: the interpreter that runs it decides which implementation it is. Beside
this file there is nothing called `gymnasium`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from findings import Findings, failed
from known import reason
from processes import perform_all

# What takes long first.
ORDER = ("agents", "adapted", "highway_env", "gymnasium_robotics", "minigrid", "ale_py")
# How many steps the first environment of each id makes, in short and in thorough surveys.
STEPS = {"gymnasium_robotics": (20, 100), "minigrid": (40, 100), "highway_env": (5, 15), "ale_py": (10, 60)}
# In short surveys each id of these obeys one law, in turn, since it takes seconds to obey them all; and each id of the
# others the cheap ones and one of the dear ones.
SLOW = ("highway_env", "ale_py")
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
    import ale_py
    import gymnasium_robotics  # type: ignore[import-untyped]
    import highway_env  # type: ignore[import-untyped]
    import minigrid
    from adapted import ADAPTED
    from agents import AGENTS

    import gymnasium

    for module in (ale_py, gymnasium_robotics, highway_env, minigrid):
        gymnasium.register_envs(module)
    found, entries = [Task("agents", name) for name in AGENTS], set()
    if find_spec("gymnasium.adapters"):  # the reference has none
        found += [Task("adapted", name) for name in ADAPTED]
    for env_id, spec in gymnasium.registry.items():
        entry = spec.entry_point
        package = re.split("[.:]", entry)[0] if isinstance(entry, str) else ""
        if isinstance(entry, str) and package in STEPS:
            gymnasium.envs.registration.load_env_creator(entry)
            laws = _laws(package, env_id, len(found), entry not in entries, thorough)
            found.append(Task(package, env_id, STEPS[package][thorough], laws))
            entries.add(entry)
    return sorted(found, key=lambda task: (ORDER.index(task.package), -len(task.laws)))


def _laws(package: str, env_id: str, index: int, new: bool, thorough: bool) -> tuple[str, ...]:
    """Returns the names of the laws that an id is to obey; `new`: it is the first one of its class."""
    from visits import LAWS

    laws = tuple(LAWS)
    in_turn = (laws[index % len(laws)],)
    if package == "ale_py" and not env_id.startswith("ALE/"):  # an older id of a game, other arguments of one class
        return in_turn if thorough else ()
    if thorough:
        return laws
    if package in SLOW:
        return in_turn
    return laws if new else (*CHEAP, DEAR[index % len(DEAR)])


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
    parser.add_argument("--only", default="", help="run only what has this in its name")
    options = parser.parse_args()
    os.environ.setdefault("MUJOCO_GL", "egl")

    import gymnasium

    print(f"gymnasium {gymnasium.__version__} of {Path(gymnasium.__file__).parent}", flush=True)
    start = time.perf_counter()
    todo = [task for task in tasks(options.thorough) if options.only in task.name]
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
