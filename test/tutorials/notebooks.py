# Validates notebooks, and executes those that are named with --run. Prints for each executed cell, as a line of JSON, the
# notebook, its id and tags, and the error with which it ended. A cell whose id is in SKIP.json under the notebook is not run,
# and nothing is installed.
import json
import os
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

folder, skip, names = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
for below, _, files in os.walk(folder):
    for file in files:
        if file.endswith(".ipynb"):
            nbformat.validate(nbformat.read(os.path.join(below, file), nbformat.NO_CONVERT))
for name in names:
    notebook = nbformat.read(os.path.join(folder, name), nbformat.NO_CONVERT)
    for cell in notebook.cells:
        if cell.id in skip[name]:
            cell.metadata["tags"] = cell.metadata.get("tags", []) + ["skip-execution"]
        if cell.id == "setup":
            cell.source = "\n".join(line for line in cell.source.split("\n") if not line.startswith("%pip "))
    with tempfile.TemporaryDirectory() as work:
        client = NotebookClient(notebook, timeout=180, allow_errors=True, resources={"metadata": {"path": work}})
        client.execute()
    for cell in notebook.cells:
        if cell.cell_type == "code" and "skip-execution" not in cell.metadata.get("tags", []):
            errors = [o.ename + ": " + o.evalue for o in cell.outputs if o.output_type == "error"]
            print(json.dumps({"notebook": name, "id": cell.id, "tags": cell.metadata.get("tags", []), "error": "".join(errors)}))
