"""Templates of expressions whose value is a number or a tuple, for the expression fuzzer."""

from __future__ import annotations

from tests.fuzz.words_tame import lines

NUMBERS = lines("""
    $n + $n
    $n - $n
    $n * $n
    $n / $n
    $n // $n
    $n % $n
    $f // $f
    $f % $f
    $f / $f
    $i // $i
    $i % $i
    $i / $i
    $f ** $f
    $f ** $k
    $f ** -1
    $i ** 0
    $b ** 2
    $b + $i
    $b * $f
    $i - $b
    $b / $i
    $b // $i
    $b % $i
    $b << $k
    $b & $i
    $i << $im
    $i >> $i
    $b == $i
    $b < $f
    $n < $n
    $i < $f
    $f == $i
    $i == 9007199254740992.0
    $f == 9007199254740993
    $i <= 9007199254740992.0
    $i > 9.3e18
    $f < 9223372036854775807
    $i < 0.5
    $n != $n
    $i <= $f < $i
    $n if $n else $n
    $b and $b
    $f and $f
    $i or $i
    not $n
    abs($n)
    int($n)
    float($n)
    bool($n)
    round($n)
    min($n, $n)
    max($f, $f, $f)
    min($f, $f)
    max($i, $i)
    max(0, $f)
    min($f, 0) + 0.5
    max(-0.0, $f)
    max($f, -0.0)
    min($b, $b)
    math.floor($n)
    math.ceil($n)
    math.trunc($n)
    math.floor($I[$ix])
    math.ceil($I[$ix])
    round($I[$ix])
    math.isnan($n)
    math.isfinite($n)
    math.isinf($n)
    math.copysign($n, $n)
    math.fabs($n)
    math.sqrt($n)
    math.exp($n)
    math.expm1($n)
    math.log($n)
    math.log1p($n)
    math.log2($n)
    math.log10($n)
    math.sin($n)
    math.tan($n)
    math.asin($n)
    math.acosh($n)
    math.atanh($n)
    math.sinh($n)
    math.tanh($n)
    math.erf($n)
    math.erfc($n)
    math.degrees($n)
    math.radians($n)
    math.pow($n, $n)
    math.fmod($n, $n)
    math.atan2($n, $n)
    np.sqrt($n)
    np.square($n)
    np.floor($n)
    np.ceil($n)
    np.trunc($n)
    np.rint($n)
    np.fabs($n)
    np.abs($n)
    np.sign($n)
    np.cbrt($n)
    np.exp2($n)
    np.log($n)
    np.sin($n)
    np.tanh($n)
    np.arcsin($n)
    np.deg2rad($n)
    np.fmod($n, $n)
    np.hypot($n, $n)
    np.arctan2($n, $n)
    np.copysign($n, $n)
    np.power($f, $n)
    np.power($n, $n)
    np.minimum($n, $n)
    np.maximum($n, $n)
    np.clip($n, $n, $n)
    np.isnan($n)
    np.isinf($n)
    np.float64($n)
    np.int64($n)
    np.float32($f)
    np.int8($i)
    np.uint8($im)
    np.bool_($n)
    np.float32($f) * np.float32($f)
    np.float32($f) / np.float32($f)
    np.float32($f) < np.float32($f)
    float(np.float32($f))
    np.any($n)
    np.all($n)
    np.count_nonzero($n)
    np.argmax($i)
    ops.float32($n)
    ops.pow2($n)
    ops.pow2f($n)
    ops.pow2f(ops.float32($f))
    ops.where($n, $f, $f)
    ops.where($n, $i, $i)
    ops.minimum($n, $n)
    ops.maximum($n, $n)
    ops.clip($n, $n, $n)
    ops.floor($n)
    ops.sqrt($n)
    ops.sin($n)
    $X[$i]
    $X[$im]
    $X[-$ip]
    $Y[$im]
    $X[1:]
    $X[::-1]
    $X + $X
    $X[1:] + $Y
    $f in $X
    $f in ($f, $f)
    $i in ($i, $i, 3)
    $i in $Y
    $b in ($b, True)
    $f not in ($f, 1.0)
    $X == $X
    $X != $X
    ($f, $i) == ($f, $i)
    ($f, $f) == ($f, $f)
    ($f, 1.0) == ($f, $f, $f)
    ($f,) == ($f,)
    (($i,), $f) == (($f,), $f)
    (($f, $b), $i) == (($f, $b), $i)
    ($f, $f) != $X
    len($X + $Y)
    ($i, $f, $b)
    ($f, ($i, $f))
    $X[:$k]
    tuple($X)
    G_T[$im]
    G_F * $n
    G_I + $i
    P0.x * $f
    P0.n + $i
    P0.row[$im]
    Record($f, $i, $V).x
    Record($f, $i, $V).row
    len($A)
    $A.shape
    $A.size
    $A.ndim
    $A.shape == $A.shape
    $A.shape[-1]
    $A[$ix]
    $A[$ix] + $n
    $A[$ix] * $n
    $A[$ix] - $A[$ix]
    $A[$ix] < $n
    $A[$ix] == $n
    $A[$ix] ** 2
    $A[$ix] // $n
    $A[$ix] % $n
    $I[$ix] << $im
    $I[$ix] >> $i
    $V[$i]
    $V[$im]
    $VI[$im]
    $M[$im, $k]
    $M[$k][$im]
    $V[$J[$k]]
    $V[$VI[$k]]
    $A.sum()
    $A.max()
    $A.min()
    $A.prod()
    $A.mean()
    $A.any()
    $A.all()
    $A.argmax()
    $A.argmin()
    np.sum($A)
    np.mean($A)
    np.prod($A)
    np.max($A)
    np.min($A)
    np.amax($A)
    np.any($A)
    np.count_nonzero($A)
    np.argmax($A)
    np.array_equal($A, $A)
    np.array_equal($A, $same)
    np.array_equal($I, $D)
    $V @ $same
    $V[::2] @ $V[::-2]
    $V[::-1] @ $same
    $V.T @ $same
    $M[0] @ $M[1]
    $M[:, 0] @ $M[:, 1]
    np.sum($V[::-1])
    np.sum($V[::2])
    np.sum($M[:, $k])
    np.mean($V[::3])
    np.max($V[::-1])
    np.min($M[:, 0])
    np.sum($M.T.copy())
    np.sum(np.copy($M.T))
    np.sum($M.T * 2.0)
    np.mean($M.T[:, :2] * 2.0)
    np.sum($M.T[:, :2] * 1.5)
    np.prod($M.T[1:] + 1.5)
    np.sum($M[:, ::-1] * 1.5)
    np.sum($M[::-1] * 1.5)
    np.sum($M[:, 1:] + $M.T[:, :1])
    np.sum($M.T[:, :2].copy())
    np.sum(np.copy($M.T[:, :2]))
    np.sum($M.T.astype(np.float64))
    np.sum($M.T[:, :2].astype(np.float64))
    np.sum(-$M.T[:, :2])
    np.sum(np.where($M.T[:, :2] > 0.0, $M.T[:, :2], 0.0))
    np.sum(np.transpose($M)[:, :2] / 3.0)
    np.sum(np.flip($M) * 1.1)
    np.sum(np.abs($M.T[:, :2] * 1.1))
    np.sum($M.T.reshape(-1))
    np.sum(np.ravel($M.T))
    np.sum($M.ravel() * 1.1)
    np.sum(np.outer($V, $V).T * 1.1)
    np.sum(np.concatenate(($M.T, $M.T)))
    np.sum(np.stack(($V, $V)).T + 0.1)
    np.sum(np.stack(($V, $V), 1))
    np.sum(np.zeros_like($M.T) + $M.T)
    np.sum(np.full_like($M.T, $f) * $M.T)
""")
