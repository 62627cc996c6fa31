"""The public names in `gymnasium` that the reference lacks, and why each is there and not in `palaestra`."""

from __future__ import annotations

PARTS: dict[str, str] = {
    "dependencies": "names the command that installs a missing library",
    "functional": "dynamics as pure functions, the contract that the environments here are written in",
    "params": "params at the beginning of an episode: what a batch needs of `palaestra.randomization`",
    "rendering": "canvases, windows and video files of the environments and wrappers",
    "specs": "`EnvSpec` and its JSON, apart from the registry",
    "states": "the protocol of `get_state` and `set_state`, and the files of its plain data",
    "transforms": "the arithmetic of wrappers, on batches",
}

OWN: dict[str, str] = {
    **dict.fromkeys(
        ["gymnasium.envs.box2d.bipedal_walker.LEG_H", "gymnasium.envs.box2d.bipedal_walker.LEG_W"],
        "sizes that the drawing shares",
    ),
    **dict.fromkeys(
        ["gymnasium.envs.box2d.lunar_lander.LEG_H", "gymnasium.envs.box2d.lunar_lander.LEG_W"],
        "sizes that the drawing shares",
    ),
    "gymnasium.envs.box2d.lunar_lander.LunarLanderV2": "an older id that programs still use",
    "gymnasium.error.NotAnId": "what `make` and `make_vec` raise, an `Error` and a `TypeError`",
    "gymnasium.envs.mujoco.mujoco_env.MujocoState": "what `get_state` of the robots returns",
    **{
        f"gymnasium.utils.env_checker.{name}": "the checker's findings as data"
        for name in ("Finding", "RULES", "Rule", "Severity", "find_problems")
    },
    "gymnasium.wrappers.vector.FrameStackObservation": "the twin of the single wrapper",
}

BY_NAME: dict[str, str] = {
    "gymnasium.core: gymnasium.wrappers.vector": "a wrapper around a batch is answered with its twin, if there is one",
    "gymnasium.spaces.space: gymnasium.spaces.tuple": "the batch of a space without arrays is a Tuple, a space itself",
    "gymnasium.specs.env_spec: gymnasium.envs.registration:make": "`EnvSpec.make`, of the API",
    "gymnasium.specs.trust: gymnasium.core:Wrapper": "`core` needs the specs of its environments",
    "palaestra.studio: palaestra.studio.training.watching": "attributes that load what they need on first access",
}
"""What is loaded by a constant string, besides the tables, and why it is not imported."""
