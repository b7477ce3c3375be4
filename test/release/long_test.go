package release

import (
	"bytes"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// long skips a slow test by default: it compiles everything anew, including Go's own packages.
func long(t *testing.T) {
	if os.Getenv("GPUDOCS_LONG") == "" {
		t.Skip("takes minutes; GPUDOCS_LONG=1 runs it")
	}
	if runtime.GOOS == "windows" {
		t.Skip("written for a shell")
	}
}

// tag is a version that no release has, for a temporary clone.
const tag = "v1.998.7"

// A place is where a program is built: it has everything that may differ between two machines
// with the same Go.
type place struct{ dir, cache, umask, zone, jobs string }

// build builds the program like a release, and returns its bytes.
func (p place) build(t *testing.T, flags []string) []byte {
	out := filepath.Join(p.dir, "dist", "gpudocs")
	if err := os.MkdirAll(p.cache, 0o755); err != nil {
		t.Fatal(err)
	}
	script := "umask " + p.umask + ` && exec go build -p "$1" -o "$2" "${@:3}" ./cmd/gpudocs`
	c := exec.CommandContext(t.Context(), "bash", append([]string{"-c", script, "build", p.jobs, out}, flags...)...)
	c.Dir = p.dir
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOCACHE="+p.cache, "TZ="+p.zone, "GOFLAGS=", "GOTMPDIR="+p.cache)
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (p place) git(t *testing.T, args ...string) {
	c := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=test", "-c", "user.email=test@example.org", "-C", p.dir}, args...)...)
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
}

// version returns the version that the program in a place prints.
func version(t *testing.T, program string) string {
	out, err := exec.CommandContext(t.Context(), program, "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))[1]
}

// TestReproducible: two builds of one commit, in different folders, with separate caches,
// another umask, time zone, age of the files and number of processes, have the same bytes. The
// version of a build of a tag is the tag, and that of a changed tree has a mark.
func TestReproducible(t *testing.T) {
	long(t)
	for _, b := range readConfig(t).Builds {
		flags := append([]string{"-ldflags=" + strings.Join(b.LDFlags, " "), "-tags=" + strings.Join(b.Tags, ",")}, b.Flags...)
		t.Run(b.ID, func(t *testing.T) {
			here := place{dir: clone(t, filepath.Join(t.TempDir(), "a")), cache: t.TempDir(), umask: "022", zone: "UTC", jobs: "4"}
			there := place{dir: clone(t, filepath.Join(t.TempDir(), "another folder", "with ñ")), cache: t.TempDir(), umask: "077", zone: "Asia/Tokyo", jobs: "1"}
			for _, p := range []place{here, there} {
				p.git(t, "tag", "-f", tag)
			}
			if text, err := exec.CommandContext(t.Context(), "find", there.dir, "-name", "*.go", "-exec", "touch", "-d", "2001-02-03", "{}", "+").CombinedOutput(); err != nil {
				t.Fatalf("%s", text)
			}
			one, other := here.build(t, flags), there.build(t, flags)
			if !bytes.Equal(one, other) {
				t.Errorf("two builds differ: %d bytes, %x; %d bytes, %x", len(one), sha256.Sum256(one), len(other), sha256.Sum256(other))
			}
			for _, private := range []string{here.dir, there.dir, here.cache, os.Getenv("HOME") + "/"} {
				if len(private) > 1 && bytes.Contains(one, []byte(private)) {
					t.Errorf("the program holds %s", private)
				}
			}
			t.Logf("%d bytes, %x", len(one), sha256.Sum256(one))
			program := filepath.Join(here.dir, "dist", "gpudocs")
			if got := version(t, program); got != strings.TrimPrefix(tag, "v") {
				t.Errorf("a release has the version %s", got)
			}
			if err := os.WriteFile(filepath.Join(here.dir, "README.md"), []byte("changed\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			here.build(t, flags)
			if got := version(t, program); !strings.HasSuffix(got, "+dirty") {
				t.Errorf("a changed tree has the version %s", got)
			}
		})
	}
}

// TestGoInstall installs gpudocs like users, from a proxy that has only its zip and, as files,
// its dependencies.
func TestGoInstall(t *testing.T) {
	long(t)
	proxy, bin, modules := t.TempDir(), t.TempDir(), t.TempDir()
	dir := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"list": []byte(tag + "\n"), tag + ".info": []byte(`{"Version":"` + tag + `","Time":"2026-11-01T10:00:00Z"}`),
		tag + ".mod": mod, tag + ".zip": pack(t, tag),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	known, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "go", "install", path+"/cmd/gpudocs@latest")
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOBIN="+bin, "GOMODCACHE="+modules, "GOFLAGS=-modcacherw", "GONOSUMDB=*", "GONOSUMCHECK=1", "GOSUMDB=off",
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(strings.TrimSpace(string(known)), "cache", "download"))
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
	if got := version(t, filepath.Join(bin, "gpudocs")); got != strings.TrimPrefix(tag, "v") {
		t.Errorf("got the version %s", got)
	}
}

// TestLicences: .ci/licences accepts all parts of gpudocs, and writes their texts, including
// those of code that a module has copied from others.
func TestLicences(t *testing.T) {
	long(t)
	dir := t.TempDir()
	c := exec.CommandContext(t.Context(), "bash", ".ci/licences", dir)
	c.Dir = root
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
	for _, want := range []string{
		"github.com/yuin/goldmark/LICENSE", "github.com/inconshreveable/mousetrap/LICENSE", "modernc.org/libquickjs/LICENSE-LIBQUICKJS",
		"golang.org/x/image/font/gofont/README", "std/LICENSE", "temml/LICENSE", "mermaid/LICENSES",
	} {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(want))); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestBuildsElsewhere compiles and links the released programs, and vets the rest.
func TestBuildsElsewhere(t *testing.T) {
	long(t)
	for _, b := range readConfig(t).Builds {
		for _, goos := range b.Goos {
			for _, goarch := range b.Goarch {
				t.Run(b.ID+"/"+goos+"/"+goarch, func(t *testing.T) {
					tags := "-tags=" + strings.Join(b.Tags, ",")
					for _, args := range [][]string{{"build", tags, "-o", os.DevNull, "./cmd/gpudocs"}, {"vet", tags, "./..."}} {
						c := exec.CommandContext(t.Context(), "go", args...)
						c.Dir, c.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
						if text, err := c.CombinedOutput(); err != nil {
							t.Errorf("go %s: %s", strings.Join(args, " "), text)
						}
					}
				})
			}
		}
	}
}
