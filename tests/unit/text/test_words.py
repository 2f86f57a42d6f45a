"""Words, what they emit, and which of them say something."""

import unicodedata

import pytest

from lastro.text.analyse import index_terms, index_text, query_words, words
from lastro.text.emit import Word, lookups


def surfaces(text: str, locale: str) -> list[str]:
    return [word.surface for word in words(text, locale)]


def only(text: str, locale: str) -> Word:
    (word,) = words(text, locale)
    return word


def shared(one: str, other: str, locale: str) -> bool:
    """Say whether a query of ``one`` finds a document of ``other``."""
    held = set(index_terms(other, locale))
    return all(
        any(held.issuperset(way) for way in lookups(word))
        for word in query_words(one, [locale])
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++, C# e R&D", ["c++", "c#", "e", "r&d"]),
        ("I+D com .NET 8.0.", ["i+d", "com", ".net", "8.0"]),
        ("rede 5G, IPv6", ["rede", "5g", "ipv6"]),
        ("Wi-Fi (wifi)", ["wi-fi", "wifi"]),
        ("TLS 1.3", ["tls", "1.3"]),
        ("TLS1.3", ["tls", "1.3"]),
        ("edital PP-12/2024", ["edital", "pp-12/2024"]),
        ("custa 12,5 às 10:30", ["custa", "12,5", "às", "10:30"]),
        ("802.11n 192.168.0.1", ["802.11n", "192.168.0.1"]),
        ("de 10-20 dias", ["de", "10", "20", "dias"]),
        ("TCP/IP e/ou SSH.", ["tcp", "ip", "e", "ou", "ssh"]),
        ("d'água don’t", ["d'água", "don't"]),
        ("-40 +1 $5 50%", ["40", "1", "5", "50"]),
        ("a@b.pt #tag", ["a", "b", "pt", "tag"]),
        ("", []),
        ("?! --- …", []),
    ],
)
def test_names_codes_and_numbers_are_kept(text: str, expected: list[str]) -> None:
    assert surfaces(text, "pt") == expected


@pytest.mark.parametrize(
    "text", ["5G", "C++", "R&D", ".NET", "IPv6", "12,5", "PP-12/2024", "C#", "1.3"]
)
def test_numbers_and_codes_are_exact_and_informative(text: str) -> None:
    word = only(text, "en")

    assert word.exact
    assert word.informative


def test_offsets_are_into_the_text_given() -> None:
    text = "«Rede»  5G,\nga\u0302teau e 네트워크를!"

    for word in words(text, "pt"):
        given = unicodedata.normalize("NFC", text[word.start : word.end]).casefold()
        assert given == word.surface


def test_latin_words_emit_their_stem_and_that_of_the_unaccented_form() -> None:
    assert only("licitação", "pt").emissions == ("licit", "licitaca")
    assert only("running", "en").emissions == ("run",)
    assert only("rede", "xx").emissions == ("rede",)


@pytest.mark.parametrize(
    ("accented", "bare", "locale"),
    [
        ("canción", "cancion", "es"),
        ("licitação", "licitacao", "pt"),
        ("configuração", "CONFIGURACAO", "pt"),
        ("año", "ano", "es"),
    ],
)
def test_a_word_is_found_with_and_without_accents_q24_q26_q29(
    accented: str, bare: str, locale: str
) -> None:
    """Q24, Q26, Q29: a word without its accent was not found, or only so."""
    assert shared(accented, bare, locale)
    assert shared(bare, accented, locale)


@pytest.mark.parametrize("text", ["gâteau", "ga\u0302teau"])
def test_an_accent_never_cuts_a_word_q28(text: str) -> None:
    """Q28: the splitter cut gâteau into g and teau."""
    assert surfaces(text, "en") == ["gâteau"]


def test_decomposed_and_composed_text_emit_the_same_i44() -> None:
    """I44: names from macOS are decomposed and were not found."""
    text = "네트워크를 연결합니다, licitação"

    assert index_terms(unicodedata.normalize("NFD", text), "ko") == index_terms(
        text, "ko"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wi-Fi", "wifi"),
        ("wifi", "Wi-Fi"),
        ("e-mail", "email"),
        ("left-handed mouse", "mouse, left handed"),
        ("left handed", "a left-handed mouse"),
        ("lefthanded", "left-handed"),
        ("IL-6", "IL6"),
        ("IL6", "il-6"),
        ("TLS 1.3", "TLS1.3"),
        ("TLS1.3", "tls 1.3"),
        ("covid 19", "COVID-19"),
        ("COVID-19", "covid19"),
        ("16 GB", "16GB"),
        ("12/2024", "PP-12/2024"),
        ("read_only", "read-only"),
        ("GNOME's", "gnome"),
        ("non\u2011breaking", "non-breaking"),
    ],
)
def test_a_name_is_found_however_it_is_written(one: str, other: str) -> None:
    held = set(index_terms(other, "en"))

    for word in query_words(one, ["en"]):
        assert held.intersection(word.emissions)


