"""LLVM's text, line by line: a module with its constants and declarations, and the function that is being written.

LLVM reads text about five times faster than llvmlite's builder makes it. Text without effects is written once for each
region: the same instruction again is the same value.
"""

from __future__ import annotations

from collections.abc import Iterator
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


class Writer:
    """The function that is being written.

    Attributes:
        module: Its module.
        block: The name of the basic block that is being written.
    """

    def __init__(self, module: Module) -> None:
        self.module, self.block = module, "body"
        self._entry: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self._seen: dict[str, str] = {}
        self._order: list[str] = []

    def value(self, text: str) -> str:
        """Write an instruction without effects, or find it; returns the name of what it gives."""
        found = self._seen.get(text)
        if found is None:
            found = self._seen[text] = self.effect(text)
            self._order.append(text)
        return found

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
        self._entry.append(f"  %v{self._count} = alloca {kind}, align {align}")
        return f"%v{self._count}"

    def first(self, text: str) -> None:
        """Write an instruction that gives nothing into the first block."""
        self._entry.append(f"  {text}")

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

    def written(self, head: str) -> list[str]:
        """Returns the lines of the function with a head like "define i64 @f(i64 %x)"."""
        return [f"{head} {{", "entry:", *self._entry, "  br label %body", "body:", *self._lines, "}"]
