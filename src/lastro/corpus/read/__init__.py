"""One file a format: bytes or text in, drafts of documents out.

No reader fetches anything, follows a link, or raises for what it was given.
"""
