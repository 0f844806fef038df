"""Cells and readouts that presets take by name.

A cell is a name in `CELLS`, or a Keras cell or its config, of which only the
config is used, for each layer on either side.
"""

import copy
import functools

import keras

from keras_seq2seq import layers
from keras_seq2seq.layers.decoders.recurrence import LAYERS
from keras_seq2seq.layers.recurrent.keras_cell import width_of
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.structures import plain

CELLS = {
    "gru": keras.layers.GRUCell,
    # h_t = tanh(W x + U (r * h)), as in the papers; Keras's resets after U.
    "gru_reset_before": functools.partial(
        keras.layers.GRUCell, reset_after=False
    ),
    "lstm": keras.layers.LSTMCell,
    "lstm_without_forget": functools.partial(
        layers.ReducedLSTMCell, without="forget"
    ),
    "lstm_without_input": functools.partial(
        layers.ReducedLSTMCell, without="input"
    ),
    "lstm_without_output": functools.partial(
        layers.ReducedLSTMCell, without="output"
    ),
    "mut1": layers.MUT1Cell,
    "mut2": layers.MUT2Cell,
    "mut3": layers.MUT3Cell,
    "simple_rnn": keras.layers.SimpleRNNCell,
}


def units_of(cell):
    """The units that a cell brings, or `None` for a name."""
    if isinstance(cell, str):
        check_choice(cell, "cell", CELLS)
        return None
    return width_of(registry.object_of(copy.deepcopy(cell)))


def cell_of(cell, units, name=None, **kwargs):
    """A fresh Keras cell.

    Args:
        cell: As above.
        units: Integer, for a name.
        name: String, of the new cell. Defaults to `None`, Keras's choice.
        **kwargs: Further arguments of a cell that is given by name.
    """
    if isinstance(cell, str):
        kwargs = {**kwargs, **({"name": name} if name else {})}
        return CELLS[check_choice(cell, "cell", CELLS)](units, **kwargs)
    config = copy.deepcopy(plain(registry.config_of(cell)))
    config["config"].pop("name", None)
    if name:
        config["config"]["name"] = name
    return registry.object_of(config)


def stack_of(cell, units, num_layers):
    """`num_layers` cells as one cell."""
    cells = [cell_of(cell, units, f"layer_{i}") for i in range(num_layers)]
    if num_layers == 1:
        return cells[0]
    return keras.layers.StackedRNNCells(cells)


def dropped_stack_of(cell, units, num_layers, dropout):
    """The same, with dropout between the layers of a cell given by name."""
    return keras.layers.StackedRNNCells(
        [
            cell_of(cell, units, f"lstm_{i}", dropout=dropout if i else 0.0)
            for i in range(num_layers)
        ]
    )


def layer_of(cell, units, num_layers=1):
    """What a `RecurrentEncoder` reads with: a Keras layer where there is one,
    which may run in a fused kernel."""
    if num_layers > 1:
        return stack_of(cell, units, num_layers)
    made = cell_of(cell, units)
    layer = LAYERS.get(type(made))
    if layer is None:
        return made
    config = made.get_config()
    del config["name"]
    return layer.from_config(config)


def readout_of(readout, units, dropout):
    """A readout by name, with the preset's units and dropout; or as it is."""
    if readout == "deep":
        return layers.DeepReadout(units, dropout=dropout)
    if readout == "direct":
        return layers.DirectReadout(dropout)
    return readout
