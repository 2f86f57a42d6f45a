"""Files become documents, documents become passages."""
