"""What a spec tells of `RecordVideo`."""

from __future__ import annotations

from pathlib import Path

import pytest

import gymnasium
from gymnasium.error import Error
from gymnasium.specs import EnvSpec
from gymnasium.wrappers import RecordVideo


def always(number: int) -> bool:
    return True


@pytest.mark.filterwarnings("ignore:.*Overwriting:UserWarning")
@pytest.mark.parametrize("kind", [str, Path])
def test_a_spec_with_data_alone_comes_back_from_json(tmp_path: Path, kind: type) -> None:
    inner = gymnasium.make("CartPole-v1", render_mode="rgb_array")
    env = RecordVideo(inner, kind(tmp_path / "new"), video_length=3)
    assert env.spec is not None
    with pytest.raises(Error, match=r"RecordVideo.*trusted=True"):
        EnvSpec.from_json(env.spec.to_json())
    spec = EnvSpec.from_json(env.spec.to_json(), trusted=True)
    assert spec == env.spec
    again = gymnasium.make(spec)
    assert again.spec == env.spec
    assert (again.video_folder, again.gc_trigger) == (env.video_folder, env.gc_trigger)  # type: ignore[attr-defined]
    for each in (env, again):
        each.close()


def test_a_trigger_is_code_and_has_no_json(tmp_path: Path) -> None:
    inner = gymnasium.make("CartPole-v1", render_mode="rgb_array")
    for name in ("episode_trigger", "step_trigger", "gc_trigger"):
        env = RecordVideo(inner, str(tmp_path / name), **{name: always})  # type: ignore[arg-type]
        assert env.spec is not None
        with pytest.raises(ValueError, match=rf"'{name}'\] is .*, a callable, which cannot be serialised"):
            env.spec.to_json()
        env.close()
