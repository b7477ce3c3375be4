"""The PyTorch side of accept.py: measures what a line of standard input asks
for, as gpudocs does: about half a second of warm-up, at least 20 runs timed with
the GPU's events, and their median."""

import json
import os
import statistics
import sys
import time

DTYPES = {"fp32": "float32", "tf32": "float32", "fp16": "float16", "bf16": "bfloat16"}
WARM_UP = float(os.environ.get("ACCEPTANCE_WARM_UP", "0.5"))  # seconds
# At least as long as gpudocs: a GPU at its power limit is faster in a few milliseconds than in
# half a second.
TIMED = WARM_UP
RUNS = 20  # in a batch
COPIED = 256 << 20  # bytes


def timed(torch, run):
    """Returns the median time of a run in milliseconds, and how many were timed."""
    end = time.monotonic() + WARM_UP
    while True:
        run()
        torch.cuda.synchronize()
        if time.monotonic() > end:
            break
    events = [torch.cuda.Event(enable_timing=True) for _ in range(RUNS + 1)]
    times, end = [], time.monotonic() + TIMED
    while not times or time.monotonic() < end:
        events[0].record()
        for event in events[1:]:
            run()
            event.record()
        torch.cuda.synchronize()
        times += (a.elapsed_time(b) for a, b in zip(events, events[1:]))
    return statistics.median(times)


def matmul(torch, n, dtype):
    if dtype in ("tf32", "bf16") and torch.cuda.get_device_capability(0)[0] < 8:
        raise ValueError(f"this GPU has no {dtype}")
    torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32"
    kind = getattr(torch, DTYPES[dtype])
    a, b = (torch.rand(n, n, device="cuda", dtype=torch.float32).sub_(0.5).to(kind) for _ in range(2))
    c = torch.empty(n, n, device="cuda", dtype=kind)
    ms = timed(torch, lambda: torch.matmul(a, b, out=c))
    return {"median_ms": ms, "rate": 2 * n**3 / ms / 1e9, "unit": "TFLOP/s"}


def copy(torch, what):
    to = torch.empty(COPIED, dtype=torch.uint8, device="cuda" if what != "device-to-host" else "cpu", pin_memory=what == "device-to-host")
    source = torch.ones(COPIED, dtype=torch.uint8, device="cuda" if what != "host-to-device" else "cpu")
    if what == "host-to-device":
        source = source.pin_memory()
    ms = timed(torch, lambda: to.copy_(source, non_blocking=True))
    moved = COPIED * (2 if what == "bandwidth" else 1)  # a copy within the memory reads and writes
    return {"median_ms": ms, "rate": moved / ms / 1e6, "unit": "GB/s"}


def say(answer):
    print(json.dumps(answer), flush=True)


def main():
    try:
        import torch
    except ImportError as e:
        return say({"error": f"no PyTorch in this Python ({e})"})
    if not torch.cuda.is_available():
        return say({"error": f"PyTorch {torch.__version__} sees no GPU"})
    name = torch.cuda.get_device_name(0)
    say({"words": f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, {name}"})
    for line in sys.stdin:
        question = json.loads(line)
        try:
            what = question.pop("what")
            answer = matmul(torch, **question) if what == "matmul" else copy(torch, what)
            torch.cuda.empty_cache()
            say(dict(answer, backend="torch"))
        except (RuntimeError, ValueError) as e:
            say({"error": f"PyTorch: {str(e).splitlines()[0]}"})


if __name__ == "__main__":
    main()
