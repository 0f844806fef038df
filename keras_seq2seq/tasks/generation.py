"""From texts to hypotheses, through an `InferenceModel`."""

from keras_seq2seq.data import pad_token_ids
from keras_seq2seq.models import InferenceModel
from keras_seq2seq.models import LanguageModel
from keras_seq2seq.search import Search
from keras_seq2seq.tasks.answers import hypotheses_of
from keras_seq2seq.tasks.copying import source_words
from keras_seq2seq.tasks.encoded import encoded
from keras_seq2seq.tasks.length_batches import predict_rows
from keras_seq2seq.tasks.row_inputs import row_inputs
from keras_seq2seq.tasks.row_inputs import with_row_inputs
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_type


def chosen_search(task, search, n_best, prefixes, banned):
    """The `Search` of one call of `generate`."""
    search = task.search if search is None else search
    search = registry.get(search, Search, "search")
    if n_best is not None:
        search = search.with_n_best(n_best)
    return with_row_inputs(search, prefixes, banned)


def hypotheses(
    task, texts, search, *, replace_unknown, return_attention_scores, **options
):
    """List of lists of `Hypothesis`. Arguments as of `generate`."""
    attention = return_attention_scores or replace_unknown
    if check_type(replace_unknown, "replace_unknown", bool):
        check_replaceable(task.model)
    rows = _rows(task, texts, search, attention, **options)
    return [
        hypotheses_of(
            row,
            task.source_tokens(text),
            task.target_tokenizer,
            words=source_words(task.source_tokenizer, text)
            if replace_unknown
            else None,
        )
        for row, text in zip(rows, texts)
    ]


def check_replaceable(model):
    """Raise unless each place of the memory is a token of the source."""
    if isinstance(model, LanguageModel):
        raise ValueError(
            "`replace_unknown` needs a source to copy from. Received: a "
            "language model, which has none. Leave it out."
        )
    encoder = model.encoder
    if encoder.stride != 1:
        raise ValueError(
            "`replace_unknown` needs an encoder whose memory has a position "
            f"for each token. Received: encoder of type "
            f"`{type(encoder).__name__}` with stride={encoder.stride}, one "
            "position for so many tokens. Leave it out."
        )


def _rows(task, texts, search, attention, *, verbose, **options):
    """List of dicts of arrays, what the search finds for each text."""
    sources = encoded(task.source_tokenizer, texts, "texts")
    inputs = row_inputs(search, len(texts), task.target_tokenizer, **options)
    inference = _inference(task, search, attention)

    def answer(places, bucket):
        token_ids = pad_token_ids(
            [sources[place] for place in places], length=bucket[0]
        )
        return inference.predict_on_batch(
            {
                task.model.source.input_name: token_ids,
                **{name: x[places] for name, x in inputs.items()},
            }
        )

    return predict_rows(
        answer,
        list(range(len(texts))),
        [(len(source),) for source in sources],
        model=task.model,
        target_length=search.max_length,
        verbose=verbose,
    )


def _inference(task, search, return_attention_scores):
    """The compiled model of a search."""
    vocabulary = task.target_tokenizer.vocabulary
    return task.made_once(
        (type(search), repr(search.get_config()), return_attention_scores),
        lambda: InferenceModel(
            task.model,
            search,
            start_token_id=vocabulary.start_token_id,
            end_token_id=vocabulary.end_token_id,
            return_attention_scores=return_attention_scores,
            return_log_probs=True,
        ),
    )
