"""The names of `gymnasium.wrappers`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gymnasium import wrappers
from gymnasium.core import Wrapper
from gymnasium.utils import RecordConstructorArgs

CLASSES = [name for name in wrappers.__all__ if name != "vector"]


@pytest.mark.parametrize("name", CLASSES)
def test_every_wrapper_records_its_arguments(name):
    assert issubclass(getattr(wrappers, name), Wrapper)
    assert issubclass(getattr(wrappers, name), RecordConstructorArgs)


def test_all_is_what_is_there():
    assert wrappers.__all__ == sorted(wrappers.__all__)
    assert set(wrappers.__all__) <= set(dir(wrappers))
    assert wrappers.vector.__name__ == "gymnasium.wrappers.vector"
    assert wrappers.common.TimeLimit is wrappers.TimeLimit


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("AutoResetWrapper", "wrappers.Autoreset"),
        ("FrameStack", "wrappers.FrameStackObservation"),
        ("PixelObservationWrapper", "wrappers.AddRenderObservation"),
        ("VectorListInfo", "wrappers.vector.DictInfoToList"),
        ("GrayScaleObservation", "wrappers.GrayscaleObservation"),
        ("LambdaObservationV0", "wrappers.TransformObservation"),
        ("Monitor", "wrappers.RecordEpisodeStatistics"),
        ("NormalizeRewardV1", "wrappers.NormalizeReward"),
        ("PixelObservationV0", "wrappers.AddRenderObservation"),
        ("TimeLimitV0", "wrappers.TimeLimit"),
    ],
)
def test_a_renamed_wrapper_says_its_new_name(old, new):
    with pytest.raises(AttributeError) as caught:
        getattr(wrappers, old)
    assert f"gymnasium.wrappers.{old} does not exist" in str(caught.value)
    assert f"{new}`" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [("ClipRewardV0", "ClipReward"), ("VectorListInfo", "DictInfoToList"), ("LambdaRewardV0", "TransformReward")],
)
def test_a_renamed_wrapper_of_batches_says_its_new_name(old, new):
    with pytest.raises(AttributeError, match=rf"{old} does not exist: use `.*wrappers\.vector\.{new}`"):
        getattr(wrappers.vector, old)


def test_an_unknown_name_is_named_with_the_module():
    with pytest.raises(AttributeError, match=r"gymnasium\.wrappers.*'Nothing'"):
        _ = wrappers.Nothing


def test_wrappers_are_imported_when_asked_for():
    code = (
        "import sys, gymnasium.wrappers as w\n"
        "assert 'gymnasium.wrappers.common' not in sys.modules\n"
        "w.TimeLimit, w.HumanRendering, w.ClipAction\n"
        "assert 'gymnasium.wrappers.common' in sys.modules\n"
        "print(sorted({'pygame', 'cv2', 'av', 'llvmlite', 'matplotlib'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
