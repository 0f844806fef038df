import keras
from keras import ops

from keras_seq2seq.layers.bridges.bridge import Bridge
from keras_seq2seq.layers.bridges.bridge import check_states
from keras_seq2seq.layers.bridges.bridge import last_dims


@keras.saving.register_keras_serializable("keras_seq2seq")
class CopyBridge(Bridge):
    """Copies the encoder's final states; no weights.

    The states of the two directions of an encoder are concatenated, so a
    bidirectional encoder of `units` fits a decoder of `2 * units`.

    Call arguments:
        states: Dict of direction -> nested float tensors of shape
            `(batch_size, dim)`.

    Returns:
        Float tensors of shape `(batch_size, size)`, in the structure of the
        decoder's `state_size`.

    Example:

    >>> bridge = k2s.layers.CopyBridge()
    >>> shapes = {"forward": [(None, 3)], "backward": [(None, 3)]}
    >>> bridge.build(shapes, state_size=6)
    >>> state = keras.ops.ones((2, 3))
    >>> tuple(bridge({"forward": [state], "backward": [state]}).shape)
    (2, 6)

    References:
        - [Sutskever et al., 2014](https://arxiv.org/abs/1409.3215), section 2
    """

    def build(self, states_shape, state_size, memory_shape=None):
        check_states(states_shape, "copy")
        self.state_size = state_size
        given = _concatenated_sizes(states_shape)
        expected = keras.tree.flatten(state_size)
        if given != expected:
            raise ValueError(
                "The copy bridge needs an encoder whose states, with its "
                "directions concatenated, have the sizes of the decoder's. "
                f"Received: encoder={given}, decoder={expected}. Change the "
                "layers or their units, or use bridge='dense'."
            )

    def call(self, states, memory=None, memory_mask=None):
        directions = [
            keras.tree.flatten(states[name]) for name in _forward_first(states)
        ]
        new = [
            ops.concatenate(parts, axis=-1) if len(parts) > 1 else parts[0]
            for parts in zip(*directions)
        ]
        return self.pack_states(new)


def _forward_first(states):
    # Explicitly, as PyTorch's trees sort the names.
    return sorted(states, reverse=True)


def _concatenated_sizes(states_shape):
    """Sizes of the concatenated states, or a dict if they do not match."""
    sizes = {
        name: last_dims(states_shape[name])
        for name in _forward_first(states_shape)
    }
    if len({len(entries) for entries in sizes.values()}) > 1:
        return sizes
    return [sum(entries) for entries in zip(*sizes.values())]
