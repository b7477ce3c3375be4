package slurmjob

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text"
)

// An Allocation is what --slurm asks of Slurm.
type Allocation struct {
	// Text is the list as it was given.
	Text string
	// Args are the options of sbatch.
	Args []string
	// Machine is the label of the report, or empty.
	Machine Label
	// Nodes is the requested minimum number of nodes.
	Nodes int
}

var optionName = lazyregexp.New(`^[a-z][a-z-]*$`)

// refused are options of sbatch that would override what gpudocs sets, or split one run
// into several.
var refused = map[string]string{
	"array": "Slurm chooses the node of each task, so a report would not be of one machine: " +
		"write --slurm once for each kind of node, or nodes= and %n",
	"bcast":             "gpudocs runs from where it is",
	"chdir":             "the run works in the site's folder",
	"dependency":        "a run waits for the queue only",
	"error":             "gpudocs reads what the run says",
	"help":              "see man sbatch",
	"input":             "a run reads nothing",
	"immediate":         "--slurm-wait says how long to wait",
	"jobid":             "each run is a job of its own",
	"ntasks":            "a run is one task on each node: write nodes=",
	"ntasks-per-core":   "a run is one task on each node",
	"ntasks-per-gpu":    "a run is one task on each node",
	"ntasks-per-node":   "a run is one task on each node",
	"ntasks-per-socket": "a run is one task on each node",
	"open-mode":         "gpudocs reads what the run says",
	"output":            "gpudocs reads what the run says",
	"parsable":          "gpudocs sets it",
	"quiet":             "gpudocs reads what Slurm says",
	"requeue":           "gpudocs sets --no-requeue: a run is not repeated",
	"test-only":         "write --plan",
	"usage":             "see man sbatch",
	"verbose":           "gpudocs reads what Slurm says",
	"version":           "see man sbatch",
	"wait":              "gpudocs waits by itself",
	"wrap":              "gpudocs is what the job runs",
}

// Parse reads a list such as
//
//	machine=v100,partition=gpu-8-v100,gpus-per-node=2,time=00:10:00
//
// All names but machine are sbatch's long options. A comma within brackets or double
// quotes belongs to the value: nodelist=n[1-3,7],comment="a, b". A name alone is an
// option without a value: exclusive.
func Parse(list string) (Allocation, error) {
	o := Allocation{Text: list, Nodes: 1}
	seen := map[string]bool{}
	items, err := split(list)
	if err != nil {
		return o, err
	}
	for _, item := range items {
		name, value, hasValue := strings.Cut(item, "=")
		switch why := whyRefused(name); {
		case !optionName.MatchString(name):
			return o, text.Say("verify.sbatch-option-name-invalid", "name", name)
		case why != "":
			return o, text.Say("verify.sbatch-option-unsupported", "name", name, "why", why)
		case seen[name]:
			return o, text.Say("verify.sbatch-option-duplicate", "name", name)
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }):
			return o, fmt.Errorf("the value of %q holds a control character", name)
		}
		seen[name] = true
		switch {
		case name == "machine":
			o.Machine = Label(value)
			if err := o.Machine.check(); err != nil {
				return o, err
			}
			continue
		case name == "nodes":
			o.Nodes = leastNodes(value)
		}
		if hasValue {
			item = name + "=" + value
		}
		o.Args = append(o.Args, "--"+item)
	}
	if o.Nodes > 1 && o.Machine != "" && !o.Machine.PerNode() {
		return o, text.Say("verify.node-names-missing", "n", o.Nodes, "machine", o.Machine)
	}
	return o, nil
}

// whyRefused returns why an option cannot be used, or "". Sbatch accepts the beginning
// of an option's name for the name.
func whyRefused(name string) string {
	for _, full := range slices.Sorted(maps.Keys(refused)) {
		if name != "" && strings.HasPrefix(full, name) {
			return refused[full]
		}
	}
	return ""
}

// option matches the text up to a comma outside of quotes and brackets.
var option = lazyregexp.New(`^(?:[^,"\[\]]|"[^"]*"|\[[^\[\]]*\])*`)

// split splits at commas outside of quotes and brackets, and removes the quotes.
func split(list string) (items []string, err error) {
	for {
		item := option.FindString(list)
		list = list[len(item):]
		item = strings.ReplaceAll(item, `"`, "")
		switch {
		case list != "" && list[0] != ',':
			return nil, text.Say("verify.sbatch-quote-not-closed")
		case item == "":
			return nil, text.Say("verify.sbatch-option-missing")
		}
		items = append(items, item)
		if list == "" {
			return items, nil
		}
		list = list[1:]
	}
}

// leastNodes parses the value of nodes=, "2" or "2-4". Slurm judges invalid values.
func leastNodes(value string) int {
	least, _, _ := strings.Cut(value, "-")
	n, err := strconv.Atoi(least)
	if err != nil || n < 1 {
		return 1
	}
	return n
}
