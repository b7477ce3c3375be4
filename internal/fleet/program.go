package fleet

import (
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// A Program is a gpudocs that can be sent.
type Program struct {
	// System is what it was built for: "linux/amd64".
	System string
	packed func() ([]byte, error)
}

// OpenProgram reads what a file was built from, which must be what this program
// was built from.
func OpenProgram(file string) (*Program, error) {
	theirs, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if ours, ok := debug.ReadBuildInfo(); ok && ours.Main.Path != theirs.Main.Path {
		return nil, fmt.Errorf("%s is no gpudocs, but %s", file, theirs.Path)
	}
	set := map[string]string{}
	for _, s := range theirs.Settings {
		set[s.Key] = s.Value
	}
	return &Program{
		System: set["GOOS"] + "/" + set["GOARCH"],
		packed: sync.OnceValues(func() ([]byte, error) { return pack(file) }),
	}, nil
}

// pack compresses a program once for all machines: less than half is sent.
func pack(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // a valid level
	if _, err := io.Copy(z, f); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Go's names for what uname says.
var (
	systems    = map[string]string{"Linux": "linux", "Darwin": "darwin", "FreeBSD": "freebsd"}
	processors = map[string]string{
		"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64", "ppc64le": "ppc64le",
		"riscv64": "riscv64", "s390x": "s390x", "i686": "386", "armv7l": "arm",
	}
)

// choose finds the program for a system, as `uname -s -m` names it.
func choose(programs []*Program, uname string) (*Program, error) {
	system, processor, _ := strings.Cut(uname, " ")
	goos, goarch := systems[system], processors[processor]
	if goos == "" || goarch == "" {
		return nil, &Fault{Message: fmt.Sprintf("gpudocs does not know its system %q", uname), Hint: "run gpudocs verify there by hand, if it can be built for it"}
	}
	for _, p := range programs {
		if p.System == goos+"/"+goarch {
			return p, nil
		}
	}
	return nil, &Fault{Message: fmt.Sprintf("it is %s/%s, and this gpudocs is built for %s", goos, goarch, programs[len(programs)-1].System),
		Hint: fmt.Sprintf("build one for it, and send that: GOOS=%s GOARCH=%s go build -o FILE ./cmd/gpudocs; --host-binary FILE", goos, goarch)}
}
