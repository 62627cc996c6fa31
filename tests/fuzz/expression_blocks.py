"""Templates of loops, branches and assignments, for the expression fuzzer."""

from __future__ import annotations

from tests.fuzz.words_blocks import blocks

ODD_BLOCKS = blocks("""
    $r = 0
    for _j in range($i, $i, $i):
        $r += 1
        if $r > 5:
            break

    $r = 0
    for _j in range($im, $im, $im):
        $r = $r * 3 + _j

    $r = 0
    for _j in range($im):
        _j += 2
        $r += _j

    _j = 7
    for _j in range($im):
        pass
    $r = _j

    $r = 0.0
    for _x in $V[::-1]:
        if _x > $f:
            continue
        $r += _x

    $r = 0.0
    for _j, _x in enumerate($V):
        for _y, _z in zip($V, $X):
            $r += _x * _y - _z * _j

    $r = 1.0
    for _x in ($f, $f, $f):
        $r *= _x
        if $r == 0.0:
            break

    $r = 0
    for _j in $VI:
        $r = $r ^ _j

    $r = 0
    for _j in $J:
        $r += int(_j)

    $r = 0
    for _x in $V:
        $r += _x > $f

    $r = 0
    for _x in $V:
        if _x > $f:
            $r += 1

    _a = [$f, $f]
    _a.append($f)
    $r = _a[-1] + _a[$im]

    _a = [$i, $i]
    _b = _a
    _b.append(3)
    $r = len(_a)

    _a = [_y * $f for _y in $X]
    $r = len(_a)

    _a = []
    for _x in $V:
        if _x > $f:
            _a.append(_x)
    $r = len(_a)

    _a = [0.0]
    for _x in $V:
        _a.append(_a[-1] + _x)
    $r = np.array(_a)

    _a = np.array([_y * $f for _y in $V])
    $r = _a

    _a = np.array([_j for _j in range($im) if _j % 2 == 0])
    $r = _a

    _x, _y = $f, $f
    _x, _y = _y, _x
    $r = _x - _y

    (_x, _y), _z = ($f, $f), $i
    $r = (_z, _y, _x)

    _x, _y, _z = $X
    $r = _x * _y + _z

    $r = $f
    $r //= $f

    $r = $f
    $r %= $f

    $r = $f
    $r **= $k

    $r = $i
    $r <<= $im

    $r = $i
    $r //= $i

    $r = $i
    $r %= $i

    $r = $i
    $r /= $i

    $r = $i
    $r += $f

    $r = $i
    $r *= $i
    $r -= $i

    $r = $b
    $r &= $b
    $r |= $b

    _p = Record($f, $i, $V)
    $r = _p.x * _p.n + _p.row[0]

    _p = P0
    if $b:
        _p = Record($f, $i, $V)
    $r = _p.row

    _x, _y, _z = P0
    $r = _x

    $r = 0
    _j = $i
    while _j > 0 and $r < 70:
        _j = _j >> 1
        $r += 1

    $r = 0
    _x = $f
    while _x > 1.0:
        _x = _x / 2.0
        $r += 1
        if $r > 1100:
            break

    $r = 0
    while True:
        $r += $ip
        if $r > 20:
            break

    if not $b:
        raise ValueError("no")
    $r = $f

    assert $f > 0.0
    $r = $f

    if math.isnan($f):
        $r = -1
    elif $f > $f:
        $r = 1
    else:
        $r = 0

    $r = $i
    if $r > 2**62:
        $r = $r - 1
    elif $r < -(2**62):
        $r = $r + 1
    else:
        $r = $r * 2

    _x = $f
    $r = _x in (_x, 1.0)

    _x = $f
    $r = (_x, 1.0) == (_x, 1.0)

    _x = ($f, $f)
    $r = _x == _x

    _x = $X
    $r = _x != _x

    $r = -1
    for _j in range(len($V)):
        if $last[_j] != $last[-1 - _j]:
            $r = _j
            break
    else:
        $r = 100

    _j = $i
    $r = $V[_j % 3]
    _j = _j // 2
    $r = $r + $V[-(_j % 2)]
""")
