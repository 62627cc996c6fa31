"""bsuite: catch, over Shimmy."""

import bsuite
from shimmy.bsuite_compatibility import BSuiteCompatibilityV0

env = BSuiteCompatibilityV0(bsuite.load_from_id("catch/0"))
env.reset(seed=0)
for _ in range(1000):
    _, _, terminated, truncated, _ = env.step(env.action_space.sample())
    if terminated or truncated:
        env.reset()
print("catch/0 by BSuiteCompatibilityV0: 1,000 steps")
