"""LLVM's text, line by line: a module with its constants and declarations, and the function that is being written.

LLVM reads text about five times faster than llvmlite's builder makes it. Text without effects is written once for each
region: the same instruction again is the same value. In a function over rows, what does not depend on the row is
written before the first one: LLVM's own pass for that takes a third of all the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from palaestra.language.llvm.symbols import Outside

_METADATA = '!0 = !{!"branch_weights", i32 1, i32 1000}\n!1 = !{}'


class Module:
    """A module of LLVM.

    Attributes:
        outside: The functions and data outside that it names.
    """

    def __init__(self) -> None:
        self.outside: dict[str, Outside] = {}
        self._declared: dict[str, str] = {}
        self._tables: dict[bytes, str] = {}
        self._lines: list[str] = []

    def __str__(self) -> str:
        return "\n".join([*self._declared.values(), *self._lines, _METADATA, ""])

    def declare(self, name: str, line: str) -> str:
        """Declare a function once; returns its name."""
        self._declared.setdefault(name, line)
        return name

    def declare_outside(self, outside: Outside, line: str) -> str:
        """Declare a function or data outside, with `@NAME` in the line; returns its name in the text."""
        self.outside[outside.name] = outside
        return self.declare(f"@{outside.name}", line.replace("@NAME", f"@{outside.name}"))

    def table(self, array: np.ndarray[Any, Any]) -> str:
        """Write a constant array once; returns its name."""
        content = array.tobytes()
        if content not in self._tables:
            name = self._tables[content] = f"@table{len(self._tables)}"
            escaped = "".join(map(_ESCAPED.__getitem__, content))
            kind = "private unnamed_addr constant"
            self._lines.append(f'{name} = {kind} [{len(content)} x i8] c"{escaped}", align 64')
        return self._tables[content]

    def write(self, lines: list[str]) -> None:
        """Write lines, for example those of a function."""
        self._lines.extend(lines)


_ESCAPED = [f"\\{byte:02X}" for byte in range(256)]


_NAMES = re.compile(r"%[\w.]+")
_STAYS = re.compile(r"[su](?:div|rem) |call (?!.*@llvm\.)")  # undefined for some numbers, or slow


class Writer:
    """The function that is being written.

    Args:
        module: Its module.
        steady: For a function over rows, the names of the parameters that are the same for all rows; None for others.

    Attributes:
        module: Its module.
        block: The name of the basic block that is being written.
    """

    def __init__(self, module: Module, steady: Iterable[str] | None = None) -> None:
        self.module, self.block = module, "body"
        self._steady = None if steady is None else set(steady)
        self._entry: list[str] = []
        self._first: list[str] = []
        self._before: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self._seen: dict[str, str] = {}
        self._order: list[str] = []
        self._allocates = False

    def value(self, text: str) -> str:
        """Write an instruction without effects, or find it; returns the name of what it gives."""
        found = self._seen.get(text)
        if found is None:
            if self._is_steady(text) and not _STAYS.match(text):
                found = self._written_before(text)
            else:
                found = self.effect(text)
                self._order.append(text)
            self._seen[text] = found
        return found

    def fixed(self, text: str) -> str:
        """Write a load of memory that does not change while the program runs; returns the name of what it gives."""
        is_first = self.block == "body"  # it surely happens
        return self._written_before(text) if is_first and self._is_steady(text) else self.effect(text)

    def _is_steady(self, text: str) -> bool:
        return self._steady is not None and self._steady.issuperset(_NAMES.findall(text))

    def _written_before(self, text: str) -> str:
        assert self._steady is not None
        self._count += 1
        name = f"%v{self._count}"
        self._steady.add(name)
        self._before.append(f"  {name} = {text}")
        return name

    def effect(self, text: str) -> str:
        """Write an instruction where it stands; returns the name of what it gives."""
        self._count += 1
        self._lines.append(f"  %v{self._count} = {text}")
        return f"%v{self._count}"

    def line(self, text: str) -> None:
        """Write an instruction that gives nothing."""
        self._lines.append(f"  {text}")

    def stack(self, kind: str, align: int = 16) -> str:
        """Write an allocation in the first block; returns the name of its address."""
        self._count += 1
        name = f"%v{self._count}"
        self._entry.append(f"  {name} = alloca {kind}, align {align}")
        if self._steady is not None:
            self._steady.add(name)
        return name

    def stack_here(self, kind: str, align: int = 16) -> str:
        """Write an allocation where it stands, which lasts until the function or the turn of a row ends."""
        self._allocates = True
        return self.effect(f"alloca {kind}, align {align}")

    def first(self, text: str) -> None:
        """Write an instruction that gives nothing before all others, for each row."""
        self._first.append(f"  {text}")

    def label(self) -> str:
        """Returns the name of a new block."""
        self._count += 1
        return f"b{self._count}"

    def start(self, label: str) -> None:
        """Start the block of a name."""
        self._lines.append(f"{label}:")
        self.block = label

    def branch(self, label: str) -> None:
        """Go on at a block."""
        self._lines.append(f"  br label %{label}")

    def fork(self, condition: str, then: str, otherwise: str, rarely: bool = False) -> None:
        """Go on at one of two blocks; the first one rarely."""
        weights = ", !prof !0" if rarely else ""
        self._lines.append(f"  br i1 {condition}, label %{then}, label %{otherwise}{weights}")

    @contextmanager
    def region(self) -> Iterator[None]:
        """What is written within is not found behind it, where it may not have run."""
        count = len(self._order)
        yield
        for text in self._order[count:]:
            del self._seen[text]
        del self._order[count:]

    def function(self, head: str) -> list[str]:
        """Returns the lines of the function with a head like "define i64 @f(i64 %x)"."""
        return [f"{head} {{", "entry:", *self._entry, *self._first, "  br label %body", "body:", *self._lines, "}"]

    def rows(self, head: str, row: str, width: int, result: str | None) -> list[str]:
        """Returns the lines of a function over rows from `%low` to `%high - 1`, which returns the sum of results.

        Args:
            head: Its head.
            row: The name of the row.
            width: The rows of a turn.
            result: The name of the result of a turn; None if it never ends.
        """
        next_row, total = ("", "") if result is None else (f", [ %{one}, %{self.block} ]" for one in ("next", "total"))
        again = [] if result is None else [_AGAIN.format(row=row, width=width, result=result)]
        begin = [_BEGIN.format(row=row, next=next_row, total=total)]
        if self._allocates and result is not None:
            self.module.declare("@llvm.stacksave.p0", "declare ptr @llvm.stacksave.p0()")
            self.module.declare("@llvm.stackrestore.p0", "declare void @llvm.stackrestore.p0(ptr)")
            begin.append("  %stack = call ptr @llvm.stacksave.p0()")
            again[:0] = ["  call void @llvm.stackrestore.p0(ptr %stack)"]
        lines = [f"{head} {{", "entry:", *self._entry, _ENTER, *self._before, *begin, *self._first]
        return [*lines, "  br label %body", "body:", *self._lines, *again, _END.format(total=total)]


_ENTER = """\
  %any = icmp slt i64 %low, %high
  br i1 %any, label %before, label %end
before:"""
_BEGIN = """\
  br label %row
row:
  {row} = phi i64 [ %low, %before ]{next}
  %sum = phi i64 [ 0, %before ]{total}"""
_AGAIN = """\
  %total = add i64 %sum, {result}
  %next = add i64 {row}, {width}
  %more = icmp slt i64 %next, %high
  br i1 %more, label %row, label %end"""
_END = """\
end:
  %returned = phi i64 [ 0, %entry ]{total}
  ret i64 %returned
}}"""
