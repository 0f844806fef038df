import keras

from keras_seq2seq.layers.attention.carried_state import CarriedState


class AttentionScore(CarriedState, keras.layers.Layer):
    """Abstract score: how well a query fits each position of a memory.

    A subclass implements `build(query_shape, value_shape)`,
    `project_keys(value)`, which runs once per sequence, and
    `energies(query, keys)`. A score that depends on earlier attention (see
    `CarriedState`) receives its `state` as a third argument of `energies`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Float tensor of shape `(batch_size, Tv, key_dim)`, the result of
            `project_keys(value)`. Defaults to `None`, which computes it.
        state: Float tensor of shape `(batch_size, Tq, Tv)`, for a score with a
            state. Defaults to `None`, the initial state.

    Returns:
        Energies, a float tensor of shape `(batch_size, Tq, Tv)`, before masking
        and normalization.
    """

    def project_keys(self, value):
        raise NotImplementedError(f"`{type(self).__name__}.project_keys`")

    def energies(self, query, keys):
        raise NotImplementedError(f"`{type(self).__name__}.energies`")

    def call(self, query, value, keys=None, state=None):
        keys = self.project_keys(value) if keys is None else keys
        if not self.has_state:
            return self.energies(query, keys)
        if state is None:
            state = self.first_state_of(query, value)
        return self.energies(query, keys, state)

    def compute_output_shape(
        self, query_shape, value_shape, keys_shape=None, state_shape=None
    ):
        return (*query_shape[:-1], value_shape[1])
