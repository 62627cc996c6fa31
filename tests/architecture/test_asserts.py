"""`python -O` removes `assert` statements, so nothing that a caller can bring about may depend on one."""

from __future__ import annotations

import ast

from tests.architecture.source import files, module_name, modules, tree

# What tells mypy what holds anyway: the lines before it, or the only caller, see to it.
NARROWING = {
    "palaestra.runner.kernels.infos": ["isinstance(definition, ast.FunctionDef)"],
    "palaestra.runner.kernels.params": ["isinstance(tree, Record)"],
    "palaestra.runner.kernels.plan": ["space.shape is not None", "space.shape is not None"],
    "palaestra.runner.kernels.runner": ["self._pool is not None"],
    "gymnasium.envs.toy_text.tabular": ["self._transitions is not None", "self._transitions is not None"],
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
    *("palaestra.language.frontend.", "palaestra.language.jax.", "palaestra.language.llvm."),
    "palaestra.language.operations.",
    *("palaestra.language.program", "palaestra.language.types", "palaestra.runner.frame.", "palaestra.runner.classes."),
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
