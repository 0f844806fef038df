import math

from keras_seq2seq.export.client.errors import BadAnswer
from keras_seq2seq.export.client.errors import BadRequest
from keras_seq2seq.export.client.errors import ServingError
from keras_seq2seq.export.client.errors import TimedOut
from keras_seq2seq.export.client.errors import Unavailable
from keras_seq2seq.export.client.errors import reading
from keras_seq2seq.export.client.values import texts

LARGEST_LIMIT = 2**31 - 1  # gRPC's are int32


class GrpcTransport:
    """TensorFlow Serving's gRPC interface. Needs tensorflow-serving-api.

    Args:
        address: `Address`.
        most: Integer, the most bytes of an answer.
    """

    def __init__(self, address, most):
        grpc, apis = _modules()
        self.address = address
        self.most = min(most, LARGEST_LIMIT)
        options = [
            ("grpc.max_send_message_length", -1),
            ("grpc.max_receive_message_length", self.most),
        ]
        if address.scheme == "grpcs":
            credentials = grpc.ssl_channel_credentials()
            channel = grpc.secure_channel(address.host, credentials, options)
        else:
            channel = grpc.insecure_channel(address.host, options)
        self._predict = apis["predict"].PredictionServiceStub(channel)
        self._status = apis["status"].ModelServiceStub(channel)

    def predict(self, signature, inputs, deadline):
        """Dict of name -> array."""
        import tensorflow as tf
        from tensorflow_serving.apis import predict_pb2

        request = predict_pb2.PredictRequest()
        self._address(request.model_spec)
        request.model_spec.signature_name = signature
        for name, value in inputs.items():
            tensor = tf.make_tensor_proto(value, shape=value.shape)
            request.inputs[name].CopyFrom(tensor)
        found = self._ask(self._predict.Predict, request, deadline)
        with reading("outputs that are no tensors", self.address.host):
            return {n: self._array(x) for n, x in found.outputs.items()}

    def signatures(self, deadline):
        """Dict of name -> dict of `inputs` and `outputs`."""
        from google.protobuf.message import DecodeError
        from tensorflow_serving.apis import get_model_metadata_pb2 as messages

        request = messages.GetModelMetadataRequest()
        self._address(request.model_spec)
        request.metadata_field.append("signature_def")
        found = self._ask(self._predict.GetModelMetadata, request, deadline)
        signatures = messages.SignatureDefMap()
        try:
            found.metadata["signature_def"].Unpack(signatures)
        except DecodeError as error:
            place = self.address.host
            raise BadAnswer.strange(
                "metadata of another form", place
            ) from error
        return {
            name: {
                side: {n: _spec(x) for n, x in getattr(found, side).items()}
                for side in ("inputs", "outputs")
            }
            for name, found in signatures.signature_def.items()
            if not name.startswith("__")
        }

    def status(self, deadline):
        """Dict of version -> state, such as `"AVAILABLE"`."""
        from tensorflow_serving.apis import get_model_status_pb2 as messages

        request = messages.GetModelStatusRequest()
        self._address(request.model_spec)
        found = self._ask(self._status.GetModelStatus, request, deadline)
        state = messages.ModelVersionStatus.State
        with reading("a status of another form", self.address.host):
            versions = found.model_version_status
            return {x.version: state.Name(x.state) for x in versions}

    def _array(self, tensor):
        """Array of a `TensorProto`, which may claim any shape."""
        import tensorflow as tf

        count = math.prod(dim.size for dim in tensor.tensor_shape.dim)
        if count * tf.as_dtype(tensor.dtype).size > self.most:
            raise BadAnswer.too_large(self.most, self.address.host)
        return texts(tf.make_ndarray(tensor))

    def _address(self, spec):
        spec.name = self.address.model
        if self.address.version is not None:
            spec.version.value = self.address.version

    def _ask(self, call, request, deadline):
        import grpc

        try:
            return call(request, timeout=deadline.left())
        except TimeoutError as error:
            place = self.address.host
            raise TimedOut.after(deadline.seconds, place) from error
        except grpc.RpcError as error:
            raise self._refusal(grpc.StatusCode, error, deadline) from error

    def _refusal(self, codes, error, deadline):
        """The `ServingError` of a status code."""
        code, message = error.code(), " ".join(str(error.details()).split())
        host = self.address.host
        if code == codes.DEADLINE_EXCEEDED:
            return TimedOut.after(deadline.seconds, host)
        if code == codes.RESOURCE_EXHAUSTED and f"vs. {self.most}" in message:
            return BadAnswer.too_large(self.most, host)
        if code == codes.RESOURCE_EXHAUSTED and "larger than max" in message:
            return BadRequest(
                f"The request is too large for the server: {message}. Send "
                "fewer or shorter texts at a time."
            )
        if code == codes.RESOURCE_EXHAUSTED:
            return Unavailable(f"The server is too busy: {message}")
        if code == codes.UNAVAILABLE:
            return Unavailable(
                f"No server answers at {host} ({message}). Is it running, and "
                "is this its gRPC port?"
            )
        if code == codes.NOT_FOUND:
            return BadRequest(
                f"The server at {host} has no model "
                f"{self.address.model!r}, or not this version: {message}"
            )
        bad = codes.INVALID_ARGUMENT, codes.FAILED_PRECONDITION
        kind = BadRequest if code in bad else ServingError
        return kind(f"The server refused the request: {message}")


def _modules():
    try:
        import grpc
        from tensorflow_serving.apis import model_service_pb2_grpc
        from tensorflow_serving.apis import prediction_service_pb2_grpc
    except ImportError as error:
        raise ImportError(
            "gRPC needs tensorflow-serving-api. Install it with `pip install "
            "'keras-seq2seq[serving]'`, or use REST: an http:// address needs "
            "nothing more."
        ) from error
    return grpc, {
        "predict": prediction_service_pb2_grpc,
        "status": model_service_pb2_grpc,
    }


def _spec(info):
    from tensorflow.core.framework import types_pb2

    shape = info.tensor_shape
    sizes = [dim.size for dim in shape.dim]
    return {
        "dtype": types_pb2.DataType.Name(info.dtype),
        "shape": None if shape.unknown_rank else sizes,
    }
