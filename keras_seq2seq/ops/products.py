"""Products of vectors with a matrix, as one product of two matrices.

When a matrix is multiplied with a tensor of rank 3, its gradient sums over two
axes, for which XLA transposes the larger operand; with rank 2 it need not.
TensorFlow also fuses a product of rank 2 with its bias and activation.
"""

from keras import ops


def on_rows(function, x):
    """Apply a function of matrices to the vectors of `x`.

    Args:
        function: Function from `(rows, n)` to `(rows, m)`.
        x: Tensor of shape `(..., n)`.

    Returns:
        Tensor of shape `(..., m)`.
    """
    if len(x.shape) == 2:
        return function(x)
    *shape, width = ops.shape(x)
    rows = function(ops.reshape(x, (-1, width)))
    return ops.reshape(rows, (*shape, ops.shape(rows)[-1]))


def product(x, matrix):
    """`x (..., n)` times a matrix `(n, m)`: `(..., m)`."""
    return on_rows(lambda rows: ops.matmul(rows, matrix), x)
