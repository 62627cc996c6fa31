"""The infos of a batch, split into one dict for each environment."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.vector._batch.infos import add_info
from palaestra.adapters._infos import split

EACH = [
    {"speed": 1.5, "name": "a", "place": np.array([1, 2]), "parts": {"sum": 1, "rare": True}},
    {},
    {"speed": 2.5, "flag": True, "parts": {"sum": 3}, "_hidden": 7},
    {"name": None, "place": np.array([3, 4]), "big": 2**70},
]


def merged(each):
    infos = {}
    for i, info in enumerate(each):
        add_info(infos, info, i, len(each))
    return infos


def plain(info):
    return {
        key: plain(value) if isinstance(value, dict) else value.tolist() if isinstance(value, np.ndarray) else value
        for key, value in info.items()
    }


@pytest.mark.parametrize("ids", [None, [0], [2, 3], [3, 1, 0], []])
def test_splitting_undoes_merging(ids):
    chosen = EACH if ids is None else [EACH[i] for i in ids]

    assert [plain(row) for row in split(merged(EACH), len(EACH), ids)] == [plain(info) for info in chosen]


def test_all_may_report_everything():
    each = [{"x": float(i), "parts": {"y": np.full(2, i)}} for i in range(4)]

    assert [plain(row) for row in split(merged(each), 4)] == [plain(info) for info in each]


def test_every_environment_gets_a_dict_of_its_own():
    rows = split({}, 3)
    rows[0]["new"] = 1

    assert rows == [{"new": 1}, {}, {}]


def test_numbers_are_those_of_python():
    (row,) = split(merged([{"x": np.float32(0.5), "n": 3, "flag": False}]), 1)

    assert {key: type(value) for key, value in row.items()} == {"x": float, "n": int, "flag": bool}


def test_arrays_without_masks_are_of_all_and_other_values_for_all():
    """Batches of other libraries report such infos."""
    infos = {"lives": np.array([3, 2]), "names": ["a", "b"], "version": "x", "frame": np.zeros(5)}
    first, second = split(infos, 2)

    assert (first["lives"], second["lives"], first["names"], second["names"]) == (3, 2, "a", "b")
    assert (first["version"], first["frame"].shape, second["frame"].shape) == ("x", (5,), (5,))


def test_tensors_become_arrays():
    torch = pytest.importorskip("torch")
    mask = torch.tensor([True, False])

    rows = split({"x": torch.tensor([1.5, 2.5]), "_x": mask, "y": torch.ones(2, 3)}, 2)

    assert rows[0]["x"] == 1.5 and "x" not in rows[1]
    assert isinstance(rows[1]["y"], np.ndarray) and rows[1]["y"].shape == (3,)
