"""Bodies that move, as their authors wrote them."""

# ruff: noqa: UP045

import math
from typing import Optional

import numpy as np
from numpy import cos, pi, sin

import gymnasium as gym
from gymnasium import spaces


def angle_normalize(x):
    return ((x + np.pi) % (2 * np.pi)) - np.pi


class SwingEnv(gym.Env):
    """A pendulum; the state is an array that is replaced."""

    metadata = {"render_modes": [], "render_fps": 30}

    def __init__(self, g=10.0):
        self.max_speed = 8
        self.max_torque = 2.0
        self.dt = 0.05
        self.g = g
        self.m = 1.0
        self.l = 1.0
        high = np.array([1.0, 1.0, self.max_speed], dtype=np.float32)
        self.action_space = spaces.Box(low=-self.max_torque, high=self.max_torque, shape=(1,), dtype=np.float32)
        self.observation_space = spaces.Box(low=-high, high=high, dtype=np.float32)

    def step(self, u):
        th, thdot = self.state
        g = self.g
        m = self.m
        l = self.l
        dt = self.dt
        u = np.clip(u, -self.max_torque, self.max_torque)[0]
        self.last_u = u
        costs = angle_normalize(th) ** 2 + 0.1 * thdot**2 + 0.001 * (u**2)
        newthdot = thdot + (3 * g / (2 * l) * np.sin(th) + 3.0 / (m * l**2) * u) * dt
        newthdot = np.clip(newthdot, -self.max_speed, self.max_speed)
        newth = th + newthdot * dt
        self.state = np.array([newth, newthdot])
        return self._get_obs(), -costs, False, False, {}

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None):
        super().reset(seed=seed)
        high = np.array([np.pi, 1.0])
        self.state = self.np_random.uniform(low=-high, high=high)
        self.last_u = None
        return self._get_obs(), {}

    def _get_obs(self):
        theta, thetadot = self.state
        return np.array([np.cos(theta), np.sin(theta), thetadot], dtype=np.float32)


class PoleEnv(gym.Env):
    """A pole on a cart; the state is a tuple or an array, as in many copies of it."""

    def __init__(self, kinematics_integrator="euler"):
        self.gravity = 9.8
        self.masscart = 1.0
        self.masspole = 0.1
        self.total_mass = self.masspole + self.masscart
        self.length = 0.5
        self.polemass_length = self.masspole * self.length
        self.force_mag = 10.0
        self.tau = 0.02
        self.kinematics_integrator = kinematics_integrator
        self.theta_threshold_radians = 12 * 2 * math.pi / 360
        self.x_threshold = 2.4
        high = np.array([9.6, np.inf, 0.84, np.inf], dtype=np.float32)
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Box(-high, high, dtype=np.float32)
        self.state = None
        self.steps_beyond_terminated = None

    def step(self, action):
        err_msg = f"{action!r} ({type(action)}) invalid"
        assert self.action_space.contains(action), err_msg
        assert self.state is not None, "Call reset before using step method."
        x, x_dot, theta, theta_dot = self.state
        force = self.force_mag if action == 1 else -self.force_mag
        costheta = math.cos(theta)
        sintheta = math.sin(theta)
        temp = (force + self.polemass_length * theta_dot**2 * sintheta) / self.total_mass
        thetaacc = (self.gravity * sintheta - costheta * temp) / (
            self.length * (4.0 / 3.0 - self.masspole * costheta**2 / self.total_mass)
        )
        xacc = temp - self.polemass_length * thetaacc * costheta / self.total_mass
        if self.kinematics_integrator == "euler":
            x = x + self.tau * x_dot
            x_dot = x_dot + self.tau * xacc
            theta = theta + self.tau * theta_dot
            theta_dot = theta_dot + self.tau * thetaacc
        else:
            x_dot = x_dot + self.tau * xacc
            x = x + self.tau * x_dot
            theta_dot = theta_dot + self.tau * thetaacc
            theta = theta + self.tau * theta_dot
        self.state = (x, x_dot, theta, theta_dot)
        terminated = bool(
            x < -self.x_threshold
            or x > self.x_threshold
            or theta < -self.theta_threshold_radians
            or theta > self.theta_threshold_radians
        )
        if not terminated:
            reward = 1.0
        elif self.steps_beyond_terminated is None:
            self.steps_beyond_terminated = 0
            reward = 1.0
        else:
            self.steps_beyond_terminated += 1
            reward = 0.0
        return np.array(self.state, dtype=np.float32), reward, terminated, False, {}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = self.np_random.uniform(low=-0.05, high=0.05, size=(4,))
        self.steps_beyond_terminated = None
        return np.array(self.state, dtype=np.float32), {}


