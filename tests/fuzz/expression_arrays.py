"""Templates of expressions whose value is an array, for the expression fuzzer."""

from __future__ import annotations

from tests.fuzz.words_tame import lines

ARRAYS = lines("""
    $A + $same
    $A - $same
    $A * $same
    $A / $same
    $A // $same
    $A % $same
    $I // -1
    $I % -1
    $I // 0
    $I % $i
    $I // $i
    $i // $I
    $i % $I
    $I // $VI[::-1]
    $A & $same
    $A | $n
    $A ^ $same
    $A + $n
    $n - $A
    $A * $A
    $A / $n
    $n / $A
    $A ** 2
    $A < $n
    $A >= $same
    $A == $A
    $A != $n
    $J < 300
    $J > -1
    $J == $Isame
    $Isame < $J
    $B == $b
    $B < $same
    $B == $same
    $V + $M
    $M + $V
    $M * $M[:, :1]
    $M[:, :1] + $M[:1]
    $V + $V[:1]
    $V[1:] - $V[:-1]
    $V + $V[1:]
    $I + $V
    $I * 0.5
    $I + $b
    -$A
    +$A
    ~$A
    abs($A)
    $A.copy()
    $A[::-1]
    $A[::2]
    $A[1:]
    $A[:-1]
    $A[$im:]
    $A[:$im]
    $A[$im:$im]
    $A[::$im]
    $A[$i:$i]
    $A[$i:$i:$i]
    $M[$im]
    $M[:, $im]
    $M[$im:, 1]
    $M[:, ::-1]
    $M[::-1, 1:]
    $M.T
    $M.T[0]
    $M.T[:, :2]
    $M.T.copy()
    $M[:, 1:].copy()
    $V[$VI]
    $V[$VI % 3]
    $V[$VI[::-1] % 2]
    $M[$VI % 2]
    $M[:, $VI % 2]
    $VI[$VI % 3]
    $V[$V > $f]
    $V[$B]
    $V[$B[1:]]
    $V[1:][$V > 0.0]
    $VI[$VI > $i]
    $V[np.flatnonzero($V > $f)]
    $A.ravel()
    $A.flatten()
    $A.reshape(-1)
    $A.reshape(2, -1)
    $A.reshape((-1, 1))
    $M.T.copy().reshape(-1)
    $A.reshape($im, $im)
    $A.T
    $A.transpose()
    $A.astype(np.float64)
    $A.astype(np.float32)
    $A.astype(np.int64)
    $A.astype(np.bool_)
    $A.cumsum()
    np.cumsum($A)
    np.cumsum($M.T)
    np.cumsum($V[::-1])
    np.diff($A)
    np.diff($V, 2)
    np.diff($M.T)
    np.outer($A, $A)
    np.outer($V, $VI)
    np.outer($M.T, $V)
    np.sort($I)
    np.sort($VI[::-1])
    np.unique($I)
    np.roll($A, $im)
    np.roll($V, $i)
    np.roll($M.T, 1)
    np.flip($A)
    np.flip($M.T)
    np.transpose($A)
    np.ravel($A)
    np.ravel($M.T)
    np.copy($A)
    np.copy($M.T)
    np.asarray($A)
    np.asarray($X)
    np.append($A, $n)
    np.append($V, $V)
    np.append($M, $V)
    np.append($V, $VI)
    np.concatenate(($V, $V))
    np.concatenate(($M, $M.T))
    np.concatenate(($M, $M), 1)
    np.concatenate(($V[:0], $V[::-1]))
    np.concatenate([$VI, $VI[::2]])
    np.stack(($V, $same))
    np.stack(($V, $same), 1)
    np.stack(($V, $V[1:]))
    np.stack([$M, $M])
    np.hstack(($V, $V))
    np.hstack(($M, $M))
    np.where($D > $f, $same, $same)
    np.where($D > $f, $f, $f)
    np.where($B, $V, $V)
    np.where($B, $V, $V[1:])
    np.where($B, $VI, $i)
    np.where($M > 0.0, $V, $f)
    np.where($V > 0.0, $M, $M)
    np.where($M.T > 0.0, $M.T, 0.0)
    np.where($D > $f, $i, $i)
    np.where($B, $b, $b)
    np.clip($A, $n, $n)
    np.clip($I, $i, $i)
    np.clip($V[::-1], $f, $f)
    np.clip($D, $i, $f)
    np.minimum($D, $same)
    np.maximum($D, $f)
    np.minimum($I, $i)
    np.maximum($I, $same)
    np.minimum($f, $D)
    np.maximum($V, $V[::-1])
    np.minimum($V, $V[1:])
    np.minimum($I, $I)
    np.minimum($M, $M.T)
    np.copysign($D, $f)
    np.copysign($f, $D)
    np.fmod($D, $f)
    np.fmod($D, $same)
    np.power($D, $f)
    np.power($D, $k)
    np.power($f, $D)
    np.power($D, $same)
    np.hypot($D, $i)
    np.arctan2($D, $same)
    np.arctan2($V[::2], $V[::2])
    np.exp($D)
    np.exp($V[::-1])
    np.exp($M[:, 0])
    np.exp2($D)
    np.expm1($D)
    np.log($D)
    np.log2($D)
    np.log10($V[::2])
    np.log1p($D)
    np.sin($D)
    np.sin($V[::2])
    np.cos($D)
    np.tan($D)
    np.arcsin($D)
    np.arccos($V[::-1])
    np.arctan($D)
    np.sinh($D)
    np.cosh($V[::3])
    np.tanh($D)
    np.tanh($V[::-1])
    np.arcsinh($D)
    np.arccosh($D)
    np.arctanh($D)
    np.sqrt($D)
    np.sqrt($V[::-2])
    np.cbrt($D)
    np.square($A)
    np.fabs($D)
    np.abs($A)
    np.sign($A)
    np.floor($A)
    np.ceil($D)
    np.trunc($A)
    np.rint($D)
    np.deg2rad($D)
    np.rad2deg($D)
    np.isnan($A)
    np.isfinite($A)
    np.isinf($A)
    np.flatnonzero($A)
    np.flatnonzero($M.T)
    np.any($M, 0)
    np.all($M, 1)
    np.count_nonzero($M, 0)
    np.argmax($I, 0)
    np.array_equal($M.T, $M.T.copy())
    $M @ $M
    $M @ $M.T
    $M.T @ $M
    $Mq @ $Vt
    $Vt @ $Mq
    $Mq.T @ $Vt
    $Mq[:, ::-1] @ $Vt[::-1]
    $M @ $V
    $V @ $M.T
    $M[:, ::2] @ $V[::2]
    $Mq @ $Mq.T
    $Mq.T @ $Mq
    $Mq[::-1] @ $Mq[:, ::-1]
    np.zeros($ip)
    np.zeros((2, $ip))
    np.zeros($im)
    np.ones(3, np.bool_)
    np.full($ip, $n)
    np.full(3, $b)
    np.full((2, 2), $i)
    np.full(3, $i, np.int8)
    np.full(3, $f, np.int64)
    np.full(2, $f, np.float32)
    np.full(3, $i, np.float64)
    np.full_like($A, $n)
    np.full_like($J, $i)
    np.full_like($I, $f)
    np.zeros_like($A)
    np.ones_like($A)
    np.ones_like($M.T)
    np.eye(3, 2)
    np.eye($ip)
    np.identity(3)
    np.arange($im)
    np.arange($im, $im)
    np.arange($im, $im, $im)
    np.arange(3, -2, -1)
    np.array([$n, $n])
    np.array([$f, $i, 1])
    np.array(($i, $f))
    np.array(($i, $i))
    np.array($X)
    np.array($Y)
    np.array($Z)
    np.array(($X, $X))
    np.array([[$f, 1.0], [$i, 2.0]])
    np.array([[$i, 1], [$i, 2]])
    np.array([$i, $i], np.int8)
    np.array([$i, $i], np.float64)
    np.array([$f, $f], np.int64)
    np.array([$f, $f], np.float32)
    np.array([$b, $b])
    np.array($A)
    np.array([$V, $V])
    np.array([v * 2.0 for v in $V])
    np.array([v for v in $VI if v > 0])
    np.array([0, $f])
    np.array([v for v in (1, $f)])
    $B & ($V > $f)
    ($V > $f) | ($V < $f)
    $S * np.float32($f)
    $S + $same
    $S < np.float32($f)
    $S / $same
    $S[::-1] * $S
    G_A * $f
    G_A[$im] + $f
    P0.row + $f
    P0.row[::-1] * P0.row
""")
