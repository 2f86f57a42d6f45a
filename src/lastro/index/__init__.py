"""Passages to rankings: the store, the lexical index beside it, and the search."""
