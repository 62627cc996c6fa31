"""`pprint_registry`."""

from __future__ import annotations

import pytest

from gymnasium.envs.registration import EnvSpec, pprint_registry

SPECS = {
    spec.id: spec
    for spec in (
        EnvSpec("B-v0", "gymnasium.envs.classic_control.b:B"),
        EnvSpec("Long-v0", "gymnasium.envs.classic_control:Long"),
        EnvSpec("A-v0", "gymnasium.envs.classic_control.a:A"),
        EnvSpec("A-v1", "gymnasium.envs.classic_control.a:A"),
        EnvSpec("ns/C-v0", "gymnasium.envs.classic_control.c:C"),
        EnvSpec("D-v0", "package.envs:D"),
        EnvSpec("E-v0", "module:E"),
        EnvSpec("F-v0", EnvSpec),
    )
}
TEXT = """\
===== classic_control =====
A-v0 A-v1 B-v0
Long-v0
===== ns =====
ns/C-v0
===== envs =====
D-v0
===== E =====
E-v0
===== None =====
F-v0"""


def test_ids_are_grouped_by_namespace_or_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert pprint_registry(SPECS, disable_print=True) == TEXT
    assert pprint_registry(SPECS) is None
    assert capsys.readouterr().out == TEXT + "\n"


def test_columns_and_exclusions() -> None:
    text = pprint_registry(SPECS, num_cols=1, exclude_namespaces=["ns", "envs", "E", "None"], disable_print=True)
    assert text == "===== classic_control =====\nA-v0\nA-v1\nB-v0\nLong-v0\n===== None =====\nF-v0"


def test_nothing_registered_prints_nothing() -> None:
    assert pprint_registry({}, disable_print=True) == ""


@pytest.mark.parametrize("num_cols", [0, -1])
def test_at_least_one_column(num_cols: int) -> None:
    with pytest.raises(ValueError, match="num_cols"):
        pprint_registry(SPECS, num_cols=num_cols, disable_print=True)


def test_the_registry_is_the_default() -> None:
    text = pprint_registry(disable_print=True)
    assert text is not None
    assert text.startswith("===== classic_control =====\nAcrobot-v1 ")
    assert "===== toy_text =====\n" in text
