from keras_seq2seq.search import BeamSearch


def default_search(model):
    """`BeamSearch(num_beams=5)`, with answers as long as a model can give.

    Where source and answer share the model's positions, as in a language
    model, they leave room for a source of as many tokens.

    Args:
        model: `Seq2Seq`.
    """
    search = BeamSearch(num_beams=5)
    total = model.decoder.max_total_length
    shared = None if total is None else max(total // 2, 1)
    limits = search.max_length, model.decoder.max_length, shared
    return search.replace(max_length=min(n for n in limits if n is not None))
