from keras_seq2seq.search import BeamSearch


def default_search(model):
    """`BeamSearch(num_beams=5)`, with a `max_length` that fits the model.

    If source and target share the model's positions, as in a language model,
    each gets half of them.

    Args:
        model: `Seq2Seq`.
    """
    search = BeamSearch(num_beams=5)
    total = model.decoder.max_total_length
    shared = None if total is None else max(total // 2, 1)
    limits = search.max_length, model.decoder.max_length, shared
    return search.replace(max_length=min(n for n in limits if n is not None))
