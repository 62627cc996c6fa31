"""Registering, finding and making environments; the public module is `gymnasium.envs.registration`."""
