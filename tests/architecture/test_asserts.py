"""`python -O` removes `assert` statements, so nothing that a caller can bring about may depend on one."""

from __future__ import annotations

import ast

from tests.architecture.source import files, module_name, modules, tree

# What tells mypy what holds anyway: the lines before it, or the only caller, see to it.
NARROWING = {
    "palaestra.runner.kernels.infos": ["isinstance(definition, ast.FunctionDef)"],
    "palaestra.language.jit.comprehensions": ["isinstance(outer, ast.FunctionDef)", "isinstance(loop, ast.For)"],
    "palaestra.language.jit.lanes.memory": ["kind is not None"],
    "palaestra.runner.kernels.params": ["isinstance(tree, Record)"],
    "palaestra.runner.kernels.plan": ["space.shape is not None", "space.shape is not None"],
    "palaestra.runner.kernels.runner": ["self._pool is not None"],
    "gymnasium.envs.toy_text.tabular": ["self._transitions is not None", "self._transitions is not None"],
    "palaestra.language.plain.actions": ["space.dtype is not None"],
    "palaestra.language.plain.calls.array_methods": ["isinstance(kind, Array)"],
    "palaestra.language.plain.calls.drawing": ["shape is not None", "isinstance(items.kind, Array)"],
    "palaestra.language.plain.calls.elementwise": [
        "isinstance(kind, (Number, Array))",
        "isinstance(kind, (Number, Array))",
        "isinstance(kind, Array)",
        "isinstance(kind, (Number, Array))",
    ],
    "palaestra.language.plain.calls.methods": ["isinstance(kind, (Mapping, Partial))"],
    "palaestra.language.plain.calls.reductions": ["isinstance(squares.kind, Array)"] * 2,
    "palaestra.language.plain.calls.sequences": ["isinstance(kind, Growing)", "isinstance(kind, Array)"],
    "palaestra.language.plain.calls.shaping": ["isinstance(kind, Array)"] * 2,
    "palaestra.language.plain.dynamics": ["written.tree is not None", "step.tree is not None"],
    "palaestra.language.plain.model": ["isinstance(kind, Number)", "kind.shape is not None"],
    "palaestra.language.plain.straight": [
        "isinstance(found, Number)",
        "isinstance(node.func, ast.Attribute)",
        "isinstance(found, Number)",
        "a_result is not None and b_result is not None",
        "isinstance(found, Number)",
        "isinstance(absent, Number)",
    ],
    "palaestra.language.plain.translation.arithmetic": [
        "isinstance(a, (Number, Array)) and isinstance(b, (Number, Array))",
        "isinstance(kind, (Number, Array))",
        "isinstance(kind, Array)",
    ],
    "palaestra.language.plain.translation.assignments": ["isinstance(before.kind, Array)"],
    "palaestra.language.plain.translation.building": [
        "isinstance(kind, (Number, Array))",
        "isinstance(code.kind, Array)",
    ],
    "palaestra.language.plain.translation.comparisons": [
        "isinstance(a, (Number, Array)) and isinstance(b, (Number, Array))",
        "isinstance(kind, Optional)",
    ],
    "palaestra.language.plain.translation.entry": [
        "space.shape is not None",
        "isinstance(kind, (Number, Array))",
    ],
    "palaestra.language.plain.translation.indexing": [
        "isinstance(kind, (Tuple, Mapping))",
        "isinstance(node, ast.Slice)",
        "isinstance(indices[k].node, ast.Slice)",
    ],
    "palaestra.language.plain.translation.storing": ["isinstance(value.kind, Array)"],
    "palaestra.ray.replacement": ["worker.journal is not None"],
    "palaestra.rollouts.compiled": ["streams is not None"],
    "palaestra.rollouts.policies": ["streams is not None"],
    "gymnasium.utils.seeding": ["isinstance(entropy, int)"],
    "gymnasium.vector._batch.actions": ["isinstance(batched, Box)", "space.shape is not None"],
    "gymnasium.vector._workers.arena": ["self._layout.observation_space is not None"] * 2,
    "gymnasium.vector._workers.restart": ["isinstance(worker, ArenaWorker)"],
    "gymnasium.vector._workers.resume": ["isinstance(worker, ArenaWorker)", "journal is not None"],
    "gymnasium.vector._workers.supervisor": ["self.saved is not None", "worker.awaited is not None"],
    "gymnasium.vector._workers.process": ["parent is not None"],
    "gymnasium.wrappers._film": ["self._writer is not None"],
}


COMPILER = (
    *("palaestra.language.frontend.", "palaestra.language.llvm.", "palaestra.language.operations."),
    *("palaestra.language.program", "palaestra.language.types", "palaestra.runner.frame."),
)
"""Its callers are its own parts, and a wrong program fails its trial: here asserts may say what is assumed."""


def test_an_assert_only_tells_mypy_what_holds_anyway() -> None:
    """What checks a caller's value, or the state that a caller left, raises by an `if`."""
    found = {
        name: [node for node in ast.walk(tree(path)) if isinstance(node, ast.Assert)]
        for name, path in modules().items()
        if "assert" in path.read_text(encoding="utf-8") and not name.startswith(COMPILER)
    }

    assert {name: [ast.unparse(node.test) for node in nodes] for name, nodes in found.items() if nodes} == NARROWING
    assert all(node.msg is None for nodes in found.values() for node in nodes)


def test_nothing_asks_whether_python_optimises() -> None:
    """`__debug__` is false under `python -O`."""
    asking = {
        module_name(path)
        for path in files("gymnasium", "palaestra")
        if "__debug__" in path.read_text(encoding="utf-8")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Name) and node.id == "__debug__"
    }

    assert asking == set()
