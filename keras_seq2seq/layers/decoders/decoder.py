import keras
from keras import ops


class Decoder(keras.layers.Layer):
    """Abstract decoder: from an encoder's memory and target tokens to outputs.

    `call` runs a whole target (teacher forcing). It is `initialize`, what is
    done once a sequence, and `decode_sequence`, the pass over a given target.
    A search uses `initialize` and `step`: the same layers, token by token.

    `initialize` gives a cache and states, two nested structures of tensors.
    States belong to one hypothesis: a search repeats them for its beams and
    reorders them. The cache belongs to a source: the prepared memory, and room
    that the beams of a source write to. It has one row a source, and nobody
    but the decoder looks into it.

    A subclass fills `initialize`, `step` and `decode_sequence`, and may set
    limits, integers or `None`: `max_length`, of the target, and
    `max_total_length`, of source and target together, where they share their
    positions.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, target_length, dim)`.
        memory: Float tensor of shape `(batch_size, Tv, value_dim)`.
        encoder_states: Nested float tensors, the encoder's final states,
            where the decoder wants them.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            positions, or `None`.
        training: Boolean.
        return_attention_scores: Boolean.

    Returns:
        Float tensor of shape `(batch_size, target_length, output_size)`; with
        `return_attention_scores`, then attention scores of shape
        `(batch_size, target_length, Tv)`.
    """

    max_length = None
    max_total_length = None

    def initialize(
        self,
        memory,
        encoder_states=None,
        memory_mask=None,
        max_length=None,
        num_beams=1,
        training=False,
        by_layer=False,
    ):
        """What is done once a sequence: the cache and the first states.

        Args:
            memory, encoder_states, memory_mask: As for `call`.
            max_length: Integer, how many steps there may be, or `None` where
                no step follows.
            num_beams: Integer, how many hypotheses of a source there will be.
                Defaults to `1`.
            training: Boolean.
            by_layer: Boolean. Whether a decoder that reads the source by
                self-attention keeps these scores in the cache, under
                `"self_attention"`: a dict of layer -> tensor of shape
                `(batch_size, num_heads, Tv, Tv)`.

        Returns:
            Cache, `batch_size` rows each, and states, the same.
        """
        raise NotImplementedError

    def step(self, inputs, states, cache, index, training=False):
        """One token of each hypothesis.

        Args:
            inputs: Float tensor of shape `(rows, dim)`; `rows` is the cache's
                number of rows times the number of beams.
            states, cache: From `initialize` or the step before, the first
                states repeated for the beams (`keras_seq2seq.ops.repeat_rows`).
            index: Integer scalar, the position of the token in the target.
            training: Boolean.

        Returns:
            Output `(rows, output_size)`, new states, the new cache, and
            attention scores `(rows, Tv)`.
        """
        raise NotImplementedError

    def decode_sequence(
        self,
        inputs,
        states,
        cache,
        training=False,
        return_attention_scores=False,
    ):
        """The pass over a given target.

        Args:
            inputs: Float tensor of shape `(rows, target_length, dim)`; `rows`
                may be a multiple of the cache's rows.
            states, cache: From `initialize`.
            training, return_attention_scores: As for `call`.

        Returns:
            As of `call`, with `rows` in front.
        """
        raise NotImplementedError

    def decode_by_layer(self, inputs, states, cache):
        """The pass over a given target, with attention by layer and head.

        Args:
            inputs, states, cache: As for `decode_sequence`.

        Returns:
            Outputs and attention scores as of `decode_sequence`, and a dict of
            kind -> layer -> attention scores: `"memory"`, of shape
            `(rows, num_heads, target_length, Tv)`, and, of self-attention,
            `"decoder"`, `(rows, num_heads, target_length, target_length)`, and
            `"encoder"`, what `initialize` has put into the cache.
        """
        outputs, scores = self.decode_sequence(
            inputs, states, cache, return_attention_scores=True
        )
        by_layer = {"memory": {"attention": ops.expand_dims(scores, 1)}}
        return outputs, scores, by_layer

    def decode_states(self, inputs, states, cache):
        """The states of the recurrent cell after each token of a given target.

        Args:
            inputs, states, cache: As for `decode_sequence`.

        Returns:
            Nested tensors of shape `(rows, target_length, size)`, in the
            structure of the cell's states.
        """
        raise ValueError(
            "The states of each step are those of a recurrent decoder, such as "
            f"`RecurrentDecoder`. Received: a `{type(self).__name__}`. Ask for "
            "its attention scores instead."
        )

    def call(
        self,
        inputs,
        memory,
        encoder_states=None,
        memory_mask=None,
        training=False,
        return_attention_scores=False,
    ):
        cache, states = self.initialize(
            memory, encoder_states, memory_mask, training=training
        )
        return self.decode_sequence(
            inputs, states, cache, training, return_attention_scores
        )

    def compute_output_spec(
        self,
        inputs,
        memory,
        encoder_states=None,
        memory_mask=None,
        training=False,
        return_attention_scores=False,
    ):
        outputs = keras.KerasTensor(
            self.compute_output_shape(inputs.shape), self.compute_dtype
        )
        if not return_attention_scores:
            return outputs
        length = getattr(memory, "shape", (None, None))[1]
        shape = (*inputs.shape[:-1], length)
        return outputs, keras.KerasTensor(shape, self.compute_dtype)
