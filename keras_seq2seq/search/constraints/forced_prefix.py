import keras
from keras import ops

from keras_seq2seq.search.constraints.constraint import Constraint
from keras_seq2seq.search.inputs.table import PREFIX
from keras_seq2seq.search.special import IMPOSSIBLE


@keras.saving.register_keras_serializable("keras_seq2seq")
class ForcedPrefix(Constraint):
    """Makes hypotheses begin with a prefix, one for each source.

    The prefixes are the input `prefix`, integers of shape
    `(batch_size, prefix_length)`. At padding ids any token is allowed, so
    prefixes of different lengths can be padded to one shape, which is compiled
    once. Scores include the log-probability of the prefix. If another
    constraint bans a prefix, or the prefix has an id outside of the vocabulary,
    there is no hypothesis for its source; `InferenceModel.predict` raises for
    such ids.

    Example:

    >>> search = k2s.search.BeamSearch(
    ...     num_beams=3, max_length=3, n_best=2,
    ...     constraints=["forced_prefix"],
    ... )
    >>> logits = keras.ops.log(np.array([[0.0, 0.0, 0.3, 0.6, 0.1]] * 3))
    >>> def step(token_ids, states, cache, index):
    ...     return logits, states, cache, None
    >>> results = search(
    ...     step,
    ...     states=keras.ops.zeros((1, 1)),
    ...     start_token_id=1, end_token_id=2, pad_token_id=0,
    ...     inputs={"prefix": np.array([[4, 0, 0]])},
    ... )
    >>> keras.ops.convert_to_numpy(results["token_ids"])[0].tolist()
    [[4, 3, 3], [4, 2, 0]]
    """

    inputs = (PREFIX,)

    def check_inputs(self, inputs, max_length):
        shape = tuple(inputs["prefix"].shape)
        length = shape[1] if len(shape) == 2 else None
        if len(shape) != 2 or (length is not None and length > max_length):
            raise ValueError(
                "`prefix` must have the shape (batch_size, prefix_length), "
                f"with prefix_length at most max_length={max_length}. "
                f"Received: prefix of shape {shape}"
            )

    def __call__(self, log_probs, state, context):
        prefix = ops.cast(context.inputs["prefix"], "int32")
        # One more column: any token is allowed after the prefix.
        prefix = ops.pad(
            prefix, ((0, 0), (0, 1)), constant_values=context.pad_token_id
        )
        index = ops.minimum(context.index, ops.shape(prefix)[1] - 1)
        forced = ops.take(prefix, ops.reshape(index, (1,)), axis=1)
        others = ops.arange(log_probs.shape[-1], dtype="int32") != forced
        banned = others & (forced != context.pad_token_id)
        return ops.where(banned, IMPOSSIBLE, log_probs)
