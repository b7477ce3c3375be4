package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// pullLimit limits the time of a download with its conversion.
const pullLimit = 2 * time.Hour

// Pull downloads an image that is not on this machine, with the first runtime that can. It
// returns the image.
func Pull(ctx context.Context, text string, h Host) (*Image, error) {
	image, err := Find(ctx, text, h)
	if !errors.Is(err, ErrNotHere) {
		return image, err
	}
	r := parse(text, h.Root)
	names, err := candidates(r, h)
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, name := range names {
		i := &Image{Runtime: name, program: h.LookPath(name), env: h.Env}
		if err := i.pull(ctx, r); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
			if ctx.Err() != nil {
				break
			}
			continue
		}
		return Find(ctx, text, h)
	}
	return nil, errors.Join(faults...)
}

func (i *Image) pull(ctx context.Context, r reference) error {
	if i.Runtime == Podman || i.Runtime == Docker {
		name := r.place
		if i.Runtime == Podman && strings.HasPrefix(r.text, "docker://") {
			name = r.text // Podman asks which registry is meant otherwise
		}
		return i.fetch(ctx, "pull", name)
	}
	path, err := r.download(i.Runtime)
	if err != nil {
		return err
	}
	source := r.place
	if r.kind == registry {
		source = "docker://" + r.place
	}
	part := path + ".part"
	defer os.Remove(part)
	if i.Runtime == Enroot {
		err = i.fetch(ctx, "import", "--output", part, enrootSource(r.place))
	} else {
		err = i.fetch(ctx, "pull", "--force", part, source)
	}
	if err != nil {
		return err
	}
	return private(os.Rename(part, path))
}

func (i *Image) fetch(ctx context.Context, args ...string) error {
	a := subprocess.Run(ctx, subprocess.Command{Program: i.program, Args: args, Env: i.env, Dir: "/", Limit: pullLimit})
	if a.Err != nil {
		return errors.New(a.Failure(i.program))
	}
	return nil
}

// enrootSource returns the name of an image as Enroot writes it: the registry, if there is
// one, ends with a number sign.
func enrootSource(name string) string {
	host, rest, ok := strings.Cut(name, "/")
	if ok && (strings.ContainsAny(host, ".:") || host == "localhost") {
		return "docker://" + host + "#" + rest
	}
	return "docker://" + name
}
