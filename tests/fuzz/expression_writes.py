"""Templates of statements that write into arrays, also into views of them, for the expression fuzzer."""

from __future__ import annotations

from tests.fuzz.words_blocks import blocks

VIEWS = blocks("""
    _a = $V.copy()
    _c = _a[1:]
    _c[0] = $f
    $r = _a

    _a = $V.copy()
    _c = _a * 2.0
    _a[0] = $f
    $r = _c + 1.0

    _a = $V.copy()
    _c = -_a
    _a[:] = $f
    $r = _c * _c

    _a = $V.copy()
    _c = _a + $f
    _a += 1.0
    $r = _c * _a

    _a = $V.copy()
    _c = _a.reshape(-1)
    _c[0] = $f
    $r = _a

    _a = $M.T.copy()
    _c = _a.ravel()
    _c[0] = 9.5
    $r = _a[0, 0] + _a[-1, -1]

    _a = np.copy($M.T)
    _c = np.ravel(_a)
    _c[1] = 9.5
    $r = _a

    _a = $M.T * 2.0
    _c = _a.ravel()
    _c[1] = 9.5
    $r = _a

    _a = $M.T[:, :2] + 1.0
    _c = _a.reshape(-1)
    _c[1] = 9.5
    $r = _a

    _a = -$M.T
    _c = np.ravel(_a)
    _c[1] = 9.5
    $r = _a

    _a = $M.T.astype(np.float64)
    _c = _a.ravel()
    _c[1] = 9.5
    $r = _a

    _a = $V.astype(np.float64)
    _a[0] = 9.5
    $r = _a

    _a = np.zeros_like($M.T)
    _c = _a.ravel()
    _c[1] = 9.5
    $r = _a

    _a = np.transpose($M * 2.0)
    _c = np.ravel(_a)
    _c[1] = 9.5
    $r = _a

    _a = $V * 1.5
    _c = np.asarray(_a)
    _c[0] = 9.5
    $r = _a

    _a = $V * 1.5
    _c = np.array(_a)
    _c[0] = 9.5
    $r = _a

    _a = $V * 1.5
    _c = np.flip(_a)
    _c[0] = 9.5
    $r = _a

    _a = $V * 1.5
    _c = np.roll(_a, 0)
    _c[0] = 9.5
    $r = _a

    _a = $V * 1.5
    _c = np.concatenate((_a,))
    _c[0] = 9.5
    $r = _a

    _a = $V * 1.5
    _c = +_a
    _c[0] = 9.5
    $r = _a

    _a = $V * 1.5
    _c = _a.flatten()
    _c[0] = 9.5
    $r = _a

    _a = $M[:, 1:] * 1.5
    _c = _a.T
    _c[0, 0] = 9.5
    $r = _a
""")

