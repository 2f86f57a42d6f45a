"""A run and its verdict, for people and for machines.  Text out, nothing printed.

One file a form: ``terminal``, ``markdown``, ``web``, ``data``, ``junit``, ``build``.
Nothing is imported here, since a build that prints one form pays for no other.
"""
