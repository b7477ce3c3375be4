#!/usr/bin/env python3
"""A gpudocs for the rehearsal of run.sh, which tests run.sh and accept.py and not
gpudocs: it answers what a gpudocs on a made-up machine would. Each product takes
FAKE_MS, or with the backend ptx FAKE_PTX_MS; FAKE_WRONG makes the result wrong."""

import json
import os
import sys

args = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))


def option(name):
    return args[args.index(name) + 1]


def bench():
    if os.environ.get("FAKE_CRASH"):
        sys.exit("made-up crash")
    ms = float(os.environ["FAKE_PTX_MS" if "--backend" in args and option("--backend") == "ptx" else "FAKE_MS"])
    m = {"device": 0, "backend": "made up", "runs": 20, "median_ms": ms, "rate": 1000 / ms, "max_error": 0.5, "tolerance": 0.1}
    if os.environ.get("FAKE_WRONG"):
        m["wrong"] = True
    if os.environ.get("FAKE_WHY"):
        m = {"device": 0, "why": os.environ["FAKE_WHY"]}
    whats = {"matmul": ["matmul"], "memory": ["bandwidth"], "copy": ["host-to-device", "device-to-host"]}[args[1]]
    return {"measurements": [{"what": w, "unit": "TFLOP/s" if w == "matmul" else "GB/s", "gpus": [m]} for w in whats]}


if args == ["version"]:
    print("gpudocs made up")
elif args == ["doctor", "--json"]:
    source = "nvidia-smi" if "nocgo" in sys.argv[0] else "nvml"
    with open(os.environ["FAKE_DEVICES"], encoding="utf-8") as f:
        devices = json.load(f)
    for d, compute in zip(devices, ["8.0", "9.0"]):
        d["compute"] = compute
        for i in d["readings"]["mig"].get("instances", []):
            i["profile"] = "1g.5gb"
    if source == "nvml":
        devices[0]["readings"]["sms"] = 108
        devices[0]["readings"]["unknown"] = [u for u in devices[0]["readings"]["unknown"] if u["field"] != "sms"]
    gpu = {"status": "ok", "source": source, "driver": "570.124.06", "cuda": "12.8", "devices": devices}
    gpu["counts"] = {"nvml": 2, "cuda": int(os.environ.get("FAKE_COUNT", "2")), "dev": None}
    if source == "nvidia-smi":  # which rounds
        devices[0]["readings"]["mig"]["instances"][0]["memory_bytes"] += 4096
    print(json.dumps({"machine": {"gpu": gpu}, "leak": os.environ.get("FAKE_LEAK", "")}))
elif args == ["doctor"]:
    print("made up")
elif args[0] == "bench" and args[-1] == "--json":
    print(json.dumps(bench()))
elif args[:2] == ["verify", "--machine"] and args[3:] == ["--rerun"]:
    with open(f"results/{args[2]}.json", "w", encoding="utf-8") as f:
        f.write("{}")
else:
    print("fake gpudocs:", args, file=sys.stderr)
    sys.exit(99)
