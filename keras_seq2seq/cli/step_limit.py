import keras


class StepLimit(keras.callbacks.Callback):
    """Callback that ends training after a number of batches.

    Args:
        steps: Integer. Batches over all epochs.
    """

    def __init__(self, steps):
        super().__init__()
        self.steps = steps
        self.done = 0

    def on_train_batch_end(self, batch, logs=None):
        self.done += 1
        if self.done >= self.steps:
            self.model.stop_training = True
