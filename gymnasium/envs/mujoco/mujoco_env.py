"""The base of robot environments that run on MuJoCo, including custom robots."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.envs.mujoco.engine import mujoco
from gymnasium.envs.mujoco.identity import check_identity, identity
from gymnasium.envs.mujoco.model_params import ModelFields, ModelParam, common_names, place_of
from gymnasium.envs.mujoco.mujoco_rendering import MujocoRenderer
from gymnasium.envs.mujoco.simulator import (
    Driver,
    ModelSource,
    checked_control,
    expand_model_path,
    is_text,
    load_model,
    place,
)
from gymnasium.spaces.box import Box
from gymnasium.spaces.space import Space

__all__ = ["DEFAULT_SIZE", "MujocoEnv", "MujocoState", "expand_model_path"]

DEFAULT_SIZE = 480  # pixels, the width and height of a frame


class MujocoState(NamedTuple):
    """A snapshot of a `MujocoEnv`: the whole simulation, and the state of its generator."""

    data: mujoco.MjData
    generator: Mapping[str, Any] | None


class MujocoEnv(Env[NDArray[np.float64], NDArray[np.floating]]):
    """An environment around one MuJoCo simulation.

    A custom robot is a subclass with `step` and `reset_model`; `examples/custom_quadruped.py` shows one. Its class's
    `metadata` lists the render modes of this class.

    Actions are the controls of the model's actuators: `action_space` is their range, float32. The engine clips values
    beyond it. After `do_simulation`, positions and velocities are current; other readings (`xpos`, contact forces, ...)
    are those of the last evaluation before.

    Args:
        model_path: A path (see `expand_model_path`), the text of an MJCF file, or a `mujoco.MjSpec`.
        frame_skip: The number of the model's time steps per step of the environment.
        observation_space: The space of the observations; None if the subclass sets it later.
        render_mode: None, `"human"`, `"rgb_array"`, `"depth_array"` or `"rgbd_tuple"`.
        width: The width of a frame, in pixels.
        height: The height of a frame, in pixels.
        camera_id: The camera of the model; None for a free one.
        camera_name: The camera, by name; not both.
        default_camera_config: Attributes of the free camera: `distance` (m), `azimuth`, `elevation` (degrees),
            `lookat` (m), `trackbodyid`.
        max_geom: The maximum number of geoms in a frame.
        visual_options: The visible features: a dict from `mujoco.mjtVisFlag` to bool.

    Attributes:
        model: The compiled model, `mujoco.MjModel`.
        data: The simulation, `mujoco.MjData`.
        init_qpos: The initial positions of a reset, shape (nq,).
        init_qvel: The initial velocities of a reset, shape (nv,).
        fullpath: The model's file; the text itself if there is none.

    Raises:
        OSError: If there is no such model file.
        ValueError: If the model cannot be compiled, or both a camera id and a name were given.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array", "depth_array", "rgbd_tuple"]}

    def __init__(
        self,
        model_path: ModelSource,
        frame_skip: int,
        observation_space: Space | None,
        render_mode: str | None = None,
        width: int = DEFAULT_SIZE,
        height: int = DEFAULT_SIZE,
        camera_id: int | None = None,
        camera_name: str | None = None,
        default_camera_config: dict[str, Any] | None = None,
        max_geom: int = 1000,
        visual_options: dict[int, bool] | None = None,
    ) -> None:
        self.width = width
        self.height = height
        self.fullpath = _location(model_path)
        self._source = model_path
        self.model, self.data = self._initialize_simulation()
        self._driver = Driver(self.model, self.data)
        self._options = self.model.opt  # a view; making it takes longer than everything else in `dt`
        self.init_qpos: NDArray[np.float64] = self.data.qpos.copy()
        self.init_qvel: NDArray[np.float64] = self.data.qvel.copy()
        self.frame_skip = frame_skip
        self._check_render_fps()
        if observation_space is not None:
            self.observation_space = observation_space
        self._set_action_space()
        self.render_mode = render_mode
        self.camera_name = camera_name
        self.camera_id = camera_id
        self.mujoco_renderer = MujocoRenderer(
            self.model,
            self.data,
            default_camera_config,
            width,
            height,
            max_geom,
            camera_id,
            camera_name,
            visual_options,
        )

    def _initialize_simulation(self) -> tuple[mujoco.MjModel, mujoco.MjData]:
        """Returns the compiled model and its simulation; a subclass may override it."""
        source = vars(self).pop("_source", self.fullpath)  # not kept, since an MjSpec cannot be copied
        model = load_model(source, self.width, self.height)
        return model, mujoco.MjData(model)

    def _check_render_fps(self) -> None:
        stated = self.metadata.get("render_fps")
        real = round(1.0 / self.dt)
        if stated is not None and stated != real:
            raise AssertionError(
                f"metadata['render_fps'] of {type(self).__name__} is {stated}, but a step lasts {self.dt} s: "
                f"{real} a second"
            )

    def _set_action_space(self) -> Space:
        low, high = self.model.actuator_ctrlrange.astype(np.float32).T
        self.action_space = Box(low, high, dtype=np.float32)
        return self.action_space

    @property
    def dt(self) -> float:
        """The duration of a step, in s."""
        return float(self._options.timestep) * self.frame_skip

    def reset_model(self) -> NDArray[np.float64]:
        """Place the robot for a new episode, with `set_state`, and return the observation. A subclass implements it."""
        raise NotImplementedError(f"{type(self).__name__} does not implement `reset_model`")

    def _get_reset_info(self) -> dict[str, Any]:
        """Returns the info of a reset; a subclass may override it."""
        return {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begin an episode; `options` have no effect."""
        super().reset(seed=seed)
        mujoco.mj_resetData(self.model, self.data)
        observation = self.reset_model()
        info = self._get_reset_info()
        if self.render_mode == "human":
            self.render()
        return observation, info

    def do_simulation(self, ctrl: Any, n_frames: int) -> None:
        """Advance the simulation by `n_frames` time steps of the model.

        Args:
            ctrl: The control of each actuator, shape (nu,).
            n_frames: The number of time steps.

        Raises:
            gymnasium.error.ActionOfWrongShape: If the shape is different, or the control is not made of numbers; it is
                an InvalidAction and a ValueError.
            gymnasium.error.ActionOutsideSpace: If the control holds NaN. Nothing moves in either case.
        """
        self._step_mujoco_simulation(checked_control(ctrl, self.model.nu), n_frames)

    def _step_mujoco_simulation(self, ctrl: Any, n_frames: int) -> None:
        """Advance the simulation without a check of the control; a subclass may override it."""
        driver = self._driver
        if driver.data is not self.data or driver.model is not self.model:  # a subclass has replaced them
            driver = self._driver = Driver(self.model, self.data)
        driver.advance(ctrl, n_frames)

    def get_state(self) -> MujocoState:
        """Returns a snapshot, from which `set_state` continues exactly: the same bits for the same actions."""
        generator = None if self._np_random is None else self._np_random.bit_generator.state
        return MujocoState(copy.copy(self.data), generator)

    def set_state(self, qpos: np.ndarray | MujocoState, qvel: np.ndarray | None = None) -> None:
        """Set positions and velocities, or restore a snapshot of `get_state`.

        Args:
            qpos: Positions, shape (nq,); or a result of `get_state`, also of another environment of the same model.
            qvel: Velocities, shape (nv,).

        Raises:
            TypeError: If neither a state nor positions came.
            AssertionError: If positions or velocities have another shape.
            ValueError: If a state belongs to another model. Nothing is set in these cases.
        """
        if isinstance(qpos, MujocoState):
            self._go_back_to(qpos)
            return
        if qvel is None and not isinstance(qpos, np.ndarray):
            raise TypeError(f"set_state expects a result of get_state, a MujocoState, but a {type(qpos)} came")
        nq, nv = self.model.nq, self.model.nv
        found = np.shape(qpos), None if qvel is None else np.shape(qvel)
        if qvel is None or found != ((nq,), (nv,)):
            raise AssertionError(
                f"Positions of shape {(nq,)} and velocities of shape {(nv,)} were expected, but {found[0]} and "
                f"{found[1]} came"
            )
        place(self.model, self.data, qpos, qvel)

    def _go_back_to(self, state: MujocoState) -> None:
        check_identity(identity(self.model), identity(state.data.model))
        if state.generator is not None:
            # A generator of another kind refuses this before anything is set.
            type(self.np_random.bit_generator)(0).state = state.generator
        try:
            mujoco.mj_copyData(self.data, self.model, state.data)
        except mujoco.FatalError as error:  # the engine checks all sizes before it copies anything
            raise ValueError(f"`set_state` expects a state of its own model, but the engine says: {error}") from error
        if state.generator is not None:
            self.np_random.bit_generator.state = state.generator

    def find_param(self, name: str) -> ModelParam | None:
        """Returns a field of the model as a param of episodes, for `RandomizeParams`; None if there is none."""
        place = place_of(self.model, name)
        return None if place is None else ModelParam(name, place, ModelFields(self))

    def param_names(self) -> list[str]:
        """Returns examples of the names of such params."""
        return common_names()

    def state_vector(self) -> NDArray[np.float64]:
        """Returns positions and velocities, shape (nq + nv,)."""
        return np.concatenate((self.data.qpos, self.data.qvel))

    def get_body_com(self, body_name: str) -> NDArray[np.float64]:
        """Returns the position of a body's frame, in m, shape (3,): a view of the simulation."""
        position: NDArray[np.float64] = self.data.body(body_name).xpos
        return position

    def render(self) -> Any:
        """Returns a frame in the `render_mode`.

        `"rgb_array"`: uint8 of shape (height, width, 3). `"depth_array"`: float32 of shape (height, width).
        `"rgbd_tuple"`: both. `"human"`: None; a window shows it. In a list mode, which a wrapper implements, the
        present frame.
        """
        mode = self.render_mode
        return self.mujoco_renderer.render(mode and mode.removesuffix("_list"))

    def close(self) -> None:
        """Free the window and the graphics contexts."""
        self.mujoco_renderer.close()


def _location(source: ModelSource) -> str:
    if isinstance(source, mujoco.MjSpec):
        return str(source.modelname)
    is_path = isinstance(source, (str, PathLike)) and not is_text(source)
    return expand_model_path(source) if is_path else str(source)
