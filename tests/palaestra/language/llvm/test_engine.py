"""Machine code of programs: calls from Python, threads, functions at addresses, what is kept on disk."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from palaestra.language.llvm import engine, store
from palaestra.language.llvm.calls import slow_caller
from palaestra.language.llvm.engine import Build, caller, compiled
from palaestra.language.program import ADDRESS, BOOL, FIXED, FLOAT64, INT64, Label, Program, Set, Slot, Value
from tests.palaestra.language.llvm.building import Building


def _sum_of_three() -> Program:
    """A program without a row: an address and two words."""
    given = [Value("parameter", ADDRESS), Value("parameter", INT64), Value("parameter", INT64)]
    loaded = Value("load", INT64, (given[0],))
    sums = [Value("add", INT64, (loaded, given[1]))]
    sums.append(Value("add", INT64, (sums[0], given[2])))
    result = Slot(INT64, "result")
    return Program("sum", given, [loaded, *sums, Set(result, sums[1])], result)


@pytest.mark.parametrize("make", [caller, slow_caller])
@pytest.mark.parametrize("keeps", [False, True])
def test_calls_keep_the_gil_if_they_are_to(make: object, keeps: bool) -> None:
    assert callable(make)
    check = ctypes.cast(ctypes.pythonapi.PyGILState_Check, ctypes.c_void_p).value
    assert (make(check, 0, keeps)() & 1) == keeps


@pytest.mark.parametrize("make", [caller, slow_caller])
def test_calls_take_ints_and_arrays(make: object) -> None:
    assert callable(make)
    machine = compiled(_sum_of_three())
    assert machine.rows is None
    call = make(machine.address, 3)
    array = np.array([5, 6])
    assert call(array, 10, -100) == -85
    assert call(array.ctypes.data + 8, 2**63 - 1, 0) == 5 - 2**63
    assert call(array, 2**64 - 1, 0) == 4
    for given in ((array, 1), (array, 1, 2, 3), (array, 1.0, 2), (array, None, 2), (array, np.int64(1), 2)):
        with pytest.raises(TypeError, match="machine code takes 3 ints or arrays"):
            call(*given)


def test_a_program_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(_sum_of_three())
    monkeypatch.setattr(engine, "_loaded", None)
    assert compiled(_sum_of_three()) == compiled(_sum_of_three())


def _squares(number: int) -> Program:
    given = Value("parameter", INT64)
    products = Value("mul", INT64, (given, given)), Value("constant", INT64, attribute=number)
    total, result = Value("add", INT64, products), Slot(INT64, "result")
    return Program(f"square{number}", [given], [*products, total, Set(result, total)], result)


def test_programs_of_one_module_are_compiled_while_python_goes_on() -> None:
    usual = sys.getswitchinterval()
    build = Build(_squares(101), _squares(102), _sum_of_three()).begin()
    assert [caller(build.machine(k).address, 1)(5) for k in range(2)] == [126, 127]
    assert caller(build.machine(2).address, 3)(np.array([7]), 1, 2) == 10
    assert build.begin() is build
    assert sys.getswitchinterval() == usual


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_does_not_wait_for_a_thread_that_compiles() -> None:
    builds = [Build(_squares(number)).begin() for number in range(201, 221)]
    child = os.fork()
    if child == 0:
        os._exit(caller(Build(_squares(150)).machine().address, 1)(10) != 250)
    assert os.waitpid(child, 0)[1] == 0
    assert [caller(one.machine().address, 1)(1) for one in builds] == list(range(202, 222))


def test_a_single_row_has_a_function() -> None:
    building = Building("x")
    building.store(building.place(0, 8), building.row)
    building.set(building.result, building.number(7))
    machine, x = compiled(building.program()), np.zeros(8, int)
    assert caller(machine.address, 2)(x, 3) == 7
    assert x.tolist() == [0, 0, 0, 3, 0, 0, 0, 0]


def test_threads_compile_one_text_once_and_different_ones_at_once() -> None:
    def run(k: int) -> int:
        building = Building("x")
        building.set(building.result, building.value("mul", INT64, building.row, building.number(1000 + k % 4)))
        rows = compiled(building.program()).rows
        assert rows is not None
        return caller(rows, 3)(np.zeros(8), 0, 8)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(16))) == [28 * (1000 + k % 4) for k in range(16)]


def test_a_call_lets_other_threads_run() -> None:
    """Machine code waits for what another thread of Python writes, and answers in the same memory."""
    building, label = Building("shared"), Label("waiting")
    place = building.value("offset", ADDRESS, building.columns[0], building.number(0))
    with building.loop(label):
        found = building.value("load_shared", INT64, place)
        with building.when(building.value("ne", BOOL, found, building.number(0))):
            building.leave(label)
        building.value("pause", None)
    building.set(building.result, building.value("add_shared", INT64, place, building.number(10)))
    building.value("store_shared", None, building.value("offset", ADDRESS, place, building.number(8)), found)
    shared, rows = np.zeros(2, int), compiled(building.program()).rows
    assert rows is not None
    threading.Timer(0.05, lambda: shared.__setitem__(0, 5)).start()
    assert caller(rows, 3)(shared, 0, 1) == 5
    assert shared.tolist() == [15, 5]


def test_programs_call_each_other() -> None:
    inner = compiled(_sum_of_three())
    building = Building("function", "words")
    words = building.columns[1]
    given = [building.value("word", INT64, words), building.row, building.number(100)]
    building.set(building.result, building.value("invoke", INT64, building.columns[0], *given))
    rows = compiled(building.program()).rows
    assert rows is not None
    assert caller(rows, 4)(inner.address, np.array([1000]), 0, 3) == 3300 + 3


@pytest.mark.parametrize("lanes", [False, True])
def test_fixed_addresses(lanes: bool) -> None:
    """The address of a column in a list of addresses, and a number that is the same for all rows."""
    building = Building("addresses", "number")
    column = building.value("load", ADDRESS, building.columns[0], attribute=FIXED)
    start = building.value("mul", INT64, building.row, building.number(8))
    place = building.value("offset", ADDRESS, column, start)
    factor = building.value("load", FLOAT64, building.columns[1], attribute=FIXED)
    building.store(place, building.value("mul", FLOAT64, building.load(FLOAT64, place), factor))
    x, rows = np.arange(16.0), compiled(building.program(), lanes=lanes).rows
    assert rows is not None
    caller(rows, 4)(np.array([x.ctypes.data]), np.array([3.0]), 0, 16)
    assert x.tolist() == (np.arange(16) * 3.0).tolist()


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of object files, where everything is kept."""
    monkeypatch.setenv("PALAESTRA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(engine, "KEPT_ABOVE", -1.0)
    monkeypatch.setattr(engine, "_known", {})
    return tmp_path / "code"


def _answer(number: int) -> int:
    building = Building("x")
    building.set(building.result, building.number(number))
    rows = compiled(building.program()).rows
    assert rows is not None
    return caller(rows, 3)(0, 0, 1)


def test_object_files_are_found_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _answer(41) == 41
    (file,) = kept.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert kept.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(engine, "_known", {})
    monkeypatch.setattr(engine, "_emitted", None)
    assert _answer(41) == 41


def test_only_what_took_long_is_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "KEPT_ABOVE", 100.0)
    assert _answer(42) == 42
    assert not kept.exists()


