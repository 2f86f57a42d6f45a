"""The few frozen values that pass between rooms.  No behaviour, no I/O."""
