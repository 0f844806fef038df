"""TensorFlow Serving's own messages, as files for the probe."""

import numpy as np
import tensorflow as tf
from google.protobuf import descriptor_pb2
from tensorflow_serving.apis import predict_pb2
from tensorflow_serving.apis import prediction_log_pb2


def write_descriptors(path):
    """The messages' descriptions, dependencies first."""
    files, seen = descriptor_pb2.FileDescriptorSet(), set()

    def visit(file):
        if file.name in seen:
            return
        seen.add(file.name)
        for dependency in file.dependencies:
            visit(dependency)
        file.CopyToProto(files.file.add())

    visit(prediction_log_pb2.DESCRIPTOR)
    path.write_bytes(files.SerializeToString())


def texts(values):
    """A request of `text`; an empty list has the dtype of strings too."""
    return {"text": np.array(values, object)}


def write_requests(path, requests):
    """Pairs of a signature's name and a dict of arrays."""
    with tf.io.TFRecordWriter(str(path)) as writer:
        for signature, inputs in requests:
            writer.write(_log(signature, inputs).SerializeToString())


def predict_request(signature, inputs):
    request = predict_pb2.PredictRequest()
    request.model_spec.name = "model"
    request.model_spec.signature_name = signature
    for name, value in inputs.items():
        dtype = tf.string if value.dtype == object else value.dtype
        tensor = tf.make_tensor_proto(value, dtype, value.shape)
        request.inputs[name].CopyFrom(tensor)
    return request


def _log(signature, inputs):
    request = predict_request(signature, inputs)
    return prediction_log_pb2.PredictionLog(
        predict_log=prediction_log_pb2.PredictLog(request=request)
    )


def read_requests(path):
    """The messages of a file of requests."""
    return [
        prediction_log_pb2.PredictionLog.FromString(
            record.numpy()
        ).predict_log.request
        for record in tf.data.TFRecordDataset(str(path))
    ]


def arrays(tensors):
    """Dict of arrays of a message's tensors."""
    return {name: tf.make_ndarray(x) for name, x in tensors.items()}


def read_responses(path):
    """List of dicts of arrays."""
    return [
        arrays(predict_pb2.PredictResponse.FromString(record.numpy()).outputs)
        for record in tf.data.TFRecordDataset(str(path))
    ]
