"""Steps of `other_loaders.sh` that are easier in Python.

prepare DESCRIPTORS             write the messages' descriptions
unpack WHEEL FOLDER             headers and libraries alone
compare SAVED_MODEL RESPONSES   with the answers of this TensorFlow
"""

import pathlib
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[3]))


def prepare(path):
    from tests.helpers.export import serving_requests

    serving_requests.write_descriptors(pathlib.Path(path))


def unpack(wheel, folder):
    wanted = "tensorflow/include/", "tensorflow/libtensorflow_"
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if name.startswith(wanted)]
        file.extractall(folder, names)


def compare(exported, responses):
    import tensorflow as tf

    from tests.helpers.export import serving_requests
    from tests.helpers.export.comparing import assert_equal

    signatures = tf.saved_model.load(exported).signatures
    path = f"{exported}/assets.extra/tf_serving_warmup_requests"
    requests = serving_requests.read_requests(path)
    found = serving_requests.read_responses(responses)
    for request, response in zip(requests, found, strict=True):
        inputs = serving_requests.arrays(request.inputs)
        function = signatures[request.model_spec.signature_name]
        expected = function(
            **{n: tf.convert_to_tensor(x) for n, x in inputs.items()}
        )
        # Other kernels: a log-probability of -181 has steps of 1.5e-5.
        assert_equal(
            response, {n: x.numpy() for n, x in expected.items()}, rtol=1e-6
        )
    print(len(found), "answers equal to those of TensorFlow", tf.__version__)


if __name__ == "__main__":
    {"prepare": prepare, "unpack": unpack, "compare": compare}[sys.argv[1]](
        *sys.argv[2:]
    )
