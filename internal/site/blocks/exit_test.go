package blocks_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestExitCodes(t *testing.T) {
	for exit, want := range map[string]string{"0": "", "1": "", "255": "", "256": `exit="256"`, "-1": `exit="-1"`, "x": `exit="x"`} {
		_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "# P\n\n```bash {run exit=" + exit + "}\nls\n```\n"})
		if (want == "") != (out == "") || want != "" && !strings.Contains(out, ":3:") {
			t.Errorf("exit=%s: %q", exit, out)
		}
	}
}
