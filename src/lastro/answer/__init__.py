"""Question in, grounded answer out: prompt, provider, claims, status, record."""