class HillCarEnv(gym.Env):
    """A car in a valley."""

    def __init__(self, goal_velocity=0):
        self.min_position, self.max_position = -1.2, 0.6
        self.max_speed = 0.07
        self.goal_position = 0.5
        self.goal_velocity = goal_velocity
        self.force, self.gravity = 0.001, 0.0025
        self.low = np.array([self.min_position, -self.max_speed], dtype=np.float32)
        self.high = np.array([self.max_position, self.max_speed], dtype=np.float32)
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(self.low, self.high, dtype=np.float32)

    def step(self, action: int):
        position, velocity = self.state
        velocity += (action - 1) * self.force + math.cos(3 * position) * (-self.gravity)
        velocity = np.clip(velocity, -self.max_speed, self.max_speed)
        position += velocity
        position = np.clip(position, self.min_position, self.max_position)
        if position == self.min_position and velocity < 0:
            velocity = 0
        terminated = bool(position >= self.goal_position and velocity >= self.goal_velocity)
        self.state = (position, velocity)
        return np.array(self.state, dtype=np.float32), -1.0, terminated, False, {}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = np.array([self.np_random.uniform(low=-0.6, high=-0.4), 0])
        return np.array(self.state, dtype=np.float32), {}


class PointMassEnv(gym.Env):
    """A double integrator in the plane with a goal in its observation."""

    def __init__(self, dt: float = 0.1, max_accel: float = 1.0, radius: float = 0.3):
        super().__init__()
        self.dt, self.max_accel, self.radius = dt, max_accel, radius
        self.action_space = spaces.Box(-1, 1, (2,), np.float64)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (4,), np.float64),
                "achieved_goal": spaces.Box(-np.inf, np.inf, (2,), np.float64),
                "desired_goal": spaces.Box(-np.inf, np.inf, (2,), np.float64),
            }
        )

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.pos = self.np_random.uniform(-2, 2, size=2)
        self.vel = np.zeros(2)
        self.goal = self.np_random.uniform(-2.0, 2.0, 2)
        return self._get_obs(), {"is_success": False}

    def _get_obs(self):
        return {
            "observation": np.concatenate((self.pos, self.vel)),
            "achieved_goal": self.pos.copy(),
            "desired_goal": self.goal.copy(),
        }

    def compute_reward(self, achieved, desired):
        d = achieved - desired
        return -np.sqrt(np.sum(d * d))

    def step(self, action):
        accel = np.clip(action, -1, 1) * self.max_accel
        self.vel += accel * self.dt
        self.pos += self.vel * self.dt
        reward = self.compute_reward(self.pos, self.goal)
        success = bool(-reward < self.radius)
        outside = bool(np.any(np.abs(self.pos) > 4))
        return self._get_obs(), float(reward), success, outside, {"is_success": success}


class LinearQuadraticEnv(gym.Env):
    """x' = A x + B u + w, cost x'Qx + u'Ru."""

    A = np.array([[1.0, 0.1, 0.0], [0.0, 1.0, 0.1], [0.0, -0.02, 0.98]])
    B = np.array([[0.0], [0.0], [0.1]])
    Q = np.diag([1.0, 0.1, 0.01])
    R = np.array([[0.05]])

    def __init__(self, noise=0.01):
        self.noise = noise
        self.action_space = spaces.Box(-3, 3, (1,))
        self.observation_space = spaces.Box(-np.inf, np.inf, (3,))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = self.np_random.standard_normal(3)
        self.t = 0
        return self.x.astype(np.float32), {}

    def step(self, u):
        u = u.astype(np.float64)
        cost = self.x @ self.Q @ self.x + u @ self.R @ u
        self.x = self.A @ self.x + self.B @ u + self.noise * self.np_random.standard_normal(3)
        self.t += 1
        return self.x.astype(np.float32), -cost, bool(np.abs(self.x).max() > 10), self.t >= 100, {"cost": cost}


