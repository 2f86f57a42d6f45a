"""Fit the gate of a knowledge base to labelled cases of it."""
