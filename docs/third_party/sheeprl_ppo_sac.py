"""sheeprl: PPO on CartPole and SAC on Pendulum, in synchronous and in asynchronous batches, with videos."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMMON = ("env=gym", "env.num_envs=2", "seed=3", "fabric.accelerator=cpu", "buffer.memmap=False", "metric.log_level=1",
          "checkpoint.save_last=False", "algo.cnn_keys.encoder=[]", "algo.mlp_keys.encoder=[state]")  # fmt: skip
PPO = ("exp=ppo", "env.id=CartPole-v1", "algo.total_steps=1024", "algo.rollout_steps=64", "algo.per_rank_batch_size=64")
SAC = ("exp=sac", "env.id=Pendulum-v1", "algo.total_steps=300", "algo.learning_starts=100")


def tested(*arguments):
    """Returns the return of the last test, and how many videos there are."""
    with tempfile.TemporaryDirectory() as folder:
        line = (str(Path(sys.executable).with_name("sheeprl")), *arguments, *COMMON)
        printed = subprocess.run(line, check=True, capture_output=True, text=True, cwd=folder).stdout
        return float(re.findall(r"Test - Reward: (\S+)", printed)[-1]), len(list(Path(folder).rglob("*.mp4")))


said = []
for name, arguments in {"PPO on CartPole-v1": PPO, "SAC on Pendulum-v1": SAC}.items():
    sync, _ = tested(*arguments, "env.sync_env=True", "env.capture_video=False")
    in_workers, videos = tested(*arguments, "env.sync_env=False", "env.capture_video=True")
    assert sync == in_workers, (sync, in_workers)
    said.append(f"{name}: return {sync:.4f} sync and async, {videos} videos")
print("; ".join(said))
