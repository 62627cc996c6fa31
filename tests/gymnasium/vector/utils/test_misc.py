"""Functions for worker processes."""

from __future__ import annotations

import os
import pickle

import pytest

from gymnasium.spaces import batching, sharing
from gymnasium.vector import utils
from gymnasium.vector.utils import CloudpickleWrapper, clear_mpi_env_vars, shared_memory, space_utils


def test_closures_can_be_sent() -> None:
    number = 41
    sent = pickle.loads(pickle.dumps(CloudpickleWrapper(lambda: number + 1)))

    assert sent() == sent.fn() == 42


def test_variables_of_mpi_are_hidden_and_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OMPI_X", "PMI_Y", "OTHER"):
        monkeypatch.setenv(name, "1")
    with pytest.raises(KeyError, match="inside"), clear_mpi_env_vars():
        assert "OMPI_X" not in os.environ
        assert "PMI_Y" not in os.environ
        assert os.environ["OTHER"] == "1"
        raise KeyError("inside")

    assert os.environ["OMPI_X"] == os.environ["PMI_Y"] == "1"


def test_the_public_paths_name_the_very_functions() -> None:
    for name in space_utils.__all__:
        assert getattr(space_utils, name) is getattr(batching, name) is getattr(utils, name)
    for name in shared_memory.__all__:
        assert getattr(shared_memory, name) is getattr(sharing, name) is getattr(utils, name)
