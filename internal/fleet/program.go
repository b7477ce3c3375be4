package fleet

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
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
// was built from. What is sent of it is kept in a folder of the user's for other runs;
// kept may be "", for none.
func OpenProgram(file, kept string) (*Program, error) {
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
		packed: sync.OnceValues(func() ([]byte, error) { return packed(file, shelf(kept)) }),
	}, nil
}

// packed is a program as it is sent, compressed once for all machines and runs.
func packed(file string, kept shelf) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, err
	}
	if data, err := kept.get(sum.Sum(nil)); err == nil {
		return data, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	sum.Reset() // of what is compressed: the file may be another by now
	data, err := pack(io.TeeReader(f, sum))
	if err == nil {
		kept.put(sum.Sum(nil), data)
	}
	return data, err
}

// pack compresses: less than half is sent.
func pack(r io.Reader) ([]byte, error) {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // a valid level
	if _, err := io.Copy(z, r); err != nil {
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
		return nil, &Fault{Message: fmt.Sprintf("gpudocs does not know its system %.60q", uname), Hint: "run gpudocs verify there by hand, if it can be built for it"}
	}
	for _, p := range programs {
		if p.System == goos+"/"+goarch {
			return p, nil
		}
	}
	return nil, &Fault{Message: fmt.Sprintf("it is %s/%s, and this gpudocs is built for %s", goos, goarch, programs[len(programs)-1].System),
		Hint: fmt.Sprintf("build one for it, and send that: GOOS=%s GOARCH=%s go build -o FILE ./cmd/gpudocs; --host-binary FILE", goos, goarch)}
}
