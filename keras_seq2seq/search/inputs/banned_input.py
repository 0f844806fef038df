from keras_seq2seq.search.inputs.search_input import SearchInput
from keras_seq2seq.utils.checks import check_texts
from keras_seq2seq.utils.checks import is_collection


class BannedInput(SearchInput):
    """Mask of banned tokens; in a task, lists of tokens."""

    argument = "banned"
    constraint = "banned_mask"

    def rows(self, given, count, *, tokenizer, max_length):
        given = [] if given is None else given
        if not is_collection(given):
            raise TypeError(
                "`banned` must be a list of tokens, or a list of such lists, "
                "one for each text. Received: banned of type "
                f"`{type(given).__name__}`"
            )
        if all(isinstance(entry, str) for entry in given):
            given = [given] * count
        self.check_count(given, count)
        vocabulary = tokenizer.vocabulary
        mask = self.neutral_rows(count, len(vocabulary))
        for index, tokens in enumerate(given):
            check_texts(tokens, f"banned[{index}]")
            ids = [vocabulary.token_to_id(token) for token in tokens]
            if [vocabulary.id_to_token(i) for i in ids] != list(tokens):
                raise ValueError(
                    "`banned` must hold tokens of the target's vocabulary. "
                    f"Received: banned[{index}] with an unknown token"
                )
            mask[index, ids] = True
        return mask
