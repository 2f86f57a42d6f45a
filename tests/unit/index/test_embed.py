"""The dense index follows the store with the lexical one, from wherever it was left."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import meaning
import pytest
from bag import DIMENSION

from lastro.errors import EmbedderError, EmbedderMismatch
from lastro.index import segments, waiting
from lastro.index.embed import Filler
from lastro.index.folder import DENSE, VECTORS
from lastro.index.ingest import embed, ingest, remove
from lastro.index.lock import writing
from lastro.index.reports import NONE, EmbedWith
from lastro.index.search import Searcher
from lastro.index.store import Store
from lastro.index.vectors import VectorCache
from lastro.index.waiting import Progress
from lastro.model.ranking import LegStatus, Ranking


def ask(kb: Path, query: str, embedder: meaning.Synonyms | None = None) -> Ranking:
    made = embedder or meaning.Synonyms(costly=False)
    searcher = Searcher.open(kb, embedders=lambda _: made)
    try:
        return searcher.search(query, legs="dense")
    finally:
        searcher.close()


def other(
    *, costly: bool = False, progress: Callable[[Progress], None] | None = None
) -> EmbedWith:
    """Return who makes the same vectors under another name."""
    made = meaning.Synonyms(costly=costly, name="other")
    return meaning.vectors(made, "other", progress=progress)


def best(kb: Path, query: str) -> str:
    hits = ask(kb, query).hits
    return hits[0].document_id if hits else ""


def vectors_on_disk(kb: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted((kb / DENSE).glob("*.vec")))


def test_every_passage_gets_a_vector_and_meaning_finds_it(tmp_path: Path) -> None:
    report = meaning.take(tmp_path / "kb")

    assert (report.indexed, report.pending, report.embedding) == (3, 0, "")
    assert best(tmp_path / "kb", "guest wireless password on the back") == "wifi.md"


def test_a_new_version_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    meaning.take(kb)

    meaning.take(kb, meaning.NOTES | {"wifi": "ask at the front desk"})

    ranking = ask(kb, "guest password wireless card")
    assert "guest" not in " ".join(hit.passage.text for hit in ranking.hits)
    assert best(kb, "ask at the front desk") == "wifi.md"


def test_what_is_removed_leaves_no_vector_in_any_file(tmp_path: Path) -> None:
    """I29: a deleted file was still found by the vectors."""
    kb = tmp_path / "kb"
    costly = meaning.Synonyms(costly=True)
    meaning.take(kb, embedder=costly)
    before = vectors_on_disk(kb)
    assert len(before) == 3 * DIMENSION

    remove(kb, ["wifi.md"])

    after = vectors_on_disk(kb)
    assert len(after) == 2 * DIMENSION
    rows = {after[at : at + 16] for at in range(0, len(after), 16)}
    (gone,) = {before[at : at + 16] for at in range(0, len(before), 16)} - rows
    assert not any(
        gone in path.read_bytes() for path in kb.rglob("*") if path.is_file()
    )
    assert "wifi.md" not in {hit.document_id for hit in ask(kb, "guest network").hits}


def test_a_reader_sees_both_legs_as_of_the_same_change(tmp_path: Path) -> None:
    """Killed between the two: the words are at the old change, the vectors ahead."""
    kb = tmp_path / "kb"
    meaning.take(kb)
    made = meaning.Synonyms(costly=False)
    with writing(kb), Store(kb) as store:
        with store.writing():
            store.end("wifi.md", 2)
            store.number(applied=2)
        Filler(kb, store, lambda _: made).advance(2)
        assert segments.manifests(kb / DENSE) == [2, 1]

        searcher = Searcher.open(kb, embedders=lambda _: made)
        held = {leg: _found(searcher, leg) for leg in ("lexical", "dense", "hybrid")}
        searcher.close()

    assert all("wifi.md" in found for found in held.values())
    assert best(kb, "guest wireless password on the back") != "wifi.md"
    assert segments.manifests(kb / DENSE) == [2]


def _found(searcher: Searcher, legs: str) -> set[str]:
    ranking = searcher.search("guest network", legs=legs)
    return {hit.document_id for hit in ranking.hits}


@pytest.mark.parametrize("damage", ["folder", "torn", "flipped", "manifest"])
def test_a_damaged_index_is_made_anew_by_the_next_who_opens(
    tmp_path: Path, damage: str
) -> None:
    kb = tmp_path / "kb"
    meaning.take(kb)
    (segment,) = (kb / DENSE).glob("*.vec")
    raw = segment.read_bytes()
    if damage == "folder":
        shutil.rmtree(kb / DENSE)
    elif damage == "torn":
        segment.write_bytes(raw[:-1])
    elif damage == "flipped":
        segment.write_bytes(bytes([raw[0] ^ 1]) + raw[1:])
    else:
        (kb / DENSE / segments.name_of(1)).write_bytes(b"{")

    made = meaning.Synonyms(costly=False)
    searcher = Searcher.open(kb, embedders=lambda _: made)
    ranking = searcher.search("guest wireless password on the back", legs="dense")
    searcher.close()

    assert ranking.legs["dense"].status is LegStatus.OK
    assert ranking.hits[0].document_id == "wifi.md"
    assert "the dense index was rebuilt" in ranking.notes[0]


def test_a_damaged_index_that_nobody_can_mend_now_is_a_leg_that_failed(
    tmp_path: Path,
) -> None:
    kb = tmp_path / "kb"
    meaning.take(kb)
    (segment,) = (kb / DENSE).glob("*.vec")
    segment.write_bytes(b"")
    made = meaning.Synonyms(costly=False)

    with writing(kb):
        searcher = Searcher.open(kb, embedders=lambda _: made)
        ranking = searcher.search("guest password")
        hybrid = searcher.search("guest password", legs="hybrid")
        searcher.close()

    assert hybrid.legs["dense"].status is LegStatus.FAILED
    assert "000001.vec: 0 bytes of" in hybrid.legs["dense"].why
    assert "lastro embed" in hybrid.notes[-1]
    assert [hit.document_id for hit in hybrid.hits] == [
        hit.document_id for hit in ranking.hits
    ]


def test_another_revision_of_the_embedder_is_named_and_never_compared(
    tmp_path: Path,
) -> None:
    """I41: vectors of a changed embedder gave errors, or wrong neighbours."""
    kb = tmp_path / "kb"
    meaning.take(kb)
    newer = meaning.Synonyms(costly=False, revision="2")

    ranking = ask(kb, "guest network", newer)

    assert ranking.legs["dense"].status is LegStatus.FAILED
    why = ranking.legs["dense"].why
    assert "bag (revision 1, 16 dimensions), and this is bag (revision 2" in why
    assert "`lastro embed --kb KB`" in ranking.notes[-1]
    with pytest.raises(EmbedderMismatch, match=r"revision 1, .*revision 2"):
        meaning.take(kb, meaning.NOTES | {"new": "text"}, newer)
    with Store(kb) as store:
        assert store.totals()[0] == 3

    embed(kb, meaning.vectors(newer))

    assert ask(kb, "guest network", newer).legs["dense"].status is LegStatus.OK


def test_the_same_name_and_revision_with_other_vectors_is_noticed(
    tmp_path: Path,
) -> None:
    """I41: an endpoint serves another model under the same name."""
    kb = tmp_path / "kb"
    meaning.take(kb)

    ranking = ask(kb, "guest network", Turned(costly=False))

    assert ranking.legs["dense"].status is LegStatus.FAILED
    assert "gives other vectors" in ranking.legs["dense"].why


class Turned(meaning.Synonyms):
    """The same words in other directions."""

    def _sum(self, text: str) -> meaning.Row:
        return super()._sum(text)[::-1]


def test_an_embedder_of_another_name_needs_to_be_asked_for(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    source = meaning.write(tmp_path / "notes", meaning.NOTES)
    meaning.take(kb)

    with pytest.raises(EmbedderMismatch, match="vectors of bag, not of other"):
        ingest(
            kb,
            [source],
            vectors=other(),
        )

    report = embed(kb, other())

    assert (report.embedder, report.passages, report.pending) == ("other", 3, 0)


def test_an_embedder_that_fails_leaves_documents_that_words_find(
    tmp_path: Path,
) -> None:
    kb = tmp_path / "kb"
    meaning.take(kb)
    failing = meaning.Failing(costly=False)
    failing.left = 1  # the probe

    report = meaning.take(kb, meaning.NOTES | {"bus": "the night bus"}, failing)

    assert (report.indexed, report.pending) == (1, 1)
    assert report.embedding == "the endpoint does not answer"
    searcher = Searcher.open(kb, embedders=lambda _: meaning.Failing(costly=False))
    found = searcher.search("night bus", legs="lexical")
    searcher.close()
    assert [hit.document_id for hit in found.hits] == ["bus.md"]

    ended = embed(kb, meaning.vectors(meaning.Synonyms(costly=False)))

    assert (ended.pending, ended.embedding) == (0, "")
    assert best(kb, "night bus") == "bus.md"


def test_passages_without_a_vector_are_counted_in_the_leg(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    meaning.take(kb)
    failing = meaning.Failing(costly=True)
    failing.left = 1
    more = {f"n{at}": f"note number {at}" for at in range(40)}
    meaning.take(kb, meaning.NOTES | more, failing)

    leg = ask(kb, "guest network", meaning.Synonyms(costly=True)).legs["dense"]

    assert leg.status is LegStatus.OK
    assert leg.why == "40 passages have no vector yet"


def test_removing_needs_no_embedder(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    meaning.take(kb)

    assert remove(kb, ["wifi.md"]).removed == ("wifi.md",)

    assert best(kb, "guest wireless password on the back") != "wifi.md"


def test_an_embedder_that_cannot_be_used_refuses_before_anything_is_done(
    tmp_path: Path,
) -> None:
    kb = tmp_path / "kb"

    with pytest.raises(EmbedderError, match="does not answer"):
        meaning.take(kb, embedder=meaning.Failing())

    with Store(kb) as store:
        assert store.totals() == (0, 0)


def test_vectors_serve_until_those_of_another_embedder_are_complete(
    tmp_path: Path,
) -> None:
    kb = tmp_path / "kb"
    meaning.take(kb, {f"n{at}": f"note number {at}" for at in range(30)})

    def stop(seen: Progress) -> None:
        if seen.done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed(
            kb,
            meaning.vectors(
                meaning.Synonyms(costly=True, name="other"), "other", progress=stop
            ),
        )

    assert ask(kb, "note number 7").legs["dense"].status is LegStatus.OK
    assert embed(kb, other(costly=True)).embedder == "other"


def test_an_interrupted_embedding_goes_on_where_it_stopped(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    notes = {f"n{at}": f"note number {at}" for at in range(30)}
    source = meaning.write(tmp_path / "notes", notes)
    first = meaning.Synonyms(costly=True)

    def stop(seen: Progress) -> None:
        if seen.done >= 4:
            raise KeyboardInterrupt

    wanted = meaning.vectors(first, progress=stop)
    with pytest.raises(KeyboardInterrupt):
        ingest(kb, [source], vectors=wanted)
    done = {text for text in first.seen if "note number" in text}
    assert 4 <= len(done) < 30

    second = meaning.Synonyms(costly=True)
    report = embed(kb, meaning.vectors(second))

    assert (report.passages, report.pending) == (30, 0)
    assert not done & set(second.seen)
    assert (kb / VECTORS).exists()


def test_asked_for_none_a_base_loses_its_vectors(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    meaning.take(kb)

    report = embed(kb, meaning.vectors(meaning.Synonyms(), NONE))

    assert report.embedder == ""
    assert not (kb / DENSE).exists()
    assert ask(kb, "guest").legs["dense"].status is LegStatus.OFF


def test_a_base_without_vectors_gets_them(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    source = meaning.write(tmp_path / "notes", meaning.NOTES)
    ingest(kb, [source])
    assert ask(kb, "guest").legs["dense"].status is LegStatus.OFF
    made = meaning.vectors(meaning.Synonyms(costly=False), "")

    assert embed(kb, made, otherwise="bag").embedder == "bag"

    assert best(kb, "guest wireless password on the back") == "wifi.md"


def test_many_segments_become_one(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    notes = dict(meaning.NOTES)
    for at in range(10):
        notes[f"n{at}"] = f"note number {at}"
        meaning.take(kb, notes)

    assert 1 <= len(list((kb / DENSE).glob("*.vec"))) <= 8
    assert best(kb, "note number 7") == "n7.md"


def test_readers_beside_a_writer_see_whole_states(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    made = meaning.Synonyms(costly=False)
    meaning.take(kb, {"a": "alpha version 0", "b": "beta"}, made)
    wrong: list[str] = []
    done = threading.Event()

    def read() -> None:
        searcher = Searcher.open(kb, embedders=lambda _: made)
        while not done.is_set():
            ranking = searcher.search("alpha version", legs="hybrid", k=10)
            held = [str(hit.document_id) for hit in ranking.hits]
            statuses = {leg.status for leg in ranking.legs.values()}
            if held.count("a.md") != 1 or statuses != {LegStatus.OK}:
                wrong.append(f"{held} {ranking.legs}")
        searcher.close()

    reader = threading.Thread(target=read)
    reader.start()
    for version in range(1, 12):
        meaning.take(kb, {"a": f"alpha version {version}", "b": "beta"}, made)
    done.set()
    reader.join()

    assert wrong == []


@pytest.mark.parametrize("what", ["read-only file", "foreign", "dangling link"])
def test_what_stands_in_the_way_of_the_vectors_does_not_stop_the_words(
    tmp_path: Path, what: str
) -> None:
    """What is removed must not wait until vectors can be written."""
    kb = tmp_path / "kb"
    meaning.take(kb)
    if what == "foreign":
        (kb / DENSE / "README").write_text("not ours")
    else:
        shutil.rmtree(kb / DENSE)
        if what == "dangling link":
            (kb / DENSE).symlink_to(tmp_path / "nowhere")
        else:
            (kb / DENSE).write_text("a file")

    remove(kb, ["wifi.md"])

    searcher = Searcher.open(kb, embedders=lambda _: meaning.Synonyms(costly=False))
    words = searcher.search("guest password", legs="lexical")
    near = searcher.search("lost keys at the front desk", legs="dense")
    searcher.close()
    assert words.hits == ()
    assert [hit.document_id for hit in near.hits][:1] == ["keys.md"]


def test_vectors_of_another_base_are_never_used(tmp_path: Path) -> None:
    kb, other = tmp_path / "kb", tmp_path / "other"
    meaning.take(kb)
    meaning.take(other, {"x": "one", "y": "two", "z": "three"})
    shutil.rmtree(kb / DENSE)
    shutil.copytree(other / DENSE, kb / DENSE)

    with writing(kb):
        ranking = ask(kb, "guest network")

    assert ranking.legs["dense"].status is LegStatus.FAILED
    assert "another store" in ranking.legs["dense"].why


def test_a_removed_text_leaves_the_cache_of_vectors_too(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    costly = meaning.Synonyms(costly=True)
    meaning.take(kb, embedder=costly)
    meaning.take(kb, meaning.NOTES | {"bus": "the night bus"}, costly)
    with Store(kb) as store:
        embedded = list(waiting.texts(store.db))

    remove(kb, ["bus.md"])

    with VectorCache(kb, costly.identity) as cache:
        missing = cache.missing(embedded)
    assert len(embedded) == 4
    assert ["night bus" in text for text in missing] == [True]
