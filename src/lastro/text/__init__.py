"""One analyser for index, query, gates and checks; pure, data as text files.

Nothing is imported here: who compares two ids should not pay for the analyser.
"""
