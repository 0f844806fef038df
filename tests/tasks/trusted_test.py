import keras
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.tasks.trusted import check_trusted


def test_our_own_and_keras_classes_pass():
    cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(4))
    check_trusted(keras.saving.serialize_keras_object(cell))


@pytest.mark.parametrize(
    "config",
    [
        {"module": "subprocess", "class_name": "Popen"},
        {"module": "os", "class_name": "system", "registered_name": "system"},
        {"a": [{"module": "shutil", "class_name": "rmtree"}]},
        {
            "module": "keras_seq2seq.layers",
            "class_name": "Unknown",
            "registered_name": "keras_seq2seq>Unknown",
        },
        {"module": "kerasx.layers", "class_name": "Dense"},
    ],
)
def test_anything_else_is_refused(config):
    with pytest.raises(ValueError, match="only name registered"):
        check_trusted(config)
