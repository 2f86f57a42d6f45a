"""A real HTTP server with an endpoint for a model, which can misbehave."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bag import DIMENSION, Bag

Texts = list[str]


@dataclass
class Reply:
    """What the server sends: ``body`` as it is; ``promised`` more bytes, then none."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    promised: int = 0


@dataclass
class Log:
    """What the server was asked; ``bodies`` as it came, ``texts`` what is in it."""

    bodies: list[dict[str, object]] = field(default_factory=list)
    texts: list[Texts] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    url: str = ""


def good(texts: Texts) -> Reply:
    """Answer as OpenAI does, though not in order."""
    rows = Bag().passages(texts).tolist()
    data = [
        {"object": "embedding", "index": at, "embedding": row}
        for at, row in enumerate(rows)
    ]
    return shaped(data[::-1])


def shaped(data: object) -> Reply:
    """Answer with any list of embeddings."""
    said = {"object": "list", "data": data, "model": "bag-2", "usage": {}}
    return Reply(json.dumps(said).encode())


def flat(count: int, dimension: int = DIMENSION) -> list[dict[str, object]]:
    """Return ``count`` items that say nothing."""
    return [{"index": at, "embedding": [1.0] * dimension} for at in range(count)]


def inputs(asked: dict[str, Any]) -> Texts:
    """Return the texts that are to be embedded."""
    texts: Texts = asked["input"]
    return texts


@contextmanager
def serving(
    answer: Callable[[Texts], Reply] = good,
    of: Callable[[dict[str, Any]], Texts] = inputs,
) -> Iterator[Log]:
    """Serve on a free port of this machine until the block ends.

    ``of`` takes the texts out of what was asked, for ``answer`` to answer.
    """
    log = Log()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            asked = json.loads(self.rfile.read(length))
            log.bodies.append(asked)
            log.texts.append(of(asked))
            log.keys.append(self.headers["Authorization"])
            log.paths.append(self.path)
            reply = answer(log.texts[-1])
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            whole = len(reply.body) + reply.promised
            self.send_header("Content-Length", str(whole))
            self.end_headers()
            with suppress(ConnectionError):  # whoever asked waits no more
                self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    log.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
    )
    thread.start()
    try:
        yield log
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
