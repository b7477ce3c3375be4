package slurmjob

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A Label is the name of a job's report, or a pattern for those of its nodes: %n is the
// node's number in the job, from 0, and %N its name, as in file names of sbatch. A
// node's name is published only if the author writes %N.
type Label string

var labelPart = lazyregexp.New(`%.?|[^%]+`)

func (l Label) check() error {
	for _, p := range labelPart.FindAllString(string(l), -1) {
		if strings.HasPrefix(p, "%") && p != "%n" && p != "%N" {
			return fmt.Errorf("%q in machine=%s stands for nothing: %%n is the node's number in the job, %%N its name", p, l)
		}
	}
	return nil
}

// expand replaces %n, %N and the texts between them.
func (l Label) expand(number, name string, literal func(string) string) string {
	var b strings.Builder
	for _, p := range labelPart.FindAllString(string(l), -1) {
		switch p {
		case "%n":
			b.WriteString(number)
		case "%N":
			b.WriteString(name)
		default:
			b.WriteString(literal(p))
		}
	}
	return b.String()
}

// PerNode reports whether each node has a label of its own.
func (l Label) PerNode() bool { return strings.Contains(string(l), "%") }

// Of returns the label of the node with that number and name.
func (l Label) Of(number int, name string) string {
	return strings.NewReplacer("%n", strconv.Itoa(number), "%N", name).Replace(string(l))
}

// numbered reports whether the labels are known before the nodes are.
func (l Label) numbered() bool { return !strings.Contains(string(l), "%N") }

// matches reports whether a name could be one of the labels.
func (l Label) matches(name string) bool {
	ok, err := regexp.MatchString("^"+l.expand(`\d+`, `.+`, regexp.QuoteMeta)+"$", name)
	return err == nil && ok
}

// first returns the labels of the first nodes, if they are known before the nodes
// are.
func (l Label) first(nodes int) (labels []string) {
	if !l.numbered() {
		return nil
	}
	for n := range nodes {
		labels = append(labels, l.Of(n, ""))
	}
	return labels
}

// Labels returns the labels that a job's reports will have, and those of earlier
// reports in a folder that they may have.
func (a Allocation) Labels(results string) ([]string, error) {
	if !a.Machine.PerNode() {
		return []string{string(a.Machine)}, nil
	}
	files, err := filepath.Glob(filepath.Join(results, "*.json"))
	labels := a.Machine.first(a.Nodes)
	for _, f := range files {
		label := strings.TrimSuffix(filepath.Base(f), ".json")
		if a.Machine.matches(label) && report.CheckName(label) == nil {
			labels = append(labels, label)
		}
	}
	return labels, err
}
