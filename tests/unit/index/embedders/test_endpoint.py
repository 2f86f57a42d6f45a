"""An endpoint over HTTP, real on this machine: what it says, and what it does wrong."""

import json
import socket
import threading
import traceback
from collections.abc import Callable
from email.utils import formatdate
from time import sleep, time

import numpy as np
import pytest
from bag import DIMENSION, Bag
from embeddings_server import Log, Reply, Texts, flat, good, serving, shaped

from lastro.errors import EmbedderError, UsageError
from lastro.index.embedders.endpoint import Endpoint
from lastro.index.window import embedded, fitted_query

KEY = "sk-secret-4711"


def endpoint(log: Log, waits: list[float] | None = None) -> Endpoint:
    return Endpoint(
        f"bag@{log.url}",
        key=KEY,
        timeout=0.5,
        sleep=(waits if waits is not None else list[float]()).append,
    )


def test_rows_come_in_the_order_of_the_texts() -> None:
    texts = [f"text {n}" for n in range(150)]
    texts[3] = " "
    with serving() as log:
        served = endpoint(log)
        rows = served.passages(texts)

        assert served.identity.name == f"openai:bag@{log.url}"
        assert served.identity.revision == "bag-2"
        assert served.identity.dimension == DIMENSION
        assert np.allclose(served.query("text 1"), rows[1], atol=1e-6)
        assert served.costly
    assert np.allclose(rows, Bag().passages(texts), atol=1e-6)
    assert [len(sent) for sent in log.texts] == [1, 64, 64, 21, 1]
    assert set(log.paths) == {"/v1/embeddings"}


def test_the_key_is_sent_and_stands_nowhere_else() -> None:
    with serving() as log:
        served = endpoint(log)
        held = [repr(served), repr(served.identity)]
        Endpoint(f"bag@{log.url}/embeddings/").passages(["a"])

    assert log.keys == [f"Bearer {KEY}", None, None]
    assert [text for text in held if KEY in text] == []


def test_an_e5_gets_its_prefixes_from_us() -> None:
    with serving() as log:
        e5 = Endpoint(f"intfloat/e5-base@{log.url}")
        e5.passages(["a"])
        e5.query("b")

        assert e5.identity.query_prefix == "query: "
    assert log.texts == [["a"], ["passage: a"], ["query: b"]]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_endpoint_is_asked_again_after_a_while(status: int) -> None:
    replies = iter([Reply(b"", status), Reply(b"", status, {"Retry-After": "7"})])
    waits: list[float] = []
    with serving(lambda texts: next(replies, None) or good(texts)) as log:
        assert endpoint(log, waits).identity.dimension == DIMENSION

    assert waits == [1.0, 7.0]


def test_a_date_to_come_back_is_kept_to() -> None:
    later = formatdate(time() + 30, usegmt=True)
    replies = iter([Reply(b"", 429, {"Retry-After": later})])
    waits: list[float] = []
    with serving(lambda texts: next(replies, None) or good(texts)) as log:
        endpoint(log, waits).query("a")

    assert 25 < waits[0] <= 30


@pytest.mark.parametrize("odd", ["soon", "-5", "nan", ""])
def test_a_date_that_is_none_is_not_waited_for(odd: str) -> None:
    replies = iter([Reply(b"", 429, {"Retry-After": odd})])
    waits: list[float] = []
    with serving(lambda texts: next(replies, None) or good(texts)) as log:
        endpoint(log, waits).query("a")

    assert waits == [1.0]


def slow(texts: Texts) -> Reply:
    sleep(0.2)
    return good(texts)


WRONG = {
    "busy for ever": (Reply(b"", 429), "takes no more for now"),
    "busy for an hour": (
        Reply(b"", 429, {"Retry-After": "3600"}),
        "takes no more for now",
    ),
    "failing": (Reply(b"Traceback: " + KEY.encode(), 500), r"failed \(HTTP 500\)"),
    "key": (Reply(KEY.encode(), 401), "refused the key"),
    "forbidden": (Reply(b"", 403), "refused the key"),
    "address": (Reply(b"", 404), "knows no such address or model"),
    "model": (Reply(b"", 400), "refuses to embed with the model 'bag'"),
    "teapot": (Reply(b"", 418), r"refused the request \(HTTP 418\)"),
    "redirect": (
        Reply(b"", 307, {"Location": "http://127.0.0.1:9/"}),
        "to another address, which is not followed",
    ),
    "page": (Reply(b"<html>" + KEY.encode()), "its answer is not JSON"),
    "deep": (Reply(b"[" * 100_000), "its answer is not JSON"),
    "empty": (Reply(b""), "its answer is not JSON"),
    "list": (Reply(b"[]"), "holds no list of embeddings"),
    "error in a 200": (Reply(b'{"error": {}}'), "holds no list of embeddings"),
    "more": (shaped(flat(2)), "it gave 2 embeddings for 1 text"),
    "none": (shaped([]), "it gave 0 embeddings for 1 text"),
    "no row": (shaped([{"index": 0}]), "an embedding is missing"),
    "row of none": (shaped([{"embedding": []}]), "an embedding is missing"),
    "no item": (shaped([7]), "an embedding is missing"),
    "words": (shaped([{"embedding": ["x"]}]), "something that is no number"),
    "NaN": (shaped([{"embedding": [float("nan")]}]), "something that is no number"),
    "huge": (shaped([{"embedding": [10**400]}]), "something that is no number"),
    "truth": (shaped([{"embedding": [True]}]), "something that is no number"),
    "index": (shaped([{"index": 5, "embedding": [1.0]}]), "are not those of the texts"),
    "list as index": (
        shaped([{"index": [0], "embedding": [1.0]}]),
        "are not those of the texts",
    ),
    "cut": (Reply(b'{"data": [', promised=50), "cut the connection"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_an_endpoint_does_wrong_is_one_clear_error(kind: str) -> None:
    reply, said = WRONG[kind]
    with (
        serving(lambda _: reply) as log,
        pytest.raises(EmbedderError, match=said) as raised,
    ):
        endpoint(log).query("a")

    whole = "".join(traceback.format_exception(raised.value))
    assert "127.0.0.1" in str(raised.value)
    assert raised.value.hint
    assert KEY not in whole
    assert raised.value.__suppress_context__
    assert len(log.texts) <= 4


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda texts: shaped(flat(len(texts), 3)), "another length than before"),
        (
            lambda texts: shaped([*flat(len(texts) - 1), *flat(1, 3)]),
            "are not those of the texts",
        ),
        (
            lambda texts: shaped(
                [{"embedding": [1.0] * (n + 1)} for n, _ in enumerate(texts)]
            ),
            "of different lengths",
        ),
    ],
)
def test_rows_that_do_not_fit_together_are_refused(
    answer: Callable[[Texts], Reply], said: str
) -> None:
    first = iter([good(["a"])])
    with serving(lambda texts: next(first, None) or answer(texts)) as log:
        served = endpoint(log)
        assert served.identity.dimension == DIMENSION
        with pytest.raises(EmbedderError, match=said):
            served.passages(["a", "b"])


