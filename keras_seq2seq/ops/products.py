"""Products of vectors with a matrix, as one product of two matrices.

The gradient of a matrix that meets a tensor of rank 3 sums over two axes. XLA
turns the larger operand for it; that of rank 2 is used as it lies. TensorFlow
fuses a product of rank 2 with the bias and activation behind it.
"""

from keras import ops


def on_rows(function, x):
    """`function` of the vectors of `x`, as the rows of a matrix.

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
