"""The parts of ``bench/scoring.py``: what is judged, by whom, and what it takes."""
