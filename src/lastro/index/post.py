"""Posts JSON to one address, with a key: tried again where that helps, else an error.

Nothing that arrives is repeated in a message, and no message holds the key.
"""

import math
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from http.client import HTTPException, HTTPResponse, IncompleteRead
from urllib.parse import urlsplit

from lastro.errors import UsageError

_TRIES = 4
_LONGEST_WAIT = 60.0
_LARGEST = 1 << 26  # bytes of an answer
_BUSY = frozenset({408, 429, 500, 502, 503, 504})
_REFUSED = frozenset({400, 413, 422})


class Remedy(Enum):
    """What a person can do about an answer that did not come."""

    WAIT = auto()  # try again later
    REACH = auto()  # look at the URL, and whether the server runs
    KEY = auto()  # look at the key
    ADDRESS = auto()  # look at the address and the name of the model
    MOVED = auto()  # give the address that it sends us on to


_SAYS = {
    401: ("refused the key", Remedy.KEY),
    403: ("refused the key", Remedy.KEY),
    404: ("knows no such address or model", Remedy.ADDRESS),
}


class NoAddress(ValueError):
    """What was given is no URL that could be asked; the message is for people."""


def address(url: str) -> str:
    """Return the URL of an API as it is asked and recorded.

    Raises:
        NoAddress: it is none, or holds what may be a secret; it is not repeated.
    """
    try:
        parts = urlsplit(url.strip())
        whole = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        whole = False
    if not whole or parts.scheme not in {"http", "https"}:
        raise NoAddress("the URL of the endpoint is none")
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise NoAddress(
            "the URL of an endpoint must have no user, no ? and no #: it is recorded"
        )
    return url.strip().rstrip("/")


def sendable(key: str, name: str) -> str:
    """Return a key as it is sent; ``name`` is where a person has set it.

    Raises:
        UsageError: no header can hold it; it is not repeated.
    """
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            f"the key in {name} has a character that no key has",
            hint="Set it anew, without blanks or line ends around it.",
        )
    return key.strip()


class Refused(Exception):
    """The endpoint does not take what was sent: too long, or unknown to it."""


class Unanswered(Exception):
    """The endpoint gave no answer, or refuses us: who did what, for people."""

    def __init__(self, what: str, remedy: Remedy) -> None:
        super().__init__(what)
        self.remedy = remedy


class _Again(Exception):
    """What failed may work later; ``after`` is how many seconds later, if said."""

    def __init__(self, what: str, after: float = 0.0) -> None:
        super().__init__(what)
        self.after = after


class Post:
    """Posts to ``url``; several threads may share one.

    Args:
        url: the address; http or https.
        key: sent as a bearer token; empty: none is sent.
        timeout: seconds an answer may take as a whole.
        sleep: waits so many seconds before the next try.

    ``where`` is what messages call the endpoint.
    """

    def __init__(
        self, url: str, key: str, timeout: float, sleep: Callable[[float], None]
    ) -> None:
        self._url = url
        self._headers = {"Content-Type": "application/json", "User-Agent": "lastro"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._timeout = timeout
        self._sleep = sleep
        self.where = f"the endpoint {urlsplit(url).netloc}"
        self._open = urllib.request.build_opener(_NoRedirect).open

    def __call__(self, body: bytes) -> bytes:
        """Return the answer to ``body``.

        Raises:
            Refused: the endpoint does not take this body.
            Unanswered: it gives no answer, or refuses us.
        """
        wait = 1.0
        for left in reversed(range(_TRIES)):
            try:
                return self._once(body)
            except _Again as busy:
                if not left or busy.after > _LONGEST_WAIT:
                    raise self._failed(str(busy), Remedy.WAIT) from None
                self._sleep(max(wait, busy.after))
                wait *= 2
        raise AssertionError  # the last try returns or raises

    def _failed(self, what: str, remedy: Remedy) -> Unanswered:
        return Unanswered(f"{self.where} {what}", remedy)

    def _once(self, body: bytes) -> bytes:
        request = urllib.request.Request(  # noqa: S310 - the scheme was checked
            self._url, data=body, headers=self._headers
        )
        try:
            with self._open(request, timeout=self._timeout) as response:
                return self._read(response)
        except urllib.error.HTTPError as error:
            error.close()
            raise self._status(error.code, error.headers.get("Retry-After")) from None
        except TimeoutError:
            raise self._late() from None
        except urllib.error.URLError as error:
            raise self._unreached(error.reason) from None
        except (HTTPException, ConnectionError, ssl.SSLError):
            raise _Again("cut the connection") from None
        except OSError:
            raise self._failed("cannot be reached", Remedy.REACH) from None

    def _read(self, response: HTTPResponse) -> bytes:
        ends = time.monotonic() + self._timeout
        parts: list[bytes] = []
        size = 0
        while part := response.read1(1 << 16):
            parts.append(part)
            size += len(part)
            if size > _LARGEST:
                raise self._failed("gave an answer that is far too long", Remedy.REACH)
            if time.monotonic() > ends:
                raise TimeoutError
        if response.length:  # what was promised did not come
            raise IncompleteRead(b"")
        return b"".join(parts)

    def _status(self, code: int, after: str | None) -> Exception:
        """Return what an answer other than 200 means."""
        if code in _BUSY:
            what = "takes no more for now" if code == 429 else f"failed (HTTP {code})"
            return _Again(what, _seconds(after))
        if code in _REFUSED:
            return Refused()
        if 300 <= code < 400:
            return self._failed(
                "sends us on to another address, which is not followed", Remedy.MOVED
            )
        unknown = (f"refused the request (HTTP {code})", Remedy.REACH)
        return self._failed(*_SAYS.get(code, unknown))

    def _unreached(self, reason: object) -> Exception:
        if isinstance(reason, TimeoutError):
            return self._late()
        if isinstance(reason, ssl.SSLCertVerificationError):
            return self._failed(
                "has a certificate that is not trusted here", Remedy.REACH
            )
        if isinstance(reason, ConnectionResetError):
            return _Again("cut the connection")
        return self._failed("cannot be reached", Remedy.REACH)

    def _late(self) -> Unanswered:
        return self._failed(f"gave no answer within {self._timeout:g} s", Remedy.WAIT)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key is for one address."""

    def redirect_request(self, *_: object) -> None:
        """Return nothing: the answer stands as it is."""


def _seconds(said: str | None) -> float:
    """Return how long to wait, by a header in seconds or with a date; 0: not said."""
    seconds = 0.0
    with suppress(ValueError, TypeError, OverflowError):
        seconds = float(said or 0)
    if not seconds and said:
        with suppress(ValueError, TypeError, OverflowError):
            seconds = parsedate_to_datetime(said).timestamp() - time.time()
    return max(seconds, 0.0) if math.isfinite(seconds) else 0.0
