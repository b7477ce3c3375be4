package container

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// pullLimit limits the time of a download with its conversion.
const pullLimit = 2 * time.Hour

// Pull downloads an image, with the first runtime that can.
func Pull(ctx context.Context, text string, h Host) (*Image, error) {
	return search(ctx, text, h, (*Image).pull)
}

func (i *Image) pull(ctx context.Context, r reference) error {
	if i.Runtime == Podman || i.Runtime == Docker {
		name := r.place
		if i.Runtime == Podman && strings.HasPrefix(r.text, "docker://") {
			name = r.text // Podman asks which registry is meant otherwise
		}
		if err := i.fetch(ctx, "pull", name); err != nil {
			return err
		}
		return i.find(ctx, r)
	}
	path, err := r.download(i.Runtime)
	if err != nil {
		return err
	}
	source := r.place
	if !strings.Contains(source, "://") {
		source = "docker://" + source
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
	if err := os.Rename(part, path); err != nil {
		return private(err)
	}
	return i.find(ctx, r)
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
