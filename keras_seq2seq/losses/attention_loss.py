import keras


class AttentionLoss(keras.layers.Layer):
    """Abstract loss on a decoder's attention scores.

    It is added to the loss on the tokens. It is a layer, so that its variables
    are saved and loaded with the model. A subclass implements `call`.

    Call arguments:
        attention_scores: Float tensor of shape
            `(batch_size, target_length, Tv)`.
        token_losses: Float tensor of shape `(batch_size, target_length)`, the
            negative log-likelihood of each target token.
        weights: Float tensor of shape `(batch_size, target_length)`, zero at
            padding.
        training: Boolean.

    Returns:
        Float32 scalar.
    """

    def __init__(self, **kwargs):
        super().__init__(autocast=False, **kwargs)  # sums need float32

    def call(self, attention_scores, token_losses, weights, training=False):
        raise NotImplementedError

    def compute_output_shape(self, *args, **kwargs):
        return ()
