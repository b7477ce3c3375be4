package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/fleet"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// hostFlags are those of verify that run it on other machines.
type hostFlags struct {
	names, programs []string
	patience        time.Duration
	all             *pflag.FlagSet // of verify
}

// maxPatience bounds --host-timeout: what takes longer is no answer.
const maxPatience = time.Hour

// flags of verify that mean the same on another machine, with --host and with
// --slurm; of the others --host takes only those that mean something here.
var (
	flagsThere = []string{"run", "timeout", "rerun", "jobs"}
	flagsHere  = []string{"host", "host-binary", "host-timeout", "junit", "plan", "sign", "site"}
)

func (f *hostFlags) add(c *cobra.Command) {
	f.all = c.Flags()
	f.all.StringArrayVar(&f.names, "host", nil, "run on this `machine`, an alias of ssh or LABEL=DESTINATION; repeat it for more")
	f.all.StringArrayVar(&f.programs, "host-binary", nil, "send this `file`, a gpudocs built for hosts of another system; repeat it for more")
	f.all.DurationVar(&f.patience, "host-timeout", 30*time.Second, "give up a host that does not answer within this time")
}

func (f *hostFlags) parse() ([]fleet.Host, error) {
	hosts, err := fleet.ParseHosts(f.names)
	if fault := (*fleet.Fault)(nil); errors.As(err, &fault) {
		return nil, usage(fault.Hint, "--host: %s", fault.Message)
	}
	f.all.Visit(func(set *pflag.Flag) {
		switch {
		case err != nil:
		case len(hosts) == 0 && strings.HasPrefix(set.Name, "host-"):
			err = usage("name the machines with --host", "--%s serves --host only", set.Name)
		case len(hosts) > 0 && !slices.Contains(flagsThere, set.Name) && !slices.Contains(flagsHere, set.Name):
			hint := cmp.Or(map[string]string{
				"machine": "a host's label names its report: --host LABEL=DESTINATION",
				"report":  "a host's label names its report: --host LABEL=DESTINATION",
				"json":    "gpudocs report show --json shows what was gathered",
			}[set.Name], "leave one of them out")
			err = usage(hint, "--%s does not go with --host", set.Name)
		}
	})
	if err == nil && (f.patience <= 0 || f.patience > maxPatience) {
		err = usage("write it as 30s or 2m, at most 1h", "--host-timeout %s is not a time limit", f.patience)
	}
	return hosts, err
}

// args are the flags and paths for the other machine.
func (f *hostFlags) args(paths []string) []string {
	return append(append(passedOn(f.all, flagsThere), "--"), paths...)
}

// passedOn are the flags of the list that are set, for the command line of a run
// on another machine.
func passedOn(all *pflag.FlagSet, list []string) (out []string) {
	all.Visit(func(set *pflag.Flag) {
		if !slices.Contains(list, set.Name) {
			return
		}
		values := []string{set.Value.String()}
		if repeated, ok := set.Value.(pflag.SliceValue); ok {
			values = repeated.GetSlice()
		}
		for _, v := range values {
			out = append(out, "--"+set.Name+"="+v)
		}
	})
	return out
}

