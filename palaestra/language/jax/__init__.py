"""A typed program as a function of JAX over one row, for `jax.vmap`, `jax.jit` and `lax.scan`.

`rows.run` runs the statements of a program on JAX's arrays; `numbers` and `calls` are its operations, `memory` its
rooms and addresses, and `reading` what is found about a program before.
"""
