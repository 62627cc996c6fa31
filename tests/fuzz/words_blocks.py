"""Statements as templates, which give `$r` a value. `_j` and its like become names of their own, of the kinds told."""

from __future__ import annotations

from textwrap import dedent
from typing import NamedTuple


class Block(NamedTuple):
    """A template of several lines.

    Attributes:
        names: The kinds of local names that holes may use.
    """

    text: str
    names: dict[str, str]


def blocks(text: str, **names: str) -> tuple[Block, ...]:
    """The templates in a text, which empty lines part."""
    return tuple(Block(part.strip("\n"), names) for part in dedent(text).strip("\n").split("\n\n"))


TAME = (
    *blocks("""
        if $b:
            $r = $f
        else:
            $r = $f

        $r = $f
        if $b:
            $r = $f

        if $b:
            $r = $i
        elif $b:
            $r = $i
        else:
            $r = $i

        if $i:
            $r = $f
        else:
            $r = $f

        if $b and $f > 0.0:
            if $b or $i < 3:
                $r = $f
            else:
                $r = $f
        else:
            $r = 0.0

        $r = $f
        $r += $f
        $r *= $f
        $r -= $i
        $r /= $fp

        $r = $i
        $r += $i
        $r -= $i
        $r *= 2
        $r //= $ip
        $r %= 100

        $r = $i
        $r &= $i
        $r |= $i
        $r ^= $i
        $r <<= 1
        $r >>= 2

        $r = $fm
        $r **= 2
        $r %= $fp
        $r //= $fp

        assert $i < 10**15
        $r = $f

        if $i > 10**15:
            raise ValueError("far")
        $r = $i

        $r = $V.copy()
        $r[$ix] = $f

        $r = $D.copy()
        $r *= $f

        $r = $D.copy()
        $r[$ix] += $f

        $r = $I.copy()
        $r[$ix] = $i

        $r = $I.copy()
        $r[$ix] -= 1

        $r = $I.copy()
        $r += $i

        $r = $S.copy()
        $r[$ix] = $f

        $r = $B.copy()
        $r[$ix] = $b

        $r = $M.copy()
        $r[0] = $r[1]

        $r = $V.copy()
        $r[0], $r[1] = $r[1], $r[0]

        $r = 0
        while $r < 40:
            $r = $r * 2 + $ip
    """),
    *blocks(
        """
        $r = 0.0
        for _j in range($ip):
            $r += $f

        $r = 0
        for _j in range(5):
            $r += _j * $i

        $r = $f
        for _j in range(1, 7, 2):
            if _j > $i:
                break
            $r = $r + $f

        $r = 0
        for _j in range(6, 0, -1):
            if $b:
                continue
            $r += _j

        $r = np.zeros(4)
        for _j in range(4):
            $r[_j] = $f

        $r = np.zeros((2, 3))
        for _j in range(2):
            for _k in range(3):
                $r[_j, _k] = $f

        _j = 0
        $r = $f
        while _j < 6:
            _j += 1
            if $b:
                continue
            $r = $r + $f

        $r = -1
        for _j in range(len($V)):
            if $last[_j] > $f:
                $r = _j
                break

        $r = 0
        for _j in range(3):
            for _k in range(_j, 3):
                if _k == $i:
                    break
                $r += _k
        """,
        j="i",
        k="i",
    ),
    *blocks(
        """
        $r = 0.0
        for _v in $V:
            $r += float(_v) * $f

        $r = 0.0
        for _j, _v in enumerate($V):
            if _v > $f:
                break
            $r = $r + _j

        $r = 0.0
        for _v, _w in zip($V, $same):
            $r += float(_v * _w)

        $r = 0.0
        for _v in $X:
            $r += _v * $f

        $r = 0.0
        for _v in ($f, $f, $f):
            if _v > $r:
                $r = _v

        _v = $f
        _w = $f
        _v, _w = _w, _v + $f
        $r = _v - _w

        _v, _w = ($f, $f) if $b else ($f, $f)
        $r = _v * 2.0 - _w
        """,
        v="f",
        w="f",
    ),
    *blocks(
        """
        _v, _w = divmod($i, $ip)
        $r = _v * 10 + _w

        $r = 0
        for _v in $VI:
            if _v > $i:
                $r += 1

        $r = 0
        for _v in (1, 2, 3):
            $r = $r * 10 + _v * $i
        """,
        v="i",
        w="i",
    ),
)
