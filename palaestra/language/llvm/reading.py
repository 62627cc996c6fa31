"""What both kinds of machine code ask about a program before they write it."""

from __future__ import annotations

from palaestra.language.program import EFFECTS, If, Program, Region, Set, Slot, Statement, Value, statements_of


def row_of(program: Program) -> Value | None:
    """Returns the parameter of a program that is its row: the last one, with the attribute "row"."""
    last = program.parameters[-1] if program.parameters else None
    return last if last is not None and last.attribute == "row" else None


def slots_set(region: Region) -> set[Slot]:
    """Returns the slots that a region may write."""
    return {one.slot for one in statements_of(region) if type(one) is Set}


def needed_in(program: Program) -> set[Statement]:
    """Returns the values and the settings of slots that somebody reads, or that have effects."""
    everything = list(statements_of(program.body))
    read = {one.attribute for one in everything if type(one) is Value and one.operation == "get"}
    read.add(program.result)
    needed: set[Statement] = set()
    for one in reversed(everything):
        if type(one) is Set:
            if one.slot in read:
                needed.update((one, one.value))
        elif type(one) is If:
            needed.add(one.condition)
        elif type(one) is Value and (one in needed or one.operation in EFFECTS):
            needed.add(one)
            needed.update(one.arguments)
    return needed
