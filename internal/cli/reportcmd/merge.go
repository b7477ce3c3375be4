package reportcmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func newReportMerge(a *env.Env) *cobra.Command {
	return &cobra.Command{
		Use: "merge MACHINE|FILE | BASE OURS THEIRS",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 3 {
				return env.Usage(diag.Say("report.merge-arguments-hint"), diag.Say("report.merge-arguments", "n", len(args)))
			}
			return nil
		},
		ValidArgsFunction: workspace.CompleteMachines(a, cobra.ShellCompDirectiveDefault),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 3 {
				return mergeDriver(a, args[0], args[1], args[2])
			}
			return mergeConflict(a, c.Context(), args[0])
		},
	}
}

// versions are the versions of a report to merge, with names for errors.
type versions struct {
	base, ours, theirs   []byte
	oursName, theirsName string
	// fromMarkers is set if they come from conflict markers. Git has merged the other lines one by one,
	// so a result that both sides changed may be a mixture. It is left out.
	fromMarkers bool
}

// A merged is a merged report.
type merged struct {
	report *report.Report
	data   []byte
	// dropped counts the results from before the machine was changed, mixed those that were left
	// out because they may be mixtures.
	dropped, mixed int
}

// mergeVersions parses the versions and merges them. A base that cannot be read counts as none: results
// that one side has removed then come back, and nothing is lost.
func mergeVersions(a *env.Env, file string, v versions) (m merged, err error) {
	parse := func(name string, data []byte) (*report.Report, error) {
		read := report.ParseAny
		if v.fromMarkers {
			read = report.ParseMixed
		}
		r, err := read(name, data)
		if err != nil {
			return nil, workspace.WarnUnreadable(a, diag.List{diag.Unreadable(name, err)})
		}
		if d, warned := report.Ahead(name, r); warned {
			a.Print(diag.List{d})
		}
		return r, nil
	}
	ours, err := parse(v.oursName, v.ours)
	if err != nil {
		return m, err
	}
	theirs, err := parse(v.theirsName, v.theirs)
	if err != nil {
		return m, err
	}
	base, _ := report.ParseAny("", v.base)
	if v.fromMarkers {
		m.mixed = leaveOutMixed(ours, theirs)
	}
	if m.report, m.dropped, err = report.Merge(base, ours, theirs); err != nil {
		return m, env.Usage(diag.Text{}, diag.Say("diag.cause-at", "place", file, "why", err))
	}
	if m.data, err = report.Encode(m.report); err != nil {
		return m, env.Usage(diag.Say("cli.fault-merge-bounds-hint", "file", file), diag.Say("cli.fault-merge-bounds", "file", file, "why", err))
	}
	return m, nil
}

// leaveOutMixed removes the results that differ between the reports, and returns their number.
func leaveOutMixed(ours, theirs *report.Report) int {
	byID := map[report.ID]report.Check{}
	for _, c := range theirs.Checks {
		byID[c.ID] = c
	}
	mixed := map[report.ID]bool{}
	for _, c := range ours.Checks {
		if other, ok := byID[c.ID]; ok && !reflect.DeepEqual(c, other) {
			mixed[c.ID] = true
		}
	}
	for _, r := range []*report.Report{ours, theirs} {
		r.Checks = slices.DeleteFunc(r.Checks, func(c report.Check) bool { return mixed[c.ID] })
	}
	return len(mixed)
}

// summary returns how many results the merged report has.
func (m merged) summary(t env.Catalog, file string) string {
	dropped := ""
	if m.dropped > 0 {
		dropped = t.Count("merge_dropped", m.dropped)
	}
	return t.Get("merged", "file", file, "results", t.Count("prune_results", len(m.report.Checks)), "dropped", dropped)
}

