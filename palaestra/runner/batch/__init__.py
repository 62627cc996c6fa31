"""The parts of a batch of compiled environments besides its steps.

`single` makes the environment that the batch copies, and `trial` compares the first steps of both. `attributes` reads
and writes the attributes of environments, `generators` holds their random streams, `reports` makes infos, `snapshots`
keeps moments, `failures` raises the exceptions of the dynamics.
"""
