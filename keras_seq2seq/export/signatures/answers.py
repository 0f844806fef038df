import tensorflow as tf

from keras_seq2seq.export.signatures.signature import Signature


class Answers(Signature):
    """Abstract signature of a search from text to text."""

    return_attention_scores = True  # where they are wanted; or "by_layer"

    def __init__(self, parts, search):
        super().__init__(parts, search)
        self.inference = parts.inference(
            search, return_attention_scores=self.return_attention_scores
        )

    def find(self, inputs, *, attention=False):
        """What the search finds, cut after the longest answer, with `texts`.

        Args:
            inputs: Dict of the signature's inputs.
            attention: Boolean. Whether `attention_scores` are wanted.

        Returns:
            Dict of what an `InferenceModel` gives, `texts` and
            `source_lengths`.
        """
        replace = self.parts.replace_unknown
        encoded, source_lengths = self.encoded(inputs)
        found, *initial = self.inference.run_search(encoded)
        longest = tf.maximum(tf.reduce_max(found["lengths"]), 1)
        found["token_ids"] = found["token_ids"][:, :, :longest]
        if attention or replace:
            found["attention_scores"] = self.inference.attention(
                found, *initial
            )
        instead = self._attended(inputs["text"], found) if replace else None
        texts = self.parts.tables.target.decode(found["token_ids"], instead)
        return {**found, "texts": texts, "source_lengths": source_lengths}

    def _attended(self, text, found):
        """What was written where each target token looked most, or `""`."""
        source = self.parts.tables.source
        written = getattr(source, "written", source.tokenize)
        tokens = written(text, self.parts.max_source_length)
        scores = found["attention_scores"]
        if isinstance(scores, dict):  # the heads of the last layer
            last = [*scores["memory"].values()][-1]
            scores = tf.reduce_mean(last, axis=2)
        attended = tf.gather(tokens, tf.argmax(scores, axis=-1), batch_dims=1)
        return tf.where(tf.reduce_max(scores, axis=-1) > 0, attended, "")
