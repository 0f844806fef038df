"""Export: SavedModels from strings to strings for TensorFlow Serving."""

from keras_seq2seq.export.saved_model import (
    export_saved_model as export_saved_model,
)
