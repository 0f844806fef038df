import functools
import threading


def share_context():
    """One MLIR context for all programs of JAX that the main thread lowers.

    JAX makes a new one for each program: a quarter of the time of a small one,
    and a test that calls layers op by op has hundreds.
    """
    from jax._src.interpreters import mlir

    make = getattr(mlir, "make_ir_context", None)  # a version may lack it
    if make is None:
        return
    shared = functools.cache(make)

    def context():
        is_main = threading.current_thread() is threading.main_thread()
        return shared() if is_main else make()

    mlir.make_ir_context = context
