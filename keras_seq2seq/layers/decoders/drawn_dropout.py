import contextlib


@contextlib.contextmanager
def drawn_dropout(layer):
    """Drop the dropout masks that Keras cells keep, after a loop or its error.

    A Keras cell with `dropout` draws its masks in its first step and keeps
    them on itself; inside a compiled loop that fails. Keras's own layers draw
    ahead of the loop; where the loop is another, one step has to run ahead of
    it, under this context, which yields the cells concerned.
    """
    cells = [
        cell
        for cell in layer._flatten_layers()
        if hasattr(cell, "reset_dropout_mask")
        and max(cell.dropout, cell.recurrent_dropout) > 0
    ]
    try:
        yield cells
    finally:
        for cell in cells:
            cell.reset_dropout_mask()
            cell.reset_recurrent_dropout_mask()
