"""Single terms: held as the index holds them, trouble by list, central by rarity."""

from rankings import hit, term

from lastro.gate import terms


def test_a_term_is_held_where_it_scores() -> None:
    assert terms.held(term("printer"), 0, hit(2.0))
    assert not terms.held(term("printer"), 0, hit(0.0))
    assert not terms.held(term("printer"), 3, hit(2.0))


def test_a_hangul_word_is_held_whatever_particle_stands_behind_it() -> None:
    found = hit(1.0, text="프린터가 켜지지 않습니다.", locale="ko")
    assert terms.held(term("프린터를"), 0, found)


def test_a_hangul_word_is_not_held_for_sharing_one_pair() -> None:
    found = hit(1.0, text="프린스 호텔에 묵었습니다.", locale="ko")
    assert not terms.held(term("프린터를"), 0, found)


def test_a_hangul_word_may_stand_in_the_title() -> None:
    found = hit(1.0, document="프린터 설정", text="전원을 켭니다.", locale="ko")
    assert terms.held(term("프린터를"), 0, found)


def test_words_of_trouble_are_known_in_each_language() -> None:
    rows = [("slow", "en"), ("lento", "pt-BR"), ("lento", "es-419"), ("오류가", "ko")]
    assert all(terms.of_trouble(term(word), (locale,)) for word, locale in rows)
    assert not terms.of_trouble(term("printer"), ("en",))
    assert not terms.of_trouble(term("다운로드"), ("ko",))


def test_a_latin_word_of_trouble_in_a_korean_question_counts() -> None:
    assert terms.of_trouble(term("timeout"), ("ko",))


def test_the_upper_third_by_idf_is_central() -> None:
    asked = [term(word, idf=idf) for word, idf in [("a", 1), ("b", 2), ("c", 3)]]
    assert terms.central(asked, 1000) == {2}


def test_a_third_is_never_exceeded_but_for_ties_and_never_empty() -> None:
    asked = [term(word, idf=idf) for idf, word in enumerate("abcde", start=1)]
    assert terms.central(asked, 1000) == {4}
    assert terms.central([*asked, term("f", idf=6)], 1000) == {4, 5}
    assert terms.central([*asked, term("f", idf=5)], 1000) == {4, 5}
    assert terms.central(asked[:1], 1000) == {0}


def test_exactly_five_percent_of_the_passages_is_still_rare() -> None:
    assert terms.central([term("a", df=50)], 1000) == {0}
    assert terms.central([term("a", df=51)], 1000) == frozenset()


def test_a_code_or_number_is_central_however_common() -> None:
    asked = [term("5g", df=900, idf=0.1, exact=True), term("router", df=5, idf=5.0)]
    assert terms.central(asked, 1000) == {0, 1}


def test_a_term_that_stands_nowhere_is_never_central() -> None:
    assert terms.central([term("quux", df=0, exact=True)], 1000) == frozenset()


def test_an_uninformative_term_is_never_central() -> None:
    assert terms.central([term("use", informative=False)], 1000) == frozenset()
