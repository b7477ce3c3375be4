package session

import "github.com/gpudocs/gpudocs/internal/machine/container"

// A Container is the image in which a session runs, and what it sees of the machine in
// addition to its scratch folder.
type Container struct {
	Image *container.Image
	// Show are folders that it may read, at the same paths.
	Show []string
	// GPU gives it the NVIDIA GPUs of the machine.
	GPU bool
}
