package feeds

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/standing"
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
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.None: 3}}}, 0, "sem resultados", "sin resultados", "never run"},
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Passed: 1}}}, 1, "1 passou", "1 pasó", "passed"},
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Passed: 7, standing.Failed: 2, standing.Skipped: 1}}}, 3, "7 passaram, 2 falharam, 1 pulada", "7 pasaron, 2 fallaron, 1 omitida", "of all"},
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Passed: 1, standing.Skipped: 1}}}, 1, "1 passou, 1 pulada", "1 pasó, 1 omitida", "skipped with a reason"},
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Skipped: 1}}}, 2, "1 pulada", "1 omitida", "nothing passed"},
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.NotApplicable: 2}}}, 0, "2 não se aplicam", "2 no se aplican", "nothing applies"},
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.NotApplicable: 1, standing.Skipped: 1}}}, 2, "1 não se aplica, 1 pulada", "1 no se aplica, 1 omitida", "nothing passed of what applies"},
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Passed: 1, standing.Stale: 1}}}, 2, "1 passou, 1 desatualizada", "1 pasó, 1 desactualizada", "stale"},
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Passed: 1, standing.None: 1}}}, 2, "1 passou, 1 não executada", "1 pasó, 1 sin ejecutar", "not run"},
		{theme.CheckCount{Count: standing.Count{By: [...]int{standing.Passed: 1, standing.Altered: 1}}}, 3, "1 passou, 1 com assinatura inválida", "1 pasó, 1 con firma no válida", "altered"},
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
