"""What a run of the fuzzer has come to: rates, counts and the reasons of refusals."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.fuzz.worker import Report

SHOWN = 25  # reasons
FINDINGS = ("different", "misrefused", "crash", "hang", "broken")
_RESULT = re.compile(r"^    r\d+:", re.MULTILINE)
_MESSAGE = re.compile(r"^(\w+): .*?program\.py: |^(\w+): ")


@dataclass
class Tally:
    """Counts reports, by profile."""

    start: float = field(default_factory=time.monotonic)
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, profile: str, report: Report) -> None:
        """Count a report."""
        kinds = self.kinds.setdefault(profile, Counter())
        kinds["programs"] += 1
        kinds[report.verdict.kind] += 1
        kinds["results"] += report.results
        if report.verdict.kind not in ("refused", "misrefused"):
            kinds["accepted"] += 1
            kinds["accepted at once"] += not report.refusals
        if report.verdict.kind == "equal":
            kinds["results compared"] += len(_RESULT.findall(report.source))
        self.counts += report.verdict.counts
        for reason, line in report.refusals:
            told = _MESSAGE.sub("", reason)[:110].replace("\n", " ")
            self.reasons[told] += 1
            self.examples.setdefault(told, line)

    def programs(self) -> int:
        """How many were judged."""
        return sum(kinds["programs"] for kinds in self.kinds.values())

    def findings(self) -> int:
        """How many programs have a finding, known or not."""
        return sum(kinds[kind] for kinds in self.kinds.values() for kind in FINDINGS)

    def line(self) -> str:
        """The state of things, in a line."""
        minutes = (time.monotonic() - self.start) / 60.0
        programs = self.programs()
        parts = [f"{programs} programs", f"{programs / minutes:.1f} a minute", f"{self.findings()} with findings"]
        for profile, kinds in sorted(self.kinds.items()):
            n = max(1, kinds["programs"])
            parts.append(
                f"{profile}: {100 * kinds['accepted at once'] // n} % accepted, {100 * kinds['accepted'] // n} % "
                f"without what is refused, {kinds['results compared']} of {kinds['results']} results compared"
            )
        return "; ".join(parts)

    def summary(self) -> str:
        """All of it."""
        lines = [self.line(), ""]
        for profile, kinds in sorted(self.kinds.items()):
            lines.append(f"{profile}: " + ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
        lines += ["", *(f"{count:9,}  {name}" for name, count in self.counts.most_common(SHOWN))]
        lines += ["", "Refusals, with a line that met each:"]
        for reason, count in self.reasons.most_common(SHOWN):
            lines += [f"{count:9,}  {reason}", f"           {self.examples[reason][:110]}"]
        return "\n".join(lines)
