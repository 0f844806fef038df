import dataclasses
import re
import urllib.parse

PORTS = {"grpc": 8500, "grpcs": 8500, "http": 8501, "https": 8501}


@dataclasses.dataclass(frozen=True)
class Address:
    """Where a model is served.

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
        """The address of a URL such as `http://localhost:8501/v1/models/g2p`.

        `/v1/models` and the port may be left out.
        """
        if not isinstance(url, str):
            raise TypeError(
                "`url` must be a string. Received: url of type "
                f"`{type(url).__name__}`"
            )
        split = urllib.parse.urlsplit(url)
        path = re.fullmatch(
            r"(?:/v1/models)?/([^/:]+)(?:/(?:versions/)?(\d+))?(?::predict)?/?",
            split.path,
        )
        if split.scheme not in PORTS or not split.hostname or not path:
            raise ValueError(
                "`url` must name scheme, host and model, such as "
                "http://localhost:8501/v1/models/NAME or "
                f"grpc://localhost:8500/NAME. Received: url={url!r}"
            )
        host = split.netloc
        if split.port is None:
            host = f"{host}:{PORTS[split.scheme]}"
        version = int(path[2]) if path[2] else None
        return cls(split.scheme, host, path[1], version)
