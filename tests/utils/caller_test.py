import warnings

import keras_seq2seq.utils.caller as module
from keras_seq2seq.utils.caller import warn_caller


def test_the_line_outside_of_the_package(monkeypatch):
    """Of three frames of a "package", the warning is at the one before."""
    code = "def outer(f):\n    return f()\n"
    namespace = {}
    inside = module.PACKAGE + "deep.py"
    exec(compile(code, inside, "exec"), namespace)
    outer = namespace["outer"]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warn_caller("here")
        monkeypatch.setattr(module, "PACKAGE", "")  # every frame is inside
        warn_caller("at the bottom")
        monkeypatch.undo()
        exec(compile("def f(): warn('deep')\n", inside, "exec"), namespace)
        namespace["warn"] = warn_caller
        outer(lambda: outer(namespace["f"]))
    messages = {str(x.message): x.filename for x in found}
    assert messages["here"] == __file__
    assert messages["at the bottom"] != __file__
    assert messages["deep"] == __file__
