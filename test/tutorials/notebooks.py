# Validates the notebooks of FOLDER, and executes those that are named. Prints for each executed cell, as a line of JSON, the
# notebook, its id and tags, and the error with which it ended. A cell whose id is in SKIP, a JSON text, under the notebook is
# not run, and nothing is installed. One kernel executes all notebooks, each without the names and in another folder than the
# one before: to start a kernel and import PyTorch takes longer than most notebooks.
import json
import os
import sys
import tempfile

import nbformat
from jupyter_client import KernelManager
from nbclient import NotebookClient

folder, skip, names = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
for below, _, files in os.walk(folder):
    for file in files:
        if file.endswith(".ipynb"):
            nbformat.validate(nbformat.read(os.path.join(below, file), nbformat.NO_CONVERT))
kernel = KernelManager(kernel_name="python3")
with tempfile.TemporaryDirectory() as work:
    for name in names:
        notebook = nbformat.read(os.path.join(folder, name), nbformat.NO_CONVERT)
        for cell in notebook.cells:
            if cell.id in skip[name]:
                cell.metadata["tags"] = cell.metadata.get("tags", []) + ["skip-execution"]
            if cell.id == "setup":
                cell.source = "\n".join(line for line in cell.source.split("\n") if not line.startswith("%pip "))
        place = tempfile.mkdtemp(dir=work)
        notebook.cells.insert(0, nbformat.v4.new_code_cell(f"%reset -f\n%cd -q {place}", id="fresh"))
        NotebookClient(notebook, km=kernel, timeout=180, allow_errors=True).execute()
        for cell in notebook.cells:
            if cell.cell_type == "code" and "skip-execution" not in cell.metadata.get("tags", []):
                errors = [o.ename + ": " + o.evalue for o in cell.outputs if o.output_type == "error"]
                print(json.dumps({"notebook": name, "id": cell.id, "tags": cell.metadata.get("tags", []), "error": "".join(errors)}))
    kernel.shutdown_kernel(now=True)
