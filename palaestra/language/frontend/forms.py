"""The forms of Python's syntax in words, for refusals and for the page on what compiles."""

from __future__ import annotations

import ast
from typing import NamedTuple


class Form(NamedTuple):
    """A form of syntax.

    Attributes:
        words: How it is written.
        remedy: What to write instead if it is not in the language; "" if nothing is like it.
    """

    words: str
    remedy: str = ""


_AT_ONCE = "compute the items at once, in a list"
_KNOWN = "make it in `__init__` or outside the function"
FORMS = {
    # Expressions.
    "Attribute": Form("`a.name`"),
    "Await": Form("`await`"),
    "BinOp": Form("`a + b` and all other operators"),
    "BoolOp": Form("`and`, `or`"),
    "Call": Form("`f(a, *b, name=c)`"),
    "Compare": Form("`a < b <= c`, `in`, `is`"),
    "Constant": Form("numbers, texts, `True`, `None`"),
    "Dict": Form("`{key: a}`"),
    "DictComp": Form("`{key: a for ...}`"),
    "FormattedValue": Form("`{a}` in a text"),
    "GeneratorExp": Form("`(a for ...)`", _AT_ONCE),
    "IfExp": Form("`a if test else b`"),
    "Interpolation": Form('`{a}` in `t"..."`'),
    "JoinedStr": Form('`f"{a}"`'),
    "Lambda": Form("`lambda`"),
    "List": Form("`[a, *b]`"),
    "ListComp": Form("`[a for ...]`"),
    "Name": Form("names"),
    "NamedExpr": Form("`(a := b)`"),
    "Set": Form("`{a, b}`"),
    "SetComp": Form("`{a for ...}`"),
    "Slice": Form("`a[i:j:k]`"),
    "Starred": Form("`*a`"),
    "Subscript": Form("`a[i]`"),
    "TemplateStr": Form('`t"..."`'),
    "Tuple": Form("`a, *b`"),
    "UnaryOp": Form("`-a`, `+a`, `~a`, `not a`"),
    "Yield": Form("`yield`"),
    "YieldFrom": Form("`yield from`"),
    # Statements.
    "AnnAssign": Form("`a: int = b`"),
    "Assert": Form("`assert`"),
    "Assign": Form("`a = b`, `a, *b = c`, `a[i] = b`"),
    "AsyncFor": Form("`async for`"),
    "AsyncFunctionDef": Form("`async def`"),
    "AsyncWith": Form("`async with`"),
    "AugAssign": Form("`a += b` and all other operators"),
    "Break": Form("`break`"),
    "ClassDef": Form("`class` in a function", "define it outside the function"),
    "Continue": Form("`continue`"),
    "Delete": Form("`del a[i]`"),
    "Expr": Form("calls as statements"),
    "For": Form("`for`, with `else`"),
    "FunctionDef": Form("`def` in a function"),
    "Global": Form("`global`", "keep it in the state, where each environment has its own"),
    "If": Form("`if`, `elif`, `else`"),
    "Import": Form("`import`"),
    "ImportFrom": Form("`from ... import`"),
    "Match": Form("`match`"),
    "Nonlocal": Form("`nonlocal`", "return the object instead"),
    "Pass": Form("`pass`"),
    "Raise": Form("`raise`"),
    "Return": Form("`return`"),
    "Try": Form("`try`, `except`, `else`"),
    "TryStar": Form("`except*`", "test beforehand what would raise"),
    "TypeAlias": Form("`type`", "define it outside the function"),
    "While": Form("`while`, with `else`"),
    "With": Form("`with`", _KNOWN),
}
"""Maps the names of Python's nodes to their words; a name says nothing about whether the language has the form."""


def form_of(node: type[ast.AST]) -> Form:
    """Returns the words of a form; the name of its node if Python is newer than this file."""
    return FORMS.get(node.__name__, Form(f"`{node.__name__}`"))
