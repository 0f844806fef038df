import numpy as np

from keras_seq2seq.export.client.address import Address
from keras_seq2seq.export.client.bad_request import BadRequest
from keras_seq2seq.export.client.diagnosis import problem_of
from keras_seq2seq.export.client.grpc_transport import GrpcTransport
from keras_seq2seq.export.client.partial_failure import PartialFailure
from keras_seq2seq.export.client.rest import Rest
from keras_seq2seq.export.client.retries import with_retries
from keras_seq2seq.export.client.serving_error import ServingError
from keras_seq2seq.export.client.unavailable import Unavailable
from keras_seq2seq.export.client.values import to_array
from keras_seq2seq.tasks.checks import check_texts
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.checks import check_positive


class Client:
    """Client of a model in TensorFlow Serving.

    `generate` takes and gives strings. `rows` asks any signature for any
    number of rows, in requests of `batch_size`; `predict` sends one request as
    it is. What fails says why: `BadRequest` (and what is wrong with it),
    `Unavailable`, `TimedOut`, or `PartialFailure`, with the answers that there
    are; all are a `ServingError`. Only what may succeed the next time is tried
    again.

    Args:
        url: String, `http://HOST:8501/v1/models/NAME`, with
            `/versions/N` for one that is not the newest, or
            `grpc://HOST:8500/NAME`, which needs tensorflow-serving-api;
            `https` and `grpcs` for an encrypted one.
        timeout: Float. Seconds for each try. Defaults to `10.0`.
        retries: Integer. More tries where the server is away or busy.
            Defaults to `2`.
        batch_size: Integer. Most rows of a request of `rows`. Defaults to
            `64`, the most that the batching parameters of an export allow.

    Example:

    >>> from keras_seq2seq.export.client import Client
    >>> client = Client("http://localhost:8501/v1/models/g2p", timeout=2.0)
    >>> client.url
    'http://localhost:8501/v1/models/g2p'
    """

    def __init__(self, url, *, timeout=10.0, retries=2, batch_size=64):
        address = Address.of(url)
        self.url = url
        self.retries = check_integer(retries, "retries", 0)
        self.batch_size = check_integer(batch_size, "batch_size", 1)
        kind = GrpcTransport if address.scheme[:4] == "grpc" else Rest
        self._transport = kind(address, check_positive(timeout, "timeout"))

    def generate(self, texts):
        """The best answers to a list of texts, in their order."""
        texts = check_texts(texts)
        return [row["text"] for row in self.rows({"text": texts})]

    def rows(self, inputs, signature="serving_default"):
        """List of dicts, one a row, of the outputs of a signature.

        Args:
            inputs: Dict of name -> list or array, one entry a row.
            signature: String. Defaults to `"serving_default"`.
        """
        inputs = {name: to_array(name, x) for name, x in inputs.items()}
        count = max(map(len, inputs.values()), default=0)
        rows, errors = [None] * count, {}
        for first in range(0, count, self.batch_size):
            end = min(first + self.batch_size, count)
            part = {name: x[first:end] for name, x in inputs.items()}
            try:
                rows[first:end] = rows_of(
                    self.predict(part, signature), end - first
                )
            except ServingError as error:
                errors[first, end] = error
                if isinstance(error, (BadRequest, Unavailable)):
                    break
        if errors and all(row is None for row in rows):
            raise next(iter(errors.values()))
        if errors:
            raise PartialFailure(rows, errors)
        return rows

    def predict(self, inputs, signature="serving_default"):
        """Dict of arrays, the answer to one request; texts are strings.

        Args:
            inputs: Dict of name -> list or array, the batch in front.
            signature: String. Defaults to `"serving_default"`.
        """
        inputs = {name: to_array(name, x) for name, x in inputs.items()}
        try:
            return with_retries(
                lambda: self._transport.predict(signature, inputs), self.retries
            )
        except BadRequest as error:
            problem = self._problem(signature, inputs)
            if problem is None:
                raise
            raise BadRequest(f"{problem}. ({error})") from error

    def signatures(self):
        """Dict of name -> dict of `inputs` and `outputs`, as served."""
        return with_retries(self._transport.signatures, self.retries)

    def status(self):
        """Dict of version -> its state; `"AVAILABLE"` answers requests."""
        return with_retries(self._transport.status, self.retries)

    def _problem(self, signature, inputs):
        try:
            return problem_of(signature, inputs, self._transport.signatures())
        except ServingError:
            return None


def rows_of(outputs, count):
    """List of dicts of the outputs of a batch, each cut to its own lengths."""
    if any(np.ndim(x) == 0 or len(x) != count for x in outputs.values()):
        shapes = {name: x.shape for name, x in outputs.items()}
        raise ServingError(
            f"An answer must have as many rows as the request, {count}. "
            f"Received: outputs of the shapes {shapes}"
        )
    rows = [{n: x[row] for n, x in outputs.items()} for row in range(count)]
    try:
        return list(map(_trimmed, rows))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ServingError(
            "An answer must hold the outputs of a signature of this library. "
            f"Received: outputs {sorted(outputs)} ({error!r})"
        ) from error


def _trimmed(row):
    if "attention_scores" in row:
        lengths, source = row["lengths"], row["source_lengths"]
        longest = max(lengths.max(), 1)
        scores = row["attention_scores"]
        row["attention_scores"] = scores[..., :longest, :source]
    if "target_lengths" in row:
        length = row["target_lengths"]
        row["token_log_probs"] = row["token_log_probs"][:length]
    return row
