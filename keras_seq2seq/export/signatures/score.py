import numpy as np
import tensorflow as tf

from keras_seq2seq.export.signatures.signature import Signature
from keras_seq2seq.models import ScoringModel


class Score(Signature):
    """How probable a given target is: one forced pass, no search.

    `source` and `target` to `log_prob` `(batch,)`, `token_log_probs`
    `(batch, longest target)` and `target_lengths` `(batch,)`. A target is cut
    after the search's `max_length` tokens, the end token counted, as a
    hypothesis is.
    """

    source_specs = {
        name: tf.TensorSpec([None], tf.string, name=name)
        for name in ("source", "target")
    }
    source_meanings = dict.fromkeys(
        source_specs, "UTF-8; invalid bytes read as U+FFFD"
    )
    output_meanings = {
        "log_prob": "sum of the tokens' log-probabilities",
        "token_log_probs": "the end token's last; zero after it",
        "target_lengths": "in tokens, the end token counted, after the cut",
    }
    asked = ()

    def __init__(self, parts, search):
        super().__init__(parts, search)
        self.forced = ScoringModel(parts.task.model)

    def __call__(self, inputs):
        parts, marks = self.parts, self.parts.marks
        source, _ = parts.tables.source.encode(
            inputs["source"], parts.max_source_length
        )
        targets, lengths = parts.tables.target.encode(
            inputs["target"], self.search.max_length
        )
        targets, lengths = _with_end(
            targets, lengths, marks["end_token_id"], self.search.max_length
        )
        start = tf.fill([tf.shape(targets)[0], 1], marks["start_token_id"])
        found = self.forced(
            {
                parts.task.model.source.input_name: source,
                "decoder_token_ids": tf.concat([start, targets[:, :-1]], 1),
                "targets": targets,
            }
        )
        return {
            "log_prob": tf.reduce_sum(found["log_probs"], axis=1),
            "token_log_probs": found["log_probs"],
            "target_lengths": lengths,
        }

    def _sources(self, texts):
        """Targets of as many tokens as the sources have."""
        source = self.parts.task.source_tokenizer
        target = self.parts.task.target_tokenizer
        tokens = target.vocabulary.tokens or ("",)
        targets = [
            target.detokenize(
                tokens[place % len(tokens)]
                for place, _ in enumerate(source.tokenize(text))
            )
            for text in texts
        ]
        return {
            "source": np.array(texts, object),
            "target": np.array(targets, object),
        }


def _with_end(token_ids, lengths, end_token_id, max_length):
    """Ids and lengths with an end token after each row, cut."""
    token_ids = tf.pad(token_ids, [[0, 0], [0, 1]])
    ends = tf.one_hot(lengths, tf.shape(token_ids)[1], dtype=token_ids.dtype)
    token_ids = (token_ids + ends * end_token_id)[:, :max_length]
    lengths = tf.minimum(lengths + 1, max_length)
    return token_ids[:, : tf.reduce_max(lengths)], lengths
