"""A scenario as an environment of Gymnasium: an agent commands the motors at every control tick.

Needs ``pip install 'annelid[gym]'``.  Two agents without a brain: one adds nothing to the gait that
crawls, the other shakes all joints.  The next example trains one.
"""

import gymnasium

if __name__ == "__main__":
    env = gymnasium.make("annelid.gym:annelid/Crawl-v0", duration_s=4, reward={"progress_m": 1.0})
    env.action_space.seed(1)
    first = env.unwrapped.actions[0]
    print(f"{len(env.unwrapped.actions)} motors; {first.name} from {first.low:.2f} rad")
    for name, share in (("gait alone", 0.0), ("and shaken", 1.0)):
        seen, info = env.reset(seed=7)
        total, over = 0.0, False
        while not over:
            action = share * env.action_space.sample()
            seen, reward, terminated, truncated, info = env.step(action)
            total, over = total + reward, terminated or truncated
        print(f"{name}: {1000 * total:.0f} mm in {info['time_s']:.0f} s")
