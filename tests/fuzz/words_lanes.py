"""Expressions of dynamics that do not branch on the state, which are computed for several environments at a time."""

from __future__ import annotations

from tests.fuzz.words_tame import lines

FLOATS = lines("""
    $f + $f
    $f - $f
    $f * $f
    $f / $fp
    $f % $fp
    $f % -$fp
    $f + $i
    $i * $f
    $i / $ip
    $i % $fp
    -$f
    +$f
    abs($f)
    ops.where($b, $f, $f)
    ops.where($b, 1.0, 0.0)
    ops.where($b, $f, 0.0)
    ops.clip($f, -1.0, $fp)
    ops.minimum($f, $f)
    ops.maximum($f, $f)
    ops.maximum($f, 0.0)
    ops.minimum(0.0, $f)
    ops.sin($fm)
    ops.cos($fm)
    ops.sqrt($fp)
    ops.atan2($f, $f)
    ops.float32($fm)
    ops.pow2($fm)
    ops.pow2f(ops.float32($fm))
    params.reals[$i % 16]
    rng.random()
    rng.uniform(-1.0, 2.5)
    rng.normal(0.0, 1.0)
    rng.standard_normal()
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
    ~$i
    abs($i)
    $i & $i
    $i | $i
    $i ^ $i
    $i << 2
    $i >> 1
    $i // 4
    $i % 10
    ops.where($b, $i, $i)
    ops.where($b, $i, 0)
    ops.minimum($i, $i)
    ops.maximum($i, 0)
    ops.clip($i, -3, 5)
    ops.floor($fm)
    params.wholes[$i % 16]
    rng.integers(0, 6)
    rng.integers(-3, 4)
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
    $i != 0
    $i >= $f
    $b & $b
    $b | $b
    $b ^ $b
    $b == $b
    ($f < $f) & ($i > 0)
    ($f < 0.0) | ($f > 1.0)
    ops.where($b, $b, $b)
    rng.random() < 0.3
    $i % 2 == 0
""")

RISKY = lines("""
    $f / $f
    $f % $f
    $i / $i
    $i // $i
    $i % $i
    $f // $f
    ops.sqrt($f)
    ops.floor($f)
    ops.floor($f * 1e9)
    params.reals[$i]
    params.wholes[$i]
    params.trio[$i]
    $i * $i * $i * $i
    $i << $ip
    $i ** 2
    $f ** 2
    rng.integers(0, $i)
    rng.integers($i, $i)
    rng.uniform($f, $f)
    rng.normal($f, $f)
    ops.where($b, $i, $f)
    ops.where($b, $b, $i)
    ops.minimum($i, $f)
    ops.clip($i, 0.0, 1.0)
    $b + $i
    $b * $f
    min($f, $f)
    max($i, 0)
    $f if $b else $f
    $b and $b
    not $b
    -$b
    $i & $b
    $b & $i
    float($i)
    int($f)
    math.sin($f)
    math.tanh($f)
    math.exp($f)
    math.isnan($f)
    action
    action[0]
""")
