"""Client of a served model, over REST or gRPC. REST needs no TensorFlow."""

from keras_seq2seq.export.client.client import Client as Client
from keras_seq2seq.export.client.errors import BadAnswer as BadAnswer
from keras_seq2seq.export.client.errors import BadRequest as BadRequest
from keras_seq2seq.export.client.errors import PartialFailure as PartialFailure
from keras_seq2seq.export.client.errors import ServingError as ServingError
from keras_seq2seq.export.client.errors import TimedOut as TimedOut
from keras_seq2seq.export.client.errors import Unavailable as Unavailable
