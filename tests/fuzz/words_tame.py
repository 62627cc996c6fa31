"""Expressions that most dynamics are made of, as templates: one a line. `grammar.py` says what the holes mean."""

from __future__ import annotations


def lines(text: str) -> tuple[str, ...]:
    """The templates in a text."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


FLOATS = lines("""
    $f + $f
    $f - $f
    $f * $f
    $f / $fp
    $f // $fp
    $f % $fp
    $f % -$fp
    $i / $ip
    $i / $fp
    $f + $i
    $i - $f
    $f * $i
    $i // $fp
    $i % $fp
    -$f
    +$f
    abs($f)
    $fm ** 2
    $fm ** 2.0
    $fm ** 3
    $fp ** 0.5
    $fp ** $fu
    $fp ** -1
    2.0 ** $fm
    min($f, $f)
    max($f, $f)
    min($f, $f, $f)
    max($f, 0.0)
    min(0.0, $f)
    float($i)
    float($b)
    float($f)
    $f if $b else $f
    ops.where($b, $f, $f)
    ops.clip($f, -1.0, $fp)
    ops.minimum($f, $f)
    ops.maximum($f, $f)
    ops.sin($fm)
    ops.cos($fm)
    ops.sqrt($fp)
    ops.atan2($f, $f)
    ops.float32($fm)
    ops.pow2($fm)
    ops.pow2f(ops.float32($fm))
    math.sin($fm)
    math.cos($fm)
    math.tan($fm)
    math.asin($fu)
    math.acos($fu)
    math.atan($f)
    math.atan2($f, $f)
    math.sinh($fm)
    math.cosh($fm)
    math.tanh($f)
    math.exp($fm)
    math.expm1($fm)
    math.log($fp)
    math.log1p($fp)
    math.log2($fp)
    math.log10($fp)
    math.sqrt($fp)
    math.pow($fp, $fu)
    math.pow($fm, 2.0)
    math.copysign($f, $f)
    math.degrees($f)
    math.radians($f)
    math.fabs($f)
    math.erf($f)
    math.pi * $f
    float(np.sin($fm))
    float(np.exp($fm))
    float(np.log($fp))
    float(np.tanh($f))
    float(np.sqrt($fp))
    float(np.abs($f))
    float(np.sign($f))
    float(np.floor($f))
    float(np.arctan2($f, $f))
    float(np.hypot($f, $f))
    float(np.minimum($f, $f))
    float(np.float32($fm))
    float($D[$ix])
    float($S[$ix])
    float($D.sum())
    float($D.mean())
    float($D.max())
    float($D.min())
    float(np.sum($D))
    float(np.mean($D))
    float(np.prod($D))
    float($V @ $same)
    $X[$x]
    $X[$ip % len($last)]
    float(np.array([$f, $f])[1])
    rng.random()
    rng.uniform(-1.0, $fp)
    rng.uniform($fu, 2.5)
    rng.normal($fm, $fp)
    rng.standard_normal()
    rng.normal() * $f
""")

INTS = lines("""
    $i + $i
    $i - $i
    $i * $i
    $i // $ip
    $i % $ip
    $i // -$ip
    $i % -$ip
    -$i
    +$i
    ~$i
    abs($i)
    $i & $i
    $i | $i
    $i ^ $i
    $i << $k
    $i >> $k
    $i >> $ip
    $i ** 2
    $im ** 3
    $im ** $k
    min($i, $i)
    max($i, $i, 0)
    min(0, $i)
    int($fm)
    int($b)
    int($i)
    round($fm)
    math.floor($fm)
    math.ceil($fm)
    math.trunc($fm)
    ops.floor($fm)
    ops.where($b, $i, $i)
    ops.minimum($i, $i)
    ops.clip($i, -3, 5)
    $i if $b else $i
    len($X)
    len($A)
    int($I[$ix])
    int($J[$ix])
    int($I.sum())
    int($I.max())
    int(np.sum($I))
    int(np.argmin($I))
    int(np.count_nonzero($A))
    int($B.sum())
    int(np.prod($I))
    int($D[$ix] > $f)
    int(np.floor($fm))
    $i + $b
    $b * $i
    True + $i
    $Y[$x]
    $Y[$ip % len($last)]
    rng.integers(0, $ip)
    rng.integers(-3, 4)
    rng.integers(5)
    rng.integers($ip)
    rng.integers(0, 5000000000)
    rng.integers(-(2**62), 2**62)
