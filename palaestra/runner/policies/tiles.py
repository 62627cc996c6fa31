"""The loops of a network over registers, as LLVM's text: tiles of a layer, and activations.

A block is an array of shape (numbers, ROWS): a register holds one number of some rows. A tile is some outputs of a
layer, whose sums stay in registers while all inputs pass by; so one read of an input serves several products. The
weights lie in the order in which tiles read them. The processor then adds and multiplies as fast as it can. No sum is
reordered, and none is fused with a product: rows have the bits of `MLP.act_batch`.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from palaestra.language.llvm.engine import addresses_of, supports
from palaestra.policies._network import TANH_LIMIT, TANH_P, TANH_Q, Dense, Floats
from palaestra.runner.policies.layout import BLOCK, ROWS

_KIND = f"<{ROWS} x float>"


@cache
def widest_tile() -> int:
    """Returns the outputs of the widest tile: its sums, a row and a weight just fit the registers."""
    if supports("avx512f"):
        return 8
    return 6 if supports("avx") or platform.machine().lower() in ("aarch64", "arm64") else 2


def packing(layer: Dense, memory: Floats) -> list[tuple[Floats, Floats]]:
    """Returns copies, the target first, that write a layer in the order of its tiles.

    Of each tile there are the biases, and then the weights of one input after the other.

    Args:
        layer: The layer.
        memory: What is written: as many numbers.
    """
    wide, taken, given = widest_tile(), *layer.weights.shape
    whole = given - given % wide
    copies: list[tuple[Floats, Floats]] = []
    for first, end, width in ((0, whole, wide), (whole, given, given - whole)):
        if first < end:
            tiles = memory[(1 + taken) * first : (1 + taken) * end].reshape(-1, 1 + taken, width)
            copies.append((tiles[:, 0], layer.bias[first:end].reshape(-1, width)))
            copies.append((tiles[:, 1:], layer.weights[:, first:end].reshape(taken, -1, width).swapaxes(0, 1)))
    return copies


@cache
def addresses() -> dict[str, int]:
    """Returns the addresses of the functions by name; their arguments are int64, and they return 0.

    `tiles1`, `tiles2` and so on compute tiles of so many outputs. They take the addresses of the packed weights, of
    the inputs and of the results, the number of inputs, and that of tiles. `each_tanh` and `each_relu` replace numbers
    of a block: they take its address, and how many.
    """
    texts = {f"tiles{outputs}": _tiles(outputs) for outputs in range(1, widest_tile() + 1)}
    texts |= {name: _activation(name, write) for name, write in (("each_tanh", _tanh), ("each_relu", _relu))}
    return dict(zip(texts, addresses_of("\n".join([_FENCE, *texts.values()]), list(texts)), strict=True))


_FENCE = f"declare {_KIND} @llvm.arithmetic.fence.v{ROWS}f32({_KIND})"


def _tiles(outputs: int) -> str:
    each = range(outputs)
    return _TILES.format(
        outputs=outputs,
        kind=_KIND,
        block=BLOCK,
        size=BLOCK * outputs,
        biases="".join(_spread(f"bias{k}", "%tile", k) for k in each),
        sums="".join(f"  %sum{k} = phi {_KIND} [ %bias{k}, %start ], [ %total{k}, %input ]\n" for k in each),
        products="".join(_spread(f"weight{k}", "%weights", k) + _PRODUCT.format(k=k, kind=_KIND) for k in each),
        stores="".join(_STORE.format(k=k, kind=_KIND, at=BLOCK * k) for k in each),
    )


def _spread(name: str, base: str, k: int) -> str:
    """The text that reads the k-th number behind an address, for all rows."""
    return _SPREAD.format(name=name, base=base, at=4 * k, kind=_KIND, rows=ROWS)


_SPREAD = """\
  %{name}_at = getelementptr i8, ptr {base}, i64 {at}
  %{name}_read = load float, ptr %{name}_at, align 4
  %{name}_first = insertelement {kind} poison, float %{name}_read, i64 0
  %{name} = shufflevector {kind} %{name}_first, {kind} poison, <{rows} x i32> zeroinitializer
"""
_PRODUCT = """\
  %product{k} = fmul {kind} %row, %weight{k}
  %total{k} = fadd {kind} %sum{k}, %product{k}
"""
_STORE = """\
  %result{k} = getelementptr i8, ptr %results, i64 {at}
  store {kind} %total{k}, ptr %result{k}, align 64
