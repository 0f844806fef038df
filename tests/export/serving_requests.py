"""TensorFlow Serving's own messages, as files for the probe."""

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


def write_requests(path, requests):
    """Pairs of a signature's name and a list of texts."""
    with tf.io.TFRecordWriter(str(path)) as writer:
        for signature, texts in requests:
            writer.write(_log(signature, texts).SerializeToString())


def _log(signature, texts):
    request = predict_pb2.PredictRequest()
    request.model_spec.name = "model"
    request.model_spec.signature_name = signature
    values = tf.constant(texts, tf.string, [len(texts)])
    request.inputs["text"].CopyFrom(tf.make_tensor_proto(values))
    return prediction_log_pb2.PredictionLog(
        predict_log=prediction_log_pb2.PredictLog(request=request)
    )


def read_responses(path):
    """List of dicts of arrays."""
    responses = []
    for record in tf.data.TFRecordDataset(str(path)):
        response = predict_pb2.PredictResponse.FromString(record.numpy())
        responses.append(
            {name: tf.make_ndarray(x) for name, x in response.outputs.items()}
        )
    return responses
