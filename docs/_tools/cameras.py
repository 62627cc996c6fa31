"""Where pictures of the robots are taken from: near, and so that all of the robot is seen, wherever it runs."""

from __future__ import annotations

from typing import Any

# The models' own camera of this name follows the robot; a wide picture has room for its limbs.
_FOLLOWING: dict[str, Any] = {"camera_name": "track", "width": 640, "height": 480}
_CAMERAS: dict[str, dict[str, Any]] = {
    "Ant-v5": _FOLLOWING,
    "HalfCheetah-v5": _FOLLOWING,
    "Hopper-v5": _FOLLOWING,
    "Walker2d-v5": _FOLLOWING,
    "Swimmer-v5": _FOLLOWING,
    "Humanoid-v5": _FOLLOWING,
    "HumanoidStandup-v5": _FOLLOWING,
    "InvertedPendulum-v5": {"default_camera_config": {"distance": 1.8, "lookat": (0, 0, 0.2)}},
    "InvertedDoublePendulum-v5": {"default_camera_config": {"distance": 3.0, "lookat": (0, 0, 0.5), "elevation": -10}},
    "Reacher-v5": {"default_camera_config": {"distance": 0.95, "lookat": (0, 0, 0), "elevation": -60}},
    "Pusher-v5": {"default_camera_config": {"distance": 2.4, "lookat": (0.25, -0.15, -0.2), "elevation": -35}},
}


def camera(id: str) -> dict[str, Any]:
    """Returns the arguments of `make` for the camera; none for an environment that is no robot."""
    return _CAMERAS.get(id, {})
