"""Names for the strings that identify things, so that they are not mixed up."""

from typing import NewType

DocumentId = NewType("DocumentId", str)
PassageId = NewType("PassageId", str)
CaseId = NewType("CaseId", str)
