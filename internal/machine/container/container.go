// Package container runs programs in container images, with the runtime that the machine
// has.
//
//	image, err := container.Find(ctx, "docker://python:3.12", host)
//	cmd := image.Command(container.Run{Name: "lesson", Program: []string{"python3", "-V"}})
//
// [Find] looks for a runtime that has the image, in the order of [Runtimes]. It downloads
// nothing. [Pull] does.
//
// A program in a container has the user, the network and the GPUs of the machine, but the
// files and the environment variables of the image. It sees no folder of the machine but
// those of [Run]. That is an environment, and no protection from hostile code.
package container

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// The runtimes.
const (
	Apptainer   = "apptainer"
	Singularity = "singularity"
	Podman      = "podman"
	Docker      = "docker"
	Enroot      = "enroot"
)

// Runtimes are the names of the programs, in the order in which they are tried. Clusters
// have the first two, and Apptainer starts fastest. Docker comes after Podman because its
// containers belong to a service of the machine.
var Runtimes = []string{Apptainer, Singularity, Podman, Docker, Enroot}

// Variable is the environment variable that chooses a runtime.
const Variable = "GPUDOCS_CONTAINER_RUNTIME"

// A Host is what is needed to run programs of this machine.
type Host struct {
	// Root is the folder to which paths of images are relative.
	Root string
	// Env are the variables of runtimes. LookPath finds one in the PATH of Env, or returns
	// "".
	Env      []string
	LookPath func(program string) string
}

// ErrNotHere is the error of [Find] for an image that [Pull] can download.
var ErrNotHere = errors.New("not on this machine")

// An Image is an image that is on this machine, with the runtime that runs it.
type Image struct {
	// Runtime is one of Runtimes.
	Runtime string
	// Digest is "sha256:..." of the image: that of a registry, the ID that the runtime gives
	// it, or that of its file. It is empty for a folder.
	Digest string

	program string   // of the runtime
	source  string   // the image, as the runtime names it
	rootfs  bool     // source is the folder of a root file system, for Podman
	env     []string // of the runtime
	user    string   // in the container, for Podman and Docker
}

// Find finds an image and a runtime for it. text is the value of container= in
// gpudocs.toml.
func Find(ctx context.Context, text string, h Host) (*Image, error) {
	return search(ctx, text, h, (*Image).find)
}

// search returns the image with the first runtime that does not fail.
func search(ctx context.Context, text string, h Host, try func(*Image, context.Context, reference) error) (*Image, error) {
	r := parse(text, h.Root)
	names, err := candidates(r, h)
	if err != nil {
		return nil, err
	}
	var fault error
	for _, name := range names {
		image := &Image{Runtime: name, program: h.LookPath(name), source: r.place, env: h.Env}
		err := try(image, ctx, r)
		switch {
		case err == nil:
			return image, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrNotHere): // a runtime that could download it is more useful to know than one that is broken
			fault = err
		case fault == nil:
			fault = fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil, fault
}

// candidates returns the installed runtimes that can run an image, at least one.
func candidates(r reference, h Host) (names []string, err error) {
	if runtime.GOOS != "linux" { // elsewhere they run in a virtual machine, which has no FIFOs of ours
		return nil, errors.New("sessions in containers run on Linux only")
	}
	suitable := r.runtimes
	if chosen := os.Getenv(Variable); chosen != "" {
		if !slices.Contains(Runtimes, chosen) {
			return nil, fmt.Errorf("%s is %q, but has to be one of %s", Variable, chosen, strings.Join(Runtimes, ", "))
		}
		suitable = slices.DeleteFunc(slices.Clone(suitable), func(name string) bool { return name != chosen })
	}
	for _, name := range suitable {
		if h.LookPath(name) != "" {
			names = append(names, name)
		}
	}
	switch {
	case len(suitable) == 0:
		return nil, fmt.Errorf("%s does not run such images", os.Getenv(Variable))
	case len(names) == 0:
		return nil, &report.Reason{
			Code:    report.ReasonEnvironment,
			Why:     report.EnvNoRuntime,
			Program: r.text,
			Said:    strings.Join(suitable, ", "),
		}
	}
	return names, nil
}

// find completes the image, if the runtime has it.
func (i *Image) find(ctx context.Context, r reference) error {
	i.user = "0:0" // for Podman: without root's privileges, that is the user of this machine
	switch {
	case r.local:
		return private(i.findFile(r))
	case i.Runtime == Podman || i.Runtime == Docker:
		return i.inspect(ctx, r)
	}
	path, err := r.download(i.Runtime)
	if err != nil {
		return err
	}
	i.source = path
	if i.Digest, err = fileDigest(path); errors.Is(err, fs.ErrNotExist) {
		return ErrNotHere
	}
	return private(err)
}

// findFile checks a folder of the author, or a file against the digest in its reference.
func (i *Image) findFile(r reference) error {
	info, err := os.Stat(r.place)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		if i.rootfs = i.Runtime == Podman; i.rootfs {
			i.source += ":O" // what is written is not kept
		}
		return nil
	case !slices.Contains([]string{".sif", ".sqsh"}, filepath.Ext(r.place)):
		return errors.New("neither a folder nor a file that ends in .sif or .sqsh")
	}
	if i.Digest, err = fileDigest(r.place); err == nil && r.digest != "" && r.digest != i.Digest {
		err = fmt.Errorf("the digest of %s is %s", r.text, i.Digest)
	}
	return err
}

