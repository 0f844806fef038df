from keras import ops

from keras_seq2seq.layers.encoders import self_attention
from keras_seq2seq.layers.encoders.memory_mask import memory_mask_of
from keras_seq2seq.models.sequence_model import SequenceModel
from keras_seq2seq.models.training_model import logits_of


class StepwiseModel(SequenceModel):
    """Abstract model: how a `Seq2Seq` runs, as a whole and token by token.

    `encode`, `initialize` and `decode_step` are a search, `encode`,
    `initialize` and `decode_sequence` the pass over given targets; the
    functional model that `fit` trains is `outputs_of`, the same layers.

    A subclass sets, as layers, `encoder`, `decoder`, `readout`, `output_layer`,
    `source_embeddings` by name of the source, `target_embedding` and `float32`.
    """

    needs_attention_scores = False  # whether `logits` does, in training too

    def outputs_of(self, inputs, return_attention_scores=False):
        """What a call returns, of a dict of inputs."""
        memory, memory_mask, states = self.encode(inputs)
        embedded = self.target_embedding(self.decoder_token_ids(inputs))
        wanted = return_attention_scores or self.needs_attention_scores
        outputs = self.decoder(
            embedded,
            memory,
            states,
            memory_mask=memory_mask,
            return_attention_scores=wanted,
        )
        outputs, scores = outputs if wanted else (outputs, None)
        logits = self._float32_logits(
            outputs, embedded, scores, self.logits_inputs(inputs)
        )
        if not return_attention_scores:
            return logits
        return {"logits": logits, "attention_scores": scores}

    def encode(self, inputs, by_layer=False):
        """Memory `(batch_size, Tv, dim)`, its mask, and the final states.

        Then, `by_layer`, a dict of layer -> self-attention of the encoder, of
        shape `(batch_size, num_heads, Tv, Tv)`.
        """
        source, mask = self._encoder_inputs(inputs)
        memory, states, scores = self_attention.run(
            self.encoder, source, by_layer, mask=mask
        )
        memory_mask = memory_mask_of(self.encoder, source, mask)
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

    @property
    def num_logits(self):
        """What a search ranks: target ids, unless `logits` gives more."""
        return logits_of(self.output).shape[-1]

    def decoder_token_ids(self, inputs):
        """The ids that the decoder reads."""
        return self.target.values(inputs)

    def start_token_ids(self, inputs, start_token_id):
        """What the decoder reads first, integers `(batch_size,)`."""
        rows = ops.shape(self.source.values(inputs))[0]
        return ops.full((rows,), start_token_id, "int32")

    def own_layers(self):
        """Dict of name -> layer that `logits` needs.

        They become attributes of the model before its graph is built.
        """
        return {}

    def logits_inputs(self, inputs):
        """What `logits` wants of the inputs: nested tensors, a row a source."""
        return {}

    def logits(self, outputs, embedded, attention_scores, source):
        """Logits `(rows, ..., target_vocabulary_size)` of outputs.

        A subclass that fills this leaves what needs sizes to a layer of its
        own (`own_layers`): in the functional model they are not known yet.

        Args:
            outputs: Float tensor of shape `(rows, ..., output_size)`, of the
                decoder, with an axis `target_length` or, in a step, without.
            embedded: Float tensor of shape `(rows, ..., embedding_dim)`.
            attention_scores: Float tensor of shape `(rows, ..., Tv)`, or `None`
                in training where `needs_attention_scores` is `False`.
            source: What `logits_inputs` gave. It has one row a source; `rows`
                is a multiple, the hypotheses of a source side by side.
        """
        return self.output_layer(self.readout(outputs, embedded))

    def _float32_logits(self, outputs, embedded, attention_scores, source):
        logits = self.logits(outputs, embedded, attention_scores, source)
        return self.float32([logits, embedded])

    def initialize(
        self,
        inputs,
        max_length=None,
        encoded=None,
        num_beams=1,
        by_layer=False,
    ):
        """The cache and the first states of a search, or of a forced pass.

        Args:
            inputs: Dict of the encoder's inputs.
            max_length: Integer, how many steps there may be, or `None` where
                `decode_sequence` follows.
            encoded: What `encode` gave for these inputs, or `None`.
            num_beams: Integer, how many hypotheses of a source there will be.
            by_layer: Boolean. Whether the cache keeps, for
                `decode_sequence`, how the source was read.
        """
        memory, mask, states, *scores = encoded or self.encode(inputs, by_layer)
        decoder_cache, states = self.decoder.initialize(
            memory,
            states,
            memory_mask=mask,
            max_length=max_length,
            num_beams=num_beams,
            by_layer=by_layer,
        )
        cache = {
            "decoder": decoder_cache,
            "logits_inputs": self.logits_inputs(inputs),
        }
        if by_layer:
            cache["encoder"] = scores[0]
        return cache, states

    def decode_step(self, token_ids, states, cache, index):
        """Logits of the next token; states, cache and attention after it.

        Args:
            token_ids: Integers of shape `(rows,)`; `rows` is the cache's
                number of rows times the number of beams.
            states, cache: From `initialize` or the step before, the first
                states repeated for the beams (`keras_seq2seq.ops.repeat_rows`).
            index: Integer scalar, the position of `token_ids` in the target.

        Returns:
            Logits `(rows, target_vocabulary_size)`, new states, the new cache,
            and attention scores `(rows, Tv)`.
        """
        embedded = self.target_embedding(token_ids)
        outputs, states, decoder_cache, scores = self.decoder.step(
            embedded, states, cache["decoder"], index
        )
        logits = self._float32_logits(
            outputs, embedded, scores, cache["logits_inputs"]
        )
        return logits, states, {**cache, "decoder": decoder_cache}, scores

    def decode_sequence(self, token_ids, states, cache, by_layer=False):
        """Logits and attention scores of given targets, in one pass.

        Args:
            token_ids: Integers of shape `(rows, target_length)`, from the
                start token on.
            states, cache: As for `decode_step`.
            by_layer: Boolean. Whether the attention scores are wanted layer by
                layer and head by head; `initialize(by_layer=True)` comes
                before.

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
        run = embedded, states, cache["decoder"]
        if by_layer:
            outputs, scores, layers = self.decoder.decode_by_layer(*run)
        else:
            outputs, scores = self.decoder.decode_sequence(
                *run, return_attention_scores=True
            )
        logits = self._float32_logits(
            outputs, embedded, scores, cache["logits_inputs"]
        )
        if not by_layer:
            return logits, scores
        read = [cache["encoder"], layers.pop("encoder", {})]
        read = self_attention.merge(read)
        return logits, {"encoder": read, **layers} if read else layers

    def decode_states(self, token_ids, states, cache):
        """States of the decoder's recurrent cell after each given token.

        Args:
            token_ids, states, cache: As for `decode_sequence`.

        Returns:
            Nested tensors of shape `(rows, target_length, size)`, in the
            structure of the cell's states.
        """
        embedded = self.target_embedding(token_ids)
        return self.decoder.decode_states(embedded, states, cache["decoder"])
