"""Judging: cases and traces in, scores, aggregates, a verdict and a report out."""
