package slurm

import "testing"

func TestAbsent(t *testing.T) {
	const script = "#!/bin/bash\n"
	for _, c := range []struct {
		message, script string
		want            bool
	}{
		{noSuchResource, "#SBATCH --gres=gpu:a100:1\n", true},
		{noSuchNode, "#SBATCH --gres=gpu:a100:1\n", true},
		{noSuchNode, "#SBATCH --nodes=2 --gpus-per-node=9 # many\n", true},
		{noSuchNode, "#SBATCH --time=1\n\n# GPUs:\n#SBATCH --gres gpu\n", true},
		{noSuchNode, "#SBATCH -N1 -G9\r\n", true},
		{noSuchNode, "#SBATCH --gpus 2\ntrue\n", true},
		{noSuchNode, "#SBATCH --nodes=9\n", false},
		{noSuchNode, "#SBATCH --nodes=9\ntrue\n#SBATCH --gpus=1\n", false},
		{noSuchNode, "##SBATCH --gpus=1\n# SBATCH --gpus=1\n", false},
		{noSuchNode, "#SBATCH --gres-flags=enforce-binding --gpu-bind=none --comment=--gpus\n", false},
		{"Memory specification can not be satisfied; " + noSuchNode, "#SBATCH --gpus=1\n", false},
		{"Failed to validate job spec. --gpus-per-task used without either --gpus or -n/--ntasks is not allowed.; " + noSuchResource, "#SBATCH --gpus-per-task=1\n", false},
		{"invalid partition specified: nowhere; Invalid partition name specified", "#SBATCH --gpus=1\n", false},
		{"", "", false},
	} {
		if got := (&Rejected{c.message}).Absent(script + c.script); got != c.want {
			t.Errorf("%q of %q: %v", c.message, c.script, got)
		}
	}
}
