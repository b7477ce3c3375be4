"""Compares what gpudocs reports and measures with nvidia-smi and PyTorch, for run.sh.

    accept.py COMMAND [FILE...]

prints a line for each thing compared, "same", "DIFFERS" or "skipped", and ends
with 0 where nothing differs, 1 where something does, 77 where nothing could be
compared. Needs Python 3.8 and no packages; torch_side.py talks to PyTorch.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time

# The required ratios; docs/content/en/gpu-acceptance.md has the reasons.
MATMUL = float(os.environ.get("ACCEPTANCE_MATMUL", "0.98"))  # of torch.matmul
KERNEL = float(os.environ.get("ACCEPTANCE_KERNEL", "0.50"))  # of cuBLAS fp32, at one size
COPIES = float(os.environ.get("ACCEPTANCE_COPIES", "0.90"))  # of torch's copies
SIZES = [int(n) for n in os.environ.get("ACCEPTANCE_SIZES", "4096,8192").split(",")]
DTYPES = ["fp32", "tf32", "fp16", "bf16"]
ROUNDS = int(os.environ.get("ACCEPTANCE_ROUNDS", "3"))
ITERS = ["--iters", os.environ["ACCEPTANCE_ITERS"]] if "ACCEPTANCE_ITERS" in os.environ else []  # of each product by gpudocs
COPIED = os.environ.get("ACCEPTANCE_COPIED", "bandwidth host-to-device device-to-host").split()
DEADLINE = float(os.environ.get("ACCEPTANCE_DEADLINE", "inf"))

SKIPPED = 77


class Tally:
    """Counts the comparisons, and prints them."""

    def __init__(self):
        self.same = self.differs = 0

    def line(self, what, ours, theirs, verdict, note=""):
        if verdict is True:
            self.same += 1
        elif verdict is False:
            self.differs += 1
        word = {True: "same", False: "DIFFERS", None: "not compared"}[verdict]
        print(f"{what:<34} {show(ours):<28} {show(theirs):<28} {word}{note and f' ({note})'}", flush=True)

    def code(self):
        if self.differs:
            return 1
        return 0 if self.same else SKIPPED


def show(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def skip(why):
    print("skipped:", why)
    return SKIPPED


# --- inventory against nvidia-smi ---------------------------------------------


def smi(*arguments):
    """Returns what nvidia-smi prints, or None if it fails."""
    p = subprocess.run(["nvidia-smi", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    return p.stdout if p.returncode == 0 else None


def number(text):
    return float(text)


def flag(text):
    return {"Enabled": True, "Disabled": False, "Yes": True, "No": False}[text]


# Each field: its name in the report, nvidia-smi's, how nvidia-smi's text is read,
# and by how much it may differ (None: it changes too fast to be compared).
FIELDS = [
    ("name", "name", str, 0),
    ("memory_mib", "memory.total", number, 1),
    ("compute", "compute_cap", str, 0),
    ("clocks.max_graphics_mhz", "clocks.max.graphics", number, 0),
    ("clocks.max_sm_mhz", "clocks.max.sm", number, 0),
    ("clocks.max_memory_mhz", "clocks.max.memory", number, 0),
    ("clocks.sm_mhz", "clocks.current.sm", number, None),
    ("clocks.memory_mhz", "clocks.current.memory", number, None),
    ("power.limit_w", "enforced.power.limit", number, 0.01),
    ("power.draw_w", "power.draw", number, None),
    ("temperature_c", "temperature.gpu", number, 5),
    ("pcie.max_generation", "pcie.link.gen.max", number, 0),
    ("pcie.max_width", "pcie.link.width.max", number, 0),
    ("pcie.generation", "pcie.link.gen.current", number, None),
    ("pcie.width", "pcie.link.width.current", number, None),
    ("ecc.enabled", "ecc.mode.current", flag, 0),
    ("ecc.corrected", "ecc.errors.corrected.volatile.total", number, 0),
    ("ecc.uncorrected", "ecc.errors.uncorrected.volatile.total", number, 0),
    ("mig.enabled", "mig.mode.current", flag, 0),
    ("persistence", "persistence_mode", flag, 0),
]


def ask_smi():
    """Returns the rows of nvidia-smi, one to a GPU; a field that it does not know is missing."""
    rows = csv([f[1] for f in FIELDS])
    if rows is not None:
        return rows
    rows = None  # an older driver refuses the whole question for one field
    for field in FIELDS:
        column = csv([field[1]])
        if column is None:
            continue
        rows = rows or [{} for _ in column]
        for row, cell in zip(rows, column):
            row.update(cell)
    return rows


def csv(names):
    text = smi("--query-gpu=" + ",".join(names), "--format=csv,noheader,nounits")
    if text is None:
        return None
    rows = [[cell.strip() for cell in line.split(", ")] for line in text.splitlines() if line.strip()]
    if not all(len(row) == len(names) for row in rows):
        return None
    return [dict(zip(names, row)) for row in rows]


def known(text, read):
    """Reads nvidia-smi's text; what it does not know is None."""
    if text.strip("[]") in ("N/A", "Not Supported", "Insufficient Permissions", "No Permission", "Unknown Error"):
        return None
    try:
        return read(text)
    except (ValueError, KeyError):
        return text


