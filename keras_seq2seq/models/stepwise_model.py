from keras_seq2seq.layers.encoders import self_attention
from keras_seq2seq.models.training_model import TrainingModel
from keras_seq2seq.ops import ensure_axes


class StepwiseModel(TrainingModel):
    """Abstract model: how a `Seq2Seq` runs, as a whole and token by token.

    A subclass sets `encoder`, `decoder`, `readout`, `output_layer`, the
    embeddings (`source_embedding` is that of the first source) and `float32`,
    layers all of them, a dict of `sources`, and the `target`.
    """

    @property
    def source(self):
        """The source, or the first of several."""
        return next(iter(self.sources.values()))

    def input_axes(self):
        return {**self.source_axes(), **self.target.input_axes()}

    def source_axes(self):
        """Dict of name -> axes, of the sources alone."""
        axes = {}
        for source in self.sources.values():
            axes |= source.input_axes()
        return axes

    def vocabulary_sizes(self):
        target = {self.target.input_name: self.target.vocabulary_size}
        return {**self.source_vocabulary_sizes(), **target}

    def source_vocabulary_sizes(self):
        """Dict of name -> size, of the sources of token ids alone."""
        return {
            source.input_name: source.vocabulary_size
            for source in self.sources.values()
            if source.vocabulary_size is not None
        }

    def call(self, inputs, training=None, mask=None, **kwargs):
        if isinstance(inputs, dict):
            inputs = ensure_axes(inputs, self.input_axes())
        return super().call(inputs, training=training, mask=mask, **kwargs)

    def max_source_length(self, target_length):
        """Longest source beside such a target; `None` for any length."""
        total = self.decoder.max_total_length
        return _least(self.encoder.max_length, total, target_length)

    def max_target_length(self, source_length):
        """Longest target beside such a source; `None` for any length."""
        total = self.decoder.max_total_length
        return _least(self.decoder.max_length, total, source_length)

    def check_lengths(self, source_length, target_length):
        """Raise where there are no positions for so long a sequence."""
        together = source_length + target_length
        for length, limit, what in (
            (source_length, self.encoder.max_length, "a source"),
            (target_length, self.decoder.max_length, "a target"),
            (together, self.decoder.max_total_length, "source and target"),
        ):
            if limit is not None and length > limit:
                raise ValueError(
                    f"The model must have positions for {what}, "
                    f"max_length={limit}. Received: length={length}. Cut it, "
                    "lower the `max_length` of the search, or use "
                    "position='sinusoidal', which knows no end."
                )

    def encode(self, inputs, by_layer=False):
        """Memory `(batch_size, Tv, dim)`, its mask, and the final states.

        Then, `by_layer`, a dict of layer -> self-attention of the encoder, of
        shape `(batch_size, num_heads, Tv, Tv)`.
        """
        source, mask = self._encoder_inputs(inputs)
        memory, states, scores = self_attention.run(
            self.encoder, source, by_layer, mask=mask
        )
        masks = self.encoder.compute_mask(source, mask)
        memory_mask = masks[0] if isinstance(masks, (list, tuple)) else masks
        if by_layer:
            return memory, memory_mask, states, scores
        return memory, memory_mask, states

    def _encoder_inputs(self, inputs):
        """Embedded source and its mask; dicts by name of several sources."""
        values, masks = {}, {}
        for name, source in self.sources.items():
            embedding = self.source_embeddings.get(name)
            values[name] = source.values(inputs)
            if embedding is not None:
                values[name] = embedding(values[name])
            masks[name] = source.mask(inputs)
        if len(values) > 1:
            return values, masks
        return values[self.source.name], masks[self.source.name]

    def decoder_token_ids(self, inputs):
        """The ids that the decoder reads."""
        return self.target.values(inputs)

    def logits(self, outputs, embedded):
        """Float32 logits `(..., target_vocabulary_size)` of outputs."""
        return self.float32(self.output_layer(self.readout(outputs, embedded)))

    def begin(
        self,
        inputs,
        max_length=None,
        encoded=None,
        num_beams=1,
        by_layer=False,
    ):
        """Prepared memory and first states of a search or a forced pass.

        Args:
            inputs: Dict of the encoder's inputs.
            max_length: Integer, how many steps there may be, or `None` where
                a forced pass follows.
            encoded: What `encode` gave for these inputs, or `None`.
            num_beams: Integer, how many hypotheses of a source there will be.
            by_layer: Boolean. Whether the memory shall hold, for
                `decode_forced`, how the source was read.
        """
        memory, mask, states, *scores = encoded or self.encode(inputs, by_layer)
        decoder = self.decoder
        begin = decoder.begin_by_layer if by_layer else decoder.begin
        memory, states, *own = begin(
            memory,
            states,
            memory_mask=mask,
            max_length=max_length,
            num_beams=num_beams,
        )
        if by_layer:
            scores = self_attention.merge([*scores, *own])
            memory = {**memory, "self_attention": scores}
        return memory, states

    def decode_step(
        self, token_ids, states, memory, index, return_attention_scores=False
    ):
        """Logits of the next token, and new states; attention scores if asked.

        Args:
            token_ids: Integers of shape `(rows,)`; `rows` is the memory's
                number of rows times the number of beams.
            states, memory: From `begin`, the states repeated for the beams
                (`keras_seq2seq.ops.repeat_rows`).
            index: Integer scalar, the position of `token_ids` in the target.
        """
        embedded = self.target_embedding(token_ids)
        outputs, *rest = self.decoder.step(
            embedded, states, memory, index, return_attention_scores
        )
        return self.logits(outputs, embedded), *rest

    def decode_forced(self, token_ids, states, memory, by_layer=False):
        """Logits and attention scores of given targets, in one pass.

        Args:
            token_ids: Integers of shape `(rows, target_length)`, from the
                start token on.
            states, memory: As for `decode_step`.
            by_layer: Boolean. Whether the attention scores are wanted layer
                by layer and head by head, as from `begin(by_layer=True)` on.

        Returns:
            Logits of shape `(rows, target_length, target_vocabulary_size)`
            and attention scores of shape `(rows, target_length, Tv)`; or, by
            layer, a dict of those of the model's kinds -> layer -> tensor:
            `"encoder"`, `(batch_size, num_heads, Tv, Tv)`, how the source was
            read, `"decoder"`, `(rows, num_heads, target_length,
            target_length)`, and `"memory"`, `(rows, num_heads, target_length,
            Tv)`.
        """
        embedded = self.target_embedding(token_ids)
        if by_layer:
            run = self.decoder.run_by_layer(embedded, states, memory)
        else:
            run = self.decoder.run(
                embedded, states, memory, return_attention_scores=True
            )
        outputs, scores = run
        if by_layer and memory.get("self_attention"):
            scores = {"encoder": memory["self_attention"], **scores}
        return self.logits(outputs, embedded), scores

    def decode_states(self, token_ids, states, memory):
        """States of the decoder's recurrent cell after each given token.

        Args:
            token_ids, states, memory: As for `decode_forced`.

        Returns:
            Nested tensors of shape `(rows, target_length, size)`, in the
            structure of the cell's states.
        """
        embedded = self.target_embedding(token_ids)
        return self.decoder.run_states(embedded, states, memory)


def _least(limit, total, other):
    """The lower of two limits, where the second is shared with another."""
    rest = None if total is None else total - other
    return min((n for n in (limit, rest) if n is not None), default=None)