@pytest.mark.parametrize("damage", ["truncated", "other", "link", "writable", "folder"])
def test_what_others_may_have_written_is_not_read(kept: Path, damage: str) -> None:
    store.write("a" * 64, b"code")
    store.write("b" * 64, b"other code")
    file = kept / f"{'a' * 64}.code"
    assert store.read("a" * 64) == b"code"
    if damage == "truncated":
        file.write_bytes(file.read_bytes()[:-1])
    elif damage == "other":
        file.write_bytes((kept / f"{'b' * 64}.code").read_bytes())
    elif damage == "link":
        file.rename(kept / "elsewhere")
        file.symlink_to(kept / "elsewhere")
    elif damage == "writable":
        file.chmod(0o666)
    else:
        kept.chmod(0o777)
    assert store.read("a" * 64) is None


def test_the_oldest_files_go_first(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for k, digest in enumerate("abc"):
        store.write(digest * 64, bytes(100))
        os.utime(kept / f"{digest * 64}.code", (k, k))
    monkeypatch.setattr(store, "LIMIT", 350)
    monkeypatch.setattr(store, "_writes", iter([64]))
    store.write("d" * 64, bytes(100))
    assert sorted(one.name[0] for one in kept.iterdir()) == ["c", "d"]


def test_nothing_is_kept_without_a_place(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALAESTRA_CACHE_DIR", os.devnull)
    assert _answer(43) == 43


def test_the_engine_needs_no_numba() -> None:
    code = "import sys, palaestra.language.llvm.engine; assert not {'numba', 'jax'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