def test_a_code_is_not_found_by_its_neighbour() -> None:
    assert not shared("PP-12/2024", "PP-13/2024", "pt")
    assert not shared("IPv6", "IPv4", "pt")


@pytest.mark.parametrize(
    ("verb", "found"),
    [("conectar-se", "conectar"), ("configurá-lo", "configurar"), ("fazê-la", "fazê")],
)
def test_a_portuguese_verb_is_found_without_its_pronoun(verb: str, found: str) -> None:
    assert set(only(verb, "pt").emissions).intersection(index_terms(found, "pt"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wifi를", ["wifi", "를"]),
        ("PDF를 3월에", ["pdf", "를", "3", "월에"]),
        ("C++로 .NET에서", ["c++", "로", ".net", "에서"]),
        ("GNOME의 설정", ["gnome", "의", "설정"]),
    ],
)
def test_hangul_and_latin_are_told_apart_i27(text: str, expected: list[str]) -> None:
    """I27: a document that mixes languages failed to be analysed."""
    assert surfaces(text, "ko") == expected


def test_a_script_is_analysed_alike_in_any_document_i27() -> None:
    """I27: the language of the document decided about words of another."""
    for locale in ("en", "pt", "ko", ""):
        assert "네트" in index_terms("running 네트워크", locale)
    assert "run" in index_terms("네트워크 running", "ko")


def test_a_hangul_word_emits_itself_and_its_bigrams_q12() -> None:
    """Q12: a sentence of a script without blanks was one token."""
    assert only("네트워크", "ko").emissions == ("네트워크", "네트", "트워", "워크")
    assert only("앱", "ko").emissions == ("앱",)


def test_a_noun_behind_a_particle_is_found_q09_q12() -> None:
    """Q09, Q12: particles hid the noun."""
    assert shared("앱", "앱을", "ko")
    assert shared("앱을", "앱이", "ko")
    assert shared("네트워크", "네트워크에서는", "ko")


def test_scripts_without_blanks_are_cut_into_pairs_q12() -> None:
    """Q12: zero hits for a whole sentence as one phrase."""
    assert surfaces("東京都", "ja") == ["東京", "京都"]
    assert shared("東京", "私は東京都に行く", "ja")


@pytest.mark.parametrize(
    ("query", "locale", "expected"),
    [
        ("Como faço para conectar um teclado?", "pt", ["conectar", "teclado"]),
        ("How do I make use of the printer?", "en", ["printer"]),
        ("¿Cómo puedo usar la red?", "es", ["red"]),
        ("네트워크를 어떻게 연결하나요?", "ko", ["네트워크를", "연결하나요"]),
        ("이것은 무엇이며 어떻게 하나요", "ko", []),
        ("앱이 있나요", "ko", ["앱이"]),
        ("what is a VPN", "en", ["vpn"]),
        ("o que é IP", "pt", ["ip"]),
    ],
)
def test_informative_words(query: str, locale: str, expected: list[str]) -> None:
    told = [word.surface for word in query_words(query, [locale]) if word.informative]

    assert told == expected


def test_stop_words_are_known_without_their_accents() -> None:
    assert only("voce", "pt").stop
    assert only("porque", "es").stop
    assert not only("rede", "pt").stop


def test_a_query_drops_repeats_and_keeps_the_order() -> None:
    told = query_words("Rede, teclado e redes; REDE", ["pt"])

    assert [word.surface for word in told] == ["rede", "teclado", "e"]


def test_a_query_in_no_sure_locale_emits_for_each() -> None:
    (word,) = query_words("conexões", ["pt", "es", "en"])

    every = {t for loc in ("pt", "es", "en") for t in only("conexões", loc).emissions}
    assert set(word.emissions) == every


def test_languages_may_cut_a_compound_in_different_places() -> None:
    told = query_words("add-on", ["en", "pt"])

    assert {"add", "addon"} <= {term for word in told for term in word.emissions}


def test_index_terms_are_index_text_cut_at_blanks() -> None:
    text = " A rede  (5G) é rápida:\u00a0Wi-Fi. "

    assert index_text(text, "pt").split() == index_terms(text, "pt")


def test_one_endless_word_is_cut_and_not_refused() -> None:
    """Encoded data in a text costs no more than a word."""
    terms = index_terms("x" * 100_000, "en")

    assert terms == ["x" * 64]


@pytest.mark.parametrize("text", ["हिन्दी", "Ελλάδα", "Россия", "العربية"])
def test_words_of_other_scripts_stay_whole(text: str) -> None:
    assert surfaces(text, "xx") == [unicodedata.normalize("NFC", text).casefold()]
