"""The parts of ``bench/distil.py``: texts, the model that is asked, the fit."""
