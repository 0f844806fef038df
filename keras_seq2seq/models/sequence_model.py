from keras_seq2seq.models.training_model import TrainingModel
from keras_seq2seq.ops import ensure_axes


class SequenceModel(TrainingModel):
    """Abstract model: what a `Seq2Seq` reads, and how long it may be.

    A subclass sets `encoder`, `decoder`, a dict of `sources`, and the
    `target`.
    """

    @property
    def source(self):
        """The source, or the first of several."""
        return next(iter(self.sources.values()))

    def all_inputs(self):
        """Dict of name -> `keras.Input`, of the sources and of the target."""
        inputs = {}
        for side in (*self.sources.values(), self.target):
            inputs |= side.inputs()
        return inputs

    def input_axes(self):
        return {**self.source_axes(), **self.target.input_axes()}

    def source_axes(self):
        """Dict of name -> axes, of the sources alone."""
        axes = {}
        for source in self.sources.values():
            axes |= source.input_axes()
        return axes

    def vocabulary_sizes(self):
        target = {self.target.input_name: self.target.vocabulary_size}
        return {**self.source_vocabulary_sizes(), **target}

    def source_vocabulary_sizes(self):
        """Dict of name -> size, of the sources of token ids alone."""
        return {
            source.input_name: source.vocabulary_size
            for source in self.sources.values()
            if source.vocabulary_size is not None
        }

    def call(self, inputs, training=None, mask=None, **kwargs):
        if isinstance(inputs, dict):
            inputs = ensure_axes(inputs, self.input_axes())
        return super().call(inputs, training=training, mask=mask, **kwargs)

    def max_source_length(self, target_length):
        """Longest source beside such a target; `None` for any length."""
        total = self.decoder.max_total_length
        return _least(self.encoder.max_length, total, target_length)

    def max_target_length(self, source_length):
        """Longest target beside such a source; `None` for any length."""
        total = self.decoder.max_total_length
        return _least(self.decoder.max_length, total, source_length)

    def check_lengths(self, source_length, target_length):
        """Raise where there are no positions for so long a sequence."""
        together = source_length + target_length
        for length, limit, what in (
            (source_length, self.encoder.max_length, "a source"),
            (target_length, self.decoder.max_length, "a target"),
            (together, self.decoder.max_total_length, "source and target"),
        ):
            if limit is not None and length > limit:
                raise ValueError(
                    f"The model must have positions for {what}, "
                    f"max_length={limit}. Received: length={length}. Cut it, "
                    "lower the `max_length` of the search, or use "
                    "position='sinusoidal', which has no limit."
                )


def _least(limit, total, other):
    """The lower of two limits, where the second is shared with another."""
    rest = None if total is None else total - other
    return min((n for n in (limit, rest) if n is not None), default=None)
