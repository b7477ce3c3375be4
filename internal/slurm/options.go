package slurm

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// Options are what an author writes behind --slurm.
type Options struct {
	// Text is all of it, as it was written.
	Text string
	// Args are the options of sbatch.
	Args []string
	// Machine is the label of the report, or empty.
	Machine Label
	// Nodes is the least number of nodes that is asked for.
	Nodes int
}

var optionName = lazyregexp.New(`^[a-z][a-z-]*$`)

// refused are options of sbatch that would take away what gpudocs itself sets,
// or make one run into several.
var refused = map[string]string{
	"array":             "a run is one job: write --slurm once for each",
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

// ParseOptions reads a list such as
//
//	machine=v100,partition=gpu-8-v100,gpus-per-node=2,time=00:10:00
//
// Its names are sbatch's long options, but for machine. A comma within brackets
// or double quotes belongs to the value: nodelist=n[1-3,7],comment="a, b". A
// name alone is an option without a value: exclusive.
func ParseOptions(text string) (Options, error) {
	o := Options{Text: text, Nodes: 1}
	seen := map[string]bool{}
	items, err := split(text)
	if err != nil {
		return o, err
	}
	for _, item := range items {
		name, value, hasValue := strings.Cut(item, "=")
		switch why := whyRefused(name); {
		case !optionName.MatchString(name):
			return o, fmt.Errorf("%q is not the name of an option of sbatch; a comma in a value needs quotes or brackets: nodelist=n[1,2]", name)
		case why != "":
			return o, fmt.Errorf("the option %q cannot be used: %s", name, why)
		case seen[name]:
			return o, fmt.Errorf("the option %q stands twice", name)
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
		return o, fmt.Errorf("%d nodes make as many reports: give each a name, machine=%s-%%n for %s-0, %s-1", o.Nodes, o.Machine, o.Machine, o.Machine)
	}
	return o, nil
}

// whyRefused is empty for an option that can be used. Sbatch takes the beginning
// of an option's name for the name.
func whyRefused(name string) string {
	for _, full := range slices.Sorted(maps.Keys(refused)) {
		if name != "" && strings.HasPrefix(full, name) {
			return refused[full]
		}
	}
	return ""
}

// split cuts at commas that stand in neither brackets nor quotes, and takes the
// quotes away.
func split(text string) ([]string, error) {
	var items []string
	var item strings.Builder
	quoted, depth := false, 0
	for _, r := range text + "," {
		switch {
		case r == '"':
			quoted = !quoted
			continue
		case r == '[' && !quoted:
			depth++
		case r == ']' && !quoted:
			depth--
		case r == ',' && !quoted && depth == 0:
			if item.Len() == 0 {
				return nil, fmt.Errorf("an option is missing: write them as partition=gpu,time=00:10:00")
			}
			items = append(items, item.String())
			item.Reset()
			continue
		}
		item.WriteRune(r)
	}
	if quoted || depth != 0 || item.Len() > 0 {
		return nil, fmt.Errorf("a quote or a bracket is not closed")
	}
	return items, nil
}

// leastNodes reads the value of nodes=, "2" or "2-4". What it cannot read is
// for Slurm to judge.
func leastNodes(value string) int {
	least, _, _ := strings.Cut(value, "-")
	n, err := strconv.Atoi(least)
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// A Label names the report of a job, or with a pattern those of its nodes:
// %n stands for the node's number in the job, from 0, and %N for its name, as in
// the file names of sbatch. A node's name is published only where the author
// writes %N.
type Label string

var labelPart = lazyregexp.New(`%.?|[^%]+`)

// parts are the label's texts and patterns in order.
func (l Label) parts() []string { return labelPart.FindAllString(string(l), -1) }

func (l Label) check() error {
	for _, p := range l.parts() {
		if strings.HasPrefix(p, "%") && p != "%n" && p != "%N" {
			return fmt.Errorf("%q in machine=%s stands for nothing: %%n is the node's number in the job, %%N its name", p, l)
		}
	}
	return nil
}

// PerNode tells whether each node has a label of its own.
func (l Label) PerNode() bool { return strings.Contains(string(l), "%") }

// Of is the label of the node with the number and the name.
func (l Label) Of(number int, name string) string {
	return strings.NewReplacer("%n", strconv.Itoa(number), "%N", name).Replace(string(l))
}

// Numbered tells whether the labels can be told before the nodes are known.
func (l Label) Numbered() bool { return !strings.Contains(string(l), "%N") }

// Matches tells whether a name could be one of the labels.
func (l Label) Matches(name string) bool {
	var re strings.Builder
	for _, p := range l.parts() {
		switch p {
		case "%n":
			re.WriteString(`\d+`)
		case "%N":
			re.WriteString(`.+`)
		default:
			re.WriteString(regexp.QuoteMeta(p))
		}
	}
	ok, err := regexp.MatchString("^"+re.String()+"$", name)
	return err == nil && ok
}

// shell is the label as a word of sh, to be read on a node.
func (l Label) shell() string {
	words := l.parts()
	for i, p := range words {
		switch p {
		case "%n":
			words[i] = `"$SLURM_NODEID"`
		case "%N":
			words[i] = `"$SLURMD_NODENAME"`
		default:
			words[i] = quote(p)
		}
	}
	return strings.Join(words, "")
}

// quote makes any text one word of sh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func quoteAll(words []string) string {
	quoted := slices.Clone(words)
	for i, w := range quoted {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, " ")
}
