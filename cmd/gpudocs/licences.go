package main

import (
	"cmp"
	"debug/buildinfo"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/licences"
	"github.com/gpudocs/gpudocs/internal/terminal"
)

func newLicences(a *app) *cobra.Command {
	var program string
	var texts, sbom bool
	c := &cobra.Command{
		Use:     "licences [NAME...]",
		Aliases: []string{"licenses"},
		Short:   "List what gpudocs is made of, and under which licences",
		Long: `Licences lists the parts of this program: gpudocs itself, Go, the modules it is
linked with and what is embedded in it, each with its version and licence. With names
it prints the full texts of those, which come with the program.

--sbom prints the same list for other programs, as a bill of materials in CycloneDX
(JSON). The same program has the same one, to the byte.`,
		Example: `  gpudocs licences
  gpudocs licences goldmark mermaid      the texts of these
  gpudocs licences --texts | less
  gpudocs licences --sbom > gpudocs.cdx.json`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			for _, p := range ownParts() {
				names = append(names, p.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, names []string) error {
			info, err := a.builtAs(program)
			switch {
			case err != nil:
				return err
			case sbom && len(names) > 0:
				return a.fault("sbom_names")
			case sbom:
				return licences.WriteSBOM(a.stdout, info)
			}
			parts := licences.Of(info)
			if texts && len(names) == 0 {
				return a.licenceTexts(parts)
			}
			if len(names) == 0 {
				return a.licenceTable(parts)
			}
			var chosen []licences.Part
			for _, name := range names {
				found := licences.Find(parts, name)
				if len(found) == 0 {
					return a.fault("no_part", "name", name)
				}
				chosen = append(chosen, found...)
			}
			return a.licenceTexts(chosen)
		},
	}
	c.Flags().BoolVar(&texts, "texts", false, "print the full texts of all")
	c.Flags().BoolVar(&sbom, "sbom", false, "print a bill of materials, CycloneDX in JSON")
	c.Flags().StringVar(&program, "binary", "", "of this `file`, another gpudocs, for whatever system")
	c.MarkFlagsMutuallyExclusive("texts", "sbom")
	return c
}

// ownParts are those of this program.
func ownParts() []licences.Part {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return licences.Known() // built by something that is not Go's own command
	}
	return licences.Of(info)
}

// builtAs says how a program was built: this one, or a gpudocs in a file.
func (a *app) builtAs(file string) (*debug.BuildInfo, error) {
	own, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, a.fault("unknown_build")
	}
	if file == "" {
		return own, nil
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, a.fault("no_program", "file", file, "why", err.Error())
	}
	if info.Main.Path != own.Main.Path {
		return nil, a.fault("no_gpudocs", "file", file, "what", cmp.Or(info.Path, "?"))
	}
	return info, nil
}

func (a *app) licenceTable(parts []licences.Part) error {
	t := terminal.Table{Head: []string{a.w.Get("head_name"), a.w.Get("head_version"), a.w.Get("head_licence")}, Drop: []int{1}}
	for _, p := range parts {
		t.Rows = append(t.Rows, []string{p.Name, versionShown(p), cmp.Or(p.Licence, a.w.Get("licence_unknown"))})
	}
	p := a.newPaper()
	p.lines(t)
	return p.err
}

// versionShown is a part's version. That of this program is what gpudocs version says.
func versionShown(p licences.Part) string {
	if strings.HasPrefix(p.Version, "(") {
		return release
	}
	return p.Version
}

func (a *app) licenceTexts(parts []licences.Part) error {
	for i, p := range parts {
		if i > 0 {
			if _, err := fmt.Fprintf(a.stdout, "\n%s\n\n", strings.Repeat("-", 72)); err != nil {
				return err
			}
		}
		head := strings.Join(strings.Fields(p.Name+" "+versionShown(p)), " ")
		if _, err := fmt.Fprintf(a.stdout, "%s: %s\n\n%s", head, cmp.Or(p.Licence, a.w.Get("licence_unknown")), p.Text); err != nil {
			return err
		}
	}
	return nil
}
