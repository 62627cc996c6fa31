"""The physics engine: `bindings` imports it, and `vtable` makes its objects call other functions."""
