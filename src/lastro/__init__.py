"""Lastro: grounded answers over documents, and the harness that measures them."""
