package hosting

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	ours "github.com/gpudocs/gpudocs/internal/render/hosting"
)

// answers is what netlify.mjs prints.
type answers struct {
	Builds  map[string]string
	Headers []struct {
		For    string
		Values map[string]string
	}
	// Policies are the policies of an address by all matching rules.
	Policies  map[string]string
	Redirects int
	Errors    []string
	Answers   []*struct {
		To     string
		Status int
		Force  bool
	}
}

func netlify(t *testing.T, folder string, questions any) answers {
	t.Helper()
	node := needs(t, "node", "there is no node, which runs Netlify's parsers")
	if _, err := os.Stat("node_modules/.package-lock.json"); err != nil { // npm writes it last
		t.Skip("Netlify's parsers are not installed: npm ci --ignore-scripts --prefix test/hosting")
	}
	for _, name := range []string{"netlify.mjs", "../../netlify.toml"} { // go test would not notice their changes
		if _, err := os.Stat(name); err != nil {
			t.Fatal(err)
		}
	}
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), node, "netlify.mjs", repository, folder)
	var stderr bytes.Buffer
	c.Stdin, c.Stderr = bytes.NewReader(input), &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	var a answers
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return a
}

// TestNetlify reads netlify.toml, _headers and _redirects with Netlify's own packages, and checks the
// answers of its matcher.
func TestNetlify(t *testing.T) {
	t.Parallel()
	type question struct{ Path, Language string }
	type query struct {
		Path     string `json:"path"`
		Language string `json:"language"`
	}
	cases := []struct {
		question
		to     string
		status int
		force  bool
	}{
		{question{"/", "pt"}, "/pt/", 302, true},
		{question{"/", "pt-BR"}, "/pt/", 302, true},
		{question{"/", "es"}, "/es/", 302, true},
		{question{"/", "de"}, "/pt/", 302, true},
		{question{"/pt/gpu/antigo/", "es"}, "/pt/gpu/uso/", 301, true},
		{question{"/pt/gpu/antigo", "es"}, "/pt/gpu/uso/", 301, true},
		{question{"/pt/gpu/a%C3%A7%C3%A3o/", "es"}, "/pt/gpu/uso/", 301, true},
		{question{"/pt/gpu/ação/", "es"}, "/pt/gpu/uso/", 301, true},
		{question{"/es/gpu/antigo/", "es"}, "/es/gpu/uso/", 301, true},
		{question{"/velho.html", "es"}, "/pt/gpu/uso/", 301, true},
		{question{"/pt/nada/aqui/", "es"}, "/pt/404.html", 404, false},
		{question{"/es/nada", "pt"}, "/es/404.html", 404, false},
		{question{"/forum", "pt"}, "https://forum.example/", 302, false},
		{question{"/nada", "pt"}, "", 0, false}, // Netlify shows 404.html of the root by itself
	}
	var questions []query
	for _, c := range cases {
		questions = append(questions, query(c.question))
	}
	a := netlify(t, site(t), questions)
	if len(a.Errors) > 0 || a.Redirects == 0 {
		t.Errorf("%d redirects, errors: %q", a.Redirects, a.Errors)
	}
	for i, c := range cases {
		got := a.Answers[i]
		if c.to == "" && got == nil {
			continue
		}
		if got == nil || got.To != c.to || got.Status != c.status || got.Force != c.force {
			t.Errorf("%s for %s: %+v", c.Path, c.Language, got)
		}
	}
	for context, want := range map[string]string{"starter": `--strict --base-url "$URL"`, "production": `--strict --base-url "$URL"`, "deploy-preview": `build --base-url "$DEPLOY_PRIME_URL"`, "branch-deploy": `build --base-url "$DEPLOY_PRIME_URL"`} {
		if !strings.HasSuffix(a.Builds[context], want) {
			t.Errorf("%s builds with %q", context, a.Builds[context])
		}
	}
	values := map[string]map[string]string{}
	for _, h := range a.Headers {
		values[h.For] = h.Values
	}
	for _, h := range ours.Headers() {
		if got := values["/*"][h.Name]; got != h.Value {
			t.Errorf("%s: %q", h.Name, got)
		}
	}
	for path, want := range map[string]string{"/pt/": ours.Policy, "/pt/gpu/a.svg": ours.Policy + ", " + ours.Drawing, "/a.svg": ours.Policy + ", " + ours.Drawing, "/pt/a.svg.md": ours.Policy} {
		if got := a.Policies[path]; got != want {
			t.Errorf("%s has the policy %q", path, got)
		}
	}
	for path, want := range map[string]string{"/_theme/*": ours.Forever, "/pt/*": ours.Checked, "/": ours.Checked} {
		if got := values[path]["Cache-Control"]; strings.ReplaceAll(got, ", ", ",") != strings.ReplaceAll(want, ", ", ",") {
			t.Errorf("%s: Cache-Control is %q", path, got)
		}
	}
}