PARTS = blocks("""
    _a = $M.copy()
    _c = _a[:, 0]
    _c += 1.5
    $r = _a

    _a = $M.copy()
    _a[:, 0] = _a[:, 1]
    $r = _a

    _a = $M.copy()
    _a[0] += _a[1] * 2.0
    $r = _a

    _a = $M.copy()
    _a[1:] = _a[:-1]
    $r = _a

    _a = $M.copy()
    _a[:] = _a[::-1]
    $r = _a

    _a = $Mq.copy()
    _a[:] = _a.T
    $r = _a

    _a = $Mq.copy()
    _a += _a.T * 1.0
    $r = _a

    _a = np.outer($V, $V)
    _a[$ip % 3, 1:] = _a[$ip % 3, :-1]
    $r = _a

    _a = np.outer($V, $V)
    _a[1:, $ip % 3] = _a[:-1, $ip % 3]
    $r = _a

    _a = np.outer($V, $V)
    _a[$ip % 3, 1:] = _a[:-1, $ip % 3]
    $r = _a

    _a = np.outer($V, $V)
    _a[$ip % 3] = _a[:, $ip % 3]
    $r = _a

    _a = np.outer($V, $V)
    _a[1:, ::-1] = _a[:-1]
    $r = _a

    _a = np.arange(27).reshape(3, 3, 3) * $i
    _a[$ip % 3, 1:, :] = _a[:2, $ip % 3]
    $r = _a

    _a = np.arange(9) * $f
    _a[$ip % 3 : $ip % 3 + 6 : 2] = _a[$ip % 3 : $ip % 3 + 3]
    $r = _a

    _a = np.arange(9) * $f
    _a[$ip % 3 + 6 : $ip % 3 : -2] = _a[2:5]
    $r = _a

    _a = $V.copy()
    _a[1:] = _a[:-1]
    $r = _a

    _a = $V.copy()
    _a[:-1] = _a[1:]
    $r = _a

    _a = $V.copy()
    _a[:] = _a[::-1]
    $r = _a

    _a = $V.copy()
    _a[::2] = _a[::-2]
    $r = _a

    _a = $V.copy()
    _a[1:] += _a[:-1] * 1.0
    $r = _a

    _a = $V.copy()
    _a += _a[::-1] * 2.0
    $r = _a

    _a = $V.copy()
    _a *= -_a[::-1]
    $r = _a

    _a = $V.copy()
    _a += +_a[::-1]
    $r = _a

    _a = $V.copy()
    _a -= _a[0]
    $r = _a

    _a = $V.copy()
    _a /= $n
    $r = _a

    _a = $VI.copy()
    _a[$VI % 3] = $VI
    $r = _a

    _a = $VI.copy()
    _a[_a % 3] = _a
    $r = _a

    _a = $V.copy()
    _a[$VI % 3] = $f
    $r = _a

    _a = $V.copy()
    _a[_a > $f] = $f
    $r = _a

    _a = $V.copy()
    _a[$B] = 0.0
    $r = _a

    _a = $V.copy()
    _a[$im:$im] = $f
    $r = _a

    _a = $V.copy()
    _a[1:] = [$f, $f]
    $r = _a

    _a = $V.copy()
    _a[1:] = $V
    $r = _a

    _a = $M.copy()
    _a[:] = $V
    $r = _a

    _a = $M.copy()
    _a[:, 1:] = $V[:1]
    $r = _a

    _a = $M.copy()
    _a[0, :] = $i
    $r = _a

    _a = $A.copy()
    _a[$ix] = $n
    $r = _a

    _a = $A.copy()
    _a[$ix] += $n
    $r = _a

    _a = $J.copy()
    _a[$ix] = $i
    $r = _a

    _a = $S.copy()
    _a[$ix] = $f
    $r = _a

    _a = $A.copy()
    _a.fill($n)
    $r = _a

    _a = $A.copy()
    _a[0], _a[1] = _a[1], _a[0]
    $r = _a

    _a = $M.copy()
    _a[0], _a[1] = _a[1], _a[0]
    $r = _a

    _a = $M.copy()
    _c = _a[0]
    _a[0] = _a[1]
    _a[1] = _c
    $r = _a

    _a = $V if $b else $V[::-1]
    $r = _a * 2.0

    _a = $V
    if $b:
        _a = _a[::-1]
    $r = _a

    _a = $M
    if $b:
        _a = $M.T
    $r = np.sum(_a)

    _a = $V.copy()
    _c = _a
    _c[0] = $f
    $r = _a

    _a = np.zeros(3)
    _c = [_a, _a]
    _c[0][1] = $f
    $r = _c[1]

    _c = (np.zeros(2), np.ones(2))
    _c[0][1] = $f
    $r = _c

    _a = $V.copy()
    for _v in _a:
        _a[-1] = _v + 1.0
    $r = _a

    _a = np.zeros(4)
    for _j in range(4):
        _a[_j:] += $f
    $r = _a

    _a = $V.copy()
    for _j in range(len(_a) - 1):
        _a[_j + 1] = _a[_j] * 0.5 + _a[_j + 1]
    $r = _a

    _a = np.outer($V, $V)
    _a[0] = _a[:, 0]
    $r = _a

    _a = $V.copy()
    _a[$i] = 1.0
    $r = _a

    _a = $M.copy()
    _a[$im, $im] = 1.0
    $r = _a

    _a = $M.copy()
    _a[$im] = $V
    $r = _a
""")

ARRAY_BLOCKS = (*VIEWS, *PARTS)
