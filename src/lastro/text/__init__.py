"""One analyser for index, query, gates and checks; pure, data as text files."""

from lastro.text.analyse import index_terms, index_text, query_words, words
from lastro.text.detect import Detection, detect
from lastro.text.emit import Word, lookups
from lastro.text.hangul import Morphology
from lastro.text.lists import WordLists, language, lists
from lastro.text.normalise import fold, normalise, unaccented
from lastro.text.sentences import sentences

__all__ = [
    "Detection",
    "Morphology",
    "Word",
    "WordLists",
    "detect",
    "fold",
    "index_terms",
    "index_text",
    "language",
    "lists",
    "lookups",
    "normalise",
    "query_words",
    "sentences",
    "unaccented",
    "words",
]
