from keras_seq2seq.export.client.address import Address
from keras_seq2seq.export.client.answers import rows_of
from keras_seq2seq.export.client.answers import typed
from keras_seq2seq.export.client.deadline import Deadline
from keras_seq2seq.export.client.diagnosis import problem_of
from keras_seq2seq.export.client.errors import BadAnswer
from keras_seq2seq.export.client.errors import BadRequest
from keras_seq2seq.export.client.errors import PartialFailure
from keras_seq2seq.export.client.errors import ServingError
from keras_seq2seq.export.client.errors import TimedOut
from keras_seq2seq.export.client.errors import Unavailable
from keras_seq2seq.export.client.grpc_transport import GrpcTransport
from keras_seq2seq.export.client.rest import Rest
from keras_seq2seq.export.client.retries import with_retries
from keras_seq2seq.export.client.values import to_array
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.checks import check_positive
from keras_seq2seq.utils.checks import check_texts


class Client:
    """Client of a model in TensorFlow Serving.

    `generate` takes and gives strings. `rows` asks any signature for any
    number of rows, in requests of `batch_size`; `predict` sends one request as
    it is. What fails says why: `BadRequest` (and what is wrong with it),
    `Unavailable`, `TimedOut`, `BadAnswer`, or `PartialFailure`, with the
    answers that there are; all are a `ServingError`. Only what may succeed the
    next time is tried again. An answer must have the types and shapes that the
    server's metadata name (asked for once a signature; where there are none,
    it must be arrays). Redirects are not followed.

    Args:
        url: String, `http://HOST:8501/v1/models/NAME`, with
            `/versions/N` for one that is not the newest, or
            `grpc://HOST:8500/NAME`, which needs tensorflow-serving-api;
            `https` and `grpcs` for an encrypted one.
        timeout: Float. Seconds for each request: all its tries and the pauses
            between them, from the first byte sent to the last one read; only
            what the system takes to look up a name is not bounded. Defaults to
            `10.0`.
        retries: Integer. More tries where the server is away or busy.
            Defaults to `2`.
        batch_size: Integer. Most rows of a request of `rows`. Defaults to
            `64`, the most that the batching parameters of an export allow.
        max_answer_bytes: Integer. Most bytes of an answer; reading one as JSON
            takes about ten times as many. Defaults to `67_108_864` (64 MiB).

    Example:

    >>> from keras_seq2seq.export.client import Client
    >>> client = Client("http://localhost:8501/v1/models/g2p", timeout=2.0)
    >>> client.url
    'http://localhost:8501/v1/models/g2p'
    """

    def __init__(
        self,
        url,
        *,
        timeout=10.0,
        retries=2,
        batch_size=64,
        max_answer_bytes=2**26,
    ):
        address = Address.of(url)
        self.url = url
        self.timeout = check_positive(timeout, "timeout")
        self.retries = check_integer(retries, "retries", 0)
        self.batch_size = check_integer(batch_size, "batch_size", 1)
        most = check_integer(max_answer_bytes, "max_answer_bytes", 1)
        kind = GrpcTransport if address.scheme[:4] == "grpc" else Rest
        self._transport = kind(address, most)
        self._output_specs = {}  # of the signatures asked so far

    def generate(self, texts):
        """The best answers to a list of texts, in their order."""
        rows = self.rows({"text": check_texts(texts)})
        answers = [row.get("text") for row in rows]
        if not all(isinstance(text, str) for text in answers):
            raise BadAnswer(
                "An answer to texts must have the output `text`, a string a "
                f"row. Received: outputs {sorted(rows[0])}"
            )
        return answers

    def rows(self, inputs, signature="serving_default"):
        """List of dicts, one a row, of the outputs of a signature.

        Args:
            inputs: Dict of name -> list or array, one entry a row.
            signature: String. Defaults to `"serving_default"`.
        """
        inputs = {name: to_array(name, x) for name, x in inputs.items()}
        count = _rows(inputs)
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
        deadline = Deadline.after(self.timeout)
        try:
            outputs = with_retries(
                lambda deadline: self._transport.predict(
                    signature, inputs, deadline
                ),
                self.retries,
                deadline,
            )
        except BadRequest as error:
            problem = self._problem(signature, inputs, deadline)
            if problem is None:
                raise
            raise BadRequest(f"{problem}. ({error})") from error
        return self._typed(signature, outputs, deadline)

    def signatures(self):
        """Dict of name -> dict of `inputs` and `outputs`, as served."""
        return self._told(self._transport.signatures)

    def status(self):
        """Dict of version -> its state; `"AVAILABLE"` answers requests."""
        return self._told(self._transport.status)

    def _told(self, function):
        deadline = Deadline.after(self.timeout)
        return with_retries(function, self.retries, deadline)

    def _problem(self, signature, inputs, deadline):
        try:
            signatures = self._transport.signatures(deadline)
        except ServingError:
            return None
        return problem_of(signature, inputs, signatures)

    def _typed(self, signature, outputs, deadline):
        known = self._output_specs.get(signature)
        if known is None:
            return typed(outputs, self._specs(signature, deadline))
        try:
            return typed(outputs, known)
        except BadAnswer:  # of a newer version, perhaps
            return typed(outputs, self._specs(signature, deadline) or known)

    def _specs(self, signature, deadline):
        """Of the outputs, as the server tells now; empty if it does not."""
        try:
            served = self._transport.signatures(deadline)
        except (TimedOut, Unavailable):  # another time, perhaps
            return {}
        except ServingError:
            served = {}
        specs = served.get(signature, {}).get("outputs", {})
        self._output_specs[signature] = specs
        return specs


def _rows(inputs):
    """How many rows all inputs have."""
    rows = {name: len(x) for name, x in inputs.items()}
    if len(set(rows.values())) > 1:
        raise BadRequest(
            f"All inputs must have as many rows. Received: rows={rows}"
        )
    return max(rows.values(), default=0)
