"""Functions of machine words: a small part of Python as machine code, without Numba's inference of types.

Kernels that only count, copy and call need nothing of what Numba does, and took it as long as an environment. A text of
them holds constants and functions:

    SIZE = 8

    def total(address, n):
        result = 0
        for number in rows_at(address, (n, SIZE), np.int32):
            result += number[0]
        return result

Arguments and results are int64. A variable is an int64, a float64 or a flag, whatever it is first, or an array of
`rows_at`, whose numbers are widened when they are read. Integers wrap, and indices are not checked. Both sides of
`a if b else c` are evaluated. What a function at an address raises is passed on.
"""

from __future__ import annotations

import ast
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from palaestra.language.jit.backend import Builder, JITCodeLibrary, Value, cpu_target, global_compiler_lock, ir
from palaestra.language.jit.savings import optimize_once

WORD, FLOAT, FLAG, STATUS, BYTE = ir.IntType(64), ir.DoubleType(), ir.IntType(1), ir.IntType(32), ir.IntType(8)
_PLACE = WORD.as_pointer()
_IS_X86 = platform.machine().lower() in ("x86_64", "amd64")
_OPERATIONS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and_", ast.BitOr: "or_"}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def library_of(text: str, name: str) -> tuple[JITCodeLibrary, str]:
    """Returns a library of Numba's with the machine code of a function of a text, and the function's name in it.

    It has Numba's form: `entry` makes it a callable, and `called_at` calls it.

    Raises:
        TypeError: If the text is not in the language.
    """
    module = _Module(ast.parse(text))
    function = module.function(name)
    function.linkage, function.attributes = "", ir.FunctionAttributes()
    with global_compiler_lock:
        library = cpu_target.target_context.codegen().create_library(f"words.{name}")
        library.enable_object_caching()
        optimize_once(library)
        library.add_ir_module(module.code)
        library.finalize()
    return library, function.name


class _Rows(NamedTuple):
    """An array at an address; its place is a pointer, not a word, because LLVM steps through pointers with vectors."""

    place: Value
    shape: tuple[Value, ...]
    dtype: np.dtype

    def row(self, builder: Builder, index: Value) -> _Rows:
        """Returns the array of a row, or of one number without dimensions."""
        for length in self.shape[1:]:
            index = builder.mul(index, length)
        return _Rows(builder.gep(self.place, [index]), self.shape[1:], self.dtype)

    def read(self, builder: Builder) -> Value:
        """Returns its only number."""
        number = builder.load(self.place, align=self.dtype.itemsize)
        if self.dtype.kind == "b":
            return builder.icmp_unsigned("!=", number, ir.Constant(BYTE, 0))
        if self.dtype.kind == "f":
            return number if number.type == FLOAT else builder.fpext(number, FLOAT)
        if number.type == WORD:
            return number
        return (builder.sext if self.dtype.kind == "i" else builder.zext)(number, WORD)

    def write(self, builder: Builder, value: Value) -> None:
        """Set its only number, a flag, a word or a float64; of a word, as many bits as it has."""
        kind = _in_memory(self.dtype)
        if value.type == FLAG and self.dtype.kind != "f":
            value = builder.zext(value, kind)
        if value.type == WORD and self.dtype.kind in "iu" and self.dtype.itemsize < WORD.width // 8:
            value = builder.trunc(value, kind)
        if value.type != kind:
            raise TypeError(f"{self.dtype} cannot hold a {value.type}")
        builder.store(value, self.place, align=self.dtype.itemsize)


def _in_memory(dtype: np.dtype) -> ir.Type:
    if dtype == np.float16:
        raise TypeError("float16 is not in the language of words")
    if dtype.kind == "f":
        return FLOAT if dtype.itemsize == 8 else ir.FloatType()
    return ir.IntType(8 * dtype.itemsize)


class _Module:
    """The functions of a text that are called, each written when a call is met."""

    def __init__(self, text: ast.Module) -> None:
        self.code = ir.Module("words")
        self._definitions = {one.name: one for one in text.body if isinstance(one, ast.FunctionDef)}
        constants: list[ast.stmt] = [one for one in text.body if isinstance(one, ast.Assign)]
        self.constants: dict[str, Any] = {}
        exec(compile(ast.Module(constants, []), "<words>", "exec"), self.constants)
        self._functions: dict[str, ir.Function] = {}

    def function(self, name: str) -> ir.Function:
        """Returns a function, inlined into its callers."""
        if name not in self._functions:
            if name not in self._definitions:
                raise TypeError(f"there is no function {name}")
            definition = self._definitions[name]
            kind = function_type(len(definition.args.args))
            self._functions[name] = made = ir.Function(self.code, kind, f"words_{name}")
            made.linkage = "internal"
            made.attributes.add("alwaysinline")
            _Function(self, made).write(definition)
        return self._functions[name]


def function_type(arguments: int) -> ir.FunctionType:
    """Returns the type of a compiled function of int64 that returns one: Numba's convention."""
    return ir.FunctionType(STATUS, [_PLACE, BYTE.as_pointer().as_pointer(), *[WORD] * arguments])


