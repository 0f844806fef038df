import keras


def stack(cell, units, num_layers):
    """`num_layers` cells of a class as one cell."""
    cells = [cell(units, name=f"layer_{i}") for i in range(num_layers)]
    if num_layers == 1:
        return cells[0]
    return keras.layers.StackedRNNCells(cells)
