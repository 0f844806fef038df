import numpy as np

from keras_seq2seq.export.client.bad_request import BadRequest
from keras_seq2seq.export.client.serving_error import ServingError
from keras_seq2seq.export.client.timed_out import TimedOut
from keras_seq2seq.export.client.unavailable import Unavailable

UNBOUNDED = [
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
]


class GrpcTransport:
    """TensorFlow Serving's gRPC interface. Needs tensorflow-serving-api.

    Args:
        address: `Address`.
        timeout: Float, seconds.
    """

    def __init__(self, address, timeout):
        grpc, apis = _modules()
        self.address = address
        self.timeout = timeout
        if address.scheme == "grpcs":
            credentials = grpc.ssl_channel_credentials()
            channel = grpc.secure_channel(address.host, credentials, UNBOUNDED)
        else:
            channel = grpc.insecure_channel(address.host, UNBOUNDED)
        self._predict = apis["predict"].PredictionServiceStub(channel)
        self._status = apis["status"].ModelServiceStub(channel)

    def predict(self, signature, inputs):
        """Dict of name -> array."""
        import tensorflow as tf
        from tensorflow_serving.apis import predict_pb2

        request = predict_pb2.PredictRequest()
        self._address(request.model_spec)
        request.model_spec.signature_name = signature
        for name, value in inputs.items():
            tensor = tf.make_tensor_proto(value, shape=value.shape)
            request.inputs[name].CopyFrom(tensor)
        found = self._ask(self._predict.Predict, request)
        return {
            name: _texts(tf.make_ndarray(x))
            for name, x in found.outputs.items()
        }

    def signatures(self):
        """Dict of name -> dict of `inputs` and `outputs`."""
        from tensorflow_serving.apis import get_model_metadata_pb2 as messages

        request = messages.GetModelMetadataRequest()
        self._address(request.model_spec)
        request.metadata_field.append("signature_def")
        found = self._ask(self._predict.GetModelMetadata, request)
        signatures = messages.SignatureDefMap()
        found.metadata["signature_def"].Unpack(signatures)
        return {
            name: {
                side: {n: _spec(x) for n, x in getattr(found, side).items()}
                for side in ("inputs", "outputs")
            }
            for name, found in signatures.signature_def.items()
            if not name.startswith("__")
        }

    def status(self):
        """Dict of version -> state, such as `"AVAILABLE"`."""
        from tensorflow_serving.apis import get_model_status_pb2 as messages

        request = messages.GetModelStatusRequest()
        self._address(request.model_spec)
        found = self._ask(self._status.GetModelStatus, request)
        state = messages.ModelVersionStatus.State
        return {
            x.version: state.Name(x.state) for x in found.model_version_status
        }

    def _address(self, spec):
        spec.name = self.address.model
        if self.address.version is not None:
            spec.version.value = self.address.version

    def _ask(self, call, request):
        import grpc

        try:
            return call(request, timeout=self.timeout)
        except grpc.RpcError as error:
            raise self._refusal(grpc.StatusCode, error) from error

    def _refusal(self, codes, error):
        """The `ServingError` of a status code."""
        code, message = error.code(), " ".join(str(error.details()).split())
        host = self.address.host
        if code == codes.DEADLINE_EXCEEDED:
            return TimedOut(
                f"No answer from {host} within {self.timeout:g} seconds. Send "
                "fewer texts at a time, or allow more time by `timeout`."
            )
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


def _texts(array):
    if array.dtype != object:
        return array
    texts = [text.decode(errors="replace") for text in array.ravel()]
    found = np.empty(len(texts), object)
    found[:] = texts
    return found.reshape(array.shape)


def _spec(info):
    from tensorflow.core.framework import types_pb2

    shape = info.tensor_shape
    sizes = [dim.size for dim in shape.dim]
    return {
        "dtype": types_pb2.DataType.Name(info.dtype),
        "shape": None if shape.unknown_rank else sizes,
    }
