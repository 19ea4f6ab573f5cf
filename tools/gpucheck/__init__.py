"""What tools/gpu-check is made of."""
