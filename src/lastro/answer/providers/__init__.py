"""Who writes answers, one file each; only the composition root imports them."""