// binaries are what may be sent: those named, then this very program.
func (f *hostFlags) binaries() ([]*fleet.Program, error) {
	var out []*fleet.Program
	for _, file := range f.programs {
		p, err := fleet.OpenProgram(file, keptFile(programsDir))
		if err != nil {
			return nil, usage("GOOS=linux GOARCH=arm64 go build -o FILE ./cmd/gpudocs builds one", "--host-binary: %v", err)
		}
		out = append(out, p)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	own, err := fleet.OpenProgram(self, keptFile(programsDir))
	if err != nil {
		return nil, err
	}
	return append(out, own), nil
}

func (a *app) printHosts(hosts []fleet.Host) error {
	for _, h := range hosts {
		fmt.Fprintln(a.stdout, a.w.Get("plan_host", "label", h.Label, "destination", h.Destination))
	}
	return nil
}

// verifyHosts runs verify on other machines and writes their reports as they
// come. They are signed here, so no key leaves this machine.
func (a *app) verifyHosts(ctx context.Context, f *verifyFlags, hosts []fleet.Host, site *content.Site, plan *verify.Plan, paths []string) error {
	var labels []string
	for _, h := range hosts {
		labels = append(labels, h.Label)
	}
	release, err := a.lockAll(labels)
	if err != nil {
		return err
	}
	defer release()
	seals, previous, err := a.berths(ctx, f.sign, hosts, site)
	if err != nil {
		return err
	}
	programs, err := f.hosts.binaries()
	if err != nil {
		return err
	}
	crew := a.newCrew(hosts)
	busy := a.newBusy()
	defer busy.end()
	ended := a.counted(busy, "work_hosts", len(hosts))
	results, err := fleet.Run(ctx, fleet.Options{
		Hosts: hosts, Programs: programs, Site: site.FS, Files: sentFiles(site),
		Args: a.spoken(f.hosts.args(paths)), Previous: previous, Patience: f.hosts.patience,
		Longest: plan.Longest(verify.Options{Timeout: f.timeout, QueueWait: queueWait}),
		Said:    crew.said,
		Gathered: func(h fleet.Host, r *report.Report) error {
			defer ended()
			crew.mu.Lock()
			defer crew.mu.Unlock()
			a.outlets.ran(plan.Of(r))
			return a.write(a.hostReport(h), r, seals[h.Label])
		},
	})
	busy.end()
	if errors.Is(err, fleet.ErrNoSSH) {
		return endWith(exitBroken, err, "install the OpenSSH client, or run gpudocs verify on each machine")
	}
	if err != nil {
		return err
	}
	return crew.close(ctx, results)
}

// spoken lets another machine speak the language of who reads here, whatever its own
// is.
func (a *app) spoken(args []string) []string {
	return append([]string{"--" + languageFlag + "=" + a.w.code}, args...)
}

func (a *app) hostReport(h fleet.Host) string { return a.path(resultsDir, h.Label+".json") }

// berths makes sure of every report before anybody is asked.
func (a *app) berths(ctx context.Context, key string, hosts []fleet.Host, site *content.Site) (seals map[string]*seal, previous map[string][]byte, err error) {
	all, err := a.newSeal(ctx, site.FS, site.Config, key)
	if err != nil {
		return nil, nil, err
	}
	seals, previous = map[string]*seal{}, map[string][]byte{}
	for _, h := range hosts {
		if err := all.mayCount(h.Label); err != nil {
			return nil, nil, err
		}
		file, own := a.hostReport(h), *all
		before, err := berth(file, h.Label, &own)
		if err != nil {
			return nil, nil, err
		}
		seals[h.Label] = &own
		if before.Report != nil {
			previous[h.Label] = before.Data
		}
	}
	return seals, previous, nil
}

// sentFiles are the files of a site that verify reads: its pages, and what
// lies beside them but for pictures, sound and films, what they include, and the
// bibliography.
func sentFiles(site *content.Site) []string {
	out := []string{content.ConfigFile}
	if keys := site.Config.AllowedSigners; keys != "" {
		out = append(out, keys)
	}
	for _, p := range site.Pages {
		out = append(out, p.Source.Name)
	}
	for _, file := range site.Assets {
		kind, _, _ := strings.Cut(mime.TypeByExtension(path.Ext(file)), "/")
		if !slices.Contains([]string{"image", "audio", "video", "font"}, kind) {
			out = append(out, path.Join("content", file))
		}
	}
	for _, file := range site.Included { // those that are there
		if _, err := fs.Stat(site.FS, file); err == nil && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}

// A crew is what several machines say on one screen.
type crew struct {
	a     *app
	width int
	mu    sync.Mutex
}

func (a *app) newCrew(hosts []fleet.Host) *crew {
	c := &crew{a: a}
	for _, h := range hosts {
		c.width = max(c.width, len(h.Label))
	}
	return c
}

// said shows a line of a machine behind its label.
func (c *crew) said(h fleet.Host, line string) {
	if c.a.color(c.a.stdout) {
		word, _, _ := strings.Cut(line, " ")
		if color := colors[c.a.w.outcomeOf(word)]; color != "" {
			line = "\x1b[" + color + "m" + word + "\x1b[0m" + line[len(word):]
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.a.say(func() { fmt.Fprintf(c.a.stdout, "%-*s | %s\n", c.width, h.Label, line) })
}

// close says how it went on each machine, and with which code all of it ends.
// A machine without a report weighs more than a failed check: nobody may take
// what was gathered for all there is.
func (c *crew) close(ctx context.Context, results []fleet.Result) error {
	code := exitFine
	table := tabwriter.NewWriter(c.a.stdout, 0, 0, 2, ' ', 0)
	for _, r := range results {
		switch {
		case r.Err != nil:
			code = exitBroken
		case r.Code == exitFailed && code == exitFine:
			code = exitFailed
		}
		fmt.Fprintf(table, "%s\t%s\n", r.Host.Label, c.outcome(r))
	}
	_ = table.Flush()
	if ctx.Err() != nil {
		return said(exitSignal)
	}
	for _, r := range results {
		c.explain(r)
		if n := r.Omitted.Lines; n > 0 {
			c.a.warn("%s: %s", r.Host.Label, c.a.w.Get("host_omitted", "lines", c.a.w.Count("host_lines", n), "kb", strconv.FormatInt((r.Omitted.Bytes+1023)>>10, 10)))
		}
	}
	if code == exitFine {
		return nil
	}
	return said(code)
}

func (c *crew) outcome(r fleet.Result) string {
	var text string
	if r.Report != nil {
		text = c.a.w.tallied(tally(r.Report)) + "\t" + c.a.hostReport(r.Host)
	}
	switch {
	case r.Err == nil:
		return text
	case r.Report == nil && errors.Is(r.Err, context.Canceled):
		return c.a.w.Get("host_interrupted")
	case r.Report == nil:
		return c.a.w.Get("host_no_report")
	}
	return c.a.w.Get("host_part", "tally", text)
}

// explain prints why a machine did not come to its end.
func (c *crew) explain(r fleet.Result) {
	if r.Err == nil {
		return
	}
	first, rest, _ := strings.Cut(r.Err.Error(), "\n")
	c.a.warn("%s: %s", r.Host.Label, c.a.w.own(first))
	var fault *fleet.Fault
	if errors.As(r.Err, &fault) && fault.Said != "" {
		rest = strings.TrimPrefix(rest+"\n"+fault.Said, "\n")
	}
	for line := range strings.Lines(rest) {
		fmt.Fprintf(c.a.stderr, "  %s\n", strings.TrimRight(line, "\n"))
	}
	if fault != nil && fault.Hint != "" {
		fmt.Fprintf(c.a.stderr, "  %s: %s\n", c.a.w.Get("hint"), c.a.w.own(fault.Hint))
	}
}

// newRemote is the hidden command that runs on the other machine.
func newRemote(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    fleet.Command + " MARK FOLDER",
		Hidden: true,
		Args:   cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			verifyThere := func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
				return run(ctx, args, strings.NewReader(""), stdout, stderr)
			}
			code, err := fleet.Serve(c.Context(), a.stdin, a.stdout, args[0], args[1], verifyThere)
			if err != nil || code == exitFine {
				return err
			}
			return said(code)
		},
	}
}
