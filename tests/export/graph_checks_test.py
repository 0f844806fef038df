"""What is in the SavedModel, and what must not be."""

import keras
import numpy as np
import pytest

from keras_seq2seq.export.graph_checks import check_graph
from keras_seq2seq.export.graph_checks import read_functions

tf = pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)

# Core ops, all of them in TensorFlow 2.19 and in every stock server since.
ALLOWED = set(
    """
    Add AddV2 All ArgMax AsString Assert AssignVariableOp BatchMatMulV2
    BiasAdd Bitcast BitwiseAnd BitwiseXor BroadcastTo Cast ConcatV2 Const Cumsum
    DenseBincount DisableCopyOnRead Equal Exp ExpandDims Fill FloorDiv
    FloorMod GatherV2 Greater GreaterEqual HashTableV2 Identity
    InitializeTableFromTextFileV2 IsFinite Less LessEqual Log LogSoftmax
    LogicalAnd LogicalNot LogicalOr LookupTableFindV2 MatMul Max Maximum
    MergeV2Checkpoints Minimum Mul Neg NoOp NotEqual OneHot Pack Pad
    Placeholder Prod RaggedRange RaggedTensorToTensor Range ReadVariableOp
    RealDiv ReduceJoin Reshape RestoreV2 ReverseV2 RightShift SaveV2 Select
    SelectV2 Shape ShardedFilename Sigmoid Size Split Squeeze
    StatefulPartitionedCall StatelessIf StatelessWhile StaticRegexFullMatch
    StopGradient StridedSlice StringJoin StringSplitV2 StringStrip Sub Sum
    Tanh TensorListFromTensor TensorListGetItem TensorListReserve
    TensorListSetItem TensorListStack TensorScatterUpdate Tile TopKV2
    Transpose UnicodeDecode UnicodeTranscode VarHandleOp VarIsInitializedOp
    While ZerosLike
    """.split()
)


def meta_graphs(folder):
    from tensorflow.core.protobuf import saved_model_pb2

    saved = saved_model_pb2.SavedModel()
    with open(f"{folder}/saved_model.pb", "rb") as file:
        saved.ParseFromString(file.read())
    return saved.meta_graphs


def test_ops(exported):
    used = {
        node.op for _, _, nodes in read_functions(exported) for node in nodes
    }
    assert used <= ALLOWED, sorted(used - ALLOWED)


def test_nothing_is_tied_to_a_device(exported):
    for name, attributes, nodes in read_functions(exported):
        assert "_XlaMustCompile" not in attributes or not (
            attributes["_XlaMustCompile"].b
        )
        for node in nodes:  # TensorFlow reads and writes weights on the CPU
            assert not node.device or "CPU" in node.device, (name, node.name)
            if "traced_save" not in name and "traced_restore" not in name:
                assert not node.device or node.op == "Const", node.name


def test_signatures(exported):
    (meta_graph,) = meta_graphs(exported)
    assert list(meta_graph.meta_info_def.tags) == ["serve"]
    signatures = dict(meta_graph.signature_def)
    signatures.pop("__saved_model_init_op")
    several = "texts", "scores", "lengths", "attention_scores"
    expected = {  # inputs and outputs
        "serving_default": ({"text"}, {"text", "score"}),
        "n_best": ({"text"}, {*several, "source_lengths"}),
        "score": (
            {"source", "target"},
            {"log_prob", "token_log_probs", "target_lengths"},
        ),
        "sample": ({"text", "seed"}, {"text", "score"}),
        "token_ids": (
            {"token_ids", "lengths"},
            {"token_ids", "scores", "lengths"},
        ),
        "greedy": ({"text"}, {"text", "score"}),
        "prefixed": ({"text", "prefix"}, {"text", "score"}),
    }
    assert signatures.keys() == expected.keys()
    for name, signature in signatures.items():
        assert signature.method_name == "tensorflow/serving/predict"
        names = set(signature.inputs), set(signature.outputs)
        assert names == expected[name]
        for tensor in [*signature.inputs.values(), *signature.outputs.values()]:
            assert tensor.dtype in (tf.string, tf.float32, tf.int32)
            assert not tensor.tensor_shape.unknown_rank
            assert len(tensor.tensor_shape.dim) >= 1
            assert tensor.tensor_shape.dim[0].size == -1


def test_weights_are_stored_once(task, exported):
    reader = tf.train.load_checkpoint(f"{exported}/variables/variables")
    shapes = [
        shape
        for name, shape in reader.get_variable_to_shape_map().items()
        if "OBJECT_GRAPH" not in name
    ]
    stored = sum(int(np.prod(shape)) for shape in shapes)
    assert stored == task.model.count_params()


def save(folder, function):
    module = tf.Module()
    module.function = function
    spec = tf.TensorSpec([None, 3], tf.float32)
    concrete = function.get_concrete_function(spec)
    tf.saved_model.save(module, str(folder), signatures=concrete)


def compiled():
    return tf.function(lambda x: {"y": x * 2}, jit_compile=True)


def in_python():
    return tf.function(
        lambda x: {"y": tf.numpy_function(np.sin, [x], tf.float32)}
    )


def on_a_gpu():
    def function(x):
        with tf.device("/GPU:0"):
            return {"y": x * 2}

    return tf.function(function)


@pytest.mark.parametrize(
    "function, problem",
    [
        (compiled(), "compiled by XLA"),
        (in_python(), "the op EagerPyFunc|the op PyFunc"),
        (on_a_gpu(), "on the device '/device:GPU:0'"),
    ],
)
def test_what_a_stock_server_refuses_is_found(tmp_path, function, problem):
    save(tmp_path, function)
    with pytest.raises(ValueError, match=problem):
        check_graph(tmp_path)
