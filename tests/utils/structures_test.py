import keras

from keras_seq2seq.utils.structures import plain


def test_plain_gives_builtin_containers():
    layer = keras.layers.Layer()
    layer.nested = {"a": [1, (2, 3)], "b": {"c": []}}
    assert type(layer.nested) is not dict  # Keras tracks it
    result = plain(layer.nested)
    assert result == {"a": [1, (2, 3)], "b": {"c": []}}
    assert type(result) is dict and type(result["a"]) is list
    assert type(result["a"][1]) is tuple
    assert type(result["b"]["c"]) is list