class _Function:
    """Writes a function."""

    def __init__(self, module: _Module, function: ir.Function) -> None:
        self._module, self._function = module, function
        self._result, self._exception, *self._arguments = function.args
        self._builder = ir.IRBuilder(function.append_basic_block())
        self._variables: dict[str, Any] = {}  # a place in memory, or rows
        self._next: list[ir.Block] = []  # where the loops around go on
        self._calls: dict[str, Callable[..., Any]] = {
            "add": lambda at, value: self._builder.atomic_rmw("add", self._place(at), value, "seq_cst"),
            "called_at": self._called_at,
            "copied_at": self._copied_at,
            "fetched_at": self._fetched_at,
            "len": lambda rows: rows.shape[0],
            "load": lambda at: self._builder.load_atomic(self._place(at), "seq_cst", align=8),
            "min": self._least,
            "pause": self._pause,
            "store": lambda at, value: self._builder.store_atomic(value, self._place(at), "seq_cst", align=8),
        }

    def write(self, definition: ast.FunctionDef) -> None:
        for argument, value in zip(definition.args.args, self._arguments, strict=True):
            self._set(argument.arg, value)
        self._body(definition.body)
        if not self._builder.block.is_terminated:
            self._return(ir.Constant(WORD, 0))

    # Statements.

    def _body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                made = [self._value(value) for value in values]
                for target, value in zip(targets, made, strict=True):
                    self._assign(target, value)
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self._value(value))
            case ast.AugAssign(target=(ast.Name() | ast.Subscript()) as target, op=op, value=value) if (
                type(op) in _OPERATIONS
            ):
                self._assign(target, self._operation(op, self._value(target), self._value(value)))
            case ast.If():
                self._if(node)
            case ast.While(test=test, body=body):
                with self._loop(lambda: self._truth(test), lambda: None):
                    self._body(body)
            case ast.For(target=ast.Name(id=name), iter=iterated, body=body):
                self._for(name, iterated, body)
            case ast.Return(value=ast.expr() as value):
                self._return(self._word(self._value(value)))
            case ast.Continue():
                self._builder.branch(self._next[-1])
            case ast.Expr(value=ast.Call() as call):
                self._value(call)
            case _:
                raise _unknown(node)

    def _assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                self._set(name, value)
            case ast.Subscript():
                self._part(target).write(self._builder, value)
            case _:
                raise _unknown(target)

    def _set(self, name: str, value: Any) -> None:
        if isinstance(value, _Rows):
            self._variables[name] = value
            return
        if name not in self._variables:
            with self._builder.goto_entry_block():
                self._variables[name] = self._builder.alloca(value.type)
        place = self._variables[name]
        self._builder.store(self._word(value) if place.type == _PLACE else value, place)

    def _if(self, node: ast.If) -> None:
        if node.orelse:
            with self._builder.if_else(self._truth(node.test)) as (then, otherwise):
                with then:
                    self._body(node.body)
                with otherwise:
                    self._body(node.orelse)
        else:
            with self._builder.if_then(self._truth(node.test)):
                self._body(node.body)

    def _for(self, name: str, iterated: ast.expr, body: list[ast.stmt]) -> None:
        """A loop over `range` with a positive step, or over the rows of an array."""
        match iterated:
            case ast.Call(func=ast.Name(id="range"), args=arguments):
                bounds = [self._value(one) for one in arguments]
                first, end = ([ir.Constant(WORD, 0), *bounds] if len(bounds) == 1 else bounds)[:2]
                step = bounds[2] if len(bounds) == 3 else ir.Constant(WORD, 1)
                rows = None
            case _:
                rows = self._value(iterated)
                first, end, step = ir.Constant(WORD, 0), rows.shape[0], ir.Constant(WORD, 1)
        with self._builder.goto_entry_block():
            count = self._builder.alloca(WORD)
        self._builder.store(first, count)

        def goes_on() -> Value:
            return self._builder.icmp_signed("<", self._builder.load(count), end)

        def advance() -> None:
            self._builder.store(self._builder.add(self._builder.load(count), step), count)

        with self._loop(goes_on, advance):
            at = self._builder.load(count)
            self._set(name, at if rows is None else self._number(rows.row(self._builder, at)))
            self._body(body)

    @contextmanager
    def _loop(self, goes_on: Callable[[], Value], advance: Callable[[], None]) -> Iterator[None]:
        test, inside, again, after = (self._function.append_basic_block() for _ in range(4))
        self._builder.branch(test)
        self._builder.position_at_end(test)
        self._builder.cbranch(goes_on(), inside, after)
        self._builder.position_at_end(inside)
        self._next.append(again)
        yield
        self._next.pop()
        if not self._builder.block.is_terminated:
            self._builder.branch(again)
        self._builder.position_at_end(again)
        advance()
        self._builder.branch(test)
        self._builder.position_at_end(after)

    def _return(self, word: Value) -> None:
        self._builder.store(word, self._result)
        self._builder.ret(ir.Constant(STATUS, 0))

    # Expressions.

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=(bool() | int() | float()) as constant):
                return _constant(constant)
            case ast.Name(id=name):
                return self._named(name, node)
            case ast.Subscript():
                return self._number(self._part(node))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
                return self._operation(op, self._value(left), self._value(right))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._builder.not_(self._truth(operand))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as constant)):
                return _constant(-constant)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
                return self._compared(_COMPARISONS[type(op)], self._value(left), self._value(right))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._builder.select(self._truth(test), self._value(body), self._value(orelse))
            case ast.Call(func=ast.Name(id="rows_at"), args=[address, ast.Tuple(elts=shape), ast.Attribute(attr=kind)]):
                sizes, dtype = tuple(self._value(one) for one in shape), np.dtype(getattr(np, kind))
                place = self._builder.inttoptr(self._value(address), _in_memory(dtype).as_pointer())
                return _Rows(place, sizes, dtype)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                values = [self._value(argument) for argument in arguments]
                made = self._calls.get(name)
                return made(*values) if made else self._called(self._module.function(name), values)
            case _:
                raise _unknown(node)

    def _named(self, name: str, node: ast.expr) -> Any:
        if name in self._variables:
            found = self._variables[name]
            return found if isinstance(found, _Rows) else self._builder.load(found)
        if name not in self._module.constants:
            raise _unknown(node)
        return _constant(self._module.constants[name])

    def _part(self, node: ast.Subscript) -> _Rows:
        """Returns the part of an array at an index, or at several."""
        rows: _Rows = self._value(node.value)
        for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            rows = rows.row(self._builder, self._value(index))
        return rows

    def _number(self, rows: _Rows) -> Value:
        return rows if rows.shape else rows.read(self._builder)

    def _operation(self, op: ast.operator, a: Value, b: Value) -> Value:
        name, (a, b) = _OPERATIONS[type(op)], self._alike(a, b)
        return getattr(self._builder, f"f{name}" if a.type == FLOAT else name)(a, b)

    def _compared(self, sign: str, a: Value, b: Value) -> Value:
        a, b = self._alike(a, b)
        if a.type != FLOAT:
            return self._builder.icmp_signed(sign, self._word(a), self._word(b))
        # NaN differs from all numbers, and is not less or greater.
        return (self._builder.fcmp_unordered if sign == "!=" else self._builder.fcmp_ordered)(sign, a, b)

    def _alike(self, a: Value, b: Value) -> tuple[Value, Value]:
        return (a, b) if a.type == b.type else (self._word(a), self._word(b))

    def _word(self, value: Value) -> Value:
        if value.type == FLOAT:
            raise TypeError("a float is no word")
        return self._builder.zext(value, WORD) if value.type == FLAG else value

    def _truth(self, node: ast.expr) -> Value:
        value = self._value(node)
        return value if value.type == FLAG else self._builder.icmp_signed("!=", value, ir.Constant(value.type, 0))

    # Calls.

    def _called(self, function: Value, arguments: list[Value]) -> Value:
        with self._builder.goto_entry_block():
            place = self._builder.alloca(WORD)
        words = [self._word(argument) for argument in arguments]
        status = self._builder.call(function, [place, self._exception, *words])
        with self._builder.if_then(self._builder.icmp_signed("!=", status, ir.Constant(STATUS, 0)), likely=False):
            self._builder.ret(status)
        return self._builder.load(place)

    def _called_at(self, address: Value, *arguments: Value) -> Value:
        kind = function_type(len(arguments))
        return self._called(self._builder.inttoptr(address, kind.as_pointer()), list(arguments))

    def _copied_at(self, target: Value, source: Value, size: Value) -> None:
        byte = BYTE.as_pointer()
        copy = self._builder.module.declare_intrinsic("llvm.memcpy", [byte, byte, WORD])
        to, of = (self._builder.inttoptr(one, byte) for one in (target, source))
        self._builder.call(copy, [to, of, size, ir.Constant(FLAG, 0)])

    def _fetched_at(self, address: Value) -> None:
        """Prefetch the line of the cache at an address, to be written; it may be one of nobody's memory."""
        byte = BYTE.as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, STATUS, STATUS, STATUS])
        fetch = self._builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        to_write, near, data_cache = (ir.Constant(STATUS, k) for k in (1, 3, 1))
        self._builder.call(fetch, [self._builder.inttoptr(address, byte), to_write, near, data_cache])

    def _least(self, a: Value, b: Value) -> Value:
        return self._builder.select(self._builder.icmp_signed("<", b, a), b, a)

    def _pause(self) -> None:
        """Tell the processor that this is a waiting loop."""
        if _IS_X86:
            kind = ir.FunctionType(ir.VoidType(), [])
            self._builder.call(self._builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])

    def _place(self, address: Value) -> Value:
        return self._builder.inttoptr(address, _PLACE)


def _constant(value: float) -> Value:
    kinds = {bool: FLAG, int: WORD, float: FLOAT}
    return ir.Constant(kinds[type(value)], value)


def _unknown(node: ast.AST) -> TypeError:
    return TypeError(f"line {getattr(node, 'lineno', 0)}: {ast.unparse(node)} is not in the language of words")
