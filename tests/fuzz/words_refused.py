"""Expressions that were refused when this was written, as templates: what is accepted one day is then compared."""

from __future__ import annotations

from tests.fuzz.words_blocks import blocks
from tests.fuzz.words_tame import lines

FLOATS = lines("""
    pow($fp, $fu)
    round($fm, 1)
    round($fm, 2)
    math.log($fp, 2.0)
    math.hypot($f, $f)
    math.gamma($fp)
    math.lgamma($fp)
    math.fmod($fm, $fp)
    float(np.clip($f, -1.0, 1.0))
    float(np.where($b, $f, $f))
    float(np.max($S))
    float(np.dot($V, $same))
    float(np.linalg.norm($V))
    float(np.sum($S))
    float($I.mean())
    sum([$f, $f, $f])
    sum(($f, $f))
    sum([v * $f for v in ($f, $f, $f)])
    float(sum([v for v in $V]))
    max([$f, $f, $f])
""")

INTS = lines("""
    2 ** $ip
    pow($im, 2)
    divmod($i, $ip)[0]
    divmod($i, $ip)[1]
    int($J.sum())
    int(np.argmax($D))
    $b + $b
    sum([$i, $i])
    sum([1 for v in $V if v > 0.0])
    sum([k * $i for k in range($ip)])
    sum(range($ip))
""")

BOOLS = lines("""
    any([$b, $b])
    all([$b, $b, $b])
""")

ARRAYS = lines("""
    abs($D)
    $D ** 3
    $D // $fp
    $D % $fp
    $S * $f
    $S + $i
    $S ** 2
    $I ** 2
    $I << 1
    $I >> 1
    $J + 1
    $J * 2
    $J - 1
    -$J
    $J // 3
    $J % 5
    $J / 2
    $S >= $f
    $D[::-1].copy()
    $V[1:]
    $V[:-1]
    $V[1:] - $last[:-1]
    $M[:, 1]
    $M[-1, ::-1].copy()
    np.dot($Mq, $Vt)
    $I.astype(np.int32)
    $I.astype(np.uint8)
    np.exp($Sm)
    np.sqrt(np.abs($S))
    np.sort($V)
    np.array([v * 2.0 for v in $V])
    np.sum($M, axis=0)
    $M.sum(axis=1)
""")

BLOCKS = blocks("""
    $r = $D.copy()
    $r += $same

    $r = $D.copy()
    $r[$r > $f] = 0.0

    $r = $J.copy()
    $r += $same

    $r = $J.copy()
    $r[$ix] += 1

    $r = $M.copy()
    $r[:, 0] = $f

    $r = $S.copy()
    $r *= 0.1

    $r = $V.copy()
    $r[1:] = $f

    $r = $V.copy()
    $r[1:] = $r[:-1]

    $r = $V.copy()
    $r[:-1] = $r[1:]

    $r = $V.copy()
    $r[:] = $r[::-1]
""")
