package docs

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

// TestCourses follows each course of docs/content/en/courses.md, in a site of its own.
func TestCourses(t *testing.T) {
	runsSnippets(t)
	src, err := os.ReadFile(filepath.Join(root, "docs/content/en", "courses.md"))
	if err != nil {
		t.Fatal(err)
	}
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	venv := os.Getenv("GPUDOCS_TEST_VENV")
	if venv == "" {
		t.Skip("GPUDOCS_TEST_VENV names no environment with nvcc, jupyter_client and uv")
	}
	nvcc, _ := filepath.Glob(filepath.Join(venv, "lib/python3*/site-packages/nvidia/cu*/bin"))
	path := strings.Join(append(nvcc, filepath.Join(venv, "bin"), os.Getenv("PATH")), string(filepath.ListSeparator))
	prepare := map[string]func(t *testing.T, dir string){
		"CUDA C++": func(t *testing.T, _ string) { t.Setenv("PATH", path) },
		"A Jupyter kernel": func(t *testing.T, _ string) {
			t.Setenv("PATH", path)
			if out, _ := exec.Command(filepath.Join(venv, "bin/python"), "-m", "jupyter_client.kernelspecapp", "list").Output(); !strings.Contains(string(out), "ir ") {
				t.Skip("the kernel of R is not installed")
			}
		},
		"Notebooks with their own modules": func(t *testing.T, dir string) {
			for name, text := range map[string]string{
				"dados/tempos.csv":           "7.2\n7.4\n",
				"content/pt/aula/leitura.py": "def tempos():\n    return [float(line) for line in open('dados/tempos.csv')]\n",
				"content/pt/aula/1-dados.ipynb": `{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": ["import leitura\n", "sum(leitura.tempos())"]}],
					"metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 4}`,
			} {
				write(t, filepath.Join(dir, name), text)
			}
		},
		"Modules of a cluster": func(t *testing.T, dir string) {
			if _, err := os.Stat("/usr/share/lmod/lmod/init/bash"); err != nil {
				t.Skip("lmod is not installed")
			}
			modules := t.TempDir()
			write(t, filepath.Join(modules, "gcc/12.2.0.lua"), "setenv('CC', 'gcc')\n")
			write(t, filepath.Join(modules, "openmpi/4.1.lua"), "setenv('MPI', '4.1')\n")
			t.Setenv("MODULEPATH", modules)
		},
		"Packages from a lock": func(t *testing.T, dir string) {
			t.Setenv("PATH", path)
			wheels := t.TempDir()
			wheel(t, wheels, "six", "1.17.0", "__version__ = '1.17.0'\n")
			t.Setenv("UV_FIND_LINKS", wheels)
			t.Setenv("UV_NO_INDEX", "1")
		},
	}
	sections := map[string][]ast.Node{}
	title := ""
	for n := range nodes(parse(src).tree) {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			title = content(h, src)
		}
		if title == "" {
			continue
		}
		sections[title] = append(sections[title], n)
	}
	if len(sections) != len(prepare) {
		t.Errorf("there are %d courses, and %d are tested", len(sections), len(prepare))
	}
	for title, blocks := range sections {
		t.Run(title, func(t *testing.T) {
			dir := t.TempDir()
			run(t, bin, dir, "gpudocs init course")
			dir = filepath.Join(dir, "course")
			prepare[title](t, dir)
			commands := 0
			for _, n := range blocks {
				_, c := follow(t, bin, &dir, n, src)
				commands += c
			}
			if commands == 0 {
				t.Error("there is no command")
			}
			if out := run(t, bin, dir, "gpudocs build --strict && ls public/pt/*/index.html"); !strings.Contains(out, "built ") || strings.Contains(out, "error:") {
				t.Errorf("gpudocs build: %s", out)
			}
		})
	}
}

// write writes a file, and its folders.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, name, text, "file")
}

// wheel makes a package that can be installed without a registry.
func wheel(t *testing.T, dir, name, version, text string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name+"-"+version+"-py3-none-any.whl"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	info := name + "-" + version + ".dist-info/"
	for _, file := range [][2]string{
		{name + ".py", text},
		{info + "METADATA", "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n"},
		{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{info + "RECORD", name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n"},
	} {
		w, err := z.Create(file[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(file[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
