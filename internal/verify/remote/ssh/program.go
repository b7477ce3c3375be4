package ssh

import (
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
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
// program.
func OpenProgram(file string) (*Program, error) {
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
		packed: sync.OnceValues(func() ([]byte, error) { return Pack(file) }), // once for all machines
	}, nil
}

// Pack returns the program in a file, compressed to less than half. Tests replace it, because theirs is large.
var Pack = func(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // a valid level
	_, err = io.Copy(z, f)
	err = errors.Join(err, z.Close())
	return out.Bytes(), err
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
		return nil, &remote.Error{
			Message: text.Say("verify.system-unknown", "name", fmt.Sprintf("%.60q", uname)),
			Hint:    text.Say("verify.run-by-hand-hint"),
		}
	}
	for _, p := range programs {
		if p.System == goos+"/"+goarch {
			return p, nil
		}
	}
	return nil, &remote.Error{Message: text.Say("verify.binary-for-other-system", "goos", goos, "goarch", goarch,
		"other", programs[len(programs)-1].System),
		Hint: text.Say("verify.binary-for-other-system-hint",
			"command", fmt.Sprintf("GOOS=%s GOARCH=%s go build -o FILE ./cmd/gpudocs; --host-binary FILE", goos, goarch))}
}
