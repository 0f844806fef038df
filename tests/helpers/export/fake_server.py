"""A fake of TensorFlow Serving on 127.0.0.1, to test the client with.

It speaks the two protocols and checks a request as the server does. What it
answers with is not its own: a function of a signature's name and arrays.
"""

import base64
import concurrent.futures
import contextlib
import http.server
import json
import threading
import time

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import types_pb2
from tensorflow.core.protobuf import meta_graph_pb2

MODEL = "model"


class Refusal(Exception):
    """An error of the server: a gRPC code's name, an HTTP status, a text."""

    def __init__(self, code, status, message):
        super().__init__(message)
        self.code = code
        self.status = status


def signature_of(inputs, outputs):
    """`SignatureDef` of two dicts of name -> dtype and rank."""
    found = meta_graph_pb2.SignatureDef()
    for side, specs in ((found.inputs, inputs), (found.outputs, outputs)):
        for name, (dtype, rank) in specs.items():
            side[name].dtype = tf.as_dtype(dtype).as_datatype_enum
            for _ in range(rank):
                side[name].tensor_shape.dim.add(size=-1)
    return found


class FakeModel:
    """A served model, and the troubles that one may wish on it.

    Args:
        signatures: Dict of name -> `SignatureDef`.
        answer: Function of a signature's name and a dict of arrays.
    """

    def __init__(self, signatures, answer):
        self.signatures = signatures
        self.answer = answer
        self.troubles = []  # `Refusal`s or seconds to sleep, one a request
        self.requests = []
        self.largest = 4_000_000  # bytes

    def predict(self, signature, inputs):
        self.requests.append((signature, inputs))
        if self.troubles:
            trouble = self.troubles.pop(0)
            if isinstance(trouble, Refusal):
                raise trouble
            time.sleep(trouble)
        specs = self.inputs(signature)
        if inputs.keys() != specs.keys():
            raise _invalid("input size does not match signature")
        for name, spec in specs.items():
            value = inputs[name]
            if tf.as_dtype(value.dtype) != tf.as_dtype(spec.dtype):
                raise _invalid(f"{name}: expects {spec.dtype}")
            if value.ndim != len(spec.tensor_shape.dim):
                raise _invalid(f"{name}: wrong rank")
        return self.answer(signature or "serving_default", inputs)

    def inputs(self, signature):
        if signature not in self.signatures:
            raise Refusal(
                "FAILED_PRECONDITION",
                400,
                f'Serving signature key "{signature}" not found.',
            )
        return self.signatures[signature].inputs


def _invalid(message):
    return Refusal("INVALID_ARGUMENT", 400, message)


@contextlib.contextmanager
def rest_server(model):
    """The URL of a REST server."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self._answer(lambda: _get(model, self.path))

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self._answer(lambda: _post(model, self.path, body))

        def _answer(self, function):
            try:
                status, found = 200, function()
            except Refusal as refusal:
                status, found = refusal.status, {"error": str(refusal)}
            body = json.dumps(found).encode()
            with contextlib.suppress(ConnectionError):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        port = server.server_address[1]
        yield f"http://127.0.0.1:{port}/v1/models/{MODEL}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _path(path):
    if not path.startswith(f"/v1/models/{MODEL}"):
        raise Refusal("NOT_FOUND", 404, "Servable not found for request")
    return path.removeprefix(f"/v1/models/{MODEL}")


def _get(model, path):
    if _path(path) == "":
        version = {"version": "1", "state": "AVAILABLE"}
        return {"model_version_status": [version]}
    signatures = {
        name: {
            side: {n: _info(x) for n, x in getattr(found, side).items()}
            for side in ("inputs", "outputs")
        }
        for name, found in model.signatures.items()
    }
    metadata = {"signature_def": {"signature_def": signatures}}
    return {"metadata": metadata}


def _info(info):
    return {
        "dtype": types_pb2.DataType.Name(info.dtype),
        "tensor_shape": {
            "dim": [{"size": str(x.size)} for x in info.tensor_shape.dim],
            "unknown_rank": False,
        },
    }


def _post(model, path, body):
    if _path(path) != ":predict":
        raise Refusal("NOT_FOUND", 404, "Malformed request")
    if len(body) > model.largest:
        raise Refusal("RESOURCE_EXHAUSTED", 413, "body too large")
    body = json.loads(body)
    signature = body.get("signature_name", "serving_default")
    specs = model.inputs(signature)
    inputs = {
        name: _array(value, specs[name]) if name in specs else np.array(value)
        for name, value in body["inputs"].items()
    }
    found = model.predict(signature, inputs)
    return {"outputs": {n: _lists(x.tolist()) for n, x in found.items()}}


def _array(value, spec):
    dtype = tf.as_dtype(spec.dtype)
    if dtype == tf.string:
        return np.array(_bytes(value), object)
    array = np.array(value)
    if array.dtype.kind != np.dtype(dtype.as_numpy_dtype).kind:
        raise _invalid(f"JSON Value: {value} is not of expected type")
    return array.astype(dtype.as_numpy_dtype)


def _bytes(value):
    if isinstance(value, list):
        return [_bytes(entry) for entry in value]
    if isinstance(value, dict):
        return base64.b64decode(value["b64"])
    if not isinstance(value, str):
        raise _invalid(f"JSON Value: {value} is not of expected type: string")
    return value.encode()


def _lists(value):
    if isinstance(value, list):
        return [_lists(entry) for entry in value]
    return value.decode() if isinstance(value, bytes) else value


@contextlib.contextmanager
def grpc_server(model):
    """The address of a gRPC server."""
    import grpc
    from tensorflow_serving.apis import get_model_metadata_pb2
    from tensorflow_serving.apis import get_model_status_pb2
    from tensorflow_serving.apis import model_service_pb2_grpc
    from tensorflow_serving.apis import predict_pb2
    from tensorflow_serving.apis import prediction_service_pb2_grpc

    def refuse(context, refusal):
        context.abort(getattr(grpc.StatusCode, refusal.code), str(refusal))

    class Prediction(prediction_service_pb2_grpc.PredictionServiceServicer):
        def Predict(self, request, context):
            inputs = {n: tf.make_ndarray(x) for n, x in request.inputs.items()}
            if request.model_spec.name != MODEL:
                refuse(context, Refusal("NOT_FOUND", 404, "no such servable"))
            try:
                found = model.predict(request.model_spec.signature_name, inputs)
            except Refusal as refusal:
                refuse(context, refusal)
            response = predict_pb2.PredictResponse()
            for name, value in found.items():
                response.outputs[name].CopyFrom(tf.make_tensor_proto(value))
            return response

        def GetModelMetadata(self, request, context):
            found = get_model_metadata_pb2.SignatureDefMap()
            for name, signature in model.signatures.items():
                found.signature_def[name].CopyFrom(signature)
            response = get_model_metadata_pb2.GetModelMetadataResponse()
            response.metadata["signature_def"].Pack(found)
            return response

    class Status(model_service_pb2_grpc.ModelServiceServicer):
        def GetModelStatus(self, request, context):
            response = get_model_status_pb2.GetModelStatusResponse()
            response.model_version_status.add(version=1, state=30)
            return response

    server = grpc.server(concurrent.futures.ThreadPoolExecutor(2))
    prediction_service_pb2_grpc.add_PredictionServiceServicer_to_server(
        Prediction(), server
    )
    model_service_pb2_grpc.add_ModelServiceServicer_to_server(Status(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"grpc://127.0.0.1:{port}/{MODEL}"
    finally:
        server.stop(None).wait()
