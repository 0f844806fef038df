import http.client
import json
import urllib.error
import urllib.parse
import urllib.request

from keras_seq2seq.export.client.errors import BadAnswer
from keras_seq2seq.export.client.errors import BadRequest
from keras_seq2seq.export.client.errors import ServingError
from keras_seq2seq.export.client.errors import TimedOut
from keras_seq2seq.export.client.errors import Unavailable
from keras_seq2seq.export.client.errors import reading
from keras_seq2seq.export.client.exchange import TooLarge
from keras_seq2seq.export.client.exchange import ask
from keras_seq2seq.export.client.exchange import make_opener
from keras_seq2seq.export.client.exchange import read
from keras_seq2seq.export.client.values import from_json
from keras_seq2seq.export.client.values import to_json

BUSY = (429, 502, 503)
TOO_LATE = (408, 504)
LONGEST_REFUSAL = 65_536  # bytes


class Rest:
    """TensorFlow Serving's REST interface, by the standard library alone.

    Args:
        address: `Address`.
        most: Integer, the most bytes of an answer.
    """

    def __init__(self, address, most):
        version = "" if address.version is None else f"/{address.version}"
        version = version.replace("/", "/versions/")
        model = urllib.parse.quote(address.model, safe="")
        self.most = most
        self.url = (
            f"{address.scheme}://{address.host}/v1/models/{model}{version}"
        )
        self._opener = make_opener(address.scheme)

    def predict(self, signature, inputs, deadline):
        """Dict of name -> array."""
        body = {
            "signature_name": signature,
            "inputs": {name: to_json(x) for name, x in inputs.items()},
        }
        found = self._ask(deadline, ":predict", json.dumps(body).encode())
        outputs = found.get("outputs") if isinstance(found, dict) else None
        if not outputs or not isinstance(outputs, dict):
            raise BadAnswer.strange("an answer without outputs", self.url)
        with reading("outputs that are no arrays", self.url):
            return {name: from_json(x) for name, x in outputs.items()}

    def signatures(self, deadline):
        """Dict of name -> dict of `inputs` and `outputs`."""
        found = self._ask(deadline, "/metadata")
        with reading("metadata of another form", self.url):
            signatures = found["metadata"]["signature_def"]["signature_def"]
            return {
                name: {
                    side: {n: _spec(x) for n, x in found[side].items()}
                    for side in ("inputs", "outputs")
                }
                for name, found in signatures.items()
                if not name.startswith("__")
            }

    def status(self, deadline):
        """Dict of version -> state, such as `"AVAILABLE"`."""
        found = self._ask(deadline)
        with reading("a status of another form", self.url):
            versions = found["model_version_status"]
            return {int(x["version"]): str(x["state"]) for x in versions}

    def _ask(self, deadline, path="", body=None):
        request = urllib.request.Request(
            self.url + path, body, {"Content-Type": "application/json"}
        )
        try:
            found = ask(self._opener, request, deadline, self.most)
        except urllib.error.HTTPError as error:
            raise self._refusal(error, deadline) from error
        except TooLarge as error:
            raise BadAnswer.too_large(self.most, self.url) from error
        except (OSError, http.client.HTTPException) as error:
            if isinstance(getattr(error, "reason", error), TimeoutError):
                raise TimedOut.after(deadline.seconds, self.url) from error
            raise Unavailable(
                f"No server answers at {self.url} ({error}). Is it running, "
                "and is this its REST port?"
            ) from error
        with reading("an answer that is no JSON", self.url):
            return json.loads(found)

    def _refusal(self, error, deadline):
        """The `ServingError` of an HTTP status."""
        place = error.headers.get("Location")
        message = _message(error)
        if 300 <= error.code < 400:
            return BadAnswer.strange(f"a redirect to {place!r}", self.url)
        if error.code in BUSY:
            return Unavailable(f"The server is too busy: {message}")
        if error.code in TOO_LATE:
            return TimedOut.after(deadline.seconds, self.url)
        if error.code == 413:
            return BadRequest(
                f"The request is too large for the server: {message}. Send "
                "fewer or shorter texts at a time."
            )
        if error.code == 404:
            return BadRequest(
                f"The server at {self.url} has no such model, version or "
                f"address: {message}"
            )
        kind = BadRequest if error.code == 400 else ServingError
        return kind(f"The server refused the request: {message}")


def _message(error):
    """What a refusal says, as far as it came in time."""
    text = b""
    try:
        with error:
            text = read(error, LONGEST_REFUSAL)
        text = json.loads(text)["error"]
    except (TooLarge, OSError, http.client.HTTPException):
        text = error.code
    except (LookupError, RecursionError, TypeError, ValueError):
        text = f"{error.code} {text.decode(errors='replace')[:200]}"
    return " ".join(str(text).split())


def _spec(info):
    shape = info["tensor_shape"]
    known = not shape.get("unknown_rank", False)
    sizes = [int(dim["size"]) for dim in shape.get("dim", [])]
    return {"dtype": str(info["dtype"]), "shape": sizes if known else None}
