"""rl_zoo3: its commands train PPO on CartPole, record a video of the agent, and evaluate it."""

import subprocess
import sys
import tempfile
from pathlib import Path


def command(name, *arguments):
    line = (sys.executable, "-m", f"rl_zoo3.{name}", "--algo", "ppo", "--env", "CartPole-v1", "--seed", "1", *arguments)
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as logs:
    command("train", "-n", "4096", "-f", logs, "--device", "cpu", "--eval-freq", "-1", "--vec-env", "subproc")
    command("record_video", "-n", "100", "-f", logs, "--deterministic")
    (video,) = Path(logs).rglob("*.mp4")
    size = video.stat().st_size
    evaluated = command("enjoy", "-n", "500", "-f", logs, "--no-render", "--device", "cpu")
assert size > 2000
(mean,) = (line for line in evaluated.splitlines() if line.startswith("Mean reward: "))
print(f"PPO on CartPole-v1 in worker processes, 4,096 steps, a video of 100 more, {mean[0].lower()}{mean[1:]}")
