"""Client of a served model, over REST or gRPC. REST needs no TensorFlow."""

from keras_seq2seq.export.client.bad_answer import BadAnswer as BadAnswer
from keras_seq2seq.export.client.bad_request import BadRequest as BadRequest
from keras_seq2seq.export.client.client import Client as Client
from keras_seq2seq.export.client.partial_failure import (
    PartialFailure as PartialFailure,
)
from keras_seq2seq.export.client.serving_error import (
    ServingError as ServingError,
)
from keras_seq2seq.export.client.timed_out import TimedOut as TimedOut
from keras_seq2seq.export.client.unavailable import Unavailable as Unavailable
