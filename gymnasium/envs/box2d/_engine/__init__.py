"""The physics engine, Box2D. Everything else in this family reaches it through `bindings`; start there.

`vtable` makes the engine's objects call other functions. `library` opens the engine's shared library and checks that
`offsets`, the places of the numbers in its objects, belong to this version.
"""
