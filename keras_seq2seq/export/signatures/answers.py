from keras import ops

from keras_seq2seq.export.signatures.signature import Signature


class Answers(Signature):
    """Abstract signature that runs a search and decodes its answers.

    A subclass calls `find` in its `call`.

    Args:
        search, name: As for `Signature`.
    """

    return_attention_scores = True  # of `find(attention=True)`; or "by_layer"
    return_log_probs = False

    def build(self, parts):
        super().build(parts)
        self.inference = parts.inference(
            self.search,
            return_attention_scores=self.return_attention_scores,
            return_log_probs=self.return_log_probs,
        )

    def find(self, inputs, *, attention=False):
        """Answers of the search, cut after the longest one.

        Args:
            inputs: Dict of the signature's inputs.
            attention: Boolean. Whether to compute `attention_scores`.

        Returns:
            Dict of the outputs of an `InferenceModel`, and of `texts`,
            strings `(batch_size, n_best)`, and `source_lengths`.
        """
        replace = self.parts.replace_unknown
        encoded, source_lengths = self.read(inputs)
        found, *initial = self.inference.run_search(encoded)
        longest = ops.maximum(ops.max(found["lengths"]), 1)
        found["token_ids"] = found["token_ids"][:, :, :longest]
        if attention or replace:
            found["attention_scores"] = self.inference.attention(
                found, *initial
            )
        instead = self._attended(inputs, found) if replace else None
        texts = self.parts.target.decode(found["token_ids"], instead)
        found["texts"] = texts
        if source_lengths is not None:
            found["source_lengths"] = source_lengths
        return found

    def _attended(self, inputs, found):
        """The source token that each target token attended to most, or `""`."""
        import tensorflow as tf

        words = self.parts.source.words(inputs)
        scores = found["attention_scores"]
        if isinstance(scores, dict):  # the heads of the last layer
            last = [*scores["memory"].values()][-1]
            scores = tf.reduce_mean(last, axis=2)
        attended = tf.gather(words, tf.argmax(scores, axis=-1), batch_dims=1)
        return tf.where(tf.reduce_max(scores, axis=-1) > 0, attended, "")
