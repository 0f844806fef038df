from keras import ops
from keras import tree


class BoundCell:
    """A decoder cell bound to its memory: a cell for `keras.layers.RNN`.

    `RNN` shows its cell nothing but inputs and states. This plain object adds
    the memory of one call. States travel as a flat list; inputs and noise as
    one tensor, `[inputs; noise]`, output and attention scores, where these are
    wanted, as another, `[output; attention_scores]`.
    """

    def __init__(
        self,
        cell,
        memory,
        states,
        *,
        noise_from=None,
        training=False,
        return_attention_scores=False,
    ):
        self.cell = cell
        self.memory = memory
        self.states = states
        self.noise_from = noise_from  # where in the inputs noise begins
        self.training = training
        self.return_attention_scores = return_attention_scores
        self.state_size = [s.shape[-1] for s in tree.flatten(states)]
        self.output_size = cell.output_size
        self.compute_dtype = cell.compute_dtype

    def get_initial_state(self, batch_size=None):
        return tree.flatten(self.states)

    def call(self, inputs, states):
        begin, noise = self.noise_from, None
        if begin is not None:
            inputs, noise = inputs[:, :begin], inputs[:, begin:]
        states = tree.pack_sequence_as(self.states, list(states))
        output, states, scores = self.cell(
            inputs, states, self.memory, noise, training=self.training
        )
        if self.return_attention_scores:
            output = ops.concatenate([output, scores], axis=-1)
        return output, tree.flatten(states)

    __call__ = call