def reading(device, path):
    """Returns a field of a device in a report, and why it is null."""
    if path == "memory_mib":
        memory = device.get("memory_bytes", 0)
        return (memory >> 20 if memory else None), ""
    if path in ("name", "compute"):
        return device.get(path) or None, ""
    value = device.get("readings") or {}
    for key in path.split("."):
        value = (value or {}).get(key)
    if path == "mig.instances":  # nvidia-smi rounds their memory to MiB
        value = [f"{i['profile']} {i.get('memory_bytes', 0) >> 20} MiB {i.get('sms', 0)} SM" for i in value or []]
    why = {u["field"]: u["why"] for u in (device.get("readings") or {}).get("unknown", [])}
    return value, why.get(path, "")


def close(ours, theirs, tolerance):
    if ours is None or theirs is None:
        return ours is theirs
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        return abs(ours - theirs) <= tolerance
    return ours == theirs


def inventory(arguments):
    gpu = machine_gpu(arguments.files[0])
    t = Tally()
    print(f"gpudocs asked {gpu.get('source', 'nobody')}; status {gpu['status']} {gpu.get('code', '')} {gpu.get('detail', '')}".rstrip())
    rows = ask_smi()
    if rows is None:
        return skip("nvidia-smi answers no question here")
    t.line("GPUs", len(gpu.get("devices") or []), len(rows), len(gpu.get("devices") or []) == len(rows))
    for asker, n in counted(gpu):
        why = (gpu.get("counts") or {}).get("why", "")
        t.line(f"GPUs by {asker}", n, len(rows), n == len(rows) if not why else None, why)
    version = csv(["driver_version"])
    if version:
        t.line("driver", gpu.get("driver"), version[0]["driver_version"], gpu.get("driver") == version[0]["driver_version"])
    header = re.search(r"CUDA(?: UMD)? Version: *([0-9.]+)", smi() or "")
    if header:
        t.line("CUDA", gpu.get("cuda"), header.group(1), gpu.get("cuda") == header.group(1))
    for i, (device, row) in enumerate(zip(gpu.get("devices") or [], rows)):
        for path, name, read, tolerance in FIELDS:
            ours, why = reading(device, path)
            what = f"GPU {i} {path}"
            if name not in row:
                t.line(what, ours, None, None, "this nvidia-smi does not know " + name)
                continue
            theirs = known(row[name], read)
            if tolerance is None:
                t.line(what, ours, theirs, None, "changes from moment to moment")
            elif ours is None and why == "old-driver":
                t.line(what, ours, theirs, None, why)
            else:
                t.line(what, ours, theirs, close(ours, theirs, tolerance), why or (f"within {tolerance}" if tolerance and ours != theirs else ""))
    profiles = re.findall(r"^\s+MIG (\S+)\s+Device", smi("-L") or "", re.M)
    ours = [i["profile"] for d in gpu.get("devices") or [] for i in ((d.get("readings") or {}).get("mig") or {}).get("instances", [])]
    t.line("MIG devices", ",".join(ours), ",".join(profiles), sorted(ours) == sorted(profiles))
    return t.code()


def counted(gpu):
    """The numbers of GPUs by other sources than the driver's library, if they were queried."""
    counts = gpu.get("counts") or {}
    return [(asker, counts[key]) for asker, key in (("CUDA", "cuda"), ("/dev", "dev")) if counts.get(key) is not None]


def machine_gpu(file):
    with open(file, encoding="utf-8") as f:
        return json.load(f)["machine"]["gpu"]


# --- gpudocs' two sources ------------------------------------------------------

# Fields that change between two queries, and their tolerances.
VOLATILE = {"temperature_c": 5}
PASSING = {"clocks.graphics_mhz", "clocks.sm_mhz", "clocks.memory_mhz", "power.draw_w", "throttle", "pcie.generation", "pcie.width", "pcie.under_load"}


def leaves(tree, path=""):
    for key, value in sorted(tree.items()):
        if key == "unknown":
            continue
        if isinstance(value, dict):
            yield from leaves(value, path + key + ".")
        else:
            yield path + key


