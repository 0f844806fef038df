"""A server on 127.0.0.1 that answers HTTP with any bytes, at any pace."""

import contextlib
import itertools
import socket
import threading


def answer(body, status="200 OK", *headers):
    """Bytes of a whole HTTP answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def dripped(data, pause=0.1):
    """The bytes of `data` one by one, each after a pause in seconds."""
    pieces = [(pause, data[place : place + 1]) for place in range(len(data))]
    return itertools.chain.from_iterable(pieces)


NOT_FOUND = answer(b"{}", "404 Not Found")


@contextlib.contextmanager
def raw_server(predict, other=(NOT_FOUND,)):
    """The URL of a server, and the list of the paths it was asked for.

    Args:
        predict: Iterable of what comes to a `POST`: bytes, or seconds to wait.
        other: Iterable of what comes to a `GET`.
    """
    paths, stopped = [], threading.Event()

    def serve(connection):
        with connection, contextlib.suppress(OSError):
            connection.settimeout(10)
            head = _read_request(connection)
            paths.append(head.split()[1].decode())
            for piece in predict if head.startswith(b"POST") else other:
                if isinstance(piece, bytes):
                    connection.sendall(piece)
                elif stopped.wait(piece):
                    return

    def listen(server):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = server.accept()
                threading.Thread(
                    target=serve, args=(connection,), daemon=True
                ).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=listen, args=(server,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/model", paths
        finally:
            stopped.set()
            server.shutdown(socket.SHUT_RDWR)
    thread.join()


def _read_request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    size = head.lower().partition(b"content-length:")[2].split()[:1]
    while len(body) < int(*size or [0]):
        body += _some(connection)
    return head


def _some(connection):
    data = connection.recv(65_536)
    if not data:
        raise ConnectionError
    return data
