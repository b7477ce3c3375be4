package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// cost measures how builds grow with pages, and with machines of 1,000 checks each.
func cost(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("cost", flag.ContinueOnError)
	runs := flags.Int("runs", 3, "of each; the median counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	docs, from, err := documents(os.Getenv("GPUDOCS_CORPUS"))
	if err != nil {
		return err
	}
	dir, ours, err := built(ctx)
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	t := table{ctx: ctx, program: ours, dir: dir, runs: *runs}
	fmt.Printf("cold builds, medians of %d; times are CPU seconds; last column: CPU for each, against the first row\n", *runs)
	t.head("pages, of " + from)
	for _, pages := range []int{250, 2500, 10000} {
		if err := t.row(pages, newSite(pages, len(names), docs).write); err != nil {
			return err
		}
	}
	t.head("machines, of 1,000 checks on 100 pages")
	for _, machines := range []int{1, 10, 100} {
		if err := t.row(machines, func(dir string) error { return t.checked(dir, machines) }); err != nil {
			return err
		}
	}
	return nil
}

// A table prints a row for each size of a site.
type table struct {
	ctx          context.Context
	program, dir string
	runs         int
	each         float64 // CPU seconds for one page or machine in the first row
}

func (t *table) head(what string) {
	t.each = 0
	fmt.Printf("\n%s\n%8s %8s %8s %8s %8s %10s %8s\n", what, "", "wall", "CPU", "memory", "files", "MB", "each")
}

// row builds a site with n pages or machines that write writes.
func (t *table) row(n int, write func(dir string) error) error {
	site, out, cache := filepath.Join(t.dir, "site"), filepath.Join(t.dir, "out"), filepath.Join(t.dir, "cache")
	defer os.RemoveAll(site)
	if err := write(site); err != nil {
		return err
	}
	var all []sample
	var files int
	var size int64
	for range t.runs {
		s, err := measure(t.ctx, []string{"XDG_CACHE_HOME=" + cache}, t.program, "build", "--site", site, "--output", out)
		if err == nil {
			files, size, err = weigh(out)
		}
		for _, dir := range []string{out, cache} {
			if gone := os.RemoveAll(dir); err == nil {
				err = gone
			}
		}
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	m := median(all)
	each := m.cpu.Seconds() / float64(n)
	if t.each == 0 {
		t.each = each
	}
	fmt.Printf("%8d %8.2f %8.2f %8d %8d %10.1f %8.2f\n", n, m.wall.Seconds(), m.cpu.Seconds(), m.memory/1e6, files, float64(size)/1e6,
		each/t.each)
	return nil
}

// checked writes a site of 1,000 checks, runs them here once, and copies the report for
// each machine under a made-up name. The copies are true only of this machine, and stay in a folder that is removed.
func (t *table) checked(dir string, machines int) error {
	for page := range 100 {
		text := fmt.Appendf(nil, "---\ntitle: Page %d\n---\n", page)
		for block := range 10 {
			text = fmt.Appendf(text, "\n## Part %d\n\nWhat the shell adds up.\n\n"+
				"```bash {run}\necho $((%d + %d))\n```\n```text {expect}\n%d\n```\n", block, page, block, page+block)
		}
		for _, l := range names[:2] {
			folder := filepath.Join(dir, "content", l[0])
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("page-%d.md", page)), text, 0o644); err != nil {
				return err
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "gpudocs.toml"), site{languages: names[:2]}.gpudocs(), 0o644); err != nil {
		return err
	}
	if _, err := measure(t.ctx, nil, t.program, "verify", "--site", dir, "--machine", "machine-0"); err != nil {
		return err
	}
	return copies(filepath.Join(dir, "results"), machines)
}

// copies writes the report of machine-0 under the names of the others.
func copies(results string, machines int) error {
	data, err := os.ReadFile(filepath.Join(results, "machine-0.json"))
	if err != nil {
		return err
	}
	var report map[string]any
	if err := json.Unmarshal(data, &report); err != nil {
		return err
	}
	machine, ok := report["machine"].(map[string]any)
	if !ok {
		return errors.New("the report names no machine")
	}
	for i := 1; i < machines; i++ {
		name := fmt.Sprintf("machine-%d", i)
		machine["name"] = name
		if data, err = json.Marshal(report); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(results, name+".json"), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
