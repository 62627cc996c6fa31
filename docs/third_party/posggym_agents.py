"""POSGGym: two agents at once, and its checker, which is built on ours."""

import posggym
from posggym.utils.env_checker import check_env

env = posggym.make("MultiAccessBroadcastChannel-v0")
check_env(env.unwrapped, skip_render_check=True)
env.reset(seed=1)
for _ in range(100):
    env.step({agent: env.action_spaces[agent].sample() for agent in env.agents})
    if not env.agents:
        env.reset()
print(f"check_env passes; 100 steps of {len(env.possible_agents)} agents")
