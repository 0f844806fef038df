from keras_seq2seq.export.client.address import Address
from keras_seq2seq.export.client.answers import check_outputs
from keras_seq2seq.export.client.answers import split_rows
from keras_seq2seq.export.client.deadline import Deadline
from keras_seq2seq.export.client.diagnosis import find_problem
from keras_seq2seq.export.client.errors import BadAnswer
from keras_seq2seq.export.client.errors import BadRequest
from keras_seq2seq.export.client.errors import PartialFailure
from keras_seq2seq.export.client.errors import ServingError
from keras_seq2seq.export.client.errors import TimedOut
from keras_seq2seq.export.client.errors import Unavailable
from keras_seq2seq.export.client.grpc_transport import GrpcTransport
from keras_seq2seq.export.client.rest import Rest
from keras_seq2seq.export.client.retries import call_with_retries
from keras_seq2seq.export.client.values import to_array
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.checks import check_positive
from keras_seq2seq.utils.checks import check_texts


class Client:
    """Client of a model in TensorFlow Serving.

    `generate` takes and returns strings. `rows` sends any number of rows to
    any signature, in requests of `batch_size`; `predict` sends a single
    request.

    All errors are a `ServingError`: `BadRequest`, which names the problem,
    `Unavailable`, `TimedOut`, `BadAnswer`, or `PartialFailure`, which has the
    answers received. Only `Unavailable` is retried. Answers are checked
    against the dtypes and shapes in the server's metadata, which are requested
    once for each signature. Redirects are not followed.

    Args:
        url: String, `http://HOST:8501/v1/models/NAME`, with
            `/versions/N` for another version than the newest, or
            `grpc://HOST:8500/NAME`, which needs tensorflow-serving-api. Use
            `https` or `grpcs` for an encrypted connection.
        timeout: Float. Seconds for each request, with its retries and the
            pauses between them. The time to resolve the host name is not
            included. Defaults to `10.0`.
        retries: Integer. Number of retries if the server is unreachable or
            busy. Defaults to `2`.
        batch_size: Integer. Maximum number of rows in a request of `rows`.
            Defaults to `64`, the maximum of the batching parameters of an
            export.
        max_answer_bytes: Integer. Maximum size of an answer; parsing JSON
            needs about ten times as much memory. Defaults to `67_108_864`
            (64 MiB).

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
        """List of the best answer to each text."""
        rows = self.rows({"text": check_texts(texts)})
        answers = [row.get("text") for row in rows]
        if not all(isinstance(text, str) for text in answers):
            raise BadAnswer(
                "An answer to texts must have the output `text`, one string "
                f"for each row. Received: outputs {sorted(rows[0])}"
            )
        return answers

    def rows(self, inputs, signature="serving_default"):
        """List of dicts of the outputs of a signature, one for each row.

        Args:
            inputs: Dict of name -> list or array, with one entry for each row.
            signature: String. Defaults to `"serving_default"`.
        """
        inputs = {name: to_array(name, x) for name, x in inputs.items()}
        count = _rows(inputs)
        rows, errors = [None] * count, {}
        for first in range(0, count, self.batch_size):
            end = min(first + self.batch_size, count)
            part = {name: x[first:end] for name, x in inputs.items()}
            try:
                rows[first:end] = split_rows(
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
        """Dict of arrays, the answer to a single request; texts are strings.

        Args:
            inputs: Dict of name -> list or array, the batch is the first axis.
            signature: String. Defaults to `"serving_default"`.
        """
        inputs = {name: to_array(name, x) for name, x in inputs.items()}
        deadline = Deadline.after(self.timeout)
        try:
            outputs = call_with_retries(
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
        """Dict of name -> dict of the `inputs` and `outputs` of a signature."""
        return self._told(self._transport.signatures)

    def status(self):
        """Dict of version -> state, `"AVAILABLE"` if it answers requests."""
        return self._told(self._transport.status)

    def _told(self, function):
        deadline = Deadline.after(self.timeout)
        return call_with_retries(function, self.retries, deadline)

    def _problem(self, signature, inputs, deadline):
        try:
            signatures = self._transport.signatures(deadline)
        except ServingError:
            return None
        return find_problem(signature, inputs, signatures)

    def _typed(self, signature, outputs, deadline):
        known = self._output_specs.get(signature)
        if known is None:
            return check_outputs(outputs, self._specs(signature, deadline))
        try:
            return check_outputs(outputs, known)
        except BadAnswer:  # perhaps of a newer version
            return check_outputs(
                outputs, self._specs(signature, deadline) or known
            )

    def _specs(self, signature, deadline):
        """Specs of the outputs, from the server; empty if it has none."""
        try:
            served = self._transport.signatures(deadline)
        except (TimedOut, Unavailable):  # ask again next time
            return {}
        except ServingError:
            served = {}
        specs = served.get(signature, {}).get("outputs", {})
        self._output_specs[signature] = specs
        return specs


def _rows(inputs):
    """Number of rows of all inputs."""
    rows = {name: len(x) for name, x in inputs.items()}
    if len(set(rows.values())) > 1:
        raise BadRequest(
            f"All inputs must have as many rows. Received: rows={rows}"
        )
    return max(rows.values(), default=0)
