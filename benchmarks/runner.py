"""Runs cases: the candidates of each take turns, so that a slow moment of the machine meets all of them."""

from __future__ import annotations

import json
import select
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from subprocess import Popen
from time import perf_counter
from typing import Any

from benchmarks.cases import Case, Table
from benchmarks.peers import INTERPRETERS, SUBJECTS, Peer

PATIENCE = 180.0  # s, for one answer: the slowest is to make an environment of foreign code


@dataclass(frozen=True)
class Settings:
    """How long to measure."""

    rounds: int = 9
    seconds: float = 0.1  # of a round
    share: float = 1.0  # of the work of cases that say how much a round does
    quick: bool = False


QUICK = Settings(2, 0.025, 0.25, quick=True)


class CandidateFailed(Exception):
    """A candidate could not be measured; the message says why."""


class Worker:
    """An interpreter that measures subjects; it starts when it is first asked, and again when it has died."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self._process: Popen[str] | None = None

    def ask(self, **question: Any) -> dict[str, Any]:
        """Returns its answer.

        Raises:
            CandidateFailed: If it has none.
        """
        if self._process is None:
            if not self.peer.python.exists():
                raise CandidateFailed(f"{self.peer.python} does not exist: make peers")
            self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed with the process)
            self._process = self.peer.start(str(SUBJECTS / "worker.py"), errors=self._errors)
        answer = self._answer(self._process, json.dumps(question))
        if "failed" in answer:
            raise CandidateFailed(answer["failed"].strip().splitlines()[-1])
        return answer

    def _answer(self, process: Popen[str], question: str) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it has ended, which shows at the next line
            print(question, file=process.stdin, flush=True)
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        line = process.stdout.readline() if ready else ""
        if not line:
            self.stop()
            raise CandidateFailed("its process ended" if ready else f"it took more than {PATIENCE:g} s")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def forget(self) -> None:
        """Have it close its subjects."""
        if self._process is not None:
            with suppress(CandidateFailed):  # it was stopped then, and starts anew for the next case
                self._answer(self._process, '{"forget": true}')

    def stop(self) -> None:
        """End its process."""
        if self._process is None:
            return
        process, self._process = self._process, None
        try:
            process.communicate(timeout=10)
        except Exception:
            process.kill()
            process.wait()
        self._errors.close()


def measured(
    tables: Sequence[Table], settings: Settings, tick: Callable[[str], None] = lambda text: None
) -> list[dict[str, Any]]:
    """Returns the results of tables, as `results.json` holds them.

    Args:
        tables: What to measure.
        settings: How long.
        tick: Called after each case with what comes next.
    """
    return [_table(table, settings, tick) for table in tables]


def _table(table: Table, settings: Settings, tick: Callable[[str], None]) -> dict[str, Any]:
    """Returns a table's results; its interpreters are new, so that no other table's libraries are loaded there."""
    start, cases = perf_counter(), []
    if not settings.quick:
        settings = replace(settings, seconds=max(settings.seconds, table.seconds))
    with ExitStack() as stack:
        workers = {name: Worker(peer) for name, peer in INTERPRETERS.items()}
        for worker in workers.values():
            stack.callback(worker.stop)
        for case in table.cases:
            tick(f"{table.name}: {case.title}")
            cases.append(_case(case, workers, settings))
    return {
        "name": table.name,
        "title": table.title,
        "note": table.note,
        "x_label": table.x_label,
        "measured": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "seconds": round(perf_counter() - start, 1),
        "quick": settings.quick,
        "cases": cases,
    }


def _case(case: Case, workers: dict[str, Worker], settings: Settings) -> dict[str, Any]:
    """Returns the costs of every candidate, round by round; they take turns in going first."""
    start = perf_counter()
    failed: dict[int, str] = {}
    costs: list[list[float]] = [[] for _ in case.candidates]
    rounds = min(settings.rounds, case.rounds or settings.rounds)
    fixed = None if case.work is None else max(1, round(case.work * settings.share))
    amounts = [fixed] * len(case.candidates)
    for number in range(rounds + case.warm_up):
        turn = number % len(case.candidates)
        order = list(range(len(case.candidates)))
        for i in order[turn:] + order[:turn]:
            if i in failed:
                continue
            candidate = case.candidates[i]
            question = {"subject": candidate.subject, "arguments": dict(candidate.arguments)}
            worker = workers[candidate.interpreter]
            try:
                if amounts[i] is None:
                    amounts[i] = worker.ask(**question, seconds=settings.seconds)["work"]
                cost = worker.ask(**question, work=amounts[i])["cost"]
            except CandidateFailed as error:
                failed[i] = str(error)
                continue
            if number or not case.warm_up:
                costs[i].append(cost)
    for worker in workers.values():
        worker.forget()
    return {
        "title": case.title,
        "unit": case.unit,
        "at_most": case.at_most,
        "x": case.x,
        "seconds": round(perf_counter() - start, 1),
        "candidates": [
            {
                "label": candidate.label,
                "limit": candidate.limit,
                "foreign": candidate.interpreter != "ours",
                "wanted": candidate.wanted,
                **({"failed": failed[i]} if i in failed else {"costs": costs[i]}),
            }
            for i, candidate in enumerate(case.candidates)
        ],
    }
