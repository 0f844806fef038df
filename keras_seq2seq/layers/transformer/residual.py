import keras


class Residual(keras.layers.Layer):
    """The connection around a sub-layer, with its norm and its dropout.

    Post-normalisation: `norm(x + dropout(f(x)))`; pre-normalisation:
    `x + dropout(f(norm(x)))`. `enter` gives what `f` receives, `leave` takes
    what it gave.
    """

    def __init__(self, normalize_first, dropout, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.normalize_first = normalize_first
        self.norm = layer_norm(self.dtype_policy)
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )

    def build(self, inputs_shape):
        self.norm.build(inputs_shape)

    def enter(self, x):
        return self.norm(x) if self.normalize_first else x

    def leave(self, x, output, training):
        x = x + self.dropout_layer(output, training=training)
        return x if self.normalize_first else self.norm(x)


def layer_norm(dtype, name="norm"):
    return keras.layers.LayerNormalization(epsilon=1e-5, dtype=dtype, name=name)
