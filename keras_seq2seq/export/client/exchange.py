"""One HTTP request whose every byte obeys a deadline and a limit."""

import functools
import http.client
import io
import socket
import ssl
import urllib.request

PIECE = 65_536  # bytes


class TooLarge(Exception):
    """An answer of more bytes than are taken."""


def opener_of(scheme):
    """`OpenerDirector` of `"http"` or `"https"` that follows no redirect."""
    handlers = [_NoRedirect(), _Http()]
    if scheme == "https":
        handlers.append(_Https(ssl.create_default_context()))
    return urllib.request.build_opener(*handlers)


def ask(opener, request, deadline, most):
    """Bytes of the answer to a `urllib.request.Request`.

    Args:
        opener: What `opener_of` gives.
        request: `urllib.request.Request`.
        deadline: `Deadline`. `TimeoutError`, or an `OSError` for that reason,
            tells that it has passed.
        most: Integer, the most bytes of an answer. `TooLarge` tells of more.
    """
    request.deadline = deadline
    with opener.open(request, timeout=deadline.left()) as answer:
        return read(answer, most)


def read(answer, most):
    """Bytes of an open answer, all that were announced."""
    if (answer.length or 0) > most:
        raise TooLarge
    pieces, size = [], 0
    while piece := answer.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise TooLarge
    if answer.length:
        raise http.client.IncompleteRead(b"", answer.length)
    return b"".join(pieces)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def http_error_302(self, *args):
        return None  # a refusal like any other

    http_error_301 = http_error_303 = http_error_302
    http_error_307 = http_error_308 = http_error_302


class _Http(urllib.request.HTTPHandler):
    def http_open(self, request):
        kind = functools.partial(_Connection, deadline=request.deadline)
        return self.do_open(kind, request)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, context):
        super().__init__(context=context)
        self.context = context

    def https_open(self, request):
        kind = functools.partial(_SecureConnection, deadline=request.deadline)
        return self.do_open(kind, request, context=self.context)


class _Timely:
    """Mixin of a connection: no wait is longer than the deadline allows."""

    def __init__(self, *args, deadline, **kwargs):
        super().__init__(*args, **kwargs)
        self.deadline = deadline
        self.response_class = self._response
        self._create_connection = self._connected  # of http.client

    def send(self, data):
        if self.sock is None:
            self.connect()
        for first in range(0, len(data), PIECE):
            self.sock.settimeout(self.deadline.left())
            super().send(data[first : first + PIECE])

    def _connected(self, address, *_):
        """A socket to the first of a host's addresses that answers."""
        error = OSError(f"no address of {address[0]}")
        found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
        for family, kind, protocol, _, place in found:
            sock = socket.socket(family, kind, protocol)
            try:
                sock.settimeout(self.deadline.left())
                sock.connect(place)
                sock.settimeout(self.deadline.left())
                return sock
            except OSError as failure:
                sock.close()
                error = failure
        raise error

    def _response(self, sock, *args, **kwargs):
        response = http.client.HTTPResponse(sock, *args, **kwargs)
        reader = _Reader(response.fp.detach(), sock, self.deadline)
        response.fp = io.BufferedReader(reader)
        return response


class _Connection(_Timely, http.client.HTTPConnection):
    pass


class _SecureConnection(_Timely, http.client.HTTPSConnection):
    pass


class _Reader(io.RawIOBase):
    """The bytes of a socket, each read by the deadline."""

    def __init__(self, raw, sock, deadline):
        self._raw = raw
        self._sock = sock
        self._deadline = deadline

    def readable(self):
        return True

    def readinto(self, buffer):
        self._sock.settimeout(self._deadline.left())
        return self._raw.readinto(buffer)

    def close(self):
        self._raw.close()
        super().close()
