"""keras_seq2seq: python c_keras_seq2seq.py WORKLOAD tensorflow|jax|torch"""

import os
import sys

os.environ["KERAS_BACKEND"] = sys.argv[2]
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import common
import keras
import numpy as np
from keras import ops
from workloads import batch

import keras_seq2seq as k2s

if sys.argv[2] == "tensorflow":
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(common.THREADS)
common.mark("import_s")
STEPS = 10  # of one call of fit


class SharedBridge(k2s.layers.Bridge):
    """One dense layer of the last outputs gives every state of the cell."""

    def build(self, states_shape, state_size, memory_shape=None):
        sizes = keras.tree.flatten(state_size)
        self.count = len(sizes)
        width = sum(shapes[0][-1] for shapes in states_shape.values())
        self.dense = keras.layers.Dense(
            sizes[0], activation="tanh", name="dense"
        )
        self.dense.build((None, width))

    def call(self, states, memory=None, memory_mask=None):
        last = [states[side][0] for side in ("forward", "backward")]
        state = self.dense(ops.concatenate(last, axis=-1))
        return [state] * self.count if self.count > 1 else state


def reference_model(w):
    """The model of the workload, from public parts."""
    if w["net"] == "transformer":
        return k2s.models.Seq2Seq.from_preset(
            "transformer_2017",
            source_vocabulary_size=w["src_vocab"],
            target_vocabulary_size=w["tgt_vocab"],
            hidden_dim=w["dim"],
            num_layers=w["layers"],
            num_heads=w["heads"],
            intermediate_dim=w["ff"],
            dropout=0.0,
            tie_weights="all",
        )
    lstm = w["cell"] == "lstm"
    cell = keras.layers.LSTMCell if lstm else keras.layers.GRUCell
    encoder = k2s.layers.RecurrentEncoder(cell(w["enc"]), bidirectional=True)
    decoder_cell = k2s.layers.LuongCell(
        cell(w["dec"]), score=k2s.layers.AdditiveScore(w["dec"])
    )
    return k2s.models.Seq2Seq(
        encoder,
        k2s.layers.RecurrentDecoder(decoder_cell, bridge=SharedBridge()),
        source_vocabulary_size=w["src_vocab"],
        target_vocabulary_size=w["tgt_vocab"],
        embedding_dim=w["emb"],
    )


def batches(w):
    """The same batch, `STEPS` times."""
    source, _, target = batch(w)
    dataset = k2s.data.BucketedDataset(
        [*source] * STEPS,
        [*target[:, :-1]] * STEPS,  # the end token follows
        batch_size=w["batch"],
        shuffle=False,
    )
    return k2s.data.for_fit(dataset)


def trainer(model, w):
    """A function that takes `STEPS` steps of `fit`."""
    model.compile(
        keras.optimizers.Adam(),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    data = batches(w)
    return lambda: model.fit(data, shuffle=False, verbose=0)


def translator(model, w):
    """A function that searches once; every row takes all steps."""
    search = k2s.search.BeamSearch(
        w["beam"],
        max_length=w["tgt"],
        min_length=w["tgt"],  # the end token is banned before the last step
        n_best=w["beam"],
    )
    inference = k2s.models.InferenceModel(model, search)
    source = batch(w)[0].astype("int32")

    def translate():
        found = inference.predict_on_batch(source)
        lengths = np.asarray(found["lengths"])
        if not (lengths == w["tgt"]).all():
            raise ValueError(f"Expected {w['tgt']} steps. Received: {lengths}")

    return translate


def main():
    name, w, _ = common.args()
    keras.utils.set_random_seed(0)
    model = reference_model(w)
    if w["kind"] == "train":
        times = common.measure(trainer(model, w), per_call=STEPS)
    else:
        times = common.measure(translator(model, w))
    common.emit(
        name,
        "keras_seq2seq",
        sum(int(np.prod(v.shape)) for v in model.trainable_variables),
        times,
        version=f"{k2s.__version__}, keras {keras.__version__}, "
        f"{keras.backend.backend()}",
    )


main()
