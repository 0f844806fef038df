import threading

import keras
import numpy as np

from keras_seq2seq.models.compilation import count_alone
from keras_seq2seq.models.compilation import is_jax
from keras_seq2seq.models.compilation import predict_function

MAKING = threading.Lock()


class Answering:
    """Mixin of a Keras model: threads and callbacks may ask it at any time.

    Under JAX, Keras's `predict` and `predict_on_batch` give away the memory of
    all variables and fill them again afterwards, and training leaves them
    empty between two batches. Here a question changes no variable, and what
    training has learned so far is fetched first.

    A thread that trains or evaluates a model has it for itself; its callbacks
    may ask.
    """

    def make_predict_function(self, force=False):
        with MAKING:  # one function for all threads
            if not is_jax():
                super().make_predict_function(force)
                count_alone(self.predict_function)
            elif self.predict_function is None or force:
                self.predict_function = predict_function(self)
        if is_jax():
            self.jax_state_sync()
        return self.predict_function

    def predict_on_batch(self, x):
        if not is_jax():
            return super().predict_on_batch(x)
        function = self.make_predict_function()
        variables = self.trainable_variables, self.non_trainable_variables
        state = [[variable.value for variable in kind] for kind in variables]
        outputs, _ = function(state, iter([(x,)]))
        return keras.tree.map_structure(np.array, outputs)

    def _purge_model_variables(self, **kinds):
        """Keras empties variables here, whose memory JAX frees anyway."""
