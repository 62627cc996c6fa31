"""Expressions that somebody might write, as templates: mixtures of kinds, bad arguments, other names of NumPy's."""

from __future__ import annotations

from tests.fuzz.words_tame import lines

ANY = lines("""
    $n + $n
    $n - $n
    $n * $n
    $n / $n
    $n // $n
    $n % $n
    $n ** $k
    $fm ** $fm
    $n ** 0.5
    $i ** -1
    $im ** $im
    -$n
    +$n
    ~$n
    abs($n)
    $n & $n
    $n | $n
    $n ^ $n
    $n << $k
    $n >> $k
    $n << $im
    $n >> $im
    1 << $ip
    $n < $n
    $n == $n
    $n != $n
    $n < $n < $n
    $n and $n
    $n or $n
    not $n
    $n if $n else $n
    min($n, $n)
    max($n, $n)
    max($n, $n, $n)
    int($n)
    float($n)
    bool($n)
    round($n)
    round($n, 1)
    round($i, -1)
    divmod($n, $n)[0]
    divmod($n, $n)[1]
    pow($n, 2)
    pow($i, $ip, 7)
    sum([$n, $n, $n])
    sum([$n, $n], $n)
    max([$n, $n])
    sum($A)
    max($V)
    min($VI)
    len($A)
    sum($X) + $n
    math.sqrt($n)
    math.log($n)
    math.exp($n)
    math.sin($n)
    math.asin($n)
    math.acosh($n)
    math.atanh($n)
    math.pow($n, $n)
    math.fmod($n, $n)
    math.gamma($n)
    math.lgamma($n)
    math.log2($n)
    math.log10($n)
    math.log1p($n)
    math.expm1($n)
    math.erfc($n)
    math.cosh($n)
    math.floor($n)
    math.ceil($n)
    math.trunc($n)
    math.isnan($n)
    math.isinf($n)
    math.copysign($n, $n)
    math.gcd($i, $i)
    math.ldexp($f, $k)
    math.frexp($f)[1]
    math.modf($f)[0]
    math.hypot($n, $n, $n)
    math.dist(($f, $f), ($f, $f))
    math.fsum([$f, $f, $f])
    math.prod([$n, $n, $n])
    math.comb($ip, 2)
    math.factorial($ip)
    math.isclose($f, $f)
    math.remainder($f, $fp)
    math.nan
    math.inf * $n
    ops.where($n, $n, $n)
    ops.clip($n, $n, $n)
    ops.minimum($n, $n)
    ops.maximum($n, $n)
    ops.sqrt($n)
    ops.float32($n)
    ops.pow2($n)
    ops.floor($n)
    np.sin($n)
    np.exp($n)
    np.log($n)
    np.sqrt($n)
    np.abs($n)
    np.sign($n)
    np.floor($n)
    np.round($n)
    np.power($n, $n)
    np.power($im, 2)
    np.minimum($n, $n)
    np.maximum($n, $n)
    np.fmin($f, $f)
    np.clip($n, $n, $n)
    np.where($n, $n, $n)
    np.float32($n)
    np.float64($n)
    np.int64($n)
    np.uint8($n)
    np.int8($im)
    np.int32($n) + $n
    np.float32($n) * $n
    np.float32($fm) ** 2
    np.float64($n) / $n
    np.int64($n) // $n
    np.int64($n) % $n
    np.uint8($im) - 1
    np.bool_($n)
    np.isnan($n)
    np.add($n, $n)
    np.mod($n, $n)
    np.square($n)
    np.cbrt($n)
    np.log1p($n)
    np.deg2rad($n)
    np.pi * $n
    $A[$ix]
    $A[$i]
    $A[$im]
    $V[$k]
    $V[-$k]
    $M[$im][$k]
    $M[$im, $k]
    $A.sum()
    $A.mean()
    $A.max()
    $A.min()
    $A.prod()
    $A.std()
    $A.var()
    $A.any()
    $A.all()
    $A.argmax()
    $A.size
    $A.ndim
    $A.shape[0]
    $A.item($k)
    $D.dot($same)
    np.sum($A)
    np.mean($A)
    np.prod($A)
    np.min($A)
    np.max($A)
    np.std($A)
    np.median($D)
    np.argmax($A)
    np.argmin($A)
    np.any($A)
    np.all($A)
    np.count_nonzero($A)
    np.dot($A, $same)
    $A @ $same
    np.linalg.norm($A)
    np.linalg.det($Mq)
    np.trace($M)
    np.array_equal($A, $A)
    np.allclose($D, $same)
    np.inner($V, $same)
    $X[$im]
    $X[$i]
    $X[1:][0]
    $X[-1]
    $Y[$im]
    $Z[$k]
    $Z[$im] + $n
    len($Z)
    $n in $X
    $i in ($i, $i, 3)
    $n not in [$n, $n]
    int(3.7 * $n)
    int("3") + $i
    len(str($i))
    len(f"{$i}")
    {"a": $f, "b": $i}["a"]
    len({$i, $i})
    sorted([$f, $f, $f])[0]
    list(reversed([$f, $i]))[0]
    [$f, $i, $b][$k]
    ($f, $i, $b)[$k]
    [$n, $n][$im]
    (lambda v: v * 2)($n)
    sum(v * v for v in $V)
    sum(map(float, $X))
    any(v > 0 for v in $V)
    all(v > 0 for v in $V)
    sum([a * b for a, b in zip($V, $same)])
    max(abs(v) for v in $V)
    isinstance($n, float)
    isinstance($n, int)
    ($n).real
    ($f).is_integer()
    ($i).bit_length()
    (1.5).__add__($f)
    complex($f, 1.0).real
    abs(complex($f, $f))
    $b + $b
    $b - $b
    $b * $b
    $b / True
    -$b
    ~$b
    $b << 1
    $b ** 2
    $b % 2
    True + True + $b
    (_z := $i + 1) + _z
    params.__class__.__name__ == "Params"
    state == state
    state[0]
    state[-1]
    len(state)
    state._replace(x0=1.0).x0
    len(action)
    action * 2
    sum(action)
    max(action)
    action + action
    rng.random() + rng.random()
    rng.uniform($n, $n)
    rng.uniform(1.0, -1.0)
    rng.uniform($f)
    rng.uniform(low=$f, high=$fp)
    rng.uniform(0.0, math.inf)
    rng.integers($i, $i)
    rng.integers($i)
    rng.integers(0)
    rng.integers(3, 3)
    rng.integers(0, 2**63)
    rng.integers(-(2**63), 2**63 - 1)
    rng.integers(0, 2**32)
    rng.integers(0, 2**32 + 1)
    rng.integers(0, $f)
    rng.integers(1, 4, endpoint=True)
    rng.integers(low=1, high=5)
    rng.integers(0, $I[0])
    rng.normal($n, $n)
    rng.normal(0.0, -1.0)
    rng.normal(0.0, 0.0)
    rng.normal($f, $f)
    rng.normal(scale=$fp)
    rng.standard_normal() * $n
    rng.exponential($fp)
    rng.choice(5)
    rng.random(3)[1]
    rng.permutation(4)[0]
    rng.standard_normal(2)[0]
    np.random.rand()
""")
