"""The store's tables, and how documents and passages become rows and come back.

A document's row is one *version* of it: it counts from the sequence number
``seq_from`` up to, but without, ``seq_to``.  Passages belong to a version.
"""

import json
from typing import Any

from lastro.model.document import Document, Heading, Passage, Span
from lastro.model.ids import DocumentId, PassageId

# Row numbers are never used twice, so a number means one version for ever.
# The partial unique index is the promise that a document has one live version.
SCHEMA = """
CREATE TABLE state(name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE documents(
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  seq_from INTEGER NOT NULL,
  seq_to INTEGER,
  title TEXT NOT NULL,
  locale TEXT NOT NULL,
  locale_detected INTEGER NOT NULL,
  collection TEXT NOT NULL,
  source TEXT NOT NULL,
  rest TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE UNIQUE INDEX documents_live ON documents(id) WHERE seq_to IS NULL;
CREATE INDEX documents_id ON documents(id);
CREATE INDEX documents_from ON documents(seq_from);
CREATE INDEX documents_to ON documents(seq_to) WHERE seq_to IS NOT NULL;
CREATE TABLE passages(
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  document INTEGER NOT NULL REFERENCES documents(row),
  id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  start INTEGER NOT NULL,
  stop INTEGER NOT NULL,
  page INTEGER,
  locale TEXT NOT NULL,
  headings TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE INDEX passages_document ON passages(document);
CREATE TABLE files(
  number INTEGER PRIMARY KEY,
  place BLOB NOT NULL UNIQUE,
  given BLOB NOT NULL
);
CREATE TABLE ledger(
  document TEXT NOT NULL,
  file INTEGER NOT NULL REFERENCES files(number),
  line INTEGER NOT NULL,
  source TEXT NOT NULL,
  outcome TEXT NOT NULL,
  why TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  run INTEGER NOT NULL,
  PRIMARY KEY(document, file, line)
) WITHOUT ROWID;
CREATE INDEX ledger_file ON ledger(file, line);
"""

ADD_DOCUMENT = """
INSERT INTO documents(id, version, seq_from, title, locale, locale_detected, collection,
  source, rest, text) VALUES (?,?,?,?,?,?,?,?,?,?)
"""
ADD_PASSAGE = """
INSERT INTO passages(document, id, ordinal, start, stop, page, locale, headings, text)
VALUES (?,?,?,?,?,?,?,?,?)
"""
PURGED = "SELECT value FROM state WHERE name = 'purged'"
DOCUMENT_AT = """
SELECT id, version, title, locale, locale_detected, collection, source, rest, text
FROM documents
WHERE id = :id AND seq_from <= :at AND (seq_to IS NULL OR seq_to > :at)
"""
LISTING_AT = """
SELECT id, title, locale, version FROM documents
WHERE seq_from <= :at AND (seq_to IS NULL OR seq_to > :at) ORDER BY id
"""
KEYS = """
SELECT p.row, p.id, d.id, coalesce(nullif(p.locale, ''), d.locale)
FROM json_each(?) wanted
JOIN passages p ON p.row = wanted.value JOIN documents d ON d.row = p.document
"""
PASSAGES = """
SELECT p.row, p.id, d.id, p.ordinal, p.start, p.stop, p.page,
  coalesce(nullif(p.locale, ''), d.locale), p.headings, p.text, d.title, d.source,
  d.collection
FROM json_each(?) wanted
JOIN passages p ON p.row = wanted.value JOIN documents d ON d.row = p.document
"""
TOTALS = """
SELECT count(*),
  coalesce(sum((SELECT count(*) FROM passages p WHERE p.document = d.row)), 0)
FROM documents d WHERE seq_to IS NULL
"""


def document_row(document: Document, seq: int) -> tuple[object, ...]:
    """Return what ``ADD_DOCUMENT`` takes."""
    rest = {
        "headings": [(h.start, h.end, h.level, h.text) for h in document.headings],
        "whole": [(span.start, span.end) for span in document.whole],
        "metadata": dict(document.metadata),
    }
    return (
        document.id,
        document.version,
        seq,
        document.title,
        document.locale,
        document.locale_detected,
        document.collection,
        document.source,
        json.dumps(rest, ensure_ascii=False, allow_nan=False),
        document.text,
    )


def document_of(row: tuple[Any, ...]) -> Document:
    """Return the document that a row of ``DOCUMENT_AT`` holds."""
    id_, version, title, locale, detected, collection, source, rest, text = row
    more = json.loads(rest)
    return Document(
        id=DocumentId(id_),
        version=version,
        title=title,
        text=text,
        source=source,
        locale=locale,
        locale_detected=bool(detected),
        collection=collection,
        headings=tuple(
            Heading(start=start, end=end, level=level, text=heading)
            for start, end, level, heading in more["headings"]
        ),
        whole=tuple(Span(start, end) for start, end in more["whole"]),
        metadata=more["metadata"],
    )


def passage_row(passage: Passage, document: int) -> tuple[object, ...]:
    """Return what ``ADD_PASSAGE`` takes."""
    return (
        document,
        passage.id,
        passage.ordinal,
        passage.start,
        passage.end,
        passage.page,
        passage.locale,
        json.dumps(passage.heading_path, ensure_ascii=False),
        passage.text,
    )


def passage_of(row: tuple[Any, ...]) -> Passage:
    """Return the passage that a row of ``PASSAGES`` holds."""
    _, id_, document, ordinal, start, stop, page, locale, headings, text, *_ = row
    return Passage(
        id=PassageId(id_),
        document_id=DocumentId(document),
        ordinal=ordinal,
        start=start,
        end=stop,
        text=text,
        heading_path=tuple(json.loads(headings)),
        page=page,
        locale=locale,
    )
