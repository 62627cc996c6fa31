"""Statements that somebody might write, as templates: arrays under two names, writes in place, what raises."""

from __future__ import annotations

from tests.fuzz.words_blocks import blocks

ALIASES = blocks("""
    $r = state.$arr

    $r = state.$arr[::-1]

    $r = state.$arr
    $r[$ix] = $n

    state.$arr[$ix] = $n
    $r = $f

    state.$arr[:] = 0
    $r = $f

    $r = state.$arr
    $r += 1

    $r = params.row
    $r[0] += 1.0

    params.row[1] = $f
    $r = $f

    ROW[1] += 1.0
    $r = float(ROW[1])

    $r = state.$arr.T

    $r = state.$arr.reshape(-1)
    $r[0] = 1

    $r = state.$arr.ravel()

    $r = np.asarray(state.$arr)
    $r[0] = 1

    $r = state.$arr[1:]
    $r[0] = 3
""")

WILD = (
    *blocks("""
        if $n:
            $r = $n
        else:
            $r = $n

        $r = $n
        if $b:
            $r = $n

        $r = $n
        $r += $n
        $r *= $n

        $r = $n
        $r -= $n
        $r //= $n

        $r = $n
        $r /= $n
        $r **= 2

        $r = $A.copy()
        $r[$ix] = $n

        $r = $A.copy()
        $r[$im] = $n

        $r = $A.copy()
        $r += $n

        $r = $A.copy()
        $r *= $same

        $r = $A.copy()
        $r /= 2

        $r = $A.copy()
        $r //= $same

        $r = $A.copy()
        $r[$r > 0] = $n

        $r = $A.copy()
        $r[0], $r[1] = $r[1], $r[0]

        $r = $A.copy()
        $r[1:] += $r[:-1]

        $r = $A.copy()
        $r.sort()

        $r = $A.copy()
        $r.fill($n)

        assert $n > 0
        $r = $f

        assert $b, "no"
        $r = $i

        if $f > 30.0:
            raise RuntimeError("far away")
        $r = $f

        if $i < -15:
            raise ValueError(f"low: {$i}")
        $r = $i

        if $i > 17:
            raise ArithmeticError
        $r = $i

        try:
            $r = 1 / $i
        except ZeroDivisionError:
            $r = 0.0

        $r = {"a": $f, "b": $f}["b"]

        match $i:
            case 0:
                $r = 1
            case _:
                $r = $i

        if (_z := $f) > 0.0:
            $r = _z
        else:
            $r = 0.0

        if $b:
            _z = 1
        $r = _z + $i

        if $i > 0:
            $r = $i
        else:
            $r = 0.5

        _z = [$f, $f]
        _z.append($f)
        $r = sum(_z)

        _z = [$f, $f]
        _z[0] = $f
        $r = _z[0] + _z[1]

        def _z(v):
            return v * $f
        $r = _z(2.0)

        $r, *_z = ($f, $f, $f)

        $r = _z = $f

        del state
        $r = 0.0

        print($f)
        $r = $f

        $r = float("nan") if $b else float("inf")

        $r = $n
        $r = $n

        _z = 0
        if $b:
            _z = $f
        $r = float(_z)

        _z = $i
        if $b:
            _z = $f
        $r = -_z
        $r = float($r)

        _z = 0 if $b else $f
        $r = _z * $f

        _z = 0 if $b else 0.5
        $r = _z * $i + $i

        _z = $i if $b else $f
        $r = float(_z // 2)

        _z = $i if $b else $f
        $r = float(_z % 3)

        _z = $i if $b else $f
        $r = _z == $i

        _z = $i if $b else $f
        $r = _z < $f

        _z = max($i, $f)
        $r = float(_z / 3)

        _z = min(0, $f)
        $r = math.copysign(1.0, _z)

        _z = abs($i if $b else $f)
        $r = math.sqrt(_z)

        _z = 0
        for _j in range(3):
            _z = _z + $f
        $r = float(_z)

        _z = 1
        for _j in range(4):
            _z = _z * $i
        $r = float(_z)

        _z = $i + $f
        _z = $i
        $r = _z // 2

        _z = True
        if $b:
            _z = $i
        $r = int(_z)

        _z = $b
        if $b:
            _z = $f
        $r = float(_z)

        _z = ops.where($b, 0, $f)
        $r = float(_z)

        _z = ops.clip($f, 0, 1)
        $r = float(_z)

        _z = ops.maximum(0, $f)
        $r = _z + 1.0

        _z = [$i, $f][$k % 2]
        $r = float(_z)

        _z = ($i, $f)
        $r = float(_z[$b])

        _z, _w = ($i, $f) if $b else ($f, $i)
        $r = float(_z - _w)

        $r = $f
        if $r is None:
            $r = 1.0

        _z = None
        if $b:
            _z = $f
        $r = 0.0 if _z is None else _z
    """),
    *blocks(
        """
        $r = 0
        for _j in range($im):
            $r += $n

        $r = 0
        for _j in range($im, $im, $im):
            $r += _j

        for _j in range(3):
            $r = $n

        for _j in range($im):
            $r = _j

        $r = 0
        for _j in range(4):
            if $b:
                break
        else:
            $r = $n
        $r += _j

        $r = 0
        for _j in $A:
            $r = $r + _j

        $r = 0
        for _j in $X:
            $r = $r + _j

        $r = 0
        for _j in $Z:
            $r = $r + _j

        $r = 0.0
        for _j, _k in enumerate($X):
            $r += _j * _k

        $r = 0.0
        for _j, _k in zip($X, $Y):
            $r += _j * _k

        $r = 0
        for _j in [$i, $f, $b]:
            $r += _j

        $r = 0
        for _j in sorted([$i, $i]):
            $r = $r * 3 + _j

        $r = 0
        while $r < $im * 3:
            $r += 3

        $r = 0
        while True:
            $r += 1
            if $r > $ip:
                break

        $r = $i
        for _j in reversed(range(4)):
            $r -= _j
            _j = 7

        $r = 1
        for _j in range(30):
            $r *= $im

        $r = $f
        for _j in range(12):
            $r = $r * $r + $fm
        """,
        j="i",
        k="i",
    ),
)
