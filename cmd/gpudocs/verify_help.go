package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A flagGroup is some flags of a command under a title of their own, for it has
// more than are pleasant to read in one list.
type flagGroup struct {
	title string
	flags []string
}

var verifyGroups = []flagGroup{
	{"What runs", []string{"plan", "run", "rerun", "timeout", "jobs"}},
	{"What is written", []string{"machine", "report", "sign", "json", "junit", "update", "yes"}},
	{"On other machines, through ssh", []string{"host", "host-timeout", "host-binary"}},
	{"On a cluster", []string{"slurm", "slurm-wait"}},
}

// groupedUsage is cobra's usage with the flags in groups; those in none are the
// last ones.
func groupedUsage(groups []flagGroup) func(*cobra.Command) error {
	return func(c *cobra.Command) error {
		w := c.OutOrStderr()
		fmt.Fprintf(w, "Usage:\n  %s\n\nExamples:\n%s\n", c.UseLine(), c.Example)
		var grouped []string
		for _, g := range groups {
			grouped = append(grouped, g.flags...)
			set := pflag.NewFlagSet("", pflag.ContinueOnError)
			set.SortFlags = false
			for _, name := range g.flags {
				set.AddFlag(c.Flag(name))
			}
			fmt.Fprintf(w, "\n%s:\n%s", g.title, set.FlagUsages())
		}
		others := pflag.NewFlagSet("", pflag.ContinueOnError)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(grouped, f.Name) {
				others.AddFlag(f)
			}
		})
		_, err := fmt.Fprintf(w, "\nOther flags:\n%s", others.FlagUsages())
		return err
	}
}
