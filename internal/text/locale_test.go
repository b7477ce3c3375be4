package text

import (
	"strings"
	"testing"
)

func TestFromEnv(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"", "en"},
		{"LANG=pt_BR.UTF-8", "pt-br"},
		{"LANG=es", "es"},
		{"LANG=es_ES@euro", "es-es"},
		{"LANG=es_419.UTF-8@x", "es-419"},
		{"LANG=PT-pt", "pt-pt"},
		{"LANG=de_DE.UTF-8", "en"},
		{"LANG=pt_BR.UTF-8 LC_MESSAGES=es_AR", "es-ar"},
		{"LANG=pt_BR.UTF-8 LC_MESSAGES=es_AR LC_ALL=en_US", "en-us"},
		{"LANG=pt_BR.UTF-8 LC_ALL=C", "en"},
		{"LANG=pt_BR.UTF-8 LC_ALL=C.UTF-8", "en"},
		{"LANG=pt_BR.UTF-8 LC_ALL=POSIX LANGUAGE=es", "en"},
		{"LANGUAGE=es", "en"}, // no locale at all is C
		{"LANG=en_US.UTF-8 LANGUAGE=de:es_MX:pt", "es-mx"},
		{"LANG=pt_BR.UTF-8 LANGUAGE=de:en:es", "en"},
		{"LANG=pt_BR.UTF-8 LANGUAGE=de", "en"},
		{"LANG=../../pt", "en"},
		{"LANG=pt/br", "en"},
		{"LANG=en_US LANGUAGE=::pt:", "pt"},
	} {
		env := map[string]string{}
		for _, kv := range strings.Fields(c.env) {
			k, v, _ := strings.Cut(kv, "=")
			env[k] = v
		}
		got := FromEnv(func(k string) string { return env[k] })
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.env, got, c.want)
		}
		if _, err := ForTheme(got); err != nil {
			t.Errorf("%s: %v", c.env, err)
		}
	}
}