// mergeDriver is run by Git. Git takes the content of ours as the result, and a non-zero exit code
// as a conflict.
func mergeDriver(a *env.Env, base, ours, theirs string) error {
	var data [3][]byte
	for i, name := range []string{base, ours, theirs} {
		var err error
		if data[i], err = readBounded(name, report.MaxSize+1); err != nil {
			return env.Usage(diag.Say("report.merge-driver-hint"), err)
		}
	}
	m, err := mergeVersions(a, ours, versions{base: data[0], ours: data[1], theirs: data[2], oursName: ours, theirsName: theirs})
	if err != nil {
		return err
	}
	if err := atomicfile.Write(ours, m.data, 0o644); err != nil {
		return err
	}
	machine := m.report.Machine.Name
	a.Println(m.summary(a.Text, machine))
	a.Println(a.Text.Get("merge_driver_unsigned", "signature", machine+".json"+report.SignatureExtension))
	return nil
}

// mergeConflict resolves the conflict in one report.
func mergeConflict(a *env.Env, ctx context.Context, arg string) error {
	file := arg
	if !workspace.IsFile(arg) {
		if err := report.CheckOldName(arg); err != nil {
			return env.Usage(diag.Say("report.file-argument-hint"), err)
		}
		file = a.Path(workspace.ResultsDir, arg+".json")
	} else if _, err := os.Stat(arg); errors.Is(err, fs.ErrNotExist) {
		file = a.Path(arg) // as diagnostics name it
	}
	machine := strings.TrimSuffix(filepath.Base(file), ".json")
	if isResult(a, file, machine) {
		release, err := workspace.Lock(a, machine)
		if err != nil {
			return err
		}
		defer release()
	}
	const most = 4 * report.MaxSize // the markers of three versions
	data, err := readBounded(file, most)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return env.Usage(diag.Suggest(machine, workspace.Machines(a), diag.Say("report.show-all-hint")), diag.Say("report.argument-file-missing", "file", file))
	case err != nil:
		return workspace.WarnUnreadable(a, diag.List{diag.Unreadable(file, err)})
	}
	stages, err := stagesOf(ctx, file, "--unmerged")
	if err != nil {
		return err
	}
	if len(stages) == 0 {
		if stages, err = resolvedStages(ctx, file, data); err != nil {
			return err
		}
	}
	v, found, err := conflictVersions(a, file, machine, data, stages)
	if err != nil {
		return err
	}
	signature := file + report.SignatureExtension
	signed, broken := signatureState(ctx, signature)
	if !found && !broken {
		a.Println(a.Text.Get("merge_nothing", "file", file))
		return nil
	}
	if found {
		m, err := mergeVersions(a, file, v)
		if err != nil {
			return err
		}
		if edited(machine, data, v.ours, v.theirs, m.data) {
			return env.Usage(diag.Say("cli.fault-merge-edited-hint", "file", file), diag.Say("cli.fault-merge-edited", "file", file))
		}
		if err := report.WriteSigned(file, m.data, nil); err != nil {
			return diag.Say("diag.error-at", "place", file, "why", err)
		}
		a.Println(m.summary(a.Text, file))
		if v.fromMarkers {
			a.Println(a.Text.Get("merge_pieced", "unsure", a.Text.Count("prune_results", m.mixed), "machine", machine))
		}
	} else if err := os.Remove(signature); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	done := file
	if signed || broken {
		a.Println(a.Text.Get("merge_unsigned", "file", file, "signature", signature))
		done += " " + signature
	}
	if len(stages) > 0 || broken {
		a.Println(a.Text.Get("merge_next", "files", done))
	}
	return nil
}

// conflictVersions returns the versions of a report: from the index, which has them byte for byte,
// else from between the conflict markers. found is false if there is no conflict.
func conflictVersions(a *env.Env, file, machine string, data []byte, stages map[string][]byte) (v versions, found bool, err error) {
	marked, marks, markFault := report.SplitConflict(file, data)
	if len(stages) > 0 {
		ours, theirs := stages["2"], stages["3"]
		if ours == nil || theirs == nil {
			return v, false, env.Usage(diag.Say("cli.fault-merge-removed-hint", "file", file), diag.Say("cli.fault-merge-removed", "file", file))
		}
		return versions{base: stages["1"], ours: ours, theirs: theirs, oursName: ":2:" + file, theirsName: ":3:" + file}, true, nil // as for git show
	}
	switch {
	case marks && markFault != nil:
		return v, false, workspace.WarnUnreadable(a, diag.List{diag.Unreadable(file, markFault)})
	case marks:
		return versions{base: marked.Base, ours: marked.Ours, theirs: marked.Theirs, oursName: file + " (ours)", theirsName: file + " (theirs)", fromMarkers: true}, true, nil
	}
	if _, err := report.ParseAs(file, machine, data); err != nil {
		return v, false, workspace.WarnUnreadable(a, diag.List{diag.Unreadable(file, err)})
	}
	return v, false, nil
}