def sources(arguments):
    first, second = (machine_gpu(f) for f in arguments.files)
    t = Tally()
    print(f"sources: {first.get('source')} and {second.get('source')}")
    if first.get("source") == second.get("source"):
        return skip("both asked the same")
    for field in ("status", "driver", "cuda"):
        t.line(field, first.get(field), second.get(field), first.get(field) == second.get(field))
    ours, theirs = first.get("devices") or [], second.get("devices") or []
    t.line("GPUs", len(ours), len(theirs), len(ours) == len(theirs))
    for i, (a, b) in enumerate(zip(ours, theirs)):
        paths = ["name", "memory_mib", "compute"] + list(leaves(a.get("readings") or {}))
        for path in paths:
            (x, why_x), (y, why_y) = reading(a, path), reading(b, path)
            what = f"GPU {i} {path}"
            if path in PASSING:
                t.line(what, x, y, None, "changes from moment to moment")
            elif "source" in (why_x, why_y) or "old-driver" in (why_x, why_y):
                t.line(what, x, y, None, why_x or why_y)
            elif path == "compute" and None in (x, y):
                t.line(what, x, y, None, "this nvidia-smi does not tell it")
            elif path == "memory_mib" and x and y:
                t.line(what, x, y, abs(x - y) <= 1, "" if x == y else "nvidia-smi rounds")
            else:
                t.line(what, x, y, close(x, y, VOLATILE.get(path, 0.01)), why_x or why_y)
    return t.code()


# --- measurements --------------------------------------------------------------


class Failed(Exception):
    """A measurement that could not be made; its text says why."""


