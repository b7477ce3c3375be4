# Says what this Python is, and which versions of the packages named it has. An
# empty version is that of one that is not installed. Nothing of them is imported.
import json
import sys
from importlib.metadata import version

sys.path[:] = [p for p in sys.path if p]  # a block's folder is another one


def installed(name):
    try:
        return version(name) or ""
    except Exception:
        return ""


name = {"cpython": "Python"}.get(sys.implementation.name, sys.implementation.name)
print()  # a start-up file may have left half a line
print(json.dumps({
    "name": name + " " + sys.version.split()[0],
    "versions": [installed(p) for p in sys.argv[1:]],
}))
