"""Writes the kernels that the jupyter_client of this Python finds, as JSON. Nothing newer than Python 3.8."""

import sys

sys.path[:] = filter(None, sys.path)  # no module of the folder that gpudocs was started in

import json
import os
import shutil

try:
    from jupyter_client import __version__
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_core.paths import jupyter_path
except ImportError:
    print("{}")
    sys.exit()

# Otherwise it imports IPython, for the name of one folder, and a debugger: four fifths of the time.
sys.modules["IPython"] = sys.modules["ipykernel.debugger"] = None
ipython = os.environ.get("IPYTHONDIR") or os.path.join(os.path.expanduser("~"), ".ipython")
folders = jupyter_path("kernels") + [os.path.join(ipython, "kernels")]

kernels = {}
for name, found in KernelSpecManager(kernel_dirs=folders).get_all_specs().items():
    spec = found["spec"]
    argv, env = spec.get("argv"), spec.get("env") or {}
    fault = ""
    if not (isinstance(argv, list) and argv and all(isinstance(word, str) for word in argv)):
        argv, fault = [""], "argv"
    elif not (isinstance(env, dict) and all(isinstance(value, str) for value in env.values())):
        fault = "env"
    program = argv[0]
    # jupyter_client replaces these by the Python that it runs in.
    here = program in ("python", "python%d" % sys.version_info[0], "python%d.%d" % sys.version_info[:2])
    kernels[name] = {
        "language": str(spec.get("language") or ""),
        "program": program,
        "fault": fault,
        "found": here or shutil.which(program) is not None,
    }
print(json.dumps({"client": __version__, "kernels": kernels}))
