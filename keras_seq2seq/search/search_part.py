from keras_seq2seq.utils.configs import config_of_nothing


class SearchPart:
    """Abstract part of a search: it may ask for data inputs.

    Those are arrays that differ from call to call, such as prefixes: a tuple
    of `SearchInput`, `inputs`. A name alone, in `input_names`, does too; but a
    task or an export knows only the names of the package's own.
    """

    inputs = ()
    input_names = ()

    def check_inputs(self, inputs, max_length):
        """Raise where the shape of an input cannot be meant."""

    def get_config(self):
        return config_of_nothing(self)

    @classmethod
    def from_config(cls, config):
        return cls(**config)
