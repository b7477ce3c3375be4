package slurm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// record returns the record of tasks as `scontrol show job` writes it.
func record(id, tasks, state, nodes string) string {
	return fmt.Sprintf(`JobId=%s ArrayJobId=7 ArrayTaskId=%s ArrayTaskThrottle=2 JobName=a ArrayTaskId=9
   JobState=%s Reason=None Dependency=(null)
   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0
   RunTime=00:00:02 TimeLimit=00:10:00 TimeMin=N/A
   NodeList=%s
   StdOut=/w/o-4294967294

`, id, tasks, state, nodes)
}

// told returns an array after the records of queries. Accounting has the given lines.
func told(t *testing.T, accounting string, queries ...string) (i Info) {
	t.Helper()
	for _, q := range queries {
		records, err := parseInfos(q)
		if err != nil && q != "" {
			t.Fatal(err)
		}
		i = i.update(records, func() []Info { return parseAccounting(accounting) })
	}
	return i
}

func states(i Info) string {
	s := i.State + ":"
	for _, t := range i.Tasks {
		s += fmt.Sprintf(" %d %s", t.Task, t.State)
	}
	return s
}

// TestUpdate: the tasks of an array, also of those that Slurm forgets while others run.
func TestUpdate(t *testing.T) {
	t.Parallel()
	waiting, running := record("7", "0-3%2", "PENDING", ""), record("8", "0", "RUNNING", "n1")+record("7", "1-3%2", "PENDING", "")
	for _, c := range []struct {
		name, want, accounting string
		queries                []string
	}{
		{"waits", "PENDING: 0 PENDING 1 PENDING 2 PENDING 3 PENDING", "", []string{waiting}},
		{"runs", "RUNNING: 0 RUNNING 1 PENDING 2 PENDING 3 PENDING", "", []string{waiting, running}},
		{"waits between tasks", "PENDING: 0 COMPLETED 1 PENDING 2 PENDING 3 PENDING", "", []string{running, record("8", "0", "COMPLETED", "n1") + record("7", "1-3", "PENDING", "")}},
		{"cancelled, without the indexes", "CANCELLED: 0 CANCELLED 1 CANCELLED 2 CANCELLED 3 CANCELLED", "", []string{waiting, record("7", "4294967294", "CANCELLED", "")}},
		{"forgotten after its end", "RUNNING: 0 COMPLETED 1 RUNNING 2 RUNNING 3 RUNNING", "",
			[]string{running, record("8", "0", "COMPLETED", "n1") + record("7", "1-3", "PENDING", ""), record("9", "1", "RUNNING", "n1") + record("10", "2", "RUNNING", "n1") + record("7", "3", "RUNNING", "n1")}},
		{"forgotten, without accounting", "RUNNING: 0 UNKNOWN 1 RUNNING 2 RUNNING 3 RUNNING", "", []string{running, record("7", "1-3", "RUNNING", "n1")}},
		{"forgotten, accounted", "RUNNING: 0 FAILED 1 RUNNING 2 RUNNING 3 RUNNING", "7_0|FAILED|7:0|2|00:10:00|n1\n", []string{running, record("7", "1-3", "RUNNING", "n1")}},
		{"all forgotten", "TIMEOUT: 0 TIMEOUT 1 CANCELLED 2 CANCELLED 3 UNKNOWN", "7_0|TIMEOUT|0:0|2|00:10:00|n1\n7_[1-2%2]|CANCELLED by 0|0:0|0|Partition_Limit|None assigned\n", []string{running, ""}},
	} {
		if got := states(told(t, c.accounting, c.queries...)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	i := told(t, "7_0|FAILED|7:0|2|00:10:00|n1\n", running, record("7", "1-3", "RUNNING", "n[2-3]"))
	if first := i.Tasks[0]; first.Exit != 7 || first.Stdout != "/w/o-0" || !first.Began() || i.Nodes != "n1,n[2-3]" || i.RunTime.Seconds() != 8 {
		t.Errorf("%+v", i)
	}
}

func TestTaskIndexes(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]int{"0-3": {0, 1, 2, 3}, "7": {7}, "1,5-6%2": {1, 5, 6}, "0-7:3": {0, 3, 6}, "3,1,1-2": {1, 2, 3},
		"": nil, "4294967294": nil, "N/A": nil, "3-1": nil, "0-3:0": nil, "-1": nil, "1,": nil, "0-9999999": nil} {
		got, ok := taskIndexes(list)
		if d := cmp.Diff(want, got); d != "" || ok != (want != nil) {
			t.Errorf("%q: %v, %v", list, got, ok)
		}
	}
}

func FuzzTaskIndexes(f *testing.F) {
	f.Add("0-3,7,10-20:5%2")
	f.Add("0-4000000,1-4000000:2")
	f.Fuzz(func(t *testing.T, list string) {
		indexes, ok := taskIndexes(list)
		if len(indexes) > MaxTasks+1 || ok != (len(indexes) > 0) {
			t.Errorf("%d tasks, %v", len(indexes), ok)
		}
	})
}

// FuzzAccounting: a line of accounting that is not one of a job tells nothing.
func FuzzAccounting(f *testing.F) {
	f.Add("1_1|FAILED|1:0|3|00:01:00|node1\n5_[1-3]|CANCELLED by 0|0:0|0|Partition_Limit|None assigned\n6|FAILED|3:0|0|01:00:00|node1") // of Slurm 22.05
	f.Add("12|COMPLETED|0:0|61|00:10:00|n1\n12_3|CANCELLED by 1000|0:15|1|UNLIMITED|None assigned")
	f.Add("12.batch|FAILED|1:0|1||n1\nsacct: error\n12_[4-5]|PENDING|0:0|0|1:00|")
	f.Fuzz(func(t *testing.T, text string) {
		for _, i := range parseAccounting(text) {
			if i.id == "" || i.State == "" || strings.Contains(i.State, " ") || i.RunTime < 0 {
				t.Errorf("%+v", i)
			}
		}
	})
}

// TestCheckArray: the limit is found in every way that sbatch reads the option.
func TestCheckArray(t *testing.T) {
	t.Parallel()
	for script, refused := range map[string]bool{
		"#!/bin/sh\n#SBATCH --array=0-100000\n": true, "#SBATCH --ntasks=1 -a 0-256\n": true, "#SBATCH -a1-900%2\n": true, "#SBATCH --array 1-900\n": true,
		"#SBATCH --array=0-255\n": false, "#SBATCH --array=0-1000:10\n": false, "#SBATCH --array=x\n": false, "#SBATCH --array\n": false, "true\n#SBATCH --array=0-900\n": false,
	} {
		rejected := (*Rejected)(nil)
		if err := checkArray(script); errors.As(err, &rejected) != refused {
			t.Errorf("%q: %v", script, err)
		}
	}
}

// TestForgotten: the controller forgets a job after the first query. Accounting, in the format of Slurm 22.05, tells how it ended.
func TestForgotten(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	program := func(name, script string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	single := strings.Replace(record("6", "0", "RUNNING", "node1"), "ArrayJobId=7 ArrayTaskId=0 ArrayTaskThrottle=2 ", "", 1)
	for _, c := range []struct{ name, first, accounting, want string }{
		{"a job", single, "6|FAILED|3:0|7|01:00:00|node1\n", "FAILED 3 7s "},
		{"an array", record("8", "0", "RUNNING", "node1") + record("7", "1-2%1", "PENDING", ""),
			"7_0|COMPLETED|0:0|3|00:01:00|node1\n7_1|FAILED|1:0|3|00:01:00|node1\n7_[2]|CANCELLED by 0|0:0|0|Partition_Limit|None assigned\n",
			"COMPLETED 0 6s : 0 COMPLETED 1 FAILED 2 CANCELLED"},
		{"a job without accounting", single, "", errForgotten.Error()},
		{"an array without accounting", record("8", "0", "RUNNING", "node1") + record("7", "1", "PENDING", ""), "", "UNKNOWN 0 0s : 0 UNKNOWN 1 UNKNOWN"},
	} {
		program("scontrol", "cd '"+dir+"'; case \"$2\" in job) ;; *) exit 1;; esac\nif [ -e asked ]; then echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; fi\n: >asked\ncat <<'EOF'\n"+c.first+"EOF\n")
		program("sacct", "[ \"$*\" = '--noheader --parsable2 --allocations --format="+sacctFields+" --jobs=7' ] || exit 1\ncat <<'EOF'\n"+c.accounting+"EOF\n")
		program("scancel", "")
		if c.accounting == "" {
			program("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1\n")
		}
		info, _, err := Job{ID: "7"}.Wait(t.Context(), Limits{Run: time.Minute, Queue: time.Minute}, nil)
		got := fmt.Sprintf("%s %d %s ", info.State, info.Exit, info.RunTime)
		if len(info.Tasks) > 0 {
			_, tasks, _ := strings.Cut(states(info), ":")
			got += ":" + tasks
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		_ = os.Remove(filepath.Join(dir, "asked"))
	}
}
