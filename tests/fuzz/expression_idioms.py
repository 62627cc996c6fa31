"""Templates of what people write besides arithmetic, for the expression fuzzer."""

from __future__ import annotations

from tests.fuzz.words_blocks import blocks
from tests.fuzz.words_tame import lines

IDIOMS = lines("""
    $I // 2
    $I // $i
    $I << $k
    $I >> $k
    $I ** 2
    $D ** 3
    $D ** 1.5
    $D ** 0.25
    $D // $f
    $f // $D
    $D // $same
    $D % $f
    $f % $D
    $D % $same
    np.floor_divide($D, $same)
    np.mod($D, 2.5)
    np.round($D, 1)
    np.round($V[::-1], 3)
    np.round($f, 2)
    np.round($D)
    np.around($f, 1)
    $D.round(2)
    $D.clip($f, $f)
    $I.clip(-2, $i)
    $V.dot($V)
    $V.dot($V[::-1])
    np.sum($M, axis=0)
    np.sum($M, axis=1)
    np.sum($M, $k)
    $M.sum(axis=-1)
    $M.sum(0)
    $M.max(axis=0)
    np.max($M, axis=1)
    np.min($M, axis=0)
    $M.min(1)
    np.mean($M, axis=0)
    $M.mean(axis=1)
    $M.prod(axis=0)
    np.prod($M, axis=1)
    np.argmax($M, axis=0)
    $M.argmin(axis=1)
    np.any($M > $f, axis=0)
    np.all($M > $f, axis=1)
    ($M > $f).sum(axis=0)
    np.sum($M * $f, axis=0)
    np.sum($M[:, ::-1].copy(), axis=1)
    np.sum(K0, axis=0)
    K0.max(axis=1)
    K0.prod(axis=0)
    np.sum($V, axis=0)
    $V.max(axis=-1)
    np.linspace($f, $f, $ip)
    np.linspace($i, $f, 5)
    np.linspace($f, $f, $im)
    np.array([[$f, 1], [$i, 0.5]])
    np.array([[$i, 1], [2, $i]])
    np.array((($f, $f), ($f, 1.0)))
    np.array([[$b, True], [$b, $b]])
    np.array([5, $k, -3], np.int8)
    np.array([$i, $i], np.uint8)
    np.full(3, 7, np.uint8)
    np.full(2, $i, np.int16)
    np.where($D > $f, $same, 0)
    np.where($D > $f, 1, $same)
    np.array([v * $f for v in $V if v > $f])
    np.array([v * 2 for v in $VI])
    np.array([v > 0 for v in $VI])
    np.array([[a * b for b in $X] for a in $X])
    np.array([_j * $f for _j in range(3)])
    np.array([$V[_j] + _j for _j in range(G_I - 5)])
    tuple(v + _j for _j in range(2) for v in ($f,))
    tuple($X[_j] * $f for _j in range(3))
    sum($V)
    sum($VI)
    sum($I)
    sum($B)
    sum($Y)
    sum([$i, $i, $i])
    sum(v > $f for v in $V)
    sum(v * $i for v in $VI)
    any(v > $f for v in $V)
    all(v < $f for v in $V)
    any(a > b for a in $V for b in $X if b > 0.0)
    max($V)
    min($V)
    max($VI)
    min($I)
    max($X)
    min($X)
    max($Y)
    max([$f, $f])
    max(v * $f for v in $V)
    min(v - $i for v in $VI)
    -max(0, $f)
    -min(0, $f)
    -max($f, 0)
    -min($f, 1, $f)
    -max(0, $f) + $f
    (_w := $f) * _w + $f
    [_w := $f, _w * 2.0][1] + _w
    $f if (_w := $f) > $f else _w
    G_D[$i]
    G_D[$im % 3]
    $i in G_D
    G_P[($im % 2, 1)]
    G_S["gain"] * $f
    G_S["inner"]["count"] + $i
    Side($im)
    Side($im % 3) + $i
    Side.RIGHT * $i
    $f > 10**18
    $f < $i
    $i >= $f
    $f == $i
""")

IDIOM_BLOCKS = blocks("""
    _a = $V.copy()
    _a[_a > $f] = $f
    _a[_a < 0.0] += $f
    $r = _a

    _a = $V.copy()
    _a[$B] = $i
    $r = _a

    _a = $V.copy()
    _a[_a > $f] = _a[_a > $f] * $f
    $r = _a

    _a = $V.copy()
    _a[_a > $f] = _a[::-1][:2]
    $r = _a

    _a = $M.copy()
    _a[_a > $f] = 0
    $r = _a

    _a = $VI.copy()
    _a[_a > $i] = $i
    $r = _a

    if $f > $f:
        raise ValueError(f"{$f:.2f} of {$i:>4}") from None
    $r = $f

    assert $f < $f, f"{$f!r}"
    $r = $f

    _x = 0.0
    while (_y := _x * _x + 0.5) < 9.0:
        _x = _y
    $r = _x

    _t = [_j * _j for _j in range(4)]
    $r = _t[$im % 4] + len(_t)
""")
