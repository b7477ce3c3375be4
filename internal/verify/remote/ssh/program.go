package ssh

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

	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// A Program is a gpudocs executable that can be sent.
type Program struct {
	// System is what it was built for: "linux/amd64".
	System string
	packed func() ([]byte, error)
}

// OpenProgram opens an executable, which must be built from the same source as this
// program. Packed programs are cached in the folder cached, unless it is "".
func OpenProgram(file, cached string) (*Program, error) {
	theirs, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if ours, ok := debug.ReadBuildInfo(); ok && ours.Main.Path != theirs.Main.Path {
		return nil, text.Say("verify.binary-not-gpudocs", "file", file, "what", theirs.Path)
	}
	set := map[string]string{}
	for _, s := range theirs.Settings {
		set[s.Key] = s.Value
	}
	return &Program{
		System: set["GOOS"] + "/" + set["GOARCH"],
		packed: sync.OnceValues(func() ([]byte, error) { return packed(file, programCache(cached)) }),
	}, nil
}

// packed returns the compressed program, compressed once for all machines and runs.
func packed(file string, cache programCache) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, err
	}
	if data, err := cache.get(sum.Sum(nil)); err == nil {
		return data, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	sum.Reset() // of what is compressed: the file may have changed
	data, err := pack(io.TeeReader(f, sum))
	if err == nil {
		cache.put(sum.Sum(nil), data)
	}
	return data, err
}

// pack compresses a program, to less than half.
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

// GOOS and GOARCH by the output of uname.
var (
	systems       = map[string]string{"Linux": "linux", "Darwin": "darwin", "FreeBSD": "freebsd"}
	architectures = map[string]string{
		"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64", "ppc64le": "ppc64le",
		"riscv64": "riscv64", "s390x": "s390x", "i686": "386", "armv7l": "arm",
	}
)

// choose returns the program for a system, given as `uname -s -m` prints it.
func choose(programs []*Program, uname string) (*Program, error) {
	system, machine, _ := strings.Cut(uname, " ")
	goos, goarch := systems[system], architectures[machine]
	if goos == "" || goarch == "" {
		return nil, &remote.Error{Message: text.Say("verify.system-unknown", "name", fmt.Sprintf("%.60q", uname)), Hint: text.Say("verify.run-by-hand-hint")}
	}
	for _, p := range programs {
		if p.System == goos+"/"+goarch {
			return p, nil
		}
	}
	return nil, &remote.Error{Message: text.Say("verify.binary-for-other-system", "goos", goos, "goarch", goarch, "other", programs[len(programs)-1].System),
		Hint: text.Say("verify.binary-for-other-system-hint", "command", fmt.Sprintf("GOOS=%s GOARCH=%s go build -o FILE ./cmd/gpudocs; --host-binary FILE", goos, goarch))}
}
