"""A run's folder while the run goes on: its traces, what it was, and going on later.

Every trace is appended as it comes and ``run.json`` says what the traces are
of, so that a run that was ended goes on where it stood, and only if it is the
same run.
"""

from lastro.eval.resume.going import Going, going
from lastro.eval.resume.record import Record, begun
from lastro.eval.resume.scored import Scoring, scoring
from lastro.eval.resume.setup import Setup

__all__ = ["Going", "Record", "Scoring", "Setup", "begun", "going", "scoring"]
