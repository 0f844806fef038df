"""UTF-8 bytes of code points in a TensorFlow graph."""


def utf8_bytes(code_points):
    """Bytes of code points in a row, and for each which code point it is of.

    Args:
        code_points: int64 `(n,)`.

    Returns:
        int64 `(m,)`, from 0 to 255, and int64 `(m,)`, places from 0 to n - 1.
    """
    import tensorflow as tf

    limits = (0x80, 0x800, 0x10000)
    sizes = 1 + sum(tf.cast(code_points >= x, tf.int64) for x in limits)
    places = tf.repeat(tf.range(tf.size(code_points, tf.int64)), sizes)
    within = tf.range(tf.size(places, tf.int64)) - tf.gather(
        tf.cumsum(sizes, exclusive=True), places
    )
    sizes = tf.gather(sizes, places)
    code_points = tf.gather(code_points, places)
    # Six bits a byte behind the first, which begins with as many ones as
    # there are bytes; a single byte has seven.
    bits = tf.bitwise.right_shift(code_points, 6 * (sizes - 1 - within))
    ones = tf.bitwise.right_shift(tf.constant(0xFF00, tf.int64), sizes) & 0xFF
    first = bits + tf.where(sizes > 1, ones, 0)
    return tf.where(within == 0, first, bits % 64 + 128), places


def with_bytes(symbols, byte_ids):
    """Ids, and for each of them which symbol it is of.

    Args:
        symbols: int64 `(n,)`, ids or -1 - code point, which becomes bytes.
        byte_ids: List of the 256 ids of bytes.
    """
    import tensorflow as tf

    found, places = utf8_bytes(tf.where(symbols < 0, -1 - symbols, 0))
    symbols = tf.gather(symbols, places)
    byte_ids = tf.gather(tf.constant(byte_ids, tf.int64), found)
    return tf.where(symbols < 0, byte_ids, symbols), places
