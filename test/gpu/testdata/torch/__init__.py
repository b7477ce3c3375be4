"""A PyTorch without a GPU, for the rehearsal of run.sh. Each run takes as long as
FAKE_TORCH_MS says, by its own clock: nothing is multiplied."""

import os

__version__ = "0.0.0+made.up"
float32, float16, bfloat16, uint8 = "float32", "float16", "bfloat16", "uint8"
_clock = [0.0]


class _Tensor:
    def sub_(self, _):
        return self

    def to(self, _):
        return self

    def pin_memory(self):
        return self

    def copy_(self, _, non_blocking):
        assert non_blocking
        _clock[0] += float(os.environ["FAKE_TORCH_MS"])


def rand(*_, device, dtype):
    return _Tensor()


def empty(*_, **__):
    return _Tensor()


def ones(*_, **__):
    return _Tensor()


def matmul(a, b, out):
    if os.environ.get("FAKE_TORCH_FAILS"):
        raise RuntimeError("CUDA out of memory (made up)\nmore")
    _clock[0] += float(os.environ["FAKE_TORCH_MS"])


class _Event:
    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.at = _clock[0]

    def elapsed_time(self, other):
        return other.at - self.at


class version:
    cuda = "12.8"


class backends:
    class cuda:
        class matmul:
            allow_tf32 = False


class cuda:
    Event = _Event

    @staticmethod
    def is_available():
        return not os.environ.get("FAKE_TORCH_BLIND")

    @staticmethod
    def get_device_name(_):
        return "made up"

    @staticmethod
    def get_device_capability(_):
        return (9, 0)

    @staticmethod
    def synchronize():
        pass

    @staticmethod
    def empty_cache():
        pass
