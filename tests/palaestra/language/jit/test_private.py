"""Machine code is read from nowhere that another user can have written, and kept only where nobody else can write."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from palaestra.language.jit import cache
from palaestra.language.jit.cache import Note, Stored
from palaestra.language.jit.private import PrivateFolder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")

DIGEST = "0123456789abcdef" * 2
ADDRESS = 4096


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of machine code that this user keeps, three folders below the user's own."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "loaded", lambda code, function: ADDRESS)
    Stored(DIGEST, "step").keep(b"code", "step", ["malloc"])
    assert Stored(DIGEST, "step").address() == ADDRESS
    return tmp_path / "palaestra" / "kernels" / DIGEST / "step.code"


def folders(kept: Path) -> list[Path]:
    return list(kept.parents)[:3]


def test_what_is_kept_is_this_users_alone(kept: Path) -> None:
    assert [one.stat().st_mode & 0o777 for one in folders(kept)] == [0o700] * 3
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("umask", [0, 0o022])
def test_folders_on_the_way_are_private_whatever_the_umask(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a" / "b"))
    before = os.umask(umask)
    try:
        Note(DIGEST, "passed").write()
    finally:
        os.umask(before)
    assert Note(DIGEST, "passed").exists()
    made = [one for one in tmp_path.rglob("*") if one.is_dir()]
    assert [one.stat().st_mode & 0o777 for one in made] == [0o700] * 4


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
@pytest.mark.parametrize("level", range(3))
def test_a_folder_that_others_can_write_is_not_read_until_it_is_taken_back(kept: Path, level: int, mode: int) -> None:
    folders(kept)[level].chmod(mode)
    assert Stored(DIGEST, "step").address() is None

    Stored(DIGEST, "step").keep(b"code", "step", [])
    assert Stored(DIGEST, "step").address() == ADDRESS
    assert [one.stat().st_mode & 0o777 for one in folders(kept)] == [0o700] * 3


def test_a_file_that_others_can_write_is_not_read(kept: Path) -> None:
    kept.chmod(0o620)
    assert Stored(DIGEST, "step").address() is None


def test_nothing_of_another_user_is_read_or_written(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept.read_bytes()
    monkeypatch.setattr(os, "getuid", lambda: kept.stat().st_uid + 1)
    Stored(DIGEST, "step").keep(b"other code", "step", [])
    assert Stored(DIGEST, "step").address() is None
    assert kept.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("level", range(4))
def test_a_file_or_folder_given_to_another_user_is_not_read(kept: Path, level: int) -> None:
    os.chown([kept, *folders(kept)][level], 65534, 65534)
    assert Stored(DIGEST, "step").address() is None


@pytest.mark.parametrize("level", range(4))
def test_no_link_is_followed(kept: Path, level: int) -> None:
    one = [kept, *folders(kept)][level]
    moved = one.with_name("moved")
    one.rename(moved)
    one.symlink_to(moved)
    assert Stored(DIGEST, "step").address() is None


def test_the_users_own_folder_may_be_a_link(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = kept.parents[3].with_name("link")
    link.symlink_to(kept.parents[3])
    monkeypatch.setenv("XDG_CACHE_HOME", str(link))
    assert Stored(DIGEST, "step").address() == ADDRESS


def test_a_file_under_another_name_is_not_taken_for_it(kept: Path) -> None:
    other = kept.parent.with_name(DIGEST[::-1])
    kept.parent.rename(other)
    (other / "reset.code").write_bytes((other / "step.code").read_bytes())
    assert Stored(DIGEST[::-1], "step").address() is None
    assert Stored(DIGEST[::-1], "reset").address() is None


def test_a_note_is_read_as_machine_code_is(kept: Path) -> None:
    note = Note(DIGEST, "passed")
    assert not note.exists()
    note.write()
    assert note.exists()
    kept.parent.rename(kept.parent.with_name(DIGEST[::-1]))
    assert not Note(DIGEST[::-1], "passed").exists()
    note.write()
    kept.parent.chmod(0o777)
    assert not note.exists()


def test_a_pipe_in_place_of_a_file_is_not_waited_for(kept: Path) -> None:
    kept.unlink()
    os.mkfifo(kept)
    assert Stored(DIGEST, "step").address() is None


def changed(**facts: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda head: {**head, **facts}


@pytest.mark.parametrize(
    "change",
    [
        *(lambda head, value=value: value for value in ([], 5, None, "text", [["function", "step"]], True, {})),
        changed(symbols=5),
        changed(symbols="malloc"),
        changed(symbols=[5]),
        changed(symbols={"malloc": 1}),
        changed(symbols=[None]),
        changed(function=5),
        changed(function=None),
        changed(sha256=5),
        changed(digest=[]),
        lambda head: {name: value for name, value in head.items() if name != "function"},
    ],
)
def test_a_head_of_the_wrong_kind_is_ignored(kept: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    head, _, code = kept.read_bytes().partition(b"\n")
    kept.write_bytes(json.dumps(change(json.loads(head))).encode() + b"\n" + code)
    assert Stored(DIGEST, "step").address() is None


@pytest.mark.parametrize("head", [b"", b"\xff", b"{", b"[" * 100_000, b"NaN"])
def test_a_head_that_is_no_json_is_ignored(kept: Path, head: bytes) -> None:
    kept.write_bytes(head + b"\ncode")
    assert Stored(DIGEST, "step").address() is None


def homeless() -> Path:
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.parametrize("home", [homeless, lambda: Path("/proc"), lambda: Path(os.devnull)])
def test_without_a_place_nothing_is_kept(home: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", home)
    Stored(DIGEST, "step").keep(b"code", "step", [])
    Note(DIGEST, "passed").write()
    assert Stored(DIGEST, "step").address() is None
    assert not Note(DIGEST, "passed").exists()


def test_what_was_in_use_the_longest_ago_is_removed(tmp_path: Path) -> None:
    """And nothing else in that folder, nor what links lead to."""
    names = [f"{k:032x}" for k in range(6)]
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_text("mine")
    for k, name in enumerate(names):
        one = PrivateFolder(tmp_path, "kernels", name)
        one.write("step.code", b"x" * 1000)
        os.utime(one.path, (k, k))
    inner = tmp_path / "kernels" / names[0] / "__pycache__"
    inner.mkdir()
    (inner / "file").write_text("of Numba")
    (inner / "link").symlink_to(outside)
    (tmp_path / "kernels" / names[1] / "link").symlink_to(outside / "mine")
    for k in range(2):
        os.utime(tmp_path / "kernels" / names[k], (k, k))
    (tmp_path / "kernels" / "notes of the user").mkdir()
    (tmp_path / "kernels" / ("f" * 32)).symlink_to(outside)
    PrivateFolder(tmp_path, "kernels", names[2]).touch()

    PrivateFolder(tmp_path, "kernels").shrink(3500)

    left = sorted(one.name for one in (tmp_path / "kernels").iterdir())
    assert left == sorted([names[2], names[4], names[5], "f" * 32, "notes of the user"])
    assert (outside / "mine").read_text() == "mine"


def test_the_folder_of_kernels_shrinks_when_much_is_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LIMIT", 10_000)
    for k in range(100):
        Stored(f"{k:032x}", "step").keep(b"x" * 1000, "step", [])
        os.utime(kept.parents[1] / f"{k:032x}", (k, k))
    assert Stored(f"{99:032x}", "step").address() == ADDRESS
    assert sum(one.stat().st_size for one in kept.parents[1].rglob("*.code")) < 12_500
