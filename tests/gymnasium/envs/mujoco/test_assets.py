"""The model files stand alone: other packages read one, edit it, and save it elsewhere."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from gymnasium.envs.mujoco.ant_v4 import AntEnv as AntV4
from gymnasium.envs.mujoco.ant_v5 import AntEnv as AntV5
from gymnasium.envs.mujoco.simulator import ASSETS

FILES = sorted(Path(ASSETS).glob("*.xml"))
SECTIONS = ["compiler", "option", "size", "asset", "custom", "default", "worldbody", "tendon", "actuator"]
every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)

# Robots on a floor; the arms and the carts have scenes of their own.
SCENES = ["ant", "half_cheetah", "hopper", "humanoid", "humanoidstandup", "point", "swimmer", "walker2d", "walker2d_v5"]


def root(name: str) -> ET.Element:
    return ET.parse(Path(ASSETS) / f"{name}.xml").getroot()


def found(tree: ET.Element, path: str) -> ET.Element:
    element = tree.find(path)
    assert element is not None, path
    return element


def text(element: ET.Element) -> str:
    return ET.canonicalize(ET.tostring(element, encoding="unicode"), strip_text=True)


def compiled(model: mujoco.MjModel) -> NDArray[np.uint8]:
    buffer = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    return buffer


@every_file
def test_a_text_is_the_whole_model(file: Path) -> None:
    """Without the folder that it lies in; and each section is there once, where an editor finds it."""
    tree = ET.parse(file).getroot()
    sections = [element.tag for element in tree]
    assert sections == [name for name in SECTIONS if name in sections]
    assert tree.find(".//include") is None

    alone = mujoco.MjModel.from_xml_string(file.read_text())
    np.testing.assert_array_equal(compiled(alone), compiled(mujoco.MjModel.from_xml_path(str(file))))


@pytest.mark.parametrize("env_class", [AntV4, AntV5])
def test_an_ant_in_a_maze(env_class: type[AntV4] | type[AntV5], tmp_path: Path) -> None:
    """The file beside the module of the environment, with a wall more, saved in another folder."""
    tree = ET.parse(Path(ASSETS) / "ant.xml")
    ET.SubElement(found(tree.getroot(), ".//worldbody"), "geom", type="box", pos="2 0 1", size="1 1 1", name="wall")
    tree.write(tmp_path / "maze.xml")

    env = env_class(str(tmp_path / "maze.xml"))
    assert env.model.geom("wall").pos.tolist() == [2, 0, 1]
    assert env.model.ngeom == env_class().model.ngeom + 1
    assert env.reset(seed=0)[0].shape == env.observation_space.shape


@pytest.mark.parametrize("name", SCENES[1:])
def test_scenes_look_alike(name: str) -> None:
    """What is drawn on robots and floors, and the light, is written the same way in every file."""
    for path in (
        "asset/texture[@name='texplane']",
        "asset/texture[@name='texgeom']",
        "asset/material[@name='MatPlane']",
        "asset/material[@name='geom']",
        "worldbody/light",
    ):
        assert text(found(root(name), path)) == text(found(root(SCENES[0]), path)), path


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ("walker2d", "walker2d_v5", "default/default[@class='right_foot']/geom"),
        ("pusher", "pusher_v5", "worldbody/body[@name='object']"),
        ("humanoid", "humanoidstandup", "worldbody/body[@name='torso']"),
    ],
)
def test_robots_of_a_kind_differ_in_one_thing(one: str, other: str, difference: str) -> None:
    """The grip of a foot; what is pushed; how the figure is posed."""
    trees = [root(one), root(other)]
    parts = [found(tree, difference) for tree in trees]
    assert text(parts[0]) != text(parts[1])
    for tree, part in zip(trees, parts, strict=True):
        part.clear()
        del tree.attrib["model"]
    assert text(trees[0]) == text(trees[1])


def test_both_humanoids_have_the_same_arms() -> None:
    for side in ("left", "right"):
        arm = f".//body[@name='{side}_upper_arm']"
        assert text(found(root("humanoid"), arm)) == text(found(root("humanoidstandup"), arm))