""")

BOOLS = lines("""
    $f < $f
    $f <= $f
    $f > $f
    $f >= $f
    $f == $f
    $f != $f
    $i < $i
    $i == $i
    $i != $i
    $i >= $f
    $f == $i
    $i < $f
    $f < $f < $f
    $f <= $f != $f
    $i < $i <= $i
    $b and $b
    $b or $b
    not $b
    $b & $b
    $b | $b
    $b ^ $b
    $b == $b
    $b != $b
    bool($i)
    bool($f)
    not $f
    not $i
    math.isnan($f)
    math.isinf($f)
    math.isfinite($f)
    bool($B[$ix])
    bool(np.any($B))
    bool(np.all($D > $f))
    bool($B.all())
    bool(np.array_equal($A, $same))
    bool($D[$ix] > $f)
    bool($I[$ix] == $i)
    $b if $b else $b
    ops.where($b, $b, $b)
    rng.random() < $fu
    $i % 2 == 0
""")

ARRAYS = lines("""
    $D + $same
    $D - $same
    $D * $same
    $D / $same
    $D * $f
    $D + $i
    $f - $D
    $i * $D
    -$D
    $D ** 2
    $S + $same
    $S * $same
    $S / $same
    -$S
    $I + $same
    $I * $same
    $I + $i
    $I - $i
    $I // $ip
    $I % $ip
    $I * $i
    $I * $f
    $I / $ip
    $I & $same
    $I | $i
    ~$I
    -$I
    $J + $same
    $J * $same
    $J & $same
    $D + $Isame
    $D > $f
    $D <= $same
    $I == $i
    $J < 10
    $B & $same
    $B | $same
    $B ^ $same
    ~$B
    $D.copy()
    $A.copy()
    $M[0]
    $M.T.copy()
    $M.reshape(-1)
    $M.ravel()
    $M @ $Mq
    $Mq @ $Vt
    np.eye(3) * $f
    $D.astype(np.float32)
    $I.astype(np.float64)
    $B.astype(np.int64)
    $J.astype(np.float64)
    $S.astype(np.float64)
    np.abs($D)
    np.sin($Dm)
    np.cos($Dm)
    np.exp($Dm)
    np.log(np.abs($D) + 1.0)
    np.tanh($D)
    np.sqrt(np.abs($D))
    np.arctan2($D, $same)
    np.hypot($D, $same)
    np.sign($D)
    np.floor($D)
    np.power(np.abs($Dm), 1.5)
    np.clip($D, -1.0, 1.0)
    np.clip($D, $fu, 4.0)
    np.clip($I, -2, 3)
    np.minimum($D, $same)
    np.maximum($D, 0.0)
    np.maximum($I, 0)
    np.where($D > $f, $same, $f)
    np.where($D > $f, $same, $same)
    np.where($I > 0, $same, 0)
    np.where($B, 1.0, -1.0)
    np.cumsum($V)
    np.cumsum($VI)
    np.sort($VI)
    np.roll($V, 1)
    np.roll($V, -2)
    np.concatenate(($V, $V))
    np.zeros(4)
    np.ones(3)
    np.full(3, $f)
    np.arange(5)
    np.arange(len($A))
    np.arange(5) * $f
    np.arange(6).reshape(2, 3)
    np.zeros((2, 3))
    np.zeros(3, np.int64)
    np.ones(4, np.float32)
    np.zeros_like($A)
    np.ones_like($D)
    np.array([$f, $f, $f])
    np.array([$i, $i])
    np.array(($f, $f))
    np.array([[$f, $f], [$f, $f]])
    np.array([$b, $b])
    np.array([$f, $i])
    np.array([float(v) for v in $X])
    np.asarray($D) + 1.0
    np.array($X)
    np.array($Y)
""")
