package slurm

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// MaxTasks limits the tasks of an array that gpudocs submits.
const MaxTasks = 256

// maxIndex is above the highest index that Slurm allows: MaxArraySize is at most 4,000,001.
const maxIndex = 1 << 22

// unsplit is the index in the record of the tasks that had not started when they were
// cancelled. Slurm also writes it to the names of their output files.
const unsplit = "4294967294"

var taskRange = lazyregexp.New(`^(\d{1,7})(?:-(\d{1,7})(?::(\d{1,7}))?)?$`)

// taskIndexes parses Slurm's list of tasks, such as "0-3,7,10-20:5%2", up to the first
// MaxTasks+1. ok is false if it is not such a list.
func taskIndexes(list string) (indexes []int, ok bool) {
	list, _, _ = strings.Cut(list, "%")
	seen := map[int]bool{}
	for item := range strings.SplitSeq(list, ",") {
		m := taskRange.FindStringSubmatch(item)
		if m == nil {
			return nil, false
		}
		first, _ := strconv.Atoi(m[1])
		last, _ := strconv.Atoi(cmp.Or(m[2], m[1]))
		step, _ := strconv.Atoi(cmp.Or(m[3], "1"))
		if step == 0 || last < first || last >= maxIndex {
			return nil, false
		}
		for i := first; i <= last && len(seen) <= MaxTasks; i += step {
			seen[i] = true
		}
	}
	return slices.Sorted(maps.Keys(seen)), true
}

// update returns a job as the records of the controller show it. The controller forgets a task of an
// array some time after its end, so the tasks that had not ended are looked up with accounted.
func (i Info) update(records []Info, accounted func() []Info) Info {
	if len(i.Tasks) == 0 && records[0].array == "" {
		return records[0]
	}
	known := map[int]Info{}
	for _, t := range i.Tasks {
		known[t.Task] = t
	}
	now, rest := byTask(records)
	lost := false
	for n, t := range known {
		switch _, listed := now[n]; {
		case listed:
		case t.ended():
			now[n] = t
		case rest != nil && t.Waiting():
			now[n] = rest.asTask(n)
		default:
			lost = true
		}
	}
	if lost {
		more, _ := byTask(accounted())
		for n, t := range known {
			if _, listed := now[n]; !listed {
				a, ok := more[n]
				if !ok {
					a.State = unknown
				}
				now[n] = t.with(a)
			}
		}
	}
	return summary(slices.SortedFunc(maps.Values(now), func(a, b Info) int { return cmp.Compare(a.Task, b.Task) }))
}

// byTask returns the tasks that records describe, and the record of those whose indexes Slurm
// no longer lists.
func byTask(records []Info) (tasks map[int]Info, rest *Info) {
	tasks = map[int]Info{}
	for _, r := range records {
		indexes, ok := taskIndexes(r.array)
		if !ok {
			rest = &r
		}
		for _, n := range indexes {
			tasks[n] = r.asTask(n)
		}
	}
	return tasks, rest
}

// asTask returns the record of one task from one of several.
func (i Info) asTask(index int) Info {
	i.Task = index
	for _, file := range []*string{&i.Stdout, &i.Stderr} {
		*file = strings.ReplaceAll(*file, unsplit, strconv.Itoa(index))
	}
	return i
}

// summary returns the state of an array: it runs while a task does, waits while one
// waits and none runs, and has run as long as all its tasks together.
func summary(tasks []Info) Info {
	out := Info{Tasks: tasks}
	urgency := func(t Info) int {
		switch {
		case t.ended():
			return 0
		case t.Waiting() && t.hopeless():
			return 1
		case t.Waiting():
			return 2
		}
		return 3
	}
	if len(tasks) > 0 {
		most := slices.MaxFunc(tasks, func(a, b Info) int { return cmp.Compare(urgency(a), urgency(b)) })
		out.State, out.Reason = most.State, most.Reason
	}
	var nodes []string
	for _, t := range tasks {
		out.RunTime += t.RunTime
		if t.Began() && !slices.Contains(nodes, t.Nodes) {
			nodes = append(nodes, t.Nodes)
		}
	}
	out.Nodes = strings.Join(nodes, ",")
	return out
}

// options returns the words of the #SBATCH lines of a script. They end at the first
// command.
func options(script string) (words []string) {
	for line := range strings.Lines(script) {
		rest, is := strings.CutPrefix(line, "#SBATCH")
		switch {
		case is:
			words = append(words, strings.Fields(rest)...)
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			return words
		}
	}
	return words
}

var arrayOption = lazyregexp.New(`^(?:--array(?:=|$)|-a=?)(.*)$`)

// checkArray returns an error if the script asks for more than MaxTasks tasks. Slurm judges
// lists that are not valid.
func checkArray(script string) error {
	words := options(script)
	for n, w := range words {
		m := arrayOption.FindStringSubmatch(w)
		if m == nil {
			continue
		}
		list := m[1]
		if list == "" && n+1 < len(words) {
			list = words[n+1]
		}
		if indexes, ok := taskIndexes(list); ok && len(indexes) > MaxTasks {
			return &Rejected{"--array=" + list + " has more than " + strconv.Itoa(MaxTasks) + " tasks, the most that gpudocs submits"}
		}
	}
	return nil
}