// private removes the path from an error.
func private(err error) error {
	if path := new(fs.PathError); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// askLimit limits a question to a runtime.
const askLimit = 30 * time.Second

func (i *Image) ask(ctx context.Context, args ...string) (stdout []byte, err error) {
	a := subprocess.Run(ctx, subprocess.Command{Program: i.program, Args: args, Env: i.env, Dir: "/", Limit: askLimit})
	if a.Err != nil {
		return nil, fmt.Errorf("%w: %s", a.Err, subprocess.FailureLine(a.Stderr))
	}
	return a.Stdout, nil
}

// inspect asks Podman or Docker for an image.
func (i *Image) inspect(ctx context.Context, r reference) error {
	if i.Runtime == Docker {
		options, err := i.ask(ctx, "info", "--format", "{{json .SecurityOptions}}")
		if err != nil {
			return fmt.Errorf("its service does not answer: %w", err)
		}
		if !strings.Contains(string(options), "name=rootless") {
			i.user = fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
		}
	}
	stdout, err := i.ask(ctx, "image", "inspect", r.place)
	if err != nil {
		if subprocess.TimedOut(err) {
			return err
		}
		return ErrNotHere
	}
	var found []struct {
		ID          string `json:"Id"`
		RepoDigests []string
	}
	if err := json.Unmarshal(stdout, &found); err != nil || len(found) == 0 {
		return cmp.Or(err, ErrNotHere)
	}
	i.Digest = found[0].ID
	for _, named := range found[0].RepoDigests {
		if _, digest, ok := strings.Cut(named, "@"); ok && (r.digest == "" || digest == r.digest) {
			i.Digest = digest
			break
		}
	}
	if !strings.HasPrefix(i.Digest, "sha256:") { // the ID of Podman
		i.Digest = "sha256:" + i.Digest
	}
	if !isDigest(i.Digest) {
		return fmt.Errorf("it gives %.100q as digest", i.Digest)
	}
	return nil
}

// A reference is a parsed value of container=.
type reference struct {
	text   string // without the digest of a file
	place  string // a name, or an absolute path
	local  bool   // a file or a folder with the root file system
	digest string // "sha256:...", if it is part of the reference
	// runtimes are those that run such images.
	runtimes []string
}

func parse(text, root string) reference {
	name, digest, _ := strings.Cut(text, "@")
	if !isDigest(digest) {
		name, digest = text, ""
	}
	r := reference{text: text, place: text, digest: digest, runtimes: Runtimes}
	switch ext := filepath.Ext(name); {
	case strings.HasPrefix(text, "docker://"):
		r.place = strings.TrimPrefix(text, "docker://")
		return r
	case strings.HasPrefix(text, "oras://"), strings.HasPrefix(text, "library://"): // SIF files in registries
		r.runtimes = []string{Apptainer, Singularity}
		return r
	case ext == ".sif":
		r.runtimes = []string{Apptainer, Singularity}
	case ext == ".sqsh":
		r.runtimes = []string{Apptainer, Singularity, Enroot}
	case strings.HasPrefix(name, "/"), strings.HasPrefix(name, "./"), strings.HasPrefix(name, "../"):
		r.runtimes = []string{Apptainer, Singularity, Podman}
	default:
		return r
	}
	r.text, r.place, r.local = name, name, true
	if !filepath.IsAbs(name) {
		r.place = filepath.Join(root, name)
		if abs, err := filepath.Abs(r.place); err == nil {
			r.place = abs
		}
	}
	return r
}

func isDigest(s string) bool {
	hex, ok := strings.CutPrefix(s, "sha256:")
	return ok && len(hex) == 64 && strings.Trim(hex, "0123456789abcdef") == ""
}
