"""An encoder in a functional model, for its battery."""

import keras
import numpy as np

from keras_seq2seq.layers.encoders.memory_mask import memory_mask_of
from keras_seq2seq.testing.batches import flat
from keras_seq2seq.testing.batches import map_arrays
from keras_seq2seq.testing.batches import tensors
from keras_seq2seq.testing.checks import EAGERLY
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_same_from_file
from keras_seq2seq.testing.checks import shake
from keras_seq2seq.testing.checks import to_numpy


class EncoderRun:
    """Runs an encoder that is built by symbolic tensors, of unknown sizes.

    Args:
        encoder: `Encoder`, not built. Its weights are shaken.
        batch: Dict of `inputs` and `mask`.

    Call arguments:
        inputs, mask: Of such a batch.

    Returns:
        Dict of arrays: `outputs`, a list of memory and states, and `mask`, a
        list of the memory's mask or of nothing.
    """

    def __init__(self, encoder, batch):
        self.encoder = encoder
        symbols = _symbols(batch)
        self.inputs = flat(symbols)
        memory, states = encoder(symbols["inputs"], mask=symbols["mask"])
        mask = memory_mask_of(encoder, **symbols)
        self.outputs = [memory, *keras.tree.flatten(states)]
        self.mask = [] if mask is None else [mask]
        self.model = keras.Model(self.inputs, [*self.outputs, *self.mask])
        self.model.compile(run_eagerly=EAGERLY)
        shake(encoder)

    def __call__(self, inputs, mask):
        arrays = flat({"inputs": inputs, "mask": mask})
        found = self.model.predict_on_batch(arrays)
        found = found if isinstance(found, list) else [found]
        count = len(self.outputs)
        return {"outputs": found[:count], "mask": found[count:]}

    def check_layer(self, batch, found):
        """The layer alone gives the same."""
        batch = tensors(batch)
        memory, states = self.encoder(batch["inputs"], mask=batch["mask"])
        outputs = [memory, *keras.tree.flatten(states)]
        message = "The same as in a functional model."
        assert_close(to_numpy(outputs), found["outputs"], message)

    def check_file(self, batch, found):
        """A saved model gives the same."""
        model = keras.Model(self.inputs, self.outputs)
        assert_same_from_file(model, tensors(flat(batch)), found["outputs"])


def _symbols(batch):
    """Inputs of a functional model; what has a mask is of any length."""

    def symbol(x):
        if isinstance(x, keras.KerasTensor):
            return x
        return keras.Input(x.shape[1:], dtype=x.dtype.name)

    def free(x, mask):
        return keras.Input((None, *x.shape[2:]), dtype=x.dtype.name)

    def free_mask(x, mask):
        return keras.Input((None,), dtype="bool")

    inputs = with_inputs(free, batch)["inputs"]
    return {
        "inputs": map_arrays(symbol, inputs),
        "mask": of_masked(free_mask, batch),
    }


def of_masked(function, batch):
    """`function` of each input and its mask; `None` where it has none."""
    inputs, masks = batch["inputs"], batch["mask"]
    if not isinstance(inputs, dict):
        return None if masks is None else function(inputs, masks)
    masks = dict.fromkeys(inputs) if masks is None else masks
    return {
        name: None if masks[name] is None else function(x, masks[name])
        for name, x in inputs.items()
    }


def with_inputs(function, batch):
    """The batch; what has a mask is replaced by what `function` gives."""
    new, inputs = of_masked(function, batch), batch["inputs"]
    if isinstance(inputs, dict):
        kept = {n: x if new[n] is None else new[n] for n, x in inputs.items()}
    else:
        kept = inputs if new is None else new
    return {**batch, "inputs": kept}


def real(found):
    """Memory, with zeros at masked places, and states."""
    memory, *states = found["outputs"]
    for mask in found["mask"]:
        memory = np.where(mask[..., None], memory, np.float32(0))
    return [memory, *states]


def like(mask, x):
    """Mask with as many axes as `x`."""
    return mask.reshape(*mask.shape, *[1] * (x.ndim - mask.ndim))
