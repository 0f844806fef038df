"""Export of tasks as SavedModels for TensorFlow Serving.

`task.export` is `export_in_child`, set here since tasks are a floor below.
"""

from keras_seq2seq.export import signatures as signatures
from keras_seq2seq.export.child_export import export_in_child
from keras_seq2seq.export.saved_model import (
    export_saved_model as export_saved_model,
)
from keras_seq2seq.tasks import Task

Task.exporter = export_in_child
