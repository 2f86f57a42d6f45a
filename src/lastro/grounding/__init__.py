"""Which contract a turn gets, and whether a draft keeps to its evidence; no I/O."""
