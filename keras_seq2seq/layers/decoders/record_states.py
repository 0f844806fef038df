from keras import layers
from keras import ops
from keras import tree

from keras_seq2seq.ops import without_mask


def record_states(decoder, inputs, states, cache):
    """States of a recurrent decoder's cell after each step of a given target.

    The loop is `decoder.step`, as in search.

    Args:
        decoder: `Decoder` whose states have an entry `"cell"`.
        inputs: Float tensor of shape `(rows, target_length, dim)`.
        states, cache: From `initialize`.

    Returns:
        Nested tensors of shape `(rows, target_length, size)`, in the structure
        of `states["cell"]`.
    """
    cell = RecordingCell(decoder, states, cache)
    loop = layers.RNN(cell, return_sequences=True)
    first = cell.get_initial_state()
    packed = loop(without_mask(inputs), initial_state=first)
    parts, begin = [], 0
    for size in cell.sizes:
        parts.append(packed[..., begin : begin + size])
        begin += size
    return tree.pack_sequence_as(states["cell"], parts)


class RecordingCell:
    """A decoder's step as a cell for `keras.layers.RNN` that gives its states.

    Of the states, which travel as a flat list, those of the recurrent cell are
    the output, side by side. A plain object, so that Keras does not count the
    decoder's weights twice.
    """

    def __init__(self, decoder, states, cache):
        self.decoder = decoder
        self.states = states
        self.cache = cache
        self.sizes = [s.shape[-1] for s in tree.flatten(states["cell"])]
        self.state_size = [s.shape[-1] for s in tree.flatten(states)]
        self.output_size = sum(self.sizes)
        self.compute_dtype = decoder.compute_dtype

    def get_initial_state(self, batch_size=None):
        return tree.flatten(self.states)

    def call(self, inputs, states):
        states = tree.pack_sequence_as(self.states, list(states))
        # A recurrent step is the same at every index.
        _, states, *_ = self.decoder.step(inputs, states, self.cache, 0)
        output = ops.concatenate(tree.flatten(states["cell"]), axis=-1)
        return output, tree.flatten(states)

    __call__ = call
