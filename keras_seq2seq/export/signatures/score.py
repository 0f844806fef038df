import keras
import numpy as np
from keras import ops

from keras_seq2seq.export.signatures.signature import Signature
from keras_seq2seq.models import ScoringModel
from keras_seq2seq.ops import length_mask
from keras_seq2seq.tasks import ServedInput

TARGET = "target"
SOURCE = "source"  # name of the source's input here, where there is only one


@keras.saving.register_keras_serializable("keras_seq2seq")
class Score(Signature):
    """Log-probability of a given target, in one forward pass.

    `source` and `target` to `log_prob` `(batch,)`, `token_log_probs`
    `(batch, longest target)` and `target_lengths` `(batch,)`. Sources with
    more than one input keep the names of these. A target is cut after the
    search's `max_length` tokens, the end token counted, as a hypothesis is.

    Args:
        search, name: As for `Signature`.
    """

    output_meanings = {
        "log_prob": "sum of the tokens' log-probabilities",
        "token_log_probs": "the end token's last; zero after it",
        "target_lengths": "in tokens, the end token counted, after the cut",
    }
    search_inputs = ()  # nothing is searched for

    def build(self, parts):
        super().build(parts)
        self.scoring = ScoringModel(parts.task.model)

    @property
    def source_inputs(self):
        """Dict of name -> `ServedInput` of the sources and the target."""
        target = ServedInput(
            "string", meaning="UTF-8; invalid bytes read as U+FFFD"
        )
        source = self.parts.source.inputs
        return {**self._renamed(source), TARGET: target}

    def call(self, inputs):
        parts, special = self.parts, self.parts.special_tokens
        names = self._renamed({n: n for n in parts.source.inputs})
        source, _ = parts.source.read({n: inputs[x] for x, n in names.items()})
        targets, lengths = _with_end(
            *parts.target.encode(inputs[TARGET], self.search.max_length),
            special["end_token_id"],
            self.search.max_length,
        )
        start = ops.full_like(targets[:, :1], special["start_token_id"])
        decoder_ids = ops.concatenate([start, targets[:, :-1]], axis=1)
        log_probs = self.scoring(
            {
                **source,
                parts.task.model.target.input_name: decoder_ids,
                "targets": targets,
            }
        )["log_probs"]
        return {
            "log_prob": ops.sum(log_probs, axis=1),
            "token_log_probs": log_probs,
            "target_lengths": lengths,
        }

    def source_example(self, examples):
        """Targets have as many tokens as their sources."""
        target = self.parts.task.target_tokenizer
        tokens = target.vocabulary.tokens or ("",)
        lengths = map(self.parts.source.length, examples)
        targets = [
            target.detokenize(
                tokens[place % len(tokens)] for place in range(length)
            )
            for length in lengths
        ]
        source = self.parts.source.request(examples)
        return {**self._renamed(source), TARGET: np.array(targets, object)}

    def _renamed(self, source):
        """A dict by the names of the source's inputs, by those used here."""
        if len(source) > 1:
            return source
        (value,) = source.values()
        return {SOURCE: value}


def _with_end(token_ids, lengths, end_token_id, max_length):
    """Ids and lengths with an end token after each row, cut."""
    token_ids = ops.pad(token_ids, [[0, 0], [0, 1]])
    width = ops.shape(token_ids)[1]
    is_end = length_mask(lengths + 1, width) & ~length_mask(lengths, width)
    token_ids = token_ids + ops.cast(is_end, token_ids.dtype) * end_token_id
    lengths = ops.minimum(lengths + 1, max_length)
    return token_ids[:, : ops.max(lengths)], lengths
