"""No network: whoever opens a connection fails the test."""

import socket

import pytest


def cut(monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    """Let every connection and every look-up of a host raise ``why``."""

    def refuse(*_: object) -> None:
        raise AssertionError(why)

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
