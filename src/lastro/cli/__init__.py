"""The command line: parse, call, print, exit.  No logic lives here."""
