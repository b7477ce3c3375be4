package env

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func NewVersion(a *Env) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.Stdout, "gpudocs %s (%s, %s/%s)\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// release is the version in development; a build by go install has its own.
const release = "0.1.0-dev"

func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || strings.HasPrefix(info.Main.Version, "(") {
		return release
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}
