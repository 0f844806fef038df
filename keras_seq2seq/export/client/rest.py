import http.client
import json
import urllib.error
import urllib.request

from keras_seq2seq.export.client.bad_request import BadRequest
from keras_seq2seq.export.client.serving_error import ServingError
from keras_seq2seq.export.client.timed_out import TimedOut
from keras_seq2seq.export.client.unavailable import Unavailable
from keras_seq2seq.export.client.values import from_json
from keras_seq2seq.export.client.values import to_json

BUSY = (429, 502, 503)
TOO_LATE = (408, 504)


class Rest:
    """TensorFlow Serving's REST interface, by the standard library alone.

    Args:
        address: `Address`.
        timeout: Float, seconds.
    """

    def __init__(self, address, timeout):
        version = "" if address.version is None else f"/{address.version}"
        version = version.replace("/", "/versions/")
        self.model = address.model
        self.timeout = timeout
        self.url = (
            f"{address.scheme}://{address.host}/v1/models/{address.model}"
            f"{version}"
        )

    def predict(self, signature, inputs):
        """Dict of name -> array."""
        body = {
            "signature_name": signature,
            "inputs": {name: to_json(x) for name, x in inputs.items()},
        }
        found = self._ask(":predict", json.dumps(body).encode())
        outputs = found.get("outputs") if isinstance(found, dict) else None
        if not outputs or not isinstance(outputs, dict):
            raise self._strange("an answer without named outputs")
        try:
            return {name: from_json(x) for name, x in outputs.items()}
        except (ValueError, TypeError, KeyError) as error:
            raise self._strange("outputs that are no arrays") from error

    def signatures(self):
        """Dict of name -> dict of `inputs` and `outputs`."""
        found = self._ask("/metadata")
        try:
            signatures = found["metadata"]["signature_def"]["signature_def"]
            return {
                name: {
                    side: {n: _spec(x) for n, x in found[side].items()}
                    for side in ("inputs", "outputs")
                }
                for name, found in signatures.items()
                if not name.startswith("__")
            }
        except (KeyError, TypeError, AttributeError) as error:
            raise self._strange("metadata of another form") from error

    def status(self):
        """Dict of version -> state, such as `"AVAILABLE"`."""
        found = self._ask("")
        try:
            versions = found["model_version_status"]
            return {int(x["version"]): x["state"] for x in versions}
        except (KeyError, TypeError, ValueError) as error:
            raise self._strange("a status of another form") from error

    def _ask(self, path, body=None):
        request = urllib.request.Request(
            self.url + path, body, {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as found:
                return json.load(found)
        except urllib.error.HTTPError as error:
            raise self._refusal(error) from error
        except TimeoutError as error:
            raise self._late() from error
        except ValueError as error:
            raise self._strange("an answer that is no JSON") from error
        except (OSError, http.client.HTTPException) as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                raise self._late() from error
            raise Unavailable(
                f"No server answers at {self.url} ({error}). Is it running, "
                "and is this its REST port?"
            ) from error

    def _refusal(self, error):
        """The `ServingError` of an HTTP status."""
        message = _message(error)
        if error.code in BUSY:
            return Unavailable(f"The server is too busy: {message}")
        if error.code in TOO_LATE:
            return self._late()
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

    def _late(self):
        return TimedOut(
            f"No answer from {self.url} within {self.timeout:g} seconds. Send "
            "fewer texts at a time, or allow more time by `timeout`."
        )

    def _strange(self, what):
        return ServingError(
            f"{self.url} must be TensorFlow Serving's REST interface. "
            f"Received: {what}"
        )


def _message(error):
    with error:
        text = error.read().decode(errors="replace")
    try:
        text = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        text = f"{error.code} {text[:200]}"
    return " ".join(str(text).split())


def _spec(info):
    shape = info["tensor_shape"]
    known = not shape.get("unknown_rank", False)
    sizes = [int(dim["size"]) for dim in shape.get("dim", [])]
    return {"dtype": info["dtype"], "shape": sizes if known else None}
