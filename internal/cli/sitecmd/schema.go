package sitecmd

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
)

// Schemas are the JSON Schemas of the files of a site, by name.
var Schemas = map[string]func() []byte{"config": config.Schema, "page": frontmatter.Schema, "theme": theme.Schema}

func NewSchema(a *env.Env) *cobra.Command {
	names := slices.Sorted(maps.Keys(Schemas))
	return &cobra.Command{
		Use:       "schema config|page|theme",
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := a.Stdout.Write(Schemas[args[0]]())
			return err
		},
	}
}
