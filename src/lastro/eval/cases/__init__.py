"""Cases: reading a set of labelled questions, or every problem of its file."""

from lastro.eval.cases.fingerprint import case_set_hash
from lastro.eval.cases.read import CaseSet, Merge, read

__all__ = ["CaseSet", "Merge", "case_set_hash", "read"]
