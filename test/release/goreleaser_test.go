package release

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"
)

// A config has the parts of .goreleaser.yaml on which the promises of docs/content/en/releases.md rest.
type config struct {
	Version int
	Builds  []struct {
		ID, Main                       string
		Env, Flags, Tags, Goos, Goarch []string
		LDFlags                        []string `yaml:"ldflags"`
		Timestamp                      string   `yaml:"mod_timestamp"`
	}
	Archives []struct {
		ID    string
		IDs   []string `yaml:"ids"`
		Name  string   `yaml:"name_template"`
		Files []struct{ Src, Dst string }
	}
	SBOMs []struct {
		IDs       []string `yaml:"ids"`
		Documents []string
	} `yaml:"sboms"`
	Checksum struct{ Algorithm string }
}

func readConfig(t *testing.T) (c config) {
	data, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestGoReleaser: programs for all systems, without cgo, whose builds are reproducible; each in
// an archive and with a bill of materials, and beside it the files that the licences require.
func TestGoReleaser(t *testing.T) {
	t.Parallel()
	c := readConfig(t)
	if c.Version != 2 || len(c.Builds) != 2 || c.Checksum.Algorithm != "sha256" {
		t.Fatalf("%+v", c)
	}
	for _, b := range c.Builds {
		if b.Main != "./cmd/gpudocs" || !slices.Contains(b.Env, "CGO_ENABLED=0") ||
			!slices.Contains(b.Flags, "-trimpath") || !slices.Contains(b.Flags, "-buildvcs=true") || b.Timestamp != "{{ .CommitTimestamp }}" {
			t.Errorf("%+v", b)
		}
		for _, system := range b.Goos {
			want := []string{"linux"}
			if slices.Contains(b.Tags, "static") {
				want = append(want, "darwin", "windows")
			}
			if !slices.Equal(b.Goos, want) || !slices.Equal(b.Goarch, []string{"amd64", "arm64"}) {
				t.Errorf("%s: %s, %v %v", b.ID, system, b.Goos, b.Goarch)
			}
		}
		archived, listed := 0, 0
		for _, a := range c.Archives {
			if slices.Equal(a.IDs, []string{b.ID}) {
				archived++
			}
		}
		for _, s := range c.SBOMs {
			if slices.Equal(s.IDs, []string{b.ID}) {
				listed++
			}
		}
		if archived != 1 || listed != 1 {
			t.Errorf("%s is in %d archives, and has %d bills of materials", b.ID, archived, listed)
		}
	}
	names := map[string]bool{}
	for _, a := range c.Archives {
		if names[a.Name] {
			t.Errorf("two archives are called %s", a.Name)
		}
		names[a.Name] = true
		var files []string
		for _, f := range a.Files {
			files = append(files, f.Src)
		}
		for _, want := range []string{"LICENSE", ".release/licences", "CHANGELOG.md", ".release/man", ".release/completions"} {
			if !slices.Contains(files, want) {
				t.Errorf("%s is not in the archives of %s", want, a.ID)
			}
		}
	}
}
