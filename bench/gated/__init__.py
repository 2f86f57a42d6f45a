"""What the gate is worth on public collections: parts of ``bench/gates.py``."""