class TwoLinkEnv(gym.Env):
    """An acrobat of two links, integrated by Runge and Kutta."""

    dt = 0.2
    MAX_VEL_1 = 4 * pi
    MAX_VEL_2 = 9 * pi
    AVAIL_TORQUE = [-1.0, 0.0, +1]

    def __init__(self):
        high = np.array([1.0, 1.0, 1.0, 1.0, self.MAX_VEL_1, self.MAX_VEL_2], dtype=np.float32)
        self.observation_space = spaces.Box(low=-high, high=high, dtype=np.float32)
        self.action_space = spaces.Discrete(3)
        self.state = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = self.np_random.uniform(low=-0.1, high=0.1, size=(4,))
        return self._get_ob(), {}

    def step(self, a):
        torque = self.AVAIL_TORQUE[a]
        ns = self.rk4(self.state, torque)
        ns[0] = wrap(ns[0], -pi, pi)
        ns[1] = wrap(ns[1], -pi, pi)
        ns[2] = min(max(ns[2], -self.MAX_VEL_1), self.MAX_VEL_1)
        ns[3] = min(max(ns[3], -self.MAX_VEL_2), self.MAX_VEL_2)
        self.state = ns
        terminated = self._terminal()
        reward = -1.0 if not terminated else 0.0
        return self._get_ob(), reward, terminated, False, {}

    def _get_ob(self):
        s = self.state
        return np.array([cos(s[0]), sin(s[0]), cos(s[1]), sin(s[1]), s[2], s[3]], dtype=np.float32)

    def _terminal(self):
        s = self.state
        return bool(-cos(s[0]) - cos(s[1] + s[0]) > 1.0)

    def rk4(self, y0, torque):
        k1 = self._dsdt(y0, torque)
        k2 = self._dsdt(y0 + self.dt / 2 * k1, torque)
        k3 = self._dsdt(y0 + self.dt / 2 * k2, torque)
        k4 = self._dsdt(y0 + self.dt * k3, torque)
        return y0 + self.dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)

    def _dsdt(self, s, torque):
        m, l, lc, moi, g = 1.0, 1.0, 0.5, 1.0, 9.8
        theta1, theta2, dtheta1, dtheta2 = s[0], s[1], s[2], s[3]
        d1 = m * lc**2 + m * (l**2 + lc**2 + 2 * l * lc * cos(theta2)) + moi + moi
        d2 = m * (lc**2 + l * lc * cos(theta2)) + moi
        phi2 = m * lc * g * cos(theta1 + theta2 - pi / 2.0)
        phi1 = (
            -m * l * lc * dtheta2**2 * sin(theta2)
            - 2 * m * l * lc * dtheta2 * dtheta1 * sin(theta2)
            + (m * lc + m * l) * g * cos(theta1 - pi / 2)
            + phi2
        )
        ddtheta2 = (torque + d2 / d1 * phi1 - m * l * lc * dtheta1**2 * sin(theta2) - phi2) / (
            m * lc**2 + moi - d2**2 / d1
        )
        ddtheta1 = -(d2 * ddtheta2 + phi1) / d1
        return np.array([dtheta1, dtheta2, ddtheta1, ddtheta2])


def wrap(x, m, M):
    diff = M - m
    while x > M:
        x = x - diff
    while x < m:
        x = x + diff
    return x


class LanderEnv(gym.Env):
    """A vertical landing with fuel; named attributes instead of a state vector."""

    def __init__(self, gravity=1.62, fuel=60.0):
        self.gravity = gravity
        self.tank = fuel
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(-1000, 1000, shape=(3,), dtype=np.float64)
        self.thrusts = [0.0, 2.0, 4.0]

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.height = 40 + 10 * self.np_random.random()
        self.speed = self.np_random.normal(loc=-2.0, scale=0.5)
        self.fuel = self.tank
        return self.observe(), {}

    def observe(self):
        return np.asarray([self.height, self.speed, self.fuel])

    def step(self, action):
        thrust = self.thrusts[action] if self.fuel > 0 else 0.0
        self.fuel = max(self.fuel - thrust, 0.0)
        for _ in range(4):
            self.speed += (thrust - self.gravity) * 0.125
            self.height += self.speed * 0.125
            if self.height <= 0:
                self.height = 0.0
                break
        else:
            return self.observe(), -0.01 * thrust, False, self.height > 200, {"landed": False}
        soft = abs(self.speed) < 2
        return self.observe(), 100.0 if soft else -abs(self.speed), True, False, {"landed": soft}
