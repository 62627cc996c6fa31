"""The faults are faults: each changes the program in one place."""

from __future__ import annotations

import ast

from tests.mutants.faults import fault, places

SOURCE = '''
"""A module; this 1 is text."""

def size(n: int = 3) -> bool:
    if not n < 5 or n == 0:
        raise ValueError(n)
    return n * 2 in (1.5, True)
'''


def test_each_kind_is_found_once() -> None:
    found = [fault(SOURCE, place) for place in range(places(SOURCE))]
    texts = [one.source for one in found]
    assert len(set(texts)) == len(texts) and ast.unparse(ast.parse(SOURCE)) not in texts
    assert [one.what for one in found] == [
        "3  ->  4",
        "not n < 5 or n == 0  ->  not n < 5 and n == 0",
        "not n < 5  ->  not not n < 5",
        "n < 5  ->  n <= 5",
        "5  ->  6",
        "n == 0  ->  n != 0",
        "0  ->  1",
        "raise ValueError(n)  ->  pass",
        "n * 2 in (1.5, True)  ->  n * 2 not in (1.5, True)",
        "n * 2  ->  n + 2",
        "2  ->  3",
        "1.5  ->  2.5",
        "True  ->  False",
    ]
