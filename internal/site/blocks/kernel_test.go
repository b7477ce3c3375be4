package blocks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestKernels(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		site.ConfigFile: "[blocks]\nkernel = 'python3'\n",
		"content/pt/p.md": "---\ntitle: x\nblocks: {kernel: ir, session: s}\n---\n" +
			"```r {run}\n```\n```bash {run}\n```\n```python {run}\n```\n```pycon {run}\n>>> 1\n```\n```gpu\ngpus >= 1\n```\n" +
			"```python {run kernel=\"\"}\n```\n```julia {run kernel=julia-1.10}\n```\n```{run kernel=bash}\n```\n```bash {run=sbatch}\n#!/bin/sh\n```\n" +
			"```cuda {run}\n```\n```julia {run kernel=julia-1.10 session=t}\n```\n```r\nshown\n```\n",
		"content/pt/q.md": "# Q\n\n```python {run}\n```\n",
	})
	var got []string
	for _, p := range s.Pages {
		for _, b := range p.Blocks {
			if b.Session == nil {
				got = append(got, string(b.Kind))
				continue
			}
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s/%s of %d", b.Kind, b.Session.Name, b.Session.Kernel, len(b.Session.Blocks))))
		}
	}
	want := []string{"kernel s/ir of 2", "bash s/ of 2", "kernel s/ir of 2", "pycon s/ of 2", "gpu", "python s/ of 2", "kernel s/julia-1.10 of 1",
		"kernel s/bash of 1", "sbatch / of 1", "cuda s/ of 2", "kernel t/julia-1.10 of 1", "kernel /python3 of 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestKernelFaults(t *testing.T) {
	_, out := sitetest.Load(t, map[string]string{
		site.ConfigFile: "[blocks]\nkernel = 'a b'\n",
		"content/pt/p.md": "---\ntitle: x\nblocks: {kernel: ../ir}\n---\n```r {run kernel=-x}\n```\n```r {run kernel}\n```\n```pycon {run kernel=ir}\n>>> 1\n```\n```gpu {kernel=ir}\ngpus >= 1\n```\n" +
			"```bash {run=sbatch kernel=ir}\n#!/bin/sh\n```\n```text {kernel=ir}\n```\n```r {run kernel=ir session=s}\n```\n```r {run kernel=ark session=s}\n```\n",
	})
	var got []string
	for line := range strings.Lines(out) {
		if strings.Contains(line, ": error: ") {
			got = append(got, strings.TrimSuffix(line, "\n"))
		}
	}
	want := []string{
		`content/pt/p.md:3:18: error: "../ir" cannot name a Jupyter kernel`,
		`content/pt/p.md:5:11: error: "-x" cannot name a Jupyter kernel`,
		`content/pt/p.md:7:11: error: "" cannot name a Jupyter kernel`,
		"content/pt/p.md:9:15: error: a pycon block runs in Python's own prompt, not in a kernel",
		`content/pt/p.md:12:9: error: "kernel" has no meaning on a gpu block`,
		`content/pt/p.md:15:21: error: "kernel" has no meaning on a job script`,
		`content/pt/p.md:18:10: error: "kernel" has no meaning on a block that is only shown`,
		`content/pt/p.md:22:22: error: session "s" runs in kernel "ir" since line 20`,
		`gpudocs.toml:2:11: error: "a b" cannot name a Jupyter kernel`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
