"""How environments are registered, found and made; `gymnasium.envs.registration` is its public face."""
