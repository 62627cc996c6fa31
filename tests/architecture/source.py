"""The packages as text: their files, and what each imports, found without running any of it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "gymnasium"
PACKAGES = (PACKAGE, ROOT / "palaestra")

# The optional libraries, and the one part of the packages that may import each; None: any single module.
HOMES: dict[str, str | None] = {
    "pygame": "gymnasium.rendering",
    "av": "gymnasium.rendering",
    "moviepy": "gymnasium.rendering",
    "h5py": "palaestra.recording.data_sets",
    "llvmlite": "palaestra.language",
    "jax": "gymnasium.envs._jax",
    "flax": "gymnasium.envs._jax",
    "rich": "palaestra.cli",
    "starlette": "palaestra.studio",
    "uvicorn": "palaestra.studio",
    "PIL": "palaestra.studio",
    "mujoco": "gymnasium.envs.mujoco",
    "Box2D": "gymnasium.envs.box2d",
    "ale_py": "gymnasium.envs.atari",
    "ray": "palaestra.ray",
    "torch": None,
    "stable_baselines3": "palaestra.adapters",
    "array_api_compat": "gymnasium.wrappers",
    "matplotlib": None,
    "cv2": None,
}


def files(*folders: str) -> list[Path]:
    """The Python files under these folders of the repository."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def module_name(path: Path) -> str:
    """`gymnasium/spaces/__init__.py` is `gymnasium.spaces`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    """Every module of both packages by its name."""
    return {module_name(path): path for path in files("gymnasium", "palaestra")}


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """The dotted names that a file imports when it runs, at its top or later; not those for annotations only."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in _running(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = _absolute(node, path)
            # `from . import part` imports the part, not the package that holds it.
            yield from (f"{origin}.{alias.name}" for alias in node.names) if node.module is None else (origin,)
        elif isinstance(node, ast.Call):
            yield from _imported_by_call(node)


def run_python(code: str, *arguments: str) -> str:
    """What a fresh interpreter prints that runs `code` from the repository's root; fails with its traceback."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below `node` outside `if TYPE_CHECKING:`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from _running(child)


def _absolute(node: ast.ImportFrom, path: Path) -> str:
    if not node.level:
        return node.module or ""
    package = path.parent.relative_to(ROOT).parts
    above = package[: len(package) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


def _imported_by_call(node: ast.Call) -> Iterator[str]:
    """`import_module("pygame")` imports as well."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in {"import_module", "__import__", "find_spec"} and node.args and isinstance(node.args[0], ast.Constant):
        yield str(node.args[0].value)
