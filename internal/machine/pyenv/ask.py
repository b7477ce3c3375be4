# Prints the version of this Python and what is installed for it, as one line of JSON. ask.go
# describes the question and the answer.
#
# Nothing of a package is imported or run, because what is installed may be broken, huge or
# malicious. It is written for Python 3.6, so that old machines answer too; Python 2.7 reports
# its version.
import sys

# Snippets do not run in the folder where gpudocs was started, and a json.py in it must not be
# imported.
sys.path[:] = [p for p in sys.path if p and isinstance(p, str)]

import io
import json
import os
import re
import stat

MAX_METADATA, MAX_SOURCE, MAX_VALUE, MAX_LIST = 256 << 10, 32 << 10, 200, 100


def regular(path):
    """The modification time of a regular file, or None. It opens nothing: a named pipe might wait."""
    try:
        s = os.stat(path)
        return s.st_mtime if stat.S_ISREG(s.st_mode) else None
    except (EnvironmentError, ValueError):
        return None


def text(path, limit):
    """The beginning of a regular file, or an empty text."""
    try:
        if regular(path) is not None:
            with io.open(path, "rb") as f:
                return f.read(limit).decode("utf-8", "replace")
    except EnvironmentError:
        pass
    return ""


def listing(folder):
    try:
        return os.listdir(folder)
    except (EnvironmentError, ValueError):
        return []


def normal(name):
    return re.sub("[-_.]+", "-", name).lower()


def metadata(folder):
    """Names of what is installed in a folder of sys.path, and the file that describes each."""
    parent, base = os.path.split(folder.rstrip("/\\"))
    if base.endswith(".egg"):
        yield base[:-4], os.path.join(folder, "EGG-INFO", "PKG-INFO")
    for entry in listing(folder):
        path = os.path.join(folder, entry)
        if entry.endswith(".dist-info"):
            yield entry[:-10], os.path.join(path, "METADATA")
        elif entry.endswith(".egg-info"):
            yield entry[:-9], os.path.join(path, "PKG-INFO")
            yield entry[:-9], path  # of distutils


def distributions(wanted):
    """Version and requirements of what is installed. The first in sys.path counts,
    as it does for import, and in a folder the last that was installed."""
    found = {}
    for folder in sys.path:
        here = {}
        for stem, path in metadata(folder):
            name = normal(stem.partition("-")[0])
            if wanted(name) and name not in found:
                changed = regular(path)
                if changed is not None:
                    here[name] = max(here.get(name, (0, "")), (changed, path))
        for name, (_, path) in here.items():
            found[name] = described(path)
    return found


def described(path):
    version, requires = "", []
    for line in text(path, MAX_METADATA).splitlines():
        if not line.strip():
            break  # the description follows
        key, _, value = line.partition(":")
        key, value = key.lower(), value.strip()[:MAX_VALUE]
        if key == "version":
            version = version or value
        elif key == "requires-dist" and "cuda" in value and len(requires) < MAX_LIST:
            requires.append(value)
    return {"version": version, "requires": requires}


def folder_of(module):
    """The folder of a package as import would find it; a folder without __init__ is none."""
    try:
        from importlib.util import find_spec

        spec = find_spec(module)
        if os.path.basename(spec.origin).startswith("__init__."):
            return os.path.dirname(spec.origin)
    except Exception:  # finders of others may raise anything
        pass
    return None


def values(path, wanted):
    """The plain values that a source file assigns to the wanted names."""
    source = text(path, MAX_SOURCE)
    if not source:
        return {}
    import ast

    found = {}
    try:
        body = ast.parse(source).body
    except Exception:  # deep nesting is a MemoryError or a RecursionError
        return {}
    for node in body:
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        for name in [getattr(t, "id", None) for t in targets]:
            try:
                if name == "build_info":  # of TensorFlow: OrderedDict([...])
                    found.update(ast.literal_eval(value.args[0]))
                elif name in wanted:
                    found[name] = ast.literal_eval(value)
            except Exception:
                pass
    return {n: short(v) for n, v in found.items() if n in wanted and (v is None or isinstance(v, (str, bool)))}


def short(value):
    return None if value is None else str(value)[:MAX_VALUE]


def module(name, question):
    folder = folder_of(name)
    if folder is None:
        return None
    found = {}
    for file in question["files"] or ():
        found.update(values(os.path.join(folder, file), question["names"]))
    return {"values": found, "has": [f for f in question["has"] or () if os.path.exists(os.path.join(folder, f))]}


def package(name, dists):
    """Whether there is a distribution or a module of that name, and its version."""
    dist = dists.get(normal(name))
    if dist is not None:
        return {"has": True, "version": dist["version"]}
    has, version = False, ""
    try:
        from importlib.util import find_spec

        has = "." not in name and find_spec(name).origin is not None  # to find a.b, a would be imported
        from importlib import metadata  # Python 3.10 knows which distribution a module is from

        version = str(metadata.version(metadata.packages_distributions()[name][0]))[:MAX_VALUE] if has else ""
    except Exception:
        pass
    return {"has": has, "version": version}


def answer(question):
    declared = [normal(name) for name in question["declared"] + question["wanted"]]
    relevant = re.compile(question["dists"]).match
    dists = distributions(lambda name: name in declared or relevant(name))
    conda = re.compile(question["conda"]).match
    packages = sorted(n[:-5] for n in listing(os.path.join(sys.prefix, "conda-meta")) if n.endswith(".json") and conda(n))
    modules = {name: module(name, q) for name, q in question["modules"].items()}
    implementation = getattr(getattr(sys, "implementation", None), "name", "cpython")
    return {
        "name": {"cpython": "Python"}.get(implementation, implementation) + " " + sys.version.split()[0],
        "versions": [dists.get(name, {}).get("version", "") for name in declared[:len(question["declared"])]],
        "wanted": [package(name, dists) for name in question["wanted"]],
        "dists": {name: d for name, d in dists.items() if relevant(name)},
        "modules": {name: m for name, m in modules.items() if m},
        "conda": [n[:MAX_VALUE] for n in packages[:MAX_LIST]],
    }


# A start-up file may have printed something before it, without a final newline.
line = "\n" + sys.argv[1] + json.dumps(answer(json.loads(sys.argv[2]))) + "\n"
line = line.encode("ascii")
while line:
    line = line[os.write(1, line):]
