from keras_seq2seq.search import BeamSearch
from keras_seq2seq.utils.largest import largest


def default_search(model):
    """`BeamSearch(num_beams=5)`, with answers as long as a model can give.

    Where source and answer share the model's positions, as in a language
    model, they leave room for a source of as many tokens.

    Args:
        model: `Seq2Seq`.
    """
    search = BeamSearch(num_beams=5)
    most = search.max_length
    source = largest(most, lambda n: model.check_lengths(n, 1))
    answer = largest(most, lambda n: model.check_lengths(min(n, source), n))
    return search.replace(max_length=answer)
