"""What the Box2D environments look like."""
