"""Measures subjects in one interpreter: for each JSON line it reads from its input, it prints one.

It is asked for a subject with its arguments and either `seconds`, for the work that takes so long, or `work`, for
what one of it costs. Subjects are kept until it is told to forget them.
"""

from __future__ import annotations

import json
import math
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from time import perf_counter
from typing import Any

Run = Callable[[int], float]
MOST = 1 << 20  # work in a round, of what takes no time at all


class Subjects:
    """The subjects that are ready to run."""

    def __init__(self) -> None:
        self._ready: dict[str, Run] = {}
        self._stack = ExitStack()

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Returns what is asked for, or why not."""
        try:
            if question.get("forget"):
                return self.forget()
            run = self._run(question["subject"], question["arguments"])
            if "seconds" in question:
                return {"work": work_of(run, question["seconds"])}
            return {"cost": run(question["work"])}
        except Exception:
            return {"failed": traceback.format_exc()}

    def _run(self, subject: str, arguments: dict[str, Any]) -> Run:
        key = json.dumps([subject, arguments], sort_keys=True)
        if key not in self._ready:
            module, _, function = subject.partition(".")
            context = getattr(import_module(module), function)(**arguments)
            self._ready[key] = self._stack.enter_context(context)
        return self._ready[key]

    def forget(self) -> dict[str, Any]:
        """Close all subjects."""
        self._ready.clear()
        self._stack.close()
        return {}


def work_of(run: Run, seconds: float) -> int:
    """Returns how much work takes about so long, having done a bit of it to warm up."""
    run(1)
    work = 1
    while True:
        start = perf_counter()
        run(work)
        spent = perf_counter() - start
        if spent > seconds / 5 or work >= MOST:
            return max(1, min(MOST, math.ceil(work * seconds / spent)))
        work *= 4


def main() -> None:
    """Answer until the input ends."""
    warnings.simplefilter("ignore")
    # What libraries print goes where it is no answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    subjects = Subjects()
    for line in sys.stdin:
        print(json.dumps(subjects.answer(json.loads(line))), file=answers, flush=True)
    subjects.forget()


if __name__ == "__main__":
    main()
