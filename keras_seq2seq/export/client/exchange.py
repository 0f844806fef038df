"""HTTP requests with a deadline and a limit on the size of the answer."""

import functools
import http.client
import io
import socket
import ssl
import urllib.request

PIECE = 65_536  # bytes


class TooLarge(Exception):
    """The answer has more bytes than the limit."""


def make_opener(scheme):
    """Make an `OpenerDirector` for a scheme that follows no redirects."""
    handlers = [_NoRedirect(), _Http()]
    if scheme == "https":
        handlers.append(_Https(ssl.create_default_context()))
    return urllib.request.build_opener(*handlers)


def ask(opener, request, deadline, most):
    """Send a request and read the answer.

    Args:
        opener: `OpenerDirector` from `make_opener`.
        request: `urllib.request.Request`.
        deadline: `Deadline`. Once it has passed, `TimeoutError` is raised, or
            an `OSError` caused by one.
        most: Integer, the limit in bytes. `TooLarge` is raised beyond it.

    Returns:
        Bytes.
    """
    request.deadline = deadline
    with opener.open(request, timeout=deadline.left()) as answer:
        return read(answer, most)


def read(answer, most):
    """Read an open answer completely."""
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
        return None  # an error, like other refusals

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
    """Mixin for a connection that observes a deadline."""

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
        """Connect to the first address of a host that accepts."""
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
    """Reader of a socket that observes a deadline."""

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
