"""Real embedders, one file each; only the composition root imports them."""
