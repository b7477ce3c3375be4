package serve

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func TestOwnPagesSpeakAsTheBrowserAsks(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"": "en", "pt-BR,pt;q=0.9,en;q=0.8": "pt", "ES-419": "es", "de, es;q=0.5": "es", "de": "en", "en,pt": "en", ",;-": "en", "pta": "en",
	} {
		if got := wordsFor(&http.Request{Header: http.Header{"Accept-Language": {asked}}}); got.Lang != want {
			t.Errorf("%q: %s, want %s", asked, got.Lang, want)
		}
	}
	r := start(t, Options{Actions: &deeds{}, Build: newProject(t, files{"a.txt": "broken"}).build})
	for code, title := range map[string]string{"en": "could not be built", "pt": "Não foi possível", "es": "No se pudo"} {
		ask := http.Header{"Accept-Language": {code}}
		if got := r.do("GET", "/pt/", ask).body; !strings.Contains(got, title) || !strings.Contains(got, `lang="`+code+`"`) {
			t.Errorf("%s: %s", code, got)
		}
		if got := r.do("GET", openPath, ask).body; !strings.Contains(got, wordsFor(&http.Request{Header: ask}).Open) {
			t.Errorf("%s: %s", code, got)
		}
	}
	for _, w := range languages {
		for v, i := reflect.ValueOf(w), 0; i < v.NumField(); i++ {
			if v.Field(i).String() == "" {
				t.Errorf("%s has no %s", w.Lang, v.Type().Field(i).Name)
			}
		}
	}
}
