"""The compiled models have the recorded fields (`model_fields.json`: every table of the specification)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from gymnasium.envs.mujoco.simulator import ASSETS, load_model

RECORDED = json.loads(Path(__file__).with_name("model_fields.json").read_text())
# The recording has ten digits.
DIGITS = {"rtol": 2e-9, "atol": 2e-9}

BODY = {"pos": "body_pos", "quat": "body_quat", "mass": "body_mass", "ipos": "body_ipos"}
BODY |= {"iquat": "body_iquat", "inertia": "body_inertia"}
JOINT = {"pos": "jnt_pos", "axis": "jnt_axis", "limited": "jnt_limited", "range": "jnt_range"}
JOINT |= {"stiffness": "jnt_stiffness", "margin": "jnt_margin"}
GEOM = {name: f"geom_{name}" for name in ("size", "pos", "quat", "friction", "contype", "conaffinity", "condim")}
GEOM |= {"margin": "geom_margin", "rgba": "geom_rgba"}
CAMERA = {"pos": "cam_pos", "quat": "cam_quat", "fovy": "cam_fovy"}

every_model = pytest.mark.parametrize("name", RECORDED)


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    return {name: load_model(name, 480, 480) for name in RECORDED}


def agree(found: Any, recorded: Any, *what: object) -> None:
    np.testing.assert_allclose(np.ravel(found), np.ravel(recorded), **DIGITS, err_msg=str(what))


def check(model: Any, rows: list[dict[str, Any]], fields: dict[str, str]) -> None:
    """Compare the fields of every row with the model's."""
    for i, row in enumerate(rows):
        for name, field in fields.items():
            # Some fields hold more than the number that was recorded: coefficients of a polynomial.
            found = np.ravel(getattr(model, field)[i])[: len(row[name])]
            agree(found, row[name], row["name"], field)


@every_model
def test_sizes_and_options(models: dict[str, Any], name: str) -> None:
    model, recorded = models[name], RECORDED[name]
    assert {key: getattr(model, key) for key in recorded["sizes"]} == recorded["sizes"]
    agree(model.body_mass.sum(), recorded["total_mass"])
    agree(model.qpos0, recorded["qpos0"])
    kinds = {"integrator": "Integrator", "solver": "Solver", "cone": "Cone", "jacobian": "Jacobian"}
    for option, kind in kinds.items():
        assert getattr(mujoco, f"mjt{kind}")(getattr(model.opt, option)).name == recorded["options"][option]
    for option, value in recorded["numbers"].items():
        assert getattr(model.opt, option) == value, option
    agree(model.opt.gravity, recorded["gravity"])
    agree(model.stat.extent, recorded["stat"]["extent"])
    agree(model.stat.center, recorded["stat"]["center"])
    assert model.stat.meaninertia == pytest.approx(recorded["stat"]["meaninertia"], rel=1e-5)


@every_model
def test_bodies(models: dict[str, Any], name: str) -> None:
    model = models[name]
    bodies = [{"name": "world"}, *RECORDED[name]["bodies"]]
    assert [model.body(i).name for i in range(model.nbody)] == [body["name"] for body in bodies]
    parents = [model.body(model.body_parentid[i]).name for i in range(1, model.nbody)]
    assert parents == [body["parent"] for body in bodies[1:]]
    for i, body in enumerate(bodies[1:], 1):
        for field, attribute in BODY.items():
            agree(getattr(model, attribute)[i], body[field], body["name"], field)


@every_model
def test_joints(models: dict[str, Any], name: str) -> None:
    model, joints = models[name], RECORDED[name]["joints"]
    assert [model.joint(i).name for i in range(model.njnt)] == [joint["name"] for joint in joints]
    assert [model.body(b).name for b in model.jnt_bodyid] == [joint["body"] for joint in joints]
    assert [mujoco.mjtJoint(t).name[6:].lower() for t in model.jnt_type] == [joint["type"] for joint in joints]
    check(model, joints, JOINT)
    for i, joint in enumerate(joints):
        dof, first = model.jnt_dofadr[i], model.jnt_qposadr[i]
        coordinates = slice(first, first + len(joint["qpos0"]))
        agree(np.ravel(model.dof_damping[dof])[0], joint["damping"], joint["name"])
        agree(model.dof_armature[dof], joint["armature"], joint["name"])
        agree(model.qpos0[coordinates], joint["qpos0"], joint["name"])
        agree(model.qpos_spring[coordinates], joint["spring"], joint["name"])
        agree(model.jnt_solref[i], RECORDED[name]["joint_solver"][0])
        agree(model.jnt_solimp[i], RECORDED[name]["joint_solver"][1])
    assert not model.dof_frictionloss.any()


@every_model
def test_geoms(models: dict[str, Any], name: str) -> None:
    model, geoms = models[name], RECORDED[name]["geoms"]
    assert [model.geom(i).name for i in range(model.ngeom)] == [geom["name"] for geom in geoms]
    assert [model.body(b).name for b in model.geom_bodyid] == [geom["body"] for geom in geoms]
    assert [mujoco.mjtGeom(t).name[7:].lower() for t in model.geom_type] == [geom["type"] for geom in geoms]
    check(model, geoms, GEOM)
    for i in range(model.ngeom):
        agree(model.geom_solref[i], RECORDED[name]["geom_solver"][0])
        agree(model.geom_solimp[i], RECORDED[name]["geom_solver"][1])


@every_model
def test_actuators_and_cameras(models: dict[str, Any], name: str) -> None:
    model, recorded = models[name], RECORDED[name]
    assert [model.actuator(i).name for i in range(model.nu)] == [motor["name"] for motor in recorded["actuators"]]
    assert [model.joint(j).name for j in model.actuator_trnid[:, 0]] == [m["joint"] for m in recorded["actuators"]]
    for i, motor in enumerate(recorded["actuators"]):
        assert model.actuator_gear[i, 0] == motor["gear"][0]
        assert model.actuator_ctrllimited[i] == motor["limited"][0]
        agree(model.actuator_ctrlrange[i], motor["ctrlrange"])
    for i, camera in enumerate(recorded["cameras"]):
        assert model.camera(i).name == camera["name"]
        assert model.body(model.cam_bodyid[i]).name == camera["body"]
        assert mujoco.mjtCamLight(model.cam_mode[i]).name == camera["mode"]
    check(model, recorded["cameras"], CAMERA)


def test_tendons_of_the_humanoids(models: dict[str, Any]) -> None:
    """How far each hip is ahead of its knee."""
    for name in ("humanoid.xml", "humanoidstandup.xml"):
        model = models[name]
        assert [model.tendon(i).name for i in range(model.ntendon)] == ["left_hipknee", "right_hipknee"]
        assert [model.joint(j).name for j in model.wrap_objid] == [
            "left_hip_y",
            "left_knee",
            "right_hip_y",
            "right_knee",
        ]
        assert model.wrap_prm.tolist() == [-1, 1, -1, 1]


def test_every_model_is_recorded() -> None:
    assert {path.name for path in Path(ASSETS).glob("*.xml")} == set(RECORDED)


def test_models_compile_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    """The engine prints what it finds deprecated."""
    for name in RECORDED:
        load_model(name, 480, 480)

    assert capfd.readouterr() == ("", "")
