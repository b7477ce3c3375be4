package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// A contender builds the site in a folder.
type contender struct {
	name string
	// config is added to gpudocs.toml for its runs.
	config string
	// cold: its caches are empty before each run.
	cold bool
	// again: it builds over its earlier output.
	again bool
	args  func(site, out string) []string
}

// lean turns off everything that Hugo's theme does not write.
const lean = "\n[publish]\nbadges = false\nfeeds = false\nmarkdown = false\nprint = false\nsearch = false\n"

// A comparison runs the contenders on sites of several sizes.
type comparison struct {
	runs       int
	dir        string // of sites, outputs and caches
	contenders []contender
}

func compare(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	languages := flags.Int("languages", len(names), "`number` of languages; with 1 no two pages have the same code")
	sizes := flags.String("pages", "250,1500,10000", "`sizes` of the sites")
	runs := flags.Int("runs", 5, "of each program; the median counts")
	hugoPath := flags.String("hugo", "", "the `program` to compare with (default: "+hugoVersion+" is installed)")
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
	theirs, err := hugo(ctx, *hugoPath, dir)
	if err != nil {
		return err
	}
	c := comparison{*runs, dir, contenders(ours, theirs)}
	fmt.Printf("%s, %d CPUs, %s/%s, medians of %d runs in turns\n", from, runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, *runs)
	for size := range strings.SplitSeq(*sizes, ",") {
		pages, err := strconv.Atoi(size)
		if err != nil {
			return err
		}
		if err := c.at(ctx, newSite(pages, *languages, docs)); err != nil {
			return err
		}
	}
	return nil
}

func contenders(ours, theirs string) []contender {
	self, _ := os.Executable() // if it cannot be found, its run fails
	gpudocs := func(site, out string) []string { return []string{ours, "build", "--site", site, "--output", out} }
	return []contender{
		{name: "hugo", cold: true, args: func(site, out string) []string {
			return []string{theirs, "--quiet", "--source", site, "--destination", out}
		}},
		{name: "gpudocs cold", cold: true, args: gpudocs},
		{name: "gpudocs warm", args: gpudocs},
		{name: "gpudocs again", cold: true, again: true, args: gpudocs},
		{name: "lean cold", config: lean, cold: true, args: gpudocs},
		{name: "lean warm", config: lean, args: gpudocs},
		{name: "loop", cold: true, args: func(site, _ string) []string { return []string{self, "loop", site} }},
	}
}

// at runs all contenders on one site.
func (c comparison) at(ctx context.Context, s site) error {
	dir := filepath.Join(c.dir, fmt.Sprintf("site-%d", s.pages))
	if err := s.write(dir); err != nil {
		return err
	}
	samples := make([][]sample, len(c.contenders))
	sizes := make([]string, len(c.contenders))
	for _, who := range c.contenders {
		if who.cold {
			continue
		}
		if _, _, err := c.one(ctx, s, who, dir); err != nil { // fills its caches
			return err
		}
	}
	for range c.runs {
		for i, who := range c.contenders {
			taken, size, err := c.one(ctx, s, who, dir)
			if err != nil {
				return err
			}
			samples[i] = append(samples[i], taken)
			sizes[i] = size
		}
	}
	fmt.Printf("\n%d pages, %d languages\n%-14s %8s %8s %8s %10s %10s  %s\n", s.pages, len(s.languages), "", "wall", "CPU", "memory",
		"CPU/hugo", "CPU/loop", "output")
	first, end := median(samples[0]), median(samples[len(samples)-1])
	for i, who := range c.contenders {
		m := median(samples[i])
		fmt.Printf("%-14s %8.2f %8.2f %8d %10.2f %10.2f  %s\n", who.name, m.wall.Seconds(), m.cpu.Seconds(), m.memory/1e6,
			m.cpu.Seconds()/first.cpu.Seconds(), m.cpu.Seconds()/end.cpu.Seconds(), sizes[i])
	}
	return nil
}

// one runs a contender once. Its output is only removed at the end, because after a removal of ten
// thousand folders ext4 takes seconds to create new ones.
func (c comparison) one(ctx context.Context, s site, who contender, dir string) (sample, string, error) {
	run, err := os.MkdirTemp(c.dir, "run-")
	if err != nil {
		return sample{}, "", err
	}
	out, cache := filepath.Join(run, "out"), filepath.Join(c.dir, "cache")
	if who.cold {
		cache = filepath.Join(run, "cache")
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return sample{}, "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "gpudocs.toml"), append(s.gpudocs(), who.config...), 0o644); err != nil {
		return sample{}, "", err
	}
	args := who.args(dir, out)
	environment := []string{"XDG_CACHE_HOME=" + cache, "HUGO_CACHEDIR=" + cache}
	if who.again {
		if _, err := measure(ctx, environment, args[0], args[1:]...); err != nil {
			return sample{}, "", err
		}
	}
	taken, err := measure(ctx, environment, args[0], args[1:]...)
	if err != nil {
		return sample{}, "", err
	}
	files, bytes, err := weigh(out)
	return taken, fmt.Sprintf("%d files, %d MB", files, bytes/1e6), err
}

// weigh returns the number of files below a folder and of their bytes. A missing folder has none.
func weigh(dir string) (files int, bytes int64, err error) {
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		return 0, 0, nil
	}
	err = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files++
			bytes += info.Size()
		}
		return err
	})
	return files, bytes, err
}
