from keras import ops
from keras import tree


class BoundCell:
    """A decoder cell with its memory at hand: a cell for `keras.layers.RNN`.

    `RNN` shows its cell nothing but inputs and states. This plain object adds
    the memory of one call. States travel as a flat list; outputs and attention
    scores as one tensor, `[output; attention_scores]`.
    """

    def __init__(self, cell, memory, states, *, training, with_scores):
        self.cell = cell
        self.memory = memory
        self.states = states
        self.options = {
            "training": training,
            "return_attention_scores": with_scores,
        }
        self.state_size = [s.shape[-1] for s in tree.flatten(states)]
        self.output_size = cell.output_size
        self.compute_dtype = cell.compute_dtype

    def get_initial_state(self, batch_size=None):
        return tree.flatten(self.states)

    def call(self, inputs, states):
        states = tree.pack_sequence_as(self.states, list(states))
        output, states, *scores = self.cell(
            inputs, states, self.memory, **self.options
        )
        output = ops.concatenate([output, *scores], -1) if scores else output
        return output, tree.flatten(states)

    __call__ = call
