"""From the arrays of an `InferenceModel` to hypotheses with text."""

import keras

from keras_seq2seq.tasks.hypothesis import Hypothesis


def hypotheses_of(row, source_length, tokenizer):
    """List of `Hypothesis`, best first, of one row.

    Where nothing was found (weights that are not finite), one empty answer
    with score -1e9, as the export gives it.

    Args:
        row: Dict of arrays without the batch axis, as `InferenceModel` gives
            them.
        source_length: Integer. Attention scores are cut to it.
        tokenizer: `Tokenizer` of the target.
    """
    return [
        _hypothesis(row, place, source_length, tokenizer)
        for place in range(len(row["lengths"]))
        if place == 0 or row["lengths"][place] > 0
    ]


def _hypothesis(row, place, source_length, tokenizer):
    vocabulary = tokenizer.vocabulary
    token_ids = row["token_ids"][place][: row["lengths"][place]]
    token_ids = token_ids[token_ids != vocabulary.end_token_id]
    scores = row.get("attention_scores")
    if scores is not None:
        scores = keras.tree.map_structure(
            lambda x: x[place, ..., : len(token_ids), :source_length], scores
        )
    return Hypothesis(
        tokenizer.decode(token_ids),
        float(row["scores"][place]),
        [vocabulary.id_to_token(int(i)) for i in token_ids],
        scores,
    )