"""
_TILES = """\
define i64 @tiles{outputs}(i64 %weights_at, i64 %inputs_at, i64 %results_at, i64 %taken, i64 %count) nounwind {{
  %first = inttoptr i64 %weights_at to ptr
  %inputs = inttoptr i64 %inputs_at to ptr
  %results0 = inttoptr i64 %results_at to ptr
  %bytes = mul i64 %taken, {block}
  %end_of_inputs = getelementptr i8, ptr %inputs, i64 %bytes
  br label %start
start:
  %tile = phi ptr [ %first, %0 ], [ %further, %stored ]
  %results = phi ptr [ %results0, %0 ], [ %next_results, %stored ]
  %tiles = phi i64 [ %count, %0 ], [ %fewer_tiles, %stored ]
{biases}  %weights0 = getelementptr float, ptr %tile, i64 {outputs}
  br label %input
input:
  %weights = phi ptr [ %weights0, %start ], [ %further, %input ]
  %place = phi ptr [ %inputs, %start ], [ %next_place, %input ]
{sums}  %row = load {kind}, ptr %place, align 64
{products}  %further = getelementptr float, ptr %weights, i64 {outputs}
  %next_place = getelementptr i8, ptr %place, i64 {block}
  %more = icmp ne ptr %next_place, %end_of_inputs
  br i1 %more, label %input, label %stored
stored:
{stores}  %next_results = getelementptr i8, ptr %results, i64 {size}
  %fewer_tiles = sub i64 %tiles, 1
  %more_tiles = icmp ne i64 %fewer_tiles, 0
  br i1 %more_tiles, label %start, label %end
end:
  ret i64 0
}}"""


class _Row:
    """A number of each row, whose arithmetic writes lines."""

    def __init__(self, name: str, lines: list[str]) -> None:
        self._name, self._lines = name, lines

    def __str__(self) -> str:
        return self._name

    def __add__(self, other: _Row | float) -> _Row:
        return self._write(f"fadd {_KIND} {self}, {_text(other)}")

    def __mul__(self, other: _Row | float) -> _Row:
        return self._write(f"fmul {_KIND} {self}, {_text(other)}")

    def __truediv__(self, other: _Row) -> _Row:
        return self._write(f"fdiv {_KIND} {self}, {other}")

    def limited(self, comparison: str, limit: float) -> _Row:
        """Returns the limit where a comparison with it holds; NaN stays."""
        condition = self._write(f"fcmp {comparison} {_KIND} {self}, {_text(limit)}")
        return self._write(f"select <{ROWS} x i1> {condition}, {_KIND} {_text(limit)}, {_KIND} {self}")

    def _write(self, text: str) -> _Row:
        name = f"%x{len(self._lines)}"
        self._lines.append(f"  {name} = {text}")
        return _Row(name, self._lines)


def _text(number: _Row | float) -> str:
    """The text of an operand; a number is rounded to float32."""
    if isinstance(number, _Row):
        return str(number)
    (bits,) = struct.unpack("<Q", struct.pack("<d", np.float32(number)))
    return f"splat (float 0x{bits:016X})"


def _within(x: _Row, limit: float) -> _Row:
    return x.limited("olt", -limit).limited("ogt", limit)


def _polynomial(coefficients: Sequence[float], x: _Row, square: _Row) -> _Row:
    a, b, c, d, e = coefficients
    return (square * e + (x * d + c)) * square + (x * b + a)


def _tanh(x: _Row) -> _Row:
    x = _within(x, TANH_LIMIT)
    square = x * x
    fourth = square * square
    return _within(x * _polynomial(TANH_P, square, fourth) / _polynomial(TANH_Q, square, fourth), 1.0)


def _relu(x: _Row) -> _Row:
    return x.limited("olt", 0.0)


def _activation(name: str, function: Callable[[_Row], _Row]) -> str:
    lines: list[str] = []
    result = function(_Row("%x", lines))
    return _ACTIVATION.format(name=name, kind=_KIND, block=BLOCK, rows=ROWS, lines="\n".join(lines), result=result)


# Behind the fence, a store of what is chosen is not made a store of some rows, which is slow.
_ACTIVATION = """\
define i64 @{name}(i64 %block_at, i64 %count) nounwind {{
  %block = inttoptr i64 %block_at to ptr
  br label %number
number:
  %place = phi ptr [ %block, %0 ], [ %next, %number ]
  %left = phi i64 [ %count, %0 ], [ %fewer, %number ]
  %x = load {kind}, ptr %place, align 64
{lines}
  %result = call {kind} @llvm.arithmetic.fence.v{rows}f32({kind} {result})
  store {kind} %result, ptr %place, align 64
  %next = getelementptr i8, ptr %place, i64 {block}
  %fewer = sub i64 %left, 1
  %more = icmp ne i64 %fewer, 0
  br i1 %more, label %number, label %end
end:
  ret i64 0
}}"""
