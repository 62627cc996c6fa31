"""Without an address, only a cluster of this user's is joined: its pickles are run, and get ours."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palaestra.ray import cluster, own_cluster

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the users of sockets are read from /proc")


@pytest.fixture
def head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of something of this user's that listens, of which Ray has made a note."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        (tmp_path / "ray").mkdir()
        note(tmp_path, address)
        monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
        yield address


def note(folder: Path, text: str) -> Path:
    path = folder / "ray" / "ray_current_cluster"
    path.write_text(text)
    path.chmod(0o644)
    return path


def test_this_users_cluster_is_joined(head: str, tmp_path: Path) -> None:
    assert own_cluster.own_address() == head
    (tmp_path / "ray").chmod(0o777)  # as Ray makes it
    assert own_cluster.own_address() == head


def test_a_cluster_on_another_machine_is_joined_by_this_users_note(head: str, tmp_path: Path) -> None:
    note(tmp_path, "192.0.2.7:6379\n")
    assert own_cluster.own_address() == "192.0.2.7:6379"


def test_a_note_of_another_user_is_not_read(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    assert own_cluster.own_address() is None


def test_a_note_that_others_can_write_is_not_read(head: str, tmp_path: Path) -> None:
    (tmp_path / "ray" / "ray_current_cluster").chmod(0o646)
    assert own_cluster.own_address() is None


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away")
def test_a_note_that_a_group_can_write_is_read_if_the_group_is_the_users_own(head: str, tmp_path: Path) -> None:
    path = tmp_path / "ray" / "ray_current_cluster"
    path.chmod(0o664)
    assert own_cluster.own_address() == head
    os.chown(path, 0, 100)
    assert own_cluster.own_address() is None


def test_no_link_is_followed(head: str, tmp_path: Path) -> None:
    path = tmp_path / "ray" / "ray_current_cluster"
    path.rename(tmp_path / "note")
    path.symlink_to(tmp_path / "note")
    assert own_cluster.own_address() is None


def test_a_pipe_is_not_waited_for(head: str, tmp_path: Path) -> None:
    path = tmp_path / "ray" / "ray_current_cluster"
    path.unlink()
    os.mkfifo(path)
    assert own_cluster.own_address() is None


@pytest.mark.parametrize("user", [4711, None])
def test_an_old_note_does_not_lead_to_what_another_user_starts_at_the_same_port(
    head: str, user: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor to nobody."""
    port = int(head.rpartition(":")[2])
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
    words = [line.split() for line in lines]
    table = tmp_path / "tcp"
    for one in words:
        if one[1].endswith(f":{port:04X}"):
            one[7] = str(user)
    rows = [" ".join(one) for one in words if user is not None or not one[1].endswith(f":{port:04X}")]
    table.write_text("\n".join(rows), encoding="ascii")
    monkeypatch.setattr(own_cluster, "_TABLES", (table, tmp_path / "nothing"))
    assert own_cluster.own_address() is None


@pytest.mark.parametrize(
    "text", ["", "nonsense", "127.0.0.1", "127.0.0.1:port", "127.0.0.1:99999999", "\xff", "x" * 999]
)
def test_a_note_of_something_else_is_ignored(text: str, head: str, tmp_path: Path) -> None:
    note(tmp_path, text)
    assert own_cluster.own_address() is None


def test_without_a_note_a_ray_of_its_own_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    begun: list[Any] = []

    class Library:
        @staticmethod
        def is_initialized() -> bool:
            return False

        @staticmethod
        def init(**given: Any) -> None:
            begun.append(given["address"])

    monkeypatch.setattr(cluster, "library", lambda: Library)
    monkeypatch.setattr(cluster.Connection, "_present", None)
    cluster.Connection.open(None, 1.0)
    assert begun == ["local"]
