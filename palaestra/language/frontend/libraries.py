"""Libraries whose objects and functions are not compiled: simulators, networks, tables."""

from __future__ import annotations

from typing import Any

_WORKERS = 'use vectorization_mode="async", which steps copies in worker processes'
_ARRAYS = 'take arrays from it in __init__, or use vectorization_mode="sync"'
_SAME = 'use vectorization_mode="sync"'
_LIBRARIES = {
    "Box2D": ("Box2D", _WORKERS),
    "ale_py": ("the Arcade Learning Environment", _WORKERS),
    "cv2": ("OpenCV", _WORKERS),
    "dm_control": ("dm_control", _WORKERS),
    "mujoco": ("MuJoCo", _WORKERS),
    "mujoco_py": ("MuJoCo", _WORKERS),
    "pybullet": ("PyBullet", _WORKERS),
    "pygame": ("pygame", _WORKERS),
    "pymunk": ("Pymunk", _WORKERS),
    "jax": ("JAX", _WORKERS),
    "onnxruntime": ("ONNX Runtime", _WORKERS),
    "sklearn": ("scikit-learn", _WORKERS),
    "tensorflow": ("TensorFlow", _WORKERS),
    "torch": ("PyTorch", _WORKERS),
    "networkx": ("NetworkX", _ARRAYS),
    "pandas": ("pandas", _ARRAYS),
    "polars": ("Polars", _ARRAYS),
    "PIL": ("Pillow", _SAME),
    "chess": ("python-chess", _SAME),
    "matplotlib": ("Matplotlib", _SAME),
    "shapely": ("Shapely", _SAME),
    "sympy": ("SymPy", _SAME),
}


def library_of(value: Any) -> tuple[str, str] | None:
    """Returns the name of the library that an object, a class or a function is of, and what to do; None if of none."""
    module = getattr(value, "__module__", None) if callable(value) else None
    top = (module if isinstance(module, str) else type(value).__module__).partition(".")[0]
    return _LIBRARIES.get(top)


def is_of_library(of: type) -> bool:
    """Returns whether a class is one of a library."""
    return of.__module__.partition(".")[0] in _LIBRARIES