// edited reports whether a file is a valid report and none of the versions, because somebody has
// resolved the conflict by hand. It does not compare bytes, because Git may have changed line ends.
func edited(machine string, data []byte, versions ...[]byte) bool {
	canonical := func(data []byte) []byte {
		r, err := report.ParseAs("", machine, data)
		if err != nil {
			return nil
		}
		data, _ = report.Encode(r) // it was read
		return data
	}
	is := canonical(data)
	return is != nil && !slices.ContainsFunc(versions, func(v []byte) bool { return bytes.Equal(is, canonical(v)) })
}

// stagesOf returns the versions of a file with a conflict in the index: "1" is the common one, "2" ours,
// "3" theirs. kind is --unmerged, or --resolve-undo for a conflict that was added or committed
// since. There are none without Git or without a conflict.
func stagesOf(ctx context.Context, file, kind string) (map[string][]byte, error) {
	dir := filepath.Dir(file)
	list, err := git(ctx, dir, "--literal-pathspecs", "ls-files", kind, "-z", "--", filepath.Base(file))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound), err != nil && strings.Contains(err.Error(), "not a git repository"):
		return nil, nil
	case err != nil: // Git may have the versions, which are better than the markers
		return nil, err
	}
	stages := map[string][]byte{}
	for entry := range strings.SplitSeq(string(list), "\x00") {
		// 100644 OBJECT STAGE<tab>PATH
		fields := strings.Fields(entry)
		if len(fields) < 4 {
			continue
		}
		if stages[fields[2]], err = git(ctx, dir, "cat-file", "blob", fields[1]); err != nil {
			return nil, err
		}
	}
	return stages, nil
}

// resolvedStages returns the versions of a file that was added or committed with its conflict markers. Git
// keeps them for a while. They are used only if every line of the file comes from them, because
// they may belong to another conflict.
func resolvedStages(ctx context.Context, file string, data []byte) (map[string][]byte, error) {
	marked, found, err := report.SplitConflict(file, data)
	if !found || err != nil {
		return nil, nil
	}
	stages, err := stagesOf(ctx, file, "--resolve-undo")
	if err != nil {
		return nil, err
	}
	lines := map[string]bool{}
	for _, stage := range []string{"2", "3"} {
		for line := range bytes.Lines(stages[stage]) {
			lines[string(bytes.TrimRight(line, "\r\n"))] = true
		}
	}
	for _, side := range [][]byte{marked.Ours, marked.Theirs} {
		for line := range bytes.Lines(side) {
			if !lines[string(bytes.TrimRight(line, "\r\n"))] {
				return nil, nil
			}
		}
	}
	return stages, nil
}

// signatureState reports whether there is a signature, and whether Git could not merge it.
func signatureState(ctx context.Context, file string) (signed, broken bool) {
	data, err := readBounded(file, 1<<20)
	_, broken, _ = report.SplitConflict(file, data)
	stages, _ := stagesOf(ctx, file, "--unmerged")
	return err == nil, broken || len(stages) > 0
}

// isResult reports whether a file is the report of a machine in the site's results/.
func isResult(a *env.Env, file, machine string) bool {
	at, err1 := filepath.Abs(file)
	result, err2 := filepath.Abs(a.Path(workspace.ResultsDir, machine+".json"))
	return errors.Join(err1, err2) == nil && at == result && report.CheckOldName(machine) == nil
}

// readBounded reads a regular file up to a number of bytes.
func readBounded(file string, most int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() {
		err = diag.Say("report.file-not-regular") // a named pipe would never end
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
