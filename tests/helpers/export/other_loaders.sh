#!/usr/bin/env bash
# An export, answered by the C++ loaders of other TensorFlow releases:
#
#     bash tests/helpers/export/other_loaders.sh SAVED_MODEL [VERSION...]
#
# Downloads the wheels of tensorflow-cpu (about 250 MB each), unpacks headers
# and libraries alone, builds the probe against each, replays the warmup file of
# SAVED_MODEL and compares the answers with those of the TensorFlow installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
exported=$1
shift
versions=("$@")
[ ${#versions[@]} -gt 0 ] || versions=(2.19.1 2.20.0)
work=${WORK:-$(mktemp -d)}
[ -n "${WORK:-}" ] || trap 'rm -rf "$work"' EXIT
export TF_CPP_MIN_LOG_LEVEL=3 CUDA_VISIBLE_DEVICES=-1

python "$here/other_loaders.py" prepare "$work/descriptors"
for version in "${versions[@]}"; do
    folder=$work/$version
    if [ ! -d "$folder/tensorflow" ]; then
        python -m pip download -q --no-deps -d "$work/wheels" \
            "tensorflow-cpu==$version"
        python "$here/other_loaders.py" unpack \
            "$work"/wheels/tensorflow_cpu-"$version"-*.whl "$folder"
    fi
    tensorflow=$folder/tensorflow
    [ -x "$folder/probe" ] || g++ -w -std=c++17 -O1 "$here/serving_probe.cc" \
        -o "$folder/probe" -isystem "$tensorflow/include" -L"$tensorflow" \
        -D_GLIBCXX_USE_CXX11_ABI=1 -DEIGEN_MAX_ALIGN_BYTES=64 \
        -Wl,--no-as-needed -l:libtensorflow_cc.so.2 \
        -l:libtensorflow_framework.so.2 -Wl,-rpath,"$tensorflow"
    "$folder/probe" "$exported" "$work/descriptors" \
        "$exported/assets.extra/tf_serving_warmup_requests" \
        "$folder/responses"
    python "$here/other_loaders.py" compare "$exported" "$folder/responses"
    printf 'tensorflow-cpu %s: equal answers\n' "$version"
done
