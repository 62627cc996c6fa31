"""Processes that make and judge programs; one that hangs or dies is replaced, and tells what it was at."""

from __future__ import annotations

import ast
import faulthandler
import importlib.util
import multiprocessing
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from palaestra.runner.batch import trial
from tests.fuzz.duel import PLACE, Setting, Verdict

RENEWED = 12  # programs, after which a worker ends, and the memory of what it compiled with it
DEADLINE = 150.0
REPAIRS = 40  # statements that are refused, of one program
REPAIR_TIME = 45.0  # seconds after which nothing more is repaired
MEMORY = 8 << 30  # bytes of addresses; a program that fills the memory is no reason to stop the machine
_PART = re.compile(r"line (\d+) of [^ ]*program\.py")


@dataclass
class Report:
    """What became of a program.

    Attributes:
        source: What was judged at last: the program less what was refused.
        results: How many the program had before.
        refusals: Each message, and the text of the line that it names.
        seconds: How long it took.
    """

    name: str
    source: str
    settings: list[Setting]
    verdict: Verdict
    results: int = 0
    refusals: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0


class Worker:
    """One process, and its folder for what is compiled.

    Args:
        deadline: Seconds for a program.
    """

    def __init__(self, deadline: float = DEADLINE) -> None:
        self._deadline = deadline
        self._process: Any = None
        self._folder = ""
        self._done = 0
        self._at: tuple[str, list[Setting]] = "", []

    def examine(self, profile: str, seed: int, index: int) -> Report:
        """Make a program and judge it, taking out what is refused."""
        name = f"{profile}-{seed}-{index}"
        report = self._ask(("examine", profile, seed, index), self._deadline)
        return report if isinstance(report, Report) else Report(name, *self._at, report)

    def judge(self, source: str, settings: list[Setting], deadline: float = 60.0) -> Verdict:
        """Judge a text in these settings."""
        verdict: Verdict = self._ask(("judge", source, settings), deadline)
        return verdict

    def _ask(self, task: tuple[Any, ...], deadline: float) -> Any:
        if self._process is None or self._done >= RENEWED:
            self.close()
            self._start()
        self._done += 1
        self._at = "", []
        end = time.monotonic() + deadline * _waiting()
        try:
            self._pipe.send(task)
            while self._pipe.poll(max(0.0, end - time.monotonic())):
                answer = self._pipe.recv()
                if not isinstance(answer, tuple):
                    return answer
                self._at = answer  # what it is about to judge
        except (EOFError, OSError):
            self._process.join(10)
            code = self._process.exitcode
            self.close()
            return Verdict("crash", f"the process ended with {_ending(code)}")
        self.close()
        return Verdict("hang", f"no answer within {deadline:.0f} s")

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._folder = tempfile.mkdtemp(prefix="fuzz")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, self._folder), daemon=True)
        self._process.start()
        other.close()
        self._done = 0

    def close(self) -> None:
        """End the process and remove its folder."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            shutil.rmtree(self._folder, ignore_errors=True)
        self._process = None


def _waiting() -> float:
    """How much longer than alone a process of low priority takes here now, about."""
    return max(1.0, 2.0 * os.getloadavg()[0] / (os.cpu_count() or 1))


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def _serve(pipe: Any, folder: str) -> None:
    os.environ["PALAESTRA_CACHE_DIR"] = folder
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    trial.tried_once = _untried  # a comparison with Python, which would hide what is sought here
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # programs may print
    with suppress(EOFError, OSError):
        while True:
            task, *arguments = pipe.recv()
            try:
                answer = _examined(pipe, *arguments) if task == "examine" else judged_text(*arguments)
            except Exception:  # a mistake of the fuzzer's own
                answer = Verdict("broken", traceback.format_exc())
            pipe.send(answer)


def _untried(*_: Any) -> bool:
    return True


def imported(source: str) -> ModuleType:
    """Returns a text as a module that has a file, which is what dynamics are as a rule."""
    folder = tempfile.mkdtemp(prefix="program", dir=os.environ.get("PALAESTRA_CACHE_DIR"))
    path = Path(folder) / "program.py"
    path.write_text(source, encoding="utf-8")
    name = f"fuzzed_{Path(folder).name}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def judged_text(source: str, settings: list[Setting]) -> Verdict:
    """Returns the verdict of a program's text."""
    from tests.fuzz.duel import judged

    return judged(imported(source).Program, settings)


def told_apart(reason: str, source: str) -> list[tuple[str, str]]:
    """The refusals of a message, each with the text of the line that it names, or with ""."""
    lines = source.splitlines()
    parts = [part for part in _PART.split(reason) if part]
    if len(parts) < 2:
        return [(reason, "")]
    pairs = zip(parts[1::2], parts[2::2], strict=False)
    return [(told, lines[int(number) - 1].strip()) for number, told in pairs]


def _examined(pipe: Any, profile: str, seed: int, index: int) -> Report:
    from tests.fuzz.generator import program
    from tests.fuzz.surgery import without_lines

    start = time.monotonic()
    made = program(profile, seed, index)
    report = Report(made.name, made.source, made.settings, Verdict(), made.results)
    for _ in range(REPAIRS):
        pipe.send((report.source, made.settings))
        report.verdict = judged_text(report.source, made.settings)
        if report.verdict.kind not in ("refused", "misrefused"):
            break
        numbers = {int(number) for number in PLACE.findall(report.verdict.reason)}
        report.refusals += told_apart(report.verdict.reason, report.source)
        if report.verdict.kind == "misrefused" or time.monotonic() - start > REPAIR_TIME:
            break
        smaller = without_lines(report.source, numbers)
        if smaller == ast.unparse(ast.parse(report.source)):
            break
        report.source = smaller
    report.seconds = time.monotonic() - start
    return report