class Torch:
    """A Python with PyTorch that stays alive between measurements, and idle."""

    def __init__(self, python):
        side = os.path.join(os.path.dirname(os.path.abspath(__file__)), "torch_side.py")
        self.process = subprocess.Popen([python, "-B", side], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = self.read()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise Failed(f"PyTorch ended with exit code {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    def ask(self, **question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return self.read()

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


def bench(gpudocs, what, *arguments):
    """Runs gpudocs bench and returns what it measured on the first GPU."""
    command = {"matmul": "matmul", "bandwidth": "memory"}.get(what, "copy")
    p = subprocess.run([gpudocs, "bench", command, *arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    try:
        measured = {m["what"]: m for m in json.loads(p.stdout)["measurements"]}[what]
    except (ValueError, KeyError):
        # A gpudocs that does not answer is no reason to skip.
        raise Wrong(f"gpudocs bench {command}: exit code {p.returncode}: {p.stderr.strip() or p.stdout.strip()}"[:500]) from None
    if not measured["gpus"]:
        raise Wrong("gpudocs bench measured no GPU")
    m = measured["gpus"][0]
    if m.get("why") in ("not-supported", "no-memory", "no-library"):
        raise Failed(f"gpudocs: {m['why']} {m.get('detail', '')}".strip())
    if m.get("why"):
        raise Wrong(f"gpudocs bench: {m['why']} {m.get('detail', '')}".strip())
    if m.get("wrong"):
        raise Wrong(f"the result is WRONG: error {m.get('max_error')}, tolerance {m.get('tolerance')}")
    return dict(m, unit=measured["unit"])


class Wrong(Exception):
    """A wrong or missing result, which is never just skipped."""


def in_turn(ours, theirs, rounds):
    """Measures both, changing which goes first, and returns the lists of medians."""
    a, b = [], []
    for i in range(rounds):
        for which in (0, 1) if i % 2 == 0 else (1, 0):
            if which == 0:
                a.append(ours())
            else:
                b.append(theirs())
    return a, b


def contest(figures, what, ours, theirs, least, rounds=ROUNDS):
    """Compares median times: 1.0 is as fast, more is faster than theirs. A ratio
    that is too low is measured once more, because of other load on the machine."""
    try:
        a, b = in_turn(ours, theirs, rounds)
        if ratio(a, b) < least:
            print(f"{what}: {ratio(a, b):.3f}, measured again")
            more = in_turn(ours, theirs, rounds)
            a, b = a + more[0], b + more[1]
    except Wrong as e:
        print(f"{what:<22} FAILED: {e}")
        return False
    except Failed as e:
        print(f"{what:<22} skipped: {e}")
        return None
    r, last = ratio(a, b), a[-1]
    ok = r >= least
    print(
        f"{what:<22} gpudocs {median(a):9.4f} ms ({last['rate']:.4g} {last['unit']}, {last.get('backend', '')}), "
        f"{b[-1].get('backend', 'torch')} {median(b):9.4f} ms, ratio {r:.3f} of at least {least:.2f}: {'ok' if ok else 'TOO SLOW'}",
        flush=True,
    )
    figures({"what": what, "ours_ms": [m["median_ms"] for m in a], "theirs_ms": [m["median_ms"] for m in b], "ratio": r, "least": least,
             "ok": ok, "ours": last, "theirs": b[-1]})
    return ok


def median(measured):
    return statistics.median(m["median_ms"] for m in measured)


def ratio(ours, theirs):
    return median(theirs) / median(ours)


def contests(arguments, cases):
    """Runs contests until the time is up, and says how they went together."""
    verdicts = []
    for what, ours, theirs, least in cases:
        if time.time() > DEADLINE:
            print(f"{what:<22} skipped: no time left")
            continue
        verdicts.append(contest(recorder(arguments.figures), what, ours, theirs, least))
    if False in verdicts:
        return 1
    return 0 if True in verdicts else SKIPPED


def recorder(file):
    def record(figure):
        if file:
            with open(file, "a", encoding="utf-8") as f:
                f.write(json.dumps(figure) + "\n")
    return record


def with_torch(arguments, use):
    try:
        torch = Torch(arguments.python)
    except Failed as e:
        return skip(str(e))
    print(torch.about["words"])
    try:
        return use(torch)
    finally:
        torch.close()


def matmul(arguments):
    def cases(torch):
        for n in SIZES:
            for dtype in DTYPES:
                yield (f"matmul {dtype} n={n}",
                       lambda n=n, dtype=dtype: bench(arguments.gpudocs, "matmul", "--n", str(n), "--dtype", dtype, "--backend", "cublas", *ITERS),
                       lambda n=n, dtype=dtype: torch.ask(what="matmul", n=n, dtype=dtype), MATMUL)
    return with_torch(arguments, lambda torch: contests(arguments, cases(torch)))


def kernel(arguments):
    """The kernel must be fast enough at one size; the best one counts."""
    best = None
    for n in SIZES:
        what = f"PTX fp32 n={n}"
        if time.time() > DEADLINE:
            print(f"{what:<22} skipped: no time left")
            continue

        def by(backend, n=n):
            return lambda: bench(arguments.gpudocs, "matmul", "--n", str(n), "--dtype", "fp32", "--backend", backend, *ITERS)

        ok = contest(recorder(arguments.figures), what, by("ptx"), by("cublas"), KERNEL, rounds=2)
        if ok:
            return 0
        best = ok if best is None else best
    return SKIPPED if best is None else 1


def copies(arguments):
    def cases(torch):
        for what in COPIED:
            yield (what, lambda what=what: per_byte(bench(arguments.gpudocs, what)),
                   lambda what=what: per_byte(torch.ask(what=what)), COPIES)
    return with_torch(arguments, lambda torch: contests(arguments, cases(torch)))


def per_byte(m):
    """Makes copies of different sizes comparable: the time for 1 GB."""
    return dict(m, median_ms=1000 / m["rate"])


# --- the rest ------------------------------------------------------------------


def label(arguments):
    """Names the report after the first GPU: nvidia-h100-80gb-hbm3."""
    devices = machine_gpu(arguments.files[0]).get("devices") or [{"name": "gpu"}]
    print(re.sub(r"[^a-z0-9]+", "-", devices[0]["name"].lower()).strip("-")[:60] or "gpu")
    return 0


def doctor(arguments):
    """Checks that the document is complete and anonymous."""
    with open(arguments.files[0], encoding="utf-8") as f:
        text = f.read()
    json.loads(text)
    private = {"host name": os.uname().nodename, "UUID": r"GPU-[0-9a-f]{8}-", "PCI address": r"[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]"}
    found = []
    for what, pattern in private.items():
        if what == "host name":
            if len(pattern) < 4 or pattern == "localhost":
                continue
            pattern = r"\b" + re.escape(pattern) + r"\b"
        if re.search(pattern, text):
            found.append(what)
    print("doctor --json holds " + (", ".join(found) if found else "no host name, UUID or PCI address"))
    return 1 if found else 0


def main():
    commands = {f.__name__: f for f in (inventory, sources, matmul, kernel, copies, label, doctor)}
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gpudocs", default="gpudocs")
    p.add_argument("--python", default=sys.executable)
    p.add_argument("--figures", help="file that figures are added to, one JSON object on a line")
    p.add_argument("command", choices=commands)
    p.add_argument("files", nargs="*")
    arguments = p.parse_args()
    return commands[arguments.command](arguments)


if __name__ == "__main__":
    sys.exit(main())
