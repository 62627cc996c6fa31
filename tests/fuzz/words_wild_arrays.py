"""Expressions of arrays that somebody might write, as templates: mixtures of dtypes, views, shapes that vary."""

from __future__ import annotations

from tests.fuzz.words_tame import lines

ANY_ARRAYS = lines("""
    $A + $A
    $A + $same
    $A - $n
    $n * $A
    $A / $n
    $A // $n
    $A % $n
    $A ** $k
    $A ** -1
    $A ** 0.5
    2 ** $I
    $A / $same
    $A // $same
    $A % $same
    $A & $same
    $A | $same
    $A ^ $n
    $A << $k
    -$A
    ~$A
    abs($A)
    $A < $n
    $A == $same
    $A != $A
    $A
    $A[::-1]
    $A[::2]
    $A[1:]
    $A[-2:]
    $A[:$im]
    $A[$im:]
    $A[$A > 0]
    $A[$VI % 2]
    $A[None]
    $A[...]
    $M.T
    $M[:, 0]
    $M[$k]
    $M[$im]
    $M[:, ::-1]
    $A.T
    $A.ravel()
    $A.flatten()
    $A.reshape(-1)
    $A.reshape((1, -1))
    $A.astype(np.int64)
    $A.astype(np.uint8)
    $A.astype(np.int8)
    $A.astype(np.float32)
    $A.astype(np.bool_)
    $A.astype(int)
    $A.astype("float32")
    $A.clip(-1, 1)
    $A.round()
    $A.cumsum()
    $A.copy().fill(2)
    np.exp($A)
    np.sin($A)
    np.sqrt($A)
    np.log($A)
    np.abs($A)
    np.sign($A)
    np.floor($A)
    np.round($A, 1)
    np.power($A, $n)
    np.power($A, $same)
    np.minimum($A, $n)
    np.maximum($A, $A)
    np.clip($A, $n, $n)
    np.where($A > 0, $A, $n)
    np.where($A, $same, $same)
    np.where($n, $A, $same)
    np.where($b, $D, $same)
    np.cumsum($A)
    np.cumprod($V)
    np.diff($V)
    np.sort($A)
    np.argsort($V)
    np.sort($A)[::-1]
    np.unique($VI)
    np.roll($A, 1)
    np.flip($A)
    np.outer($V, $V)
    np.tile($V, 2)
    np.repeat($V, 2)
    np.append($V, $n)
    np.stack(($V, $same))
    np.vstack(($V, $same))
    np.concatenate(($A, $A))
    np.concatenate([$V, np.array([$n])])
    np.array($A)
    np.asarray($A)
    np.array([$n, $n])
    np.array([$A[0], $n])
    np.array([$A, $same])
    np.array($V, np.float32)
    np.array([$n, $n], np.int64)
    np.array([$n], dtype=np.uint8)
    np.full(3, $n)
    np.full_like($A, $n)
    np.zeros(len($A))
    np.zeros($ip)
    np.linspace(0.0, $f, 4)
    np.arange($f)
    np.arange(0.0, 1.0, 0.25)
    np.arange($k, 5)
    np.arange(3, dtype=np.float32)
    np.sum($A, axis=0)
    np.mean($M, axis=1)
    np.max($M, axis=0)
    $M.min(axis=1)
    np.argmax($M, axis=0)
    $M @ $M
    $M @ $V
    $Mq @ $Mq
    np.dot($Mq, $Mq)
    np.linalg.inv($Mq)
    np.linalg.solve($Mq, $Vt)
    np.cross($Vt, $Vt)
    np.flatnonzero($A)
    np.nonzero($V)[0]
    np.isnan($A)
    np.logical_and($A > 0, $same < 1)
    np.floor_divide($A, $n)
    np.mod($A, $n)
    np.add($A, $n)
    np.float32($n) + $D
    np.float64($n) * $S
    np.int64($n) + $J
    np.float32($n) * $S
    np.uint8(200) + $J
    $S + $Dsame
    $J + $Isame
    $J + 300
    $J - 200
    $J * 1000
    $B + $same
    $B - $same
    $B * 2
    $B * $f
    np.array(action) * 2.0
    np.array(action)
    np.asarray(action) + $f
    rng.random(3)
    rng.normal(0.0, 1.0, size=2)
    rng.integers(0, 5, size=3)
    rng.permutation($V)
""")
