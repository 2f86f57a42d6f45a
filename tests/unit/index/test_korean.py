"""A knowledge base records what it takes Korean words apart with, and keeps to it."""

from pathlib import Path

import pytest

from lastro.errors import KnowledgeBaseError, UsageError
from lastro.index import folder
from lastro.index.bm25 import LITTLE
from lastro.index.ingest import ingest
from lastro.index.korean import morphology, recorded
from lastro.index.lexical import analyser
from lastro.index.search import Searcher
from lastro.model.ranking import Ranking

TEXT = "# 앱\n\n파일을 보냅니다. 네트워크를 연결합니다.\n"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    path = tmp_path / "docs"
    path.mkdir()
    (path / "a.md").write_text(TEXT, encoding="utf-8")
    (path / "b.md").write_text("# 다른 것\n\n프린터를 설정합니다.\n", encoding="utf-8")
    return path


def search(kb: Path, query: str) -> Ranking:
    searcher = Searcher.open(kb)
    try:
        return searcher.search(query, locale="ko")
    finally:
        searcher.close()


def named(ranking: Ranking) -> list[str]:
    return [hit.document_id for hit in ranking.hits]


def test_bigrams_are_the_default_and_leave_no_line_in_the_page(
    tmp_path: Path, sources: Path
) -> None:
    ingest(tmp_path / "kb", [sources], locale="ko")

    assert recorded(tmp_path / "kb") is None
    assert "korean" not in (tmp_path / "kb" / folder.PAGE).read_text("utf-8")
    assert named(search(tmp_path / "kb", "보내려면")) == []


def test_with_kiwi_forms_that_share_no_syllable_find_each_other(
    tmp_path: Path, sources: Path
) -> None:
    pytest.importorskip("kiwipiepy")
    kb = tmp_path / "kb"
    ingest(kb, [sources], locale="ko", korean="kiwi")

    found = search(kb, "보내려면")

    assert named(found) == ["a.md"]
    assert 'korean = "kiwi"' in (kb / folder.PAGE).read_text("utf-8")


def test_with_kiwi_what_each_word_adds_is_the_score_of_the_index(
    tmp_path: Path, sources: Path
) -> None:
    pytest.importorskip("kiwipiepy")
    kb = tmp_path / "kb"
    ingest(kb, [sources], locale="ko", korean="kiwi")

    found = search(kb, "네트워크에 연결하려면 파일을 어떻게 보내나요")

    weights = [1.0 if term.informative else LITTLE for term in found.terms]
    for hit in found.hits:
        own = sum(map(float.__mul__, hit.term_scores, weights))
        assert own == pytest.approx(hit.lexical_score, abs=1e-4)
    assert named(found)[0] == "a.md"


def test_what_was_chosen_holds_for_later_ingests(tmp_path: Path, sources: Path) -> None:
    pytest.importorskip("kiwipiepy")
    kb = tmp_path / "kb"
    ingest(kb, [sources], locale="ko", korean="kiwi")
    (sources / "c.md").write_text("# 문\n\n편지를 보냅니다.\n", encoding="utf-8")

    report = ingest(kb, [sources], locale="ko")

    assert report.notes == ()  # no index was made anew by another analyser
    assert sorted(named(search(kb, "보내려면"))) == ["a.md", "c.md"]


def test_another_choice_for_the_same_base_is_refused(
    tmp_path: Path, sources: Path
) -> None:
    pytest.importorskip("kiwipiepy")
    ingest(tmp_path / "kb", [sources], locale="ko")

    with pytest.raises(UsageError, match="with bigrams, and not with kiwi"):
        ingest(tmp_path / "kb", [sources], korean="kiwi")


def test_an_unknown_choice_makes_nothing(tmp_path: Path, sources: Path) -> None:
    with pytest.raises(UsageError, match="one of bigrams, kiwi"):
        ingest(tmp_path / "kb", [sources], korean="mecab")

    assert not (tmp_path / "kb").exists()


@pytest.fixture
def _no_kiwi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastro.index.korean.find_spec", lambda _: None)
    morphology.cache_clear()


@pytest.mark.usefixtures("_no_kiwi")
def test_without_kiwi_a_base_of_it_is_not_made_and_says_how_to_install_it(
    tmp_path: Path, sources: Path
) -> None:
    with pytest.raises(KnowledgeBaseError, match="not installed") as caught:
        ingest(tmp_path / "kb", [sources], korean="kiwi")

    assert "pip install 'lastro[ko]'" in caught.value.hint
    assert not (tmp_path / "kb").exists()


@pytest.mark.usefixtures("_no_kiwi")
def test_without_kiwi_a_base_of_it_is_not_searched_with_other_terms(
    tmp_path: Path, sources: Path
) -> None:
    kb = tmp_path / "kb"
    ingest(kb, [sources], locale="ko")
    page = (kb / folder.PAGE).read_text("utf-8")
    (kb / folder.PAGE).write_text(f'korean = "kiwi"\n{page}', "utf-8")

    for act in (lambda: Searcher.open(kb), lambda: ingest(kb, [sources])):
        with pytest.raises(KnowledgeBaseError, match="not installed"):
            act()


def test_a_choice_that_this_version_does_not_know_is_named(tmp_path: Path) -> None:
    folder.write(tmp_path, "lastro", "mecab")

    with pytest.raises(KnowledgeBaseError, match="'mecab'"):
        recorded(tmp_path)


def test_the_fingerprint_tells_the_releases_of_kiwi() -> None:
    pytest.importorskip("kiwipiepy")
    kiwi = morphology("kiwi")

    assert kiwi is not None
    assert analyser(kiwi) == f"{analyser()}-{kiwi.identity}"
    assert " " not in analyser(kiwi)
    assert kiwi.stems("연결하려면") == ("연결",)
    assert kiwi.stems("에서는") == ()
