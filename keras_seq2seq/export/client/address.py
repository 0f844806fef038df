import dataclasses
import re
import urllib.parse

PORTS = {"grpc": 8500, "grpcs": 8500, "http": 8501, "https": 8501}
LAST_VERSION = 2**63 - 1  # TensorFlow Serving's are int64
PATH = r"(?:/v1/models)?/([^/:]+)(?:/(?:versions/)?([0-9]+))?(?::predict)?/?"


@dataclasses.dataclass(frozen=True)
class Address:
    """Address of a served model.

    Args:
        scheme: `"http"`, `"https"`, `"grpc"` or `"grpcs"`.
        host: String, with the port.
        model: String.
        version: Integer, or `None` for the newest.
    """

    scheme: str
    host: str
    model: str
    version: int | None

    @classmethod
    def of(cls, url):
        """Parse a URL such as `http://localhost:8501/v1/models/g2p`.

        `/v1/models` and the port are optional.
        """
        if not isinstance(url, str):
            raise TypeError(
                "`url` must be a string. Received: url of type "
                f"`{type(url).__name__}`"
            )
        try:
            return cls._of(url)
        except ValueError as error:
            raise ValueError(
                "`url` must name scheme, host and model, such as "
                "http://localhost:8501/v1/models/NAME or "
                f"grpc://localhost:8500/NAME. Received: url={url!r} ({error})"
            ) from error

    @classmethod
    def _of(cls, url):
        if not url.isprintable() or " " in url:
            raise ValueError("a space or a control character")
        split = urllib.parse.urlsplit(url)
        if split.scheme not in PORTS:
            raise ValueError(f"the scheme is none of {sorted(PORTS)}")
        if split.query or split.fragment or "@" in split.netloc:
            raise ValueError("a user, ? or # is not allowed")
        path = re.fullmatch(PATH, split.path)
        if not path:
            raise ValueError("the path is not /v1/models/NAME")
        version = int(path[2]) if path[2] else None
        if version is not None and version > LAST_VERSION:
            raise ValueError("the version number is too large")
        model = urllib.parse.unquote(path[1], errors="strict")
        return cls(split.scheme, _host(split), model, version)


def _host(split):
    """Host, encoded for DNS, and port of a split URL."""
    if not split.hostname:
        raise ValueError("the host is missing")
    port = PORTS[split.scheme] if split.port is None else split.port
    if not port:
        raise ValueError("the port must not be 0")
    host = split.hostname.encode("idna").decode()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
