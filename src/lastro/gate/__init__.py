"""How a retrieval is classified: policy, features, rules, decision; no I/O."""
