"""With this folder on PYTHONPATH, Python finds no `palaestra`, in no process: `make test-api`."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec


class _Absent:
    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name.partition(".")[0] == "palaestra":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


sys.meta_path.insert(0, _Absent)
