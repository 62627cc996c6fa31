"""Machine code that Numba made, under the convention of the new language: words in, a word out."""

from __future__ import annotations

from functools import cache

from palaestra.language.llvm.engine import address_of
from palaestra.runner.kernels.layout import RAISED

NO_SLOT = -1


@cache
def in_words(address: int, count: int, error: int = NO_SLOT) -> int:
    """Returns the address of a function of `count` words that calls the one at an address.

    If that raises, the result is `RAISED`, and the record of the exception is at the slot `error` of the context, the
    first word.
    """
    words = ", ".join(f"i64 %word{k}" for k in range(count))
    keep = _KEEP.format(at=8 * error) if error != NO_SLOT else ""
    return address_of(_TEXT.format(address=address, words=words, keep=keep, raised=RAISED), "in_words")


_TEXT = """\
define i64 @in_words({words}) {{
  %result = alloca i64
  %record = alloca i64
  store i64 0, ptr %result
  store i64 0, ptr %record
  %function = inttoptr i64 {address} to ptr
  %status = call i32 %function(ptr %result, ptr %record, {words})
  %raises = icmp ne i32 %status, 0
  br i1 %raises, label %raised, label %returned
raised:
  {keep}
  ret i64 {raised}
returned:
  %word = load i64, ptr %result
  ret i64 %word
}}
"""
_KEEP = """\
%found = load i64, ptr %record
  %at = add i64 %word0, {at}
  %place = inttoptr i64 %at to ptr
  store i64 %found, ptr %place
"""
