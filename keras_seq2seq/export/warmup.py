"""`tf_serving_warmup_requests`, which a server answers while it loads a model.

A TFRecord file of `tensorflow.serving.PredictionLog`. The few fields needed are
encoded here, so that an export does not require tensorflow-serving-api.
"""

import tensorflow as tf

MAX_RECORDS = 1000  # TensorFlow Serving refuses more
# Field numbers of tensorflow.serving's messages.
PREDICT_LOG = 6  # of PredictionLog
REQUEST = 1  # of PredictLog
MODEL_SPEC, INPUTS = 1, 2  # of PredictRequest
NAME, SIGNATURE_NAME = 1, 3  # of ModelSpec
KEY, VALUE = 1, 2  # of an entry of a map


def write_warmup(path, requests, model_name):
    """Write a file of warmup requests.

    Args:
        path: Path of the file.
        requests: List of pairs: name of a signature, and dict of arrays.
        model_name: String.
    """
    with tf.io.TFRecordWriter(str(path)) as writer:
        for signature_name, inputs in requests[:MAX_RECORDS]:
            request = serialize_request(model_name, signature_name, inputs)
            writer.write(_field(PREDICT_LOG, _field(REQUEST, request)))


def serialize_request(model_name, signature_name, inputs):
    """A serialized `PredictRequest`."""
    spec = _field(NAME, model_name.encode())
    spec += _field(SIGNATURE_NAME, signature_name.encode())
    entries = [
        _field(KEY, name.encode()) + _field(VALUE, _tensor(value))
        for name, value in sorted(inputs.items())
    ]
    inputs = b"".join(_field(INPUTS, entry) for entry in entries)
    return _field(MODEL_SPEC, spec) + inputs


def _tensor(value):
    return tf.make_tensor_proto(value, shape=value.shape).SerializeToString()


def _field(number, content):
    """A length-delimited field of a message."""
    return bytes([number << 3 | 2]) + _varint(len(content)) + content


def _varint(number):
    """Base-128 varint: seven bits a byte, lowest first."""
    if number < 128:
        return bytes([number])
    return bytes([number & 127 | 128]) + _varint(number >> 7)
