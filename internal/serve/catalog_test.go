package serve

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestOwnPagesSpeakAsTheBrowserAsks(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"": "en", "pt-BR,pt;q=0.9,en;q=0.8": "pt", "ES-419": "es", "de, es;q=0.5": "es", "de": "en", "en,pt": "en", ",;-": "en", "pta": "en",
	} {
		if got := catalogFor(&http.Request{Header: http.Header{"Accept-Language": {asked}}}); got.Code() != want {
			t.Errorf("%q: %s, want %s", asked, got.Code(), want)
		}
	}
	r := start(t, Preview{Actions: &deeds{}, Build: newProject(t, files{"a.txt": "broken"}).build})
	for code, title := range map[string]string{"en": "could not be built", "pt": "Não foi possível", "es": "No se pudo"} {
		ask := http.Header{"Accept-Language": {code}}
		if got := r.do("GET", "/pt/", ask).body; !strings.Contains(got, title) || !strings.Contains(got, `lang="`+code+`"`) {
			t.Errorf("%s: %s", code, got)
		}
		if got := r.do("GET", openPath, ask).body; !strings.Contains(got, catalogFor(&http.Request{Header: ask}).Get("page.unlock")) {
			t.Errorf("%s: %s", code, got)
		}
	}
	for script, prefix := range map[string]string{string(liveSource): "overlay.", string(buttonsSource): "run."} {
		used := map[string]bool{}
		for _, m := range regexp.MustCompile(`\bt\.([a-z_]+)`).FindAllStringSubmatch(script, -1) {
			used[m[1]] = true
		}
		texts := catalogs()[0].Texts(prefix)
		for name := range used {
			if texts[name] == nil {
				t.Errorf("there is no text %s%s", prefix, name)
			}
		}
		for name := range texts {
			if !used[name] && !slices.Contains([]string{"error", "warning", "notice"}, name) { // which are severities
				t.Errorf("no script uses %s%s", prefix, name)
			}
		}
	}
}