def test_an_endpoint_that_is_too_slow_or_not_there_is_not_waited_for() -> None:
    with serving(slow) as log:
        late = Endpoint(f"bag@{log.url}", timeout=0.05)
        with pytest.raises(EmbedderError, match=r"gave no answer within 0\.05 s"):
            late.query("a")
    waits: list[float] = []
    with pytest.raises(EmbedderError, match="cannot be reached"):
        endpoint(log, waits).query("a")

    assert waits == []


def test_an_answer_by_drops_does_not_hold_us_for_ever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        served = Endpoint(f"bag@{url}", timeout=0.05)

        def drip() -> None:
            asker, _ = server.accept()
            with asker:
                asker.recv(4096)
                asker.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n")
                for _ in range(20):
                    try:
                        asker.sendall(b"[")
                    except OSError:
                        return
                    sleep(0.02)

        thread = threading.Thread(target=drip)
        thread.start()
        with pytest.raises(EmbedderError, match="gave no answer within"):
            served.query("a")
        thread.join()


@pytest.mark.parametrize("limit", [40, 300])
def test_a_passage_beyond_the_window_never_fails_q22(limit: int) -> None:
    """Q22: a chunk longer than the encoder's limit got a 400."""

    def strict(texts: Texts) -> Reply:
        longest = max(len(text.split()) for text in texts)
        return Reply(b"too long", 400) if longest > limit else good(texts)

    long = " ".join(f"Rule {n} holds from the first of May on." for n in range(100))
    with serving(strict) as log:
        rows = embedded(["short", long, "x " * 700], endpoint(log))

    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1, 1, 1])
    assert float(rows[1] @ Bag().passages([long])[0]) > 0.99


def test_a_text_that_is_refused_for_another_reason_ends_soon() -> None:
    def moody(texts: Texts) -> Reply:
        return good(texts) if texts == ["a"] else Reply(b"", 422)

    with serving(moody) as log, pytest.raises(EmbedderError, match="refuses to embed"):
        endpoint(log).passages(["word " * 100] * 64)

    assert len(log.texts) < 20


def test_long_questions_with_one_beginning_are_not_one_question_q20() -> None:
    """Q20: the first 512 tokens alone were embedded; cosine 1.0."""
    filler = "The cat sat on the mat. " * 100
    with serving() as log:
        asked = fitted_query(f"{filler} Who pays for lost luggage?", endpoint(log))

    assert asked[0] == "Who pays for lost luggage?"
    assert "512 tokens" in asked[1]


@pytest.mark.parametrize(
    "name",
    [
        "bag",
        "bag@ftp://host/v1",
        "@http://host/v1",
        "bag@http://",
        "bag@http://host:x/v1",
        f"bag@http://user:{KEY}@host/v1",
        f"bag@http://host/v1?key={KEY}",
        f"bag@http://host/v1#{KEY}",
    ],
)
def test_a_name_of_another_form_is_refused_and_no_secret_repeated(name: str) -> None:
    with pytest.raises(UsageError) as raised:
        Endpoint(name)

    assert KEY not in f"{raised.value} {raised.value.hint}"


@pytest.mark.parametrize("key", ["a\nb", "sk-é"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(UsageError, match="LASTRO_EMBEDDINGS_KEY") as raised:
        Endpoint("bag@http://localhost/v1", key=key)

    assert key not in str(raised.value)


def test_any_text_can_be_sent() -> None:
    with serving() as log:
        rows = endpoint(log).passages(["a\0b", "\ud800", "가", '"\\'])

    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1.0] * 4)
    assert json.dumps(log.texts[-1])
