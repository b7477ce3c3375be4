package blocks_test

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestJobScript checks that a job script is a check of its own kind and not part of the page's session.
func TestJobScript(t *testing.T) {
	t.Parallel()
	code := "#!/bin/bash\n#SBATCH --time=1\ntrue\n"
	p := sitetest.Page(t, "---\nblocks:\n  session: main\n  timeout: 9m\n---\n# T\n\n```bash {run}\n"+code+"```\n\n```bash {run=sbatch name=job needs=\"gpus >= 0\"}\n"+
		code+"```\n```text {expect}\nA\n```\n\n```sh {run=sbatch timeout=3s}\n"+code+"```\n")
	shell, job, other := p.Blocks[0], p.Blocks[1], p.Blocks[2]
	if job.Kind != site.Sbatch || job.Session.Interpreter != "sbatch" || job.Session == shell.Session || job.Session == other.Session || job.Session.Name != "" {
		t.Errorf("kind %s, session %+v", job.Kind, job.Session)
	}
	if job.Timeout != shell.Timeout || other.Timeout == shell.Timeout || job.Needs.IsZero() || len(job.Expects) != 1 {
		t.Errorf("%+v", job)
	}
	if job.ID == shell.ID || job.ID == other.ID || job.ID == "" {
		t.Errorf("checks %s, %s, %s", shell.ID, job.ID, other.ID)
	}
}
