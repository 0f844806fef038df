import keras

from keras_seq2seq.models.answering import Answering
from keras_seq2seq.models.checked_data import CheckedData
from keras_seq2seq.models.compilation import jit_compile
from keras_seq2seq.ops import ensure_axes


class DerivedModel(CheckedData, Answering, keras.Model):
    """Abstract model around `models` that are trained: it shares their weights.

    It compiles itself, as it suits the backend.
    """

    def __init__(self, models, **kwargs):
        super().__init__(**kwargs)
        self.models = models
        self.built = True  # all weights are the models'
        self.compile(optimizer=None, jit_compile=jit_compile())

    @property
    def model(self):
        """The model, or the first of several."""
        return self.models[0]

    def jax_state_sync(self):
        for model in self.models:
            model.jax_state_sync()
        super().jax_state_sync()

    def get_compile_config(self):
        """None: the constructor compiles."""

    def input_specs(self):
        """Dict of `keras.InputSpec` of the inputs, by name."""
        raise NotImplementedError

    def checked_inputs(self, inputs):
        """Dict of inputs whose sizes agree; one alone is the source."""
        if not isinstance(inputs, dict):
            inputs = {self.model.source.input_name: inputs}
        return ensure_axes(inputs, self.input_axes())

    def export(
        self,
        filepath,
        format="tf_saved_model",
        verbose=None,
        input_signature=None,
        **kwargs,
    ):
        """As `keras.Model.export`: from arrays to arrays, of any batch.

        A SavedModel is made under the TensorFlow backend. `task.export` makes
        one from strings to strings, under every backend.

        Args:
            filepath, format, verbose, **kwargs: As in Keras.
            input_signature: As in Keras. Defaults to `None`: the inputs of
                the model and of its search, each of any length.
        """
        backend = keras.backend.backend()
        if format == "tf_saved_model" and backend != "tensorflow":
            raise RuntimeError(
                "A SavedModel must be made under the TensorFlow backend. "
                f"Received: backend={backend!r}. Save the model, and load it "
                "in a process with that backend; or make a task of it, whose "
                "`export` does so by itself."
            )
        if input_signature is None:
            input_signature = [self.input_specs()]
        super().export(
            filepath,
            format=format,
            verbose=verbose,
            input_signature=input_signature,
            **kwargs,
        )


def model_specs(model, without=()):
    """Dict of `keras.InputSpec` of the inputs of a `Seq2Seq`, except some."""
    return {
        name: keras.InputSpec(shape=x.shape, dtype=x.dtype, name=name)
        for name, x in model.input.items()
        if name not in without
    }
