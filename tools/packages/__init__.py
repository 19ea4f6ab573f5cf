"""What tools/package is made of."""
