"""The drawings of the Box2D environments."""
