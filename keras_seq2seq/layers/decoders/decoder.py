import keras
from keras import ops


class Decoder(keras.layers.Layer):
    """Abstract decoder: from an encoder's memory and target tokens to outputs.

    `call` runs the whole target (teacher forcing); `begin` and `step` run the
    same layers token by token (search); `run` is the pass over a given target
    after `begin`. A subclass fills all four, and may set limits, integers or
    `None`: `max_length`, of the target, and `max_total_length`, of source and
    target together, where they share their positions.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, target_length, dim)`.
        memory: Float tensor of shape `(batch_size, Tv, value_dim)`.
        encoder_states: Nested float tensors, the encoder's final states,
            where the decoder wants them.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            places, or `None`.
        training: Boolean.
        return_attention_scores: Boolean.

    Returns:
        Float tensor of shape `(batch_size, target_length, output_size)`; then
        attention scores of shape `(batch_size, target_length, Tv)` where they
        were asked for.
    """

    max_length = None
    max_total_length = None

    def begin(
        self,
        memory,
        encoder_states=None,
        memory_mask=None,
        max_length=None,
        num_beams=1,
        training=False,
    ):
        """What is done once a sequence: prepared memory and first states.

        Both are nested tensors with the batch in front. A search repeats and
        reorders the states with its beams, but for what stands in a dict under
        `"in_place"`; that and the memory it leaves alone.

        Args:
            memory, encoder_states, memory_mask: As for `call`.
            max_length: Integer, how many steps there may be, for states that
                hold something of each; or `None` where no step follows.
            num_beams: Integer, how many hypotheses of a source there will be,
                for what is `"in_place"`. Defaults to `1`.
            training: Boolean.
        """
        raise NotImplementedError

    def begin_by_layer(self, *args, **kwargs):
        """As `begin`, and how the decoder reads the source, where it does.

        Returns:
            Prepared memory and first states, and a dict of layer -> attention
            scores of shape `(batch_size, num_heads, Tv, Tv)`.
        """
        return *self.begin(*args, **kwargs), {}

    def step(
        self, inputs, states, memory, index, return_attention_scores=False
    ):
        """Output `(rows, output_size)` and new states, for one token.

        Then attention scores `(rows, Tv)`, where they were asked for.

        Args:
            inputs: Float tensor of shape `(rows, dim)`; `rows` is the memory's
                number of rows times the number of beams.
            states, memory: From `begin`, the states repeated for the beams
                (`keras_seq2seq.ops.repeat_rows`).
            index: Integer scalar, the position of the token in the target.
        """
        raise NotImplementedError

    def run(
        self,
        inputs,
        states,
        memory,
        training=False,
        return_attention_scores=False,
    ):
        """The pass over a given target.

        Returns:
            Outputs of shape `(rows, target_length, output_size)`; then
            attention scores of shape `(rows, target_length, Tv)` where they
            were asked for. `rows` may be a multiple of the memory's rows.
        """
        raise NotImplementedError

    def run_by_layer(self, inputs, states, memory):
        """The pass over a given target, with attention by layer and head.

        Returns:
            Outputs as of `run`, and a dict of kind -> layer -> attention
            scores: `"memory"`, of shape
            `(rows, num_heads, target_length, Tv)`, and, where there is
            self-attention, `"decoder"`, of shape
            `(rows, num_heads, target_length, target_length)`.
        """
        outputs, scores = self.run(
            inputs, states, memory, return_attention_scores=True
        )
        return outputs, {"memory": {"attention": ops.expand_dims(scores, 1)}}

    def run_states(self, inputs, states, memory):
        """The states of the recurrent cell over a given target.

        Returns:
            Nested tensors of shape `(rows, target_length, size)`, in the
            structure of the cell's states: those after each token.
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
        memory, states = self.begin(
            memory, encoder_states, memory_mask, training=training
        )
        return self.run(
            inputs, states, memory, training, return_attention_scores
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
        shape = (*inputs.shape[:-1], memory.shape[1])
        return outputs, keras.KerasTensor(shape, self.compute_dtype)
