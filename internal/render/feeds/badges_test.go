package feeds

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/theme"
)

func TestBadgeWords(t *testing.T) {
	t.Parallel()
	s := newFeeds(t, map[string]string{"content/pt/index.md": "# A\n"})
	for _, c := range []struct {
		count       theme.CheckCount
		status      int
		pt, es      string
		description string
	}{
		{theme.CheckCount{}, 0, "sem resultados", "sin resultados", "nothing"},
		{theme.CheckCount{Total: 3, NotRun: 3}, 0, "sem resultados", "sin resultados", "never run"},
		{theme.CheckCount{Total: 1, Passed: 1}, 1, "1 passou", "1 pasó", "passed"},
		{theme.CheckCount{Total: 10, Passed: 7, Failed: 2, Skipped: 1}, 3, "7 passaram, 2 falharam, 1 pulada", "7 pasaron, 2 fallaron, 1 omitida", "of all"},
		{theme.CheckCount{Total: 2, Passed: 1, Skipped: 1}, 1, "1 passou, 1 pulada", "1 pasó, 1 omitida", "skipped with a reason"},
		{theme.CheckCount{Total: 1, Skipped: 1}, 2, "1 pulada", "1 omitida", "nothing passed"},
		{theme.CheckCount{Total: 2, NotApplicable: 2}, 0, "2 não se aplicam", "2 no se aplican", "nothing applies"},
		{theme.CheckCount{Total: 2, NotApplicable: 1, Skipped: 1}, 2, "1 não se aplica, 1 pulada", "1 no se aplica, 1 omitida", "nothing passed of what applies"},
		{theme.CheckCount{Total: 2, Passed: 1, Stale: 1}, 2, "1 passou, 1 desatualizada", "1 pasó, 1 desactualizada", "stale"},
		{theme.CheckCount{Total: 2, Passed: 1, NotRun: 1}, 2, "1 passou, 1 não executada", "1 pasó, 1 sin ejecutar", "not run"},
		{theme.CheckCount{Total: 2, Passed: 1, Altered: 1}, 3, "1 passou, 1 com assinatura inválida", "1 pasó, 1 con firma no válida", "altered"},
	} {
		for i, want := range []string{c.pt, c.es} {
			if got := s.message(s.Content.Languages[i], c.count); got != want {
				t.Errorf("%s: %q, want %q", c.description, got, want)
			}
		}
		if got := int(colour(c.count)); got != c.status {
			t.Errorf("%s: colour %d, want %d", c.description, got, c.status)
		}
	}
}
