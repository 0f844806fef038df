import numpy as np

from keras_seq2seq.search.inputs.search_input import SearchInput
from keras_seq2seq.utils.checks import check_texts


class PrefixInput(SearchInput):
    """Token ids that hypotheses begin with; in a task, texts.

    They are padded to the search's `max_length`, so that there is one
    compilation for all prefixes.
    """

    argument = "prefixes"
    holds_token_ids = True
    constraint = "forced_prefix"

    def rows(self, given, count, *, tokenizer, max_length):
        given = "" if given is None else given
        given = [given] * count if isinstance(given, str) else given
        prefixes = check_texts(given, self.argument)
        self.check_count(prefixes, count)
        shape, vocabulary = (count, max_length), tokenizer.vocabulary
        token_ids = np.full(shape, vocabulary.pad_token_id, "int32")
        for index, prefix in enumerate(prefixes):
            ids = tokenizer.encode_beginning(prefix)
            _check_prefix(ids, index, vocabulary.unknown_token_id, max_length)
            token_ids[index, : len(ids)] = ids
        return token_ids


def _check_prefix(ids, index, unknown_token_id, max_length):
    if len(ids) > max_length:
        raise ValueError(
            "`prefixes` must fit into the search's `max_length`, "
            f"{max_length}. Received: prefixes[{index}] of {len(ids)} tokens"
        )
    if unknown_token_id in ids:
        raise ValueError(
            "`prefixes` must consist of tokens in the target's vocabulary. "
            f"Received: prefixes[{index}] with an unknown token at position "
            f"{ids.index(unknown_token_id)}"
        )
