"""Templates of values that may be an int or a float, for the expression fuzzer."""

from __future__ import annotations

from tests.fuzz.words_blocks import blocks
from tests.fuzz.words_tame import lines

MIXED_BLOCKS = blocks("""
    _x = 0
    if $b:
        _x = $f
    $r = $e

    _x = 0 if $b else $f
    $r = $e

    _x = $f if $b else 1
    $r = $e

    _x = max(0, $f)
    $r = $e

    _x = ops.where($b, 0, $f)
    $r = $e

    _x = ops.clip($f, 0, 1)
    $r = $e

    _x = 0
    for _j in range(3):
        if $b:
            _x = _x + $f
    $r = $e

    _x = 0
    for _y in $X:
        _x += _y
    $r = $e

    for _x in [0, $f, 2]:
        $r = $e

    for _x in (0, $f, 2):
        $r = $e

    _x = [0, $f][$k]
    $r = $e

    _x = (0, $f)[$k % 2]
    $r = $e

    _x = mixed_helper($f)
    $r = $e

    _x = 0
    _y = _x if $b else $f
    _x = _y
    $r = $e

    _x, _y = (0, $f) if $b else ($f, 1)
    $r = $e

    _x = 1
    while _x < 3:
        _x = _x + abs($fm) + 0.5
    $r = $e
""")
"""Each `_x` may be an int or a float; `$e` is an expression with it."""

MIXED_USES = lines("""
    _x + $f
    $f - _x
    _x * $f
    _x / 2.0
    _x / 2
    _x // 2.0
    _x % 2.0
    _x ** 2
    _x ** 2.0
    2.0 ** _x
    -_x
    +_x
    abs(_x)
    -abs(_x)
    $f * -abs(_x)
    int(_x)
    float(_x)
    -float(_x)
    bool(_x)
    round(_x)
    _x < $f
    _x == $i
    _x == 0
    _x != $f
    min(_x, $f)
    -max(_x, 0.0)
    _x + _x
    _x * 1
    _x + 1
    _x * -1
    -(_x * 1.0)
    -(_x + 0.0)
    np.sin(_x)
    np.sqrt(_x)
    np.abs(_x)
    -np.abs(_x)
    np.sign(_x)
    np.floor(_x)
    np.square(_x)
    -np.square(_x)
    np.minimum(_x, $f)
    np.minimum(_x, 0)
    np.maximum(_x, $i)
    np.clip(_x, 0, 5)
    np.clip(_x, -1.0, 1.0)
    np.copysign(_x, $f)
    np.copysign(1.0, _x)
    np.power(_x, 2.0)
    np.fmod(_x, 2)
    np.float64(_x)
    np.int64(_x)
    np.float32(_x)
    np.isnan(_x)
    math.sqrt(_x)
    math.floor(_x)
    math.ceil(_x)
    math.trunc(_x)
    math.fabs(_x)
    math.copysign(_x, $f)
    -math.fabs(_x)
    math.pow(_x, 2)
    ops.float32(_x)
    ops.pow2(_x)
    -ops.pow2(_x)
    ops.where($b, _x, $f)
    ops.floor(_x)
    $V * _x
    $VI * _x
    $VI + _x
    $VI == _x
    _x - $VI
    $VI / _x
    $S * _x
    np.maximum($VI, _x)
    np.maximum($V, _x)
    np.clip($V, _x, 5.0)
    np.clip($VI, _x, 5)
    np.full(3, _x)
    np.full_like($V, _x)
    np.full_like($VI, _x)
    np.array([_x, $f])
    np.array([_x, 1])
    np.array([_x, _x])
    np.array((_x, 1))
    np.append($V, _x)
    np.append($VI, _x)
    np.where($B, _x, $f)
    np.where($B, $V, _x)
    np.where($B, $VI, _x)
    np.zeros(3) + _x
    (_x, $f)
    Record(_x, $i, $V).x
    float_helper(_x)
    _x in (0.0, $f)
    not _x
    _x and $f
    _x or $f
    _x if $b else $f
    -(_x if $b else $f)
    -(_x or $f)
    sum([_x, $f])
    [_x, $f][$k % 2]
    np.array([_x * 2 for _z in range(2)])
    [_x][0]
    -[_x][0]
    -[_x, 0.5][0]
""")
