package slurm

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// running is the output of Slurm 22.05, with a misleading job name.
const running = `JobId=12 JobName=a JobState=FAILED
   UserId=root(0) GroupId=root(0) MCS_label=N/A
   Priority=4294901759 Nice=0 Account=(null) QOS=(null)
   JobState=TIMEOUT Reason=TimeLimit Dependency=(null)
   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=3:15
   RunTime=1-02:00:01 TimeLimit=00:10:00 TimeMin=N/A
   ReqNodeList=(null) ExcNodeList=(null)
   NodeList=n[1-2]
   BatchHost=n1
   Command=/tmp/sl/j.sh
   WorkDir=/tmp/a b
   StdErr=/tmp/a b/slurm-12.out
   StdIn=/dev/null
   StdOut=/tmp/a b/slurm-12.out
   Power=

`

func TestParseInfo(t *testing.T) {
	t.Parallel()
	all, err := parseInfos(running)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	got := all[0]
	want := Info{id: "12", State: "TIMEOUT", Reason: "TimeLimit", Exit: 3, Signal: 15, TimeLimit: "00:10:00", RunTime: 26*time.Hour + time.Second,
		Nodes: "n[1-2]", BatchHost: "n1", Stdout: "/tmp/a b/slurm-12.out", Stderr: "/tmp/a b/slurm-12.out"}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Info{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, several := range []string{running + running, strings.Replace(running, "JobName", "HetJobId=12 HetJobOffset=0 JobName", 1)} {
		if _, err := parseInfos(several); !errors.Is(err, ErrSeveral) {
			t.Errorf("error %v, want %v", err, ErrSeveral)
		}
	}
	for _, nothing := range []string{"", "slurm_load_jobs error", "JobId=1"} {
		if i, err := parseInfos(nothing); err == nil {
			t.Errorf("%q: %+v", nothing, i)
		}
	}
}

// FuzzParseInfo: a reason never holds the names of nodes after Slurm's keyword.
func FuzzParseInfo(f *testing.F) {
	f.Add(running)
	f.Add("JobId=1\n JobState=PENDING Reason=ReqNodeNotAvail,_UnavailableNodes:n1(x) Dep=\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseInfos(text)
		for _, i := range all {
			if err == nil && (strings.ContainsAny(i.Reason, ",:([") || i.State == "" || i.RunTime < 0) {
				t.Errorf("%+v", i)
			}
		}
	})
}

func TestWhy(t *testing.T) {
	t.Parallel()
	for want, i := range map[string]Info{
		"slurm: forgotten":                         {State: unknown, Nodes: "n1"},
		"slurm: cancelled":                         {State: "CANCELLED"},
		"slurm: ended: CANCELLED":                  {State: "CANCELLED", Nodes: "n1"},
		"slurm: time-limit: 00:01:00":              {State: "TIMEOUT", Nodes: "n1", TimeLimit: "00:01:00", Reason: "TimeLimit"},
		"slurm: ended: NODE_FAIL":                  {State: "NODE_FAIL", Nodes: "n1"},
		"slurm: ended: OUT_OF_MEMORY: OutOfMemory": {State: "OUT_OF_MEMORY", Nodes: "n1", Reason: "OutOfMemory"},
		"slurm: signal: SIGKILL":                   {State: "FAILED", Nodes: "n1", Signal: 9},
		"slurm: exit: 7":                           {State: "FAILED", Nodes: "n1", Exit: 7},
		"slurm: no-output":                         {State: "FAILED", Nodes: "n1", Signal: 53, Reason: "JobLaunchFailure"},
	} {
		if got := i.Why().Error(); got != want {
			t.Errorf("%+v: %q, want %q", i, got, want)
		}
	}
	for want, i := range map[string]Info{
		"slurm: queue: time: 60: Resources":   {State: "PENDING", Reason: "Resources"},
		"slurm: queue: time: 60":              {State: "CONFIGURING"},
		"slurm: never-starts: InvalidAccount": {State: "PENDING", Reason: "InvalidAccount"},
		"slurm: cancelled":                    {State: "CANCELLED"},
	} {
		if got := i.WhyNotStarted(time.Minute).Error(); got != want {
			t.Errorf("%+v: %q, want %q", i, got, want)
		}
	}
	for reason, want := range map[string]string{
		"None": "", "Resources": "Resources", "ReqNodeNotAvail,_UnavailableNodes:gpu[1-3]": "ReqNodeNotAvail",
		"Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved": "Nodes required for job are DOWN",
		"launch_failed_requeued_held":                          "launch failed requeued held",
	} {
		if got := plainReason(reason); got != want {
			t.Errorf("reason %q: %q, want %q", reason, got, want)
		}
	}
}

// TestExpand: the names are those that Slurm 22.05 gave to files.
func TestExpand(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"/w/slurm-10.out": "/w/slurm-10.out",
		"/w/out-%N-%3j-%%-%n-%s-%t-%J-%5A-root.txt": "/w/out-vm-010-%-0-batch-0-10-00010-root.txt",
		"/w/%q":         "/w/%q",
		`/w/a\%j`:       "/w/a%j",
		"/w/%99999999j": "/w/0000000010",
		"":              "",
	} {
		i := Info{id: "10", Stdout: name}
		if i.files("10", "vm.example.org"); i.Stdout != want {
			t.Errorf("%q: %q, want %q", name, i.Stdout, want)
		}
	}
}

func TestErrorMessage(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]string{
		"sbatch: error: invalid partition specified: nowhere\nsbatch: error: Batch job submission failed: Invalid partition name specified\n": "invalid partition specified: nowhere; Invalid partition name specified",
		"sbatch: unrecognized option '--frob=9'\nTry \"sbatch --help\" for more information\n":                                                "unrecognized option '--frob=9'",
		"sbatch: Job 4 to start at 2026-11-22T04:45:03 using 1 processors on nodes node1 in partition gpu\n":                                  "Job 4 to start at 2026-11-22T04:45:03 using 1 processors on nodes node1 in partition gpu",
		"sbatch: fatal: No command given to execute.\n":                                                                                       "No command given to execute.",
		"": "",
	} {
		if got := errorMessage(stderr); got != want {
			t.Errorf("%q: %q, want %q", stderr, got, want)
		}
	}
}

func TestEnviron(t *testing.T) {
	t.Parallel()
	in := []string{"PATH=/bin", "SLURM_CONF=/c", "SLURM_JOB_ID=1", "SLURM_MEM_PER_NODE=2", "CUDA_VISIBLE_DEVICES=0"}
	if d := cmp.Diff([]string{"PATH=/bin", "SLURM_CONF=/c", "SLURM_BITSTR_LEN=0"}, environ(in)); d != "" {
		t.Errorf("within a job (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"CUDA_VISIBLE_DEVICES=0", "SLURM_BITSTR_LEN=0"}, environ([]string{"CUDA_VISIBLE_DEVICES=0", "SBATCH_ARRAY_INX=0-9"})); d != "" {
		t.Errorf("outside (-want +got):\n%s", d)
	}
}
