"""TorchRL: its environments by name, in batches and around one of ours, and its check of their specs."""

import torch
from torchrl.envs import GymEnv, GymWrapper, check_env_specs

import gymnasium

if __name__ == "__main__":  # TorchRL starts processes by spawning them
    torch.manual_seed(0)
    said = []
    for name, batch in {"Pendulum-v1": 0, "HalfCheetah-v5": 0, "CartPole-v1": 2}.items():
        env = GymEnv(name, num_envs=batch, device="cpu")
        check_env_specs(env)
        env.set_seed(0)
        rollout = env.rollout(100, break_when_any_done=False)
        said.append(f"{name} {tuple(rollout.shape)} with the return {rollout['next', 'reward'].sum():.2f}")
        env.close()
    skipped = GymEnv("Hopper-v5", frame_skip=4, device="cpu")
    check_env_specs(skipped)
    check_env_specs(GymWrapper(gymnasium.make("CartPole-v1")))
    print(f"check_env_specs passes on {', '.join(said)}; with frames skipped, and on a GymWrapper")
