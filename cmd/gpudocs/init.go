package main

import (
	"github.com/spf13/cobra"
)

func newInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:  "init DIR",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return nil },
	}
}
