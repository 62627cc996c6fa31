"""How much is written for each line, so that the lines are known that make a program too large."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from palaestra.language.frontend.refusals import CannotCompile, Refusal
from palaestra.language.program import Place

MOST_WRITTEN = 250_000
"""Operations, those that are written again included, with what is joined where paths meet: some seconds of work."""
OF_STATEMENT = 10
OFTEN = 8


class Size:
    """The size of programs that are written one behind the other.

    Attributes:
        count: All that was written.
    """

    def __init__(self) -> None:
        self.count = 0
        self._inner = 0
        self._of_lines: Counter[Place] = Counter()
        self._times: Counter[Place] = Counter()

    @contextmanager
    def statement(self, place: Place) -> Iterator[None]:
        """Count what is written meanwhile, but for statements within, for a line of the user's.

        Raises:
            CannotCompile: If all together is too much.
        """
        if self.count > MOST_WRITTEN:
            raise self._too_large()
        before, start, self._inner = self._inner, self.count, 0
        self.count += OF_STATEMENT
        self._times[place] += 1
        try:
            yield
        finally:
            total = self.count - start
            self._of_lines[place] += total - self._inner
            self._inner = before + total

    def _too_large(self) -> CannotCompile:
        place, count = self._of_lines.most_common(1)[0]
        times, share = self._times[place], round(100 * count / self.count)
        text = linecache.getline(place.file, place.line).strip()
        reason = f"the program becomes too large: this line is written {times:,} times and is {share}% of it"
        if times > OFTEN:
            functions = Counter({one.function: 0 for one in self._times})
            for one, number in self._of_lines.items():
                functions[one.function] += number
            name, written = functions.most_common(1)[0]
            reason += f", and the function `{name.rpartition('.')[2]}` {round(100 * written / self.count)}%"
        instead = "call functions at one place, in a loop, and keep numbers in arrays rather than in lists or objects"
        return CannotCompile([Refusal(place, text, reason, instead)])
